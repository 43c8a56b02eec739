import type { ServicingTerms } from '#domain/amortisation.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import type { LoanEvent } from '#domain/servicing.ts';
import type { positionByDay } from '#tests/domain/servicing-by-day.ts';

// The model of `model.test.ts` keeps what the books must hold, by simple means and without
// the product's own rules.

/** The main admin's id (§account-numbers): whoever the staff's edits are signed by. */
export const staffId = 3;

export const hourMs = 3_600_000;
const codeHours = 24;
const holdHours = 48;
const longHoldDays = 30;
const sessionDays = 30;
const keyDays = 7;
const wrongTriesMost = 5;

/** A bank account as it is written. Two ways of writing the same account have the same `is`. */
export type Bank = { is: string; bankName: string; bankAccountNumber: string };

export type Entry = {
  type: string;
  amountCentavos: number;
  balanceAfterCentavos: number;
  actorId: number;
  withdrawalId: number | null;
};

export type Person = {
  /** Counted from 1, as the commands name them. */
  number: number;
  id: number;
  phone: string;
  password: string;
  session: { token: string; expiresAtMs: number; isEnded: boolean } | undefined;
  status: 'pending' | 'active' | 'suspended';
  isDeleted: boolean;
  balanceCentavos: number;
  ledger: Entry[];
  code: { text: string; expiresAtMs: number; wrongTries: number } | undefined;
  lastCode: string;
  bank: Bank | undefined;
  hasDocuments: boolean;
  staffChangedAtMs: number | undefined;
  passwordIssuedAtMs: number | undefined;
  bankByStaffAtMs: number | undefined;
  heldAtMs: number | undefined;
  /** When money last came in, other than back from a rejected withdrawal. */
  creditedAtMs: number | undefined;
  bankByOwnerAtMs: number | undefined;
  /** When anybody changed the bank of somebody who was ever verified. */
  bankMovedAtMs: number | undefined;
  /** When staff put money in by hand. */
  raisedAtMs: number[];
  notices: number;
};

export type WithdrawalStatus = 'pending' | 'approved' | 'completed' | 'rejected';

export type Withdrawal = {
  id: number;
  number: string;
  owner: Person;
  amountCentavos: number;
  bank: Bank;
  status: WithdrawalStatus;
  createdAtMs: number;
  processedAtMs: number | null;
  /** A moment of the server's clock. */
  completedAtMs?: number;
};

export type Loan = {
  id: number;
  number: string;
  owner: Person;
  amountCentavos: number;
  termMonths: number;
  status: string;
  versions: number;
  /** Staff changed the terms, and nobody here accepts them. */
  isUnagreed: boolean;
  createdAtMs: number;
  approvedAtMs: number | undefined;
  releasedCentavos: number | null;
  isDeleted: boolean;
  /** From its first disbursement on. */
  account?: LoanAccount;
};

/** The events of a disbursed loan, and what they come to by living through every day. */
export type LoanAccount = {
  terms: ServicingTerms;
  events: LoanEvent[];
  stored: ReturnType<typeof positionByDay>;
};

export type Payment = {
  id: number;
  loan: Loan;
  amountCentavos: number;
  channel: PaymentChannel;
  reference: string | undefined;
  date: ManilaDate;
  isSettlement: boolean;
  /** The borrower has sent it. */
  isOwn: boolean;
  status: 'submitted' | 'confirmed' | 'rejected' | 'reversed' | 'withdrawn';
  /** Its receipt among the loan's events, and the number printed on it. */
  ofEvent: number | undefined;
  serial: number | null;
  bookedAtMs?: number;
};

export type AuditCounts = Record<
  | 'balance_changed'
  | 'otp_set'
  | 'otp_refused'
  | 'withdrawal_requested'
  | 'withdrawal_status_changed'
  | 'loan_applied'
  | 'loan_status_changed'
  | 'loan_terms_changed'
  | 'loan_deleted'
  | 'member_deleted'
  | 'loan_disbursed'
  | 'disbursement_cancelled'
  | 'payment_recorded'
  | 'payment_confirmed'
  | 'payment_rejected'
  | 'payment_reversed'
  | 'payment_withdrawn'
  | 'loan_serviced',
  number
