import { createHash } from 'node:crypto';
import type { NoticeKind } from '#contract/wording/notices.ts';
import { knownLoanStatuses } from '#domain/loan.ts';
import {
  channelsFor,
  isMessageKind,
  isMobileNumber,
  type MessageChannel,
  type MessageKind,
  maskEmail,
  maskPhone,
  messageChannels,
  rankOf,
} from '#domain/message.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { onCommit, type Reader, type Tx } from '#server/platform/database/database.ts';
import {
  insertMessage,
  isHeld,
  type Message,
  type NewMessage,
  type ReachedAccount,
  readReached,
} from '#server/store/message-store.ts';

/** Where a message is put into the outbox: in the transaction of the deed that it tells of. */
type Work = { deps: Deps; tx: Tx };

/** The channels that the lender has set up. */
export const channelsOn = ({ gateways }: Pick<Deps, 'gateways'>): MessageChannel[] =>
  messageChannels.filter((channel) => gateways[channel] !== undefined);

/** The address of a channel as it is compared and sent to; null where there is none that can be. */
export function addressOf(
  account: Pick<ReachedAccount, 'phoneKey' | 'email'>,
  channel: MessageChannel,
): string | null {
  if (channel === 'email') return account.email || null;
  return account.phoneKey !== null && isMobileNumber(account.phoneKey) ? account.phoneKey : null;
}

export const confirmedAt = (
  account: Pick<ReachedAccount, 'phoneConfirmedAt' | 'emailConfirmedAt'>,
  channel: MessageChannel,
): Date | null => (channel === 'sms' ? account.phoneConfirmedAt : account.emailConfirmedAt);

export const maskAddress = (address: string, channel: MessageChannel): string =>
  channel === 'sms' ? maskPhone(address) : maskEmail(address);

export const addressContext = 'message address';

/** Names a code without telling it: a message carries the code that counts, or none. */
export const codeNameOf = (sealed: string): string =>
  createHash('sha256').update(sealed).digest('base64url').slice(0, 22);

/** A code, access or money is told to the closed and to the suspended as well. */
export const findReached = async (reader: Reader, accountId: number): Promise<ReachedAccount | undefined> =>
  (await readReached(reader, [accountId]))[0];

type Put = {
  kind: MessageKind;
  channel: MessageChannel;
  account: Pick<ReachedAccount, 'id' | 'language'> | null;
  address: string;
  details?: Record<string, string>;
  /** It goes to exactly this address, whatever the account has by the time it is sent. */
  hasOwnAddress?: boolean;
  codeName?: string;
  expiresAt?: Date;
};

/** Writes a message into the outbox; the sender looks as soon as the transaction is committed. */
export async function putMessage(work: Work, put: Put): Promise<Message> {
  const message = await insertMessage(work.tx, {
    ...newMessage(work.deps, put),
    state: (await isHeld(work.tx)) ? 'held' : 'queued',
  });
  onCommit(work.tx, work.deps.wakeSender);
  return message;
}

function newMessage({ clock, secrets }: Deps, put: Put): Omit<NewMessage, 'state'> {
  const { kind, channel, account, address, details = {}, hasOwnAddress = false, codeName, expiresAt } = put;
  const now = clock.now();
  return {
    kind,
    channel,
    details,
    hasOwnAddress,
    accountId: account?.id ?? null,
    rank: rankOf(kind),
    language: account?.language ?? 'en',
    sentTo: maskAddress(address, channel),
    createdAt: now,
    updatedAt: now,
    ...(hasOwnAddress && { addressSealed: secrets.seal(address, addressContext) }),
    ...(codeName !== undefined && { codeName }),
    ...(expiresAt && { expiresAt }),
  };
}

/** Channels whose address the account is about to lose: the message goes to that one, and to no later one. */
export type Former = readonly MessageChannel[];

/**
 * Tells a borrower outside the app, at the addresses that are confirmed, of the channels that are set up; nothing where there
 * is none. Called before an address changes, with the channels in `former`.
 */
export async function tellOutside(
  work: Work,
  accountId: number,
  kind: MessageKind,
  { details = {}, former = [] }: { details?: Record<string, string>; former?: Former } = {},
): Promise<void> {
  const on = channelsOn(work.deps);
  if (on.length === 0) return;
  const account = await findReached(work.tx, accountId);
  if (!account || account.isAdmin) return;
  const reaches = (channel: MessageChannel) =>
    on.includes(channel) && confirmedAt(account, channel) !== null && addressOf(account, channel) !== null;
  for (const channel of channelsFor(kind, { sms: reaches('sms'), email: reaches('email') })) {
    const address = addressOf(account, channel);
    const hasOwnAddress = former.includes(channel);
    if (address !== null) await putMessage(work, { kind, channel, account, address, details, hasOwnAddress });
  }
}

/** Which notices also leave the app, and with which of their details: never what staff wrote. */
export function outsideKindOf(kind: NoticeKind, { status, statusCode }: Record<string, string>) {
  if (!isMessageKind(kind)) return undefined;
  // A suspension is the only state of an account that is told.
  if (kind === 'status_changed' && (statusCode ?? status) !== 'suspended') return undefined;
  return kind;
}

const staffWords = ['reason', 'note', 'message', 'sent', 'alsoChanged'];

export function outsideDetails(kind: MessageKind, details: Record<string, string>): Record<string, string> {
  const plain = Object.entries(details).filter(([name]) => !staffWords.includes(name));
  const isCoded = kind === 'loan_status_changed' || kind === 'withdrawal_status_changed';
  // A status that staff made up is staff's words too.
  return Object.fromEntries(isCoded ? plain.map(([name, text]) => [name, codedOnly(name, text)]) : plain);
}

const knownStatuses: readonly string[] = [...knownLoanStatuses, ...withdrawalStatuses];

const codedOnly = (name: string, text: string) =>
  (name === 'status' || name === 'statusCode') && !knownStatuses.includes(text) ? '' : text;
