/** A message as a gateway gets it. `to` is an international number or an e-mail address. */
export type Outgoing = {
  /** The row's own number: the same message sent again has the same one. */
  id: number;
  to: string;
  text: string;
  subject: string;
  /** A code, which some gateways send first. */
  isUrgent: boolean;
};

/**
 * The outcome of handing a message over. `taken`: the gateway has it; with an `id` it can be asked later.
 * `arrived`: the person has it. `refused`: it never will be taken, and with `isAddressWrong` nothing ever
 * goes to this address. `returned`: it was certainly not taken. `wait`: the gateway wants a pause first.
 * `closed`: it takes nothing at all until somebody puts the key, the sender or the balance right. `lost`:
 * nobody knows. `number` is the gateway's own, of an error.
 */
export type Outcome =
  | { kind: 'taken'; id?: string | undefined }
  | { kind: 'arrived'; id?: string | undefined }
  | { kind: 'refused'; number?: string | undefined; isAddressWrong?: true }
  | { kind: 'returned'; number?: string | undefined }
  | { kind: 'wait'; seconds?: number | undefined }
  | { kind: 'closed'; why: ClosedReason; number?: string | undefined }
  | { kind: 'lost'; why: 'no_answer' | 'nonsense'; number?: string | undefined };

/** Why a gateway takes nothing. */
export const closedReasons = ['key_refused', 'sender_refused', 'balance_empty'] as const;

export type ClosedReason = (typeof closedReasons)[number];

/** One way out. A further provider is one more file with a function that makes one of these. */
export type Gateway = {
  name: 'file' | 'semaphore' | 'smtp';
  /** Never throws. `signal` breaks it off. */
  send(message: Outgoing, signal: AbortSignal): Promise<Outcome>;
  /** Asks what became of a message that it took; undefined if it cannot be told now. Never throws. */
  ask?(id: string, signal: AbortSignal): Promise<Outcome | undefined>;
  close(): void;
};