>;

/** An answer that the server keeps under a key. */
export type Kept<Request> = {
  ownerId: number;
  endpoint: string;
  key: string;
  identity: string;
  request: Request;
  status: number;
  reply: Record<string, unknown>;
  atMs: number;
};

export type Oracle<Request> = {
  nowMs: number;
  people: Person[];
  withdrawals: Withdrawal[];
  loans: Loan[];
  payments: Payment[];
  /** Receipts numbered so far, by year. */
  receipts: Map<number, number>;
  kept: Kept<Request>[];
  audited: AuditCounts;
  /** Requests sent so far, for keys that nobody used before. */
  sent: number;
};

export function createOracle<Request>(nowMs: number): Oracle<Request> {
  return {
    nowMs,
    people: [],
    withdrawals: [],
    loans: [],
    payments: [],
    receipts: new Map(),
    kept: [],
    audited: {
      balance_changed: 0,
      otp_set: 0,
      otp_refused: 0,
      withdrawal_requested: 0,
      withdrawal_status_changed: 0,
      loan_applied: 0,
      loan_status_changed: 0,
      loan_terms_changed: 0,
      loan_deleted: 0,
      member_deleted: 0,
      loan_disbursed: 0,
      disbursement_cancelled: 0,
      payment_recorded: 0,
      payment_confirmed: 0,
      payment_rejected: 0,
      payment_reversed: 0,
      payment_withdrawn: 0,
      loan_serviced: 0,
    },
    sent: 0,
  };
}

export function newPerson(number: number, id: number, phone: string, password: string): Person {
  return {
    number,
    id,
    phone,
    password,
    session: undefined,
    status: 'pending',
    isDeleted: false,
    balanceCentavos: 0,
    ledger: [],
    code: undefined,
    lastCode: '111111',
    bank: undefined,
    hasDocuments: false,
    staffChangedAtMs: undefined,
    passwordIssuedAtMs: undefined,
    bankByStaffAtMs: undefined,
    heldAtMs: undefined,
    creditedAtMs: undefined,
    bankByOwnerAtMs: undefined,
    bankMovedAtMs: undefined,
    raisedAtMs: [],
    notices: 0,
  };
}

export function startSession(person: Person, token: string, nowMs: number): void {
  person.session = { token, expiresAtMs: nowMs + sessionDays * 24 * hourMs, isEnded: false };
}

/** Why a person is kept out before anything else is looked at, if they are. */
export function whyKeptOut({ session, status }: Person, nowMs: number) {
  if (!session || session.expiresAtMs <= nowMs) return { status: 401, code: 'not_signed_in' };
  if (status === 'suspended') return { status: 403, code: 'account_suspended' };
  if (session.isEnded) return { status: 401, code: 'not_signed_in' };
  return undefined;
}

/** Every movement of money there is. */
export function move(person: Person, entry: Omit<Entry, 'balanceAfterCentavos'>, nowMs: number): void {
  if (entry.amountCentavos > 0 && entry.type !== 'withdrawal_refund') person.creditedAtMs = nowMs;
  const isByHand = entry.type === 'admin_adjustment' || entry.type === 'correction';
  if (entry.amountCentavos > 0 && isByHand) person.raisedAtMs.push(nowMs);
  person.balanceCentavos += entry.amountCentavos;
  person.ledger.push({ ...entry, balanceAfterCentavos: person.balanceCentavos });
}

export function setCode(person: Person, text: string, nowMs: number): void {
  person.code = { text, expiresAtMs: nowMs + codeHours * hourMs, wrongTries: 0 };
  person.lastCode = text;
}

/** Tells whether a typed code opens the wallet. Asking changes nothing. */
export function readCode({ code }: Person, typed: string, nowMs: number): 'right' | 'wrong' | 'none' {
  if (!code || code.expiresAtMs <= nowMs) return 'none';
  return code.text === typed ? 'right' : 'wrong';
}

/** Counts a wrong try; the last one takes the code away. */
export function missCode(person: Person): void {
  if (!person.code) return;
  person.code.wrongTries += 1;
  if (person.code.wrongTries === wrongTriesMost) person.code = undefined;
}

const isLately = (atMs: number | undefined, nowMs: number): boolean =>
  atMs !== undefined && nowMs - atMs <= longHoldDays * 24 * hourMs;

/**
 * Another bank account. Where a password was issued lately, withdrawals are held for weeks; of somebody who was ever verified,
 * for two days in any case.
 */
export function changeBank(person: Person, bank: Bank, isByStaff: boolean, nowMs: number): boolean {
  const { bank: old } = person;
  if (old?.bankName === bank.bankName && old.bankAccountNumber === bank.bankAccountNumber) return false;
  if (old && isLately(person.passwordIssuedAtMs, nowMs)) hold(person, nowMs);
  // Their profile was complete: documents never come without the rest.
  if (old && person.hasDocuments) person.bankMovedAtMs = nowMs;
  person.bank = bank;
  if (isByStaff) person.bankByStaffAtMs = nowMs;
  else person.bankByOwnerAtMs = nowMs;
  return true;
}

/** A password by staff. Where they moved the bank account lately, withdrawals are held for weeks. */
export function issuePassword(person: Person, nowMs: number): void {
  person.passwordIssuedAtMs = nowMs;
  if (person.bank && isLately(person.bankByStaffAtMs, nowMs)) hold(person, nowMs);
}

function hold(person: Person, nowMs: number): void {
  if (!isLately(person.heldAtMs, nowMs)) person.notices += 1;
  person.heldAtMs = nowMs;
}

/** Returns a new withdrawal's first status: approved if it may go without anybody looking at it. */
export function firstStatus(
  { bank, staffChangedAtMs, heldAtMs, bankMovedAtMs, creditedAtMs = 0, bankByOwnerAtMs = 0 }: Person,
  to: Bank,
  nowMs: number,
): WithdrawalStatus {
  const isHeld =
    isLately(heldAtMs, nowMs) ||
    bankByOwnerAtMs > creditedAtMs ||
    [staffChangedAtMs, bankMovedAtMs].some((atMs) => atMs !== undefined && nowMs - atMs < holdHours * hourMs);
  return bank?.is === to.is && !isHeld ? 'approved' : 'pending';
}

const leadsTo: Record<WithdrawalStatus, string> = {
  pending: 'approved completed rejected',
  approved: 'completed rejected',
  completed: '',
  rejected: '',
};

export function whyNotMoved(from: WithdrawalStatus, to: WithdrawalStatus): string | undefined {
  if (leadsTo[from] === '') return 'withdrawal_final';
  return leadsTo[from].includes(to) ? undefined : 'withdrawal_transition';
}

/** The add-on formula in whole numbers, 2.5 % a month, half a centavo up. */
export function instalmentCentavos({ amountCentavos, termMonths }: Loan): number {
  const [amount, term] = [BigInt(amountCentavos), BigInt(termMonths)];
  const top = amount * 1_000n + amount * 25n * term;
  const bottom = 1_000n * term;
  return Number((2n * top + bottom) / (2n * bottom));
}

/** Disbursed, and not taken back. */
export const isOut = ({ account }: Loan): boolean =>
  account !== undefined && account.stored.account.state !== 'cancelled';

/** Forgets the keys that housekeeping does. */
export function forgetOldKeys<Request>(oracle: Oracle<Request>): void {
  oracle.kept = oracle.kept.filter(({ atMs }) => oracle.nowMs - atMs <= keyDays * 24 * hourMs);
}

/** Centavos as they cross the wire. */
export function pesos(centavos: number): string {
  const digits = String(centavos).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The wire's pesos as centavos. */
export function centavosOf(text: string): number {
  const [whole, decimals = ''] = text.split('.');
  return Number(`${whole}${decimals.padEnd(2, '0')}`);
}

/** In Manila, eight hours ahead of UTC all year. */
export const manilaYear = (nowMs: number) => new Date(nowMs + 8 * hourMs).getUTCFullYear();

export const momentText = (ms: number) => new Date(ms).toISOString();
