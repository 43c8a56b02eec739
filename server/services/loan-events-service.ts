import { servicingTerms } from '#contract/contract-terms.ts';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { addDays, type ManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { type EventRefusal, refundOf, refusalOf } from '#domain/event-refusal.ts';
import {
  type JournalEntry,
  journal,
  monthlyFigures,
  newestEntry,
  type WalletMovement,
  walletMovements,
} from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { rateOf } from '#domain/loan.ts';
import { movementsOf } from '#domain/loan-movement.ts';
import { centavos, sum } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import { quoteLoan } from '#domain/quote.ts';
import {
  type AppliedReceipt,
  closedSince,
  foldEdition,
  foldEvents,
  foldOneMore,
  type InstalmentPosition,
  type LoanEvent,
  type LoanFold,
  type LoanPosition,
  leftToPay,
  position,
  reversedAmong,
  type StoredLoanState,
  standingOn,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import { findAccount, lockWithStaff } from '#server/store/account-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import {
  dropInstalments,
  insertLoanEvent,
  type JournalMovementRow,
  type LoanEventRow,
  type LoanPositionRow,
  type NewLoanEvent,
  readDoneAlone,
  readLoanEvents,
  readLoanPositions,
  readLoansToRefold,
  writeLoanPosition,
  writeMovements,
} from '#server/store/loan-event-store.ts';
import { changeLoan, findLoan, type Loan, lockLoan, wasLoanApproved } from '#server/store/loan-store.ts';
import {
  findNewestTerms,
  type LoanTermsVersion,
  readDisbursedTerms,
  readTermsOfAll,
} from '#server/store/loan-terms-store.ts';
import { type AuditAction, aloneMark, audit } from './audit-service.ts';
import { tellBorrower } from './notice-service.ts';
import { freezeQuote, frozenQuoteOf } from './quote-service.ts';
import type { Act, Caller } from './session-service.ts';

/** A loan with the terms it was disbursed on and its events since. */
export type ServicedLoan = {
  loan: Loan;
  /** Undefined until the first disbursement. */
  stored: LoanPositionRow | undefined;
  terms: ServicingTerms | undefined;
  eventRows: LoanEventRow[];
  /** The same events, as the domain folds them. */
  events: LoanEvent[];
};

/**
 * Everything that planning a step on a loan needs. A preview has no `tx`. The actor is an employee, or the borrower who
 * pays.
 */
export type LoanContext = { deps: Deps; reader: Reader; tx?: Tx; actor: Caller; serviced: ServicedLoan };

/** A step on a loan that is done: `tx` holds the loan's lock, and is also the reader. */
export type LoanWork = LoanContext & { tx: Tx; isAlone?: boolean };

export async function lockForWork(act: Act, loanId: number, evenDeleted?: boolean): Promise<LoanWork> {
  const { tx } = act;
  return { ...act, reader: tx, serviced: await lockServicedLoan(tx, loanId, evenDeleted) };
}

/** Logs what is done to the loan. */
export const auditLoan = (
  work: LoanWork,
  action: AuditAction,
  after: Record<string, unknown>,
  before?: Record<string, unknown>,
): Promise<void> => audit(work, action, { loan: work.serviced.loan.id }, { before, after });

/** The recorder of an event. `isAlone`: it takes two people, and nobody else may be the second. */
export type Author = { actorId: number; approverId?: number; isAlone: boolean };

/** Returns the log's marks of who agreed: the second person is its actor. */
export const marksOf = ({ approverId, actorId, isAlone }: Author) => ({
  ...(approverId !== undefined && { askedBy: actorId }),
  ...(isAlone && aloneMark),
});

export type EventDraft = Omit<NewLoanEvent, keyof Author | 'createdAt'>;

/** The loan, locked until the transaction ends. Fails with `not_found`. */
export async function lockServicedLoan(tx: Tx, loanId: number, evenDeleted?: boolean): Promise<ServicedLoan> {
  // Queued after the lock, so it reads what the lock protects.
  const [loan, read] = await Promise.all([lockLoan(tx, loanId, evenDeleted), readAccountRows(tx, [loanId])]);
  return loan ? servicedLoan(loan, accountRowsOf(loan, read)) : fail('not_found');
}

/**
 * A loan and its borrower, with its account; for everybody but them and staff it does not exist. `evenDeleted`: an agreed
 * contract stays readable after its loan is deleted.
 */
export async function findServicedLoan(
  reader: Reader,
  caller: Caller,
  loanId: number,
  { evenDeleted = false } = {},
) {
  const found = await findLoan(reader, loanId, evenDeleted);
  const isReadable = found && (caller.account.isAdmin || found.loan.accountId === caller.id);
  if (!isReadable || (found.loan.deletedAt && !(await wasLoanApproved(reader, found.loan))))
    fail('not_found');
  const accountRows = accountRowsOf(found.loan, await readAccountRows(reader, [loanId]));
  return { ...found, serviced: servicedLoan(found.loan, accountRows) };
}

/** Several loans, by id, in as few statements as one. Loans that were never disbursed are left out. */
export async function readServicedLoans(
  reader: Reader,
  loans: readonly Loan[],
): Promise<Map<number, ServicedLoan>> {
  if (loans.length === 0) return new Map();
  const ids = loans.map(({ id }) => id);
  const read = await readAccountRows(reader, ids);
  const serviced = loans.map((loan) => servicedLoan(loan, accountRowsOf(loan, read)));
  return new Map(serviced.flatMap((one) => (one.stored ? [[one.loan.id, one]] : [])));
}

const readAccountRows = (reader: Reader, loanIds: readonly number[]) =>
  Promise.all([
    readLoanPositions(reader, loanIds),
    readLoanEvents(reader, loanIds),
    readDisbursedTerms(reader, loanIds),
  ]);

function accountRowsOf(
  { id }: Loan,
  [positions, events, versions]: Awaited<ReturnType<typeof readAccountRows>>,
): AccountRows {
  const isIts = ({ loanId }: { loanId: number }) => loanId === id;
  return {
    position: positions.find(isIts),
    events: events.filter(isIts),
    disbursedTerms: versions.find(isIts),
  };
}

/** The stored rows that a loan's account is folded from. There are none before the first release. */
type AccountRows = {
  position: LoanPositionRow | null | undefined;
  events: LoanEventRow[];
  disbursedTerms: LoanTermsVersion | null | undefined;
};

export function servicedLoan(
  loan: Loan,
  { position: stored, events: eventRows, disbursedTerms: version }: AccountRows,
): ServicedLoan {
  if (!stored) return { loan, stored: undefined, terms: undefined, eventRows: [], events: [] };
  if (!version) throw new Error(`loan ${loan.id} was disbursed on terms that are not there`);
  const terms = servicingTerms(frozenQuoteOf(version), stored.disbursedOn);
  return { loan, stored, terms, eventRows, events: eventRows.map(eventOf) };
}

/** Folds a disbursed loan up to a day; undefined if it was never disbursed. */
export const positionOn = ({ terms, events, stored }: ServicedLoan, today: ManilaDate) =>
  terms && stored ? position(terms, events, laterOf(terms.startDate, today)) : undefined;

/** A disbursed loan on a day, for a list of loans. */
export function standingOf(loan: ServicedLoan, today: ManilaDate) {
  const found = positionOn(loan, today);
  if (!found || !loan.stored) return undefined;
  const { account, instalments, receipts, asOf } = found;
  // A settlement is not split over instalments.
  const settling = receipts.filter(({ settles }) => settles);
  return {
    dueDates: instalments.map(({ dueDate }) => dueDate),
    account: {
      ...account,
      disbursedOn: loan.stored.disbursedOn,
      dueSince: account.daysPastDue > 0 ? addDays(asOf, -account.daysPastDue) : null,
      paid: sum([
        ...instalments.map(({ paid }) => paid),
        ...settling.map(({ amount, credit, lateCharges }) => amount - credit - lateCharges),
      ]),
      leftToPay: leftToPay(account),
    },
  };
}

/** The agreed cost of a loan; of one taken over from other books, its cost there. */
export async function agreedQuote(reader: Reader, loan: Loan) {
  const newest = await findNewestTerms(reader, loan.id);
  if (newest) return { quote: frozenQuoteOf(newest), version: newest.version, newest };
  const quote = quoteLoan({
    amountCentavos: loan.amountCentavos,
    monthlyRate: rateOf(loan),
    termMonths: loan.termMonths,
    startDate: manilaDate(loan.createdAt),
    monthlyPaymentCentavos: loan.monthlyPaymentCentavos,
  });
  return { quote: freezeQuote(quote).quote, version: 0 };
}

/** The terms of a loan that is released on this day: what its own contract says, not what a new one would. */
export async function agreedTerms(reader: Reader, loan: Loan, startDate: ManilaDate) {
  const { quote, newest } = await agreedQuote(reader, loan);
  return servicingTerms(quote, startDate, quote.servicing ?? newest?.agreement?.servicing);
}

/** A value date, from the disbursement to today. Fails with `validation_failed`. */
export function valueDateOf(
  deps: Deps,
  { terms }: ServicedLoan,
  given: ManilaDate | undefined,
  field = 'valueDate',
): ManilaDate {
  const latest = latestDayOf(deps, terms);
  const date = given ?? latest;
  if (date > latest) refuseField(field, 'dateInFuture');
  if (terms && date < terms.startDate) refuseField(field, 'dateBeforeDisbursement');
  return date;
}

/** Terms and position of a loan whose money went out and was not taken back. Fails with `not_disbursed`. */
export function requireDisbursed({ terms, stored }: Pick<ServicedLoan, 'terms' | 'stored'>) {
  if (!terms || !stored || stored.state === 'cancelled') fail('not_disbursed');
  return { terms, stored };
}

/** Today; if the loan was disbursed while the clock was ahead, that day. */
export function latestDayOf(deps: Deps, terms: ServicingTerms | undefined): ManilaDate {
  const today = manilaDate(deps.clock.now());
  return terms ? laterOf(terms.startDate, today) : today;
}

const laterOf = (one: ManilaDate, other: ManilaDate) => (one > other ? one : other);

/** True if a value date is so long ago that it takes a second person (§four-eyes). */
export function isLongAgo(deps: Deps, date: ManilaDate): boolean {
  return date < addDays(manilaDate(deps.clock.now()), -limits.valueDateAloneDays);
}

/** The steps that this person took alone on the loan today, without those that were reversed. */
export function aloneToday({ deps, actor, serviced: { loan, eventRows, events } }: LoanContext) {
  const today = manilaDate(deps.clock.now());
  const undone = reversedAmong(events);
  return eventRows.filter(({ sequence, actorId, approverId, createdAt }) => {
    // A borrower's own payment has the one person who confirmed it as its second.
    const isTheirs =
      actorId === loan.accountId ? approverId === actor.id : actorId === actor.id && !approverId;
    return isTheirs && manilaDate(createdAt) === today && !undone.has(sequence);
  });
}

/**
 * True if this amount takes one person above what they may take in today without a second one, over all loans (§one-day).
 * A lock on the person makes simultaneous payments wait for each other.
 */
export async function exceedsDayLimitAlone(
  { deps, reader, tx, actor, serviced: { loan } }: LoanContext,
  what: 'cash' | 'confirmed',
  amountCentavos: number,
): Promise<boolean> {
  if (tx) await lockWithStaff(tx, loan.accountId, [actor.id]);
  const [done] = await readDoneAlone(reader, manilaDate(deps.clock.now()), actor.id);
  const { cash = 0, confirmed = 0, waived = 0 } = done ?? {};
  return what === 'cash'
    ? cash + amountCentavos > limits.cashAloneADayMaxCentavos
    : confirmed + waived + amountCentavos > limits.confirmedAloneADayMaxCentavos;
}

/** The day on which an event counts as recorded: its own day if that was before the loan came into these books. */
function judgedOn(deps: Deps, { eventRows, terms }: ServicedLoan, date: ManilaDate): ManilaDate {
  const released = eventRows.findLast(({ kind }) => kind === 'disbursement');
  return released && date < manilaDate(released.createdAt) ? date : latestDayOf(deps, terms);
}

/** The effect of one more event on a loan and on the wallet. */
export type Effect = {
  terms: ServicingTerms;
  draft: EventDraft;
  event: LoanEvent;
  /** Pays out at once the credit that the event makes. */
  refund: EventDraft | undefined;
  /** The loan's events, with this one and its refund. */
  events: LoanEvent[];
  before: LoanFold;
  after: LoanFold;
  /** Numbers of the instalments that it changes. */
  changed: Set<number>;
  /** The wallet's movements, in order. */
  movements: WalletMovement[];
};

/**
 * Tries an event out, without writing. Fails with what `refusalOf` names, and as moving the money would:
 * `insufficient_funds`, `already_withdrawn`.
 */
export async function tryEvent({ deps, reader, serviced }: LoanContext, draft: EventDraft): Promise<Effect> {
  const { loan } = serviced;
  const isRelease = draft.kind === 'disbursement';
  const terms = isRelease
    ? await agreedTerms(reader, loan, draft.valueDate)
    : (serviced.terms ?? fail('not_disbursed'));
  const account = await findAccount(reader, loan.accountId);
  const effect = effectOf(deps, { ...serviced, terms }, draft, account !== undefined);
  let balance = account?.balanceCentavos ?? 0;
  for (const { amount } of effect.movements) {
    balance += amount;
    if (balance >= 0) continue;
    if (draft.kind === 'cancellation') fail('already_withdrawn');
    fail('insufficient_funds', { status: 409 });
  }
  return effect;
}

/**
 * The two folds of an event: before it, and after it and the refund of its credit. A closed account gets no refund: its
 * credit is handed back in cash. Fails with what `refusalOf` names.
 */
export function effectOf(
  deps: Deps,
  serviced: ServicedLoan & { terms: ServicingTerms },
  draft: EventDraft,
  hasWallet: boolean,
): Effect {
  const { terms, eventRows, events: earlier } = serviced;
  const event = eventOf({ ...draft, sequence: (eventRows.at(-1)?.sequence ?? 0) + 1 });
  const before = foldEvents(terms, earlier);
  const refusal = refusalOf(before, earlier, event, judgedOn(deps, serviced, event.date));
  if (refusal) refuse(refusal);
  const applied = [...earlier, event];
  const folded = foldEvents(terms, applied);
  const credit = hasWallet ? refundOf(before, folded, applied, event) : undefined;
  const refund: EventDraft | undefined = credit && {
    kind: 'refund',
    valueDate: credit.date,
    amountCentavos: credit.amount,
    isAuto: true,
  };
  const refunding = refund && eventOf({ ...refund, sequence: event.sequence + 1 });
  const events = refunding ? [...applied, refunding] : applied;
  const after = refunding ? foldOneMore(folded, applied, refunding) : folded;
  const changed = after.rows.filter(({ dueDate, paid, left }, index) => {
    const was = before.rows[index];
    return was?.dueDate !== dueDate || was.paid !== paid || was.left !== left;
  });
  return {
    terms,
    draft,
    event,
    refund,
    events,
    before,
    after,
    changed: new Set(changed.map(({ number }) => number)),
    movements: walletMovements(terms, events).filter(({ ofEvent }) => ofEvent >= event.sequence),
  };
}

export function receiptIn({ event, after }: Effect): AppliedReceipt {
  const receipt = after.receipts.find(({ ofEvent }) => ofEvent === event.sequence);
  if (!receipt) throw new Error('a receipt was applied to nothing');
  return receipt;
}

/** The loan after the event, today. If the clock was set back since an event was recorded, on that event's day. */
export function standingAfter(deps: Deps, { terms, events, after }: Effect) {
  const last = events.reduce((latest, { date }) => laterOf(latest, date), latestDayOf(deps, terms));
  return standingOn(after, last);
}

/**
 * Records an event with everything that follows: wallet movements, the refund of new credit, position, status. The
 * caller holds the loan's lock, which closing the account takes too. Fails with `insufficient_funds`, and with
 * `already_withdrawn`.
 */
export async function recordEvent(work: LoanWork, author: Author, effect: Effect): Promise<LoanEventRow> {
  const { draft, event, refund, after, changed, movements } = effect;
  const { tx, serviced } = work;
  const row = await append(work, author, draft, movements);
  if (refund) await append(work, author, refund, movements);
  const { stored, instalments } = storedPosition(after, await versionOf(tx, serviced), serviced.eventRows);
  const wasStored = serviced.stored;
  serviced.stored = stored;
  if (event.kind === 'disbursement') dropInstalments(tx, stored.loanId);
  const isNew = ({ number }: InstalmentPosition) => event.kind === 'disbursement' || changed.has(number);
  writeLoanPosition(tx, stored, instalments.filter(isNew));
  if (wasStored && wasStored.foldEdition !== foldEdition) {
    await writeAllMovements(tx, effect.terms, serviced.eventRows);
  } else writeNewMovements(work, effect, row);
  await followState(work, stored.state);
  return row;
}

/** Writes what an event changes in the movements of its loan, from the first one that is another now (§month). */
function writeNewMovements({ tx, serviced }: LoanWork, effect: Effect, row: LoanEventRow) {
  const { event, events, terms } = effect;
  const earlier = events.filter(({ sequence }) => sequence < event.sequence);
  // On a release, the terms of an earlier life are still those that its events were booked at.
  const before = serviced.terms && { terms: serviced.terms, events: earlier };
  const lines = newestEntry(before, { terms, events: [...earlier, event] });
  const stored = before ? movementsOf(before.terms, earlier) : [];
  const movements = movementsOf(terms, events);
  const first = movements.findIndex((one, index) => {
    const was = stored[index];
    return !was || Object.entries(one).some(([name, value]) => was[name as keyof typeof was] !== value);
  });
  writeMovements(tx, serviced.loan.id, {
    from: (first === -1 ? movements.length : first) + 1,
    movements,
    booked: bookedOf([row], [{ ofEvent: row.sequence, lines }]),
    isAll: false,
  });
}

async function writeAllMovements(tx: Tx, terms: ServicingTerms, rows: readonly LoanEventRow[]) {
  const loanId = rows[0]?.loanId ?? 0;
  const all = allMovements(terms, await readTermsOfAll(tx, [loanId]), rows);
  writeMovements(tx, loanId, { from: 1, ...all, isAll: true });
}

/** Everything that the report of a month is made of, of one loan, from its events. */
export function allMovements(
  terms: ServicingTerms,
  versions: readonly LoanTermsVersion[],
  rows: readonly LoanEventRow[],
) {
  const events = rows.map(eventOf);
  return {
    movements: movementsOf(terms, events),
    booked: bookedOf(rows, journal(livesOf(versions), events)),
  };
}

function bookedOf(rows: readonly LoanEventRow[], entries: readonly JournalEntry[]): JournalMovementRow[] {
  return rows.flatMap(({ loanId, sequence, valueDate, createdAt }) => {
    const lines = entries.find(({ ofEvent }) => ofEvent === sequence)?.lines ?? [];
    const { principal, interest, lateCharges } = monthlyFigures(lines);
    if (principal === 0 && interest === 0 && lateCharges === 0) return [];
    return {
      loanId,
      sequence,
      valueDate,
      recordedOn: manilaDate(createdAt),
      principalCentavos: principal,
      interestCentavos: interest,
      lateChargesCentavos: lateCharges,
    };
  });
}

/** The terms of each disbursement of one loan, in order. */
export const livesOf = (versions: readonly LoanTermsVersion[]): ServicingTerms[] =>
  versions.flatMap((version) => {
    const quote = frozenQuoteOf(version);
    const startDate = quote.disbursedOn && parseManilaDate(quote.disbursedOn);
    return startDate ? [servicingTerms(quote, startDate)] : [];
  });

async function append(
  { deps, tx, serviced }: LoanWork,
  author: Author,
  draft: EventDraft,
  movements: readonly WalletMovement[],
) {
  const last = serviced.eventRows.at(-1);
  const createdAt = deps.clock.now();
  const { row, id } = insertLoanEvent(
    tx,
    serviced.loan.id,
    { sequence: last?.sequence ?? 0, hash: last?.hash ?? '' },
    { ...draft, ...author, createdAt },
  );
  serviced.eventRows.push(row);
  serviced.events.push(eventOf(row));
  for (const movement of movements) {
    if (movement.ofEvent !== row.sequence) continue;
    const moved = await moveMoney(tx, {
      accountId: serviced.loan.accountId,
      amountCentavos: movement.amount,
      type: movement.type,
      actorId: author.actorId,
      reason: movement.type,
      loanEventId: await id,
      // Returned money also reaches the books of a closed account.
      evenIfDeleted: movement.amount > 0,
      at: createdAt,
    });
    if (moved) continue;
    if (movement.type === 'disbursement_reversal') fail('already_withdrawn');
    fail('insufficient_funds', { status: 409 });
  }
  return row;
}

/**
 * Returns the position that is stored with a loan's newest event; it does not depend
 * on the day (decision 030).
 */
export function storedPosition(
  fold: LoanFold,
  termsVersion: number,
  rows: readonly LoanEventRow[],
): { stored: LoanPositionRow; instalments: InstalmentPosition[] } {
  const last = rows.at(-1);
  if (!last) throw new Error('a loan without events has no position');
  const { terms } = fold;
  const events = rows.map(eventOf);
  const days = rows.map(({ valueDate }) => valueDate).sort();
  const { account, instalments } = standingOn(fold, days.at(-1) ?? terms.startDate);
  const state = storedState(account.state);
  const isClosed = state === 'settled' || state === 'completed' || state === 'cancelled';
  const stored = {
    loanId: last.loanId,
    termsVersion,
    eventSequence: last.sequence,
    eventHash: last.hash,
    state,
    disbursedOn: terms.startDate,
    closedOn: (isClosed && closedSince(terms, events)) || null,
    principalLeftCentavos: account.principalLeft,
    creditCentavos: account.credit,
    refundToReturnCentavos: account.refundToReturn,
    lateChargesPaidCentavos: account.lateChargesPaid,
    lateChargesWaivedCentavos: account.lateChargesWaived,
    writtenOffCentavos: account.writeOffAmount,
    oldestDueOn: (!isClosed && instalments.find(({ left }) => left > 0)?.dueDate) || null,
    foldEdition,
  };
  return { stored, instalments };
}

/** After an upgrade, folds again what an earlier edition of the fold has stored. */
export async function refoldLoans(deps: Deps): Promise<void> {
  const limit = limits.listPageRows;
  const read = (after = 0) => deps.database.read((reader) => readLoansToRefold(reader, after, limit));
  for await (const loanIds of readPages(read, (id) => id, limit)) {
    for (const loanId of loanIds) {
      await deps.database
        .transaction((tx) => refoldLoan(deps, tx, loanId))
        // `verify` names what is wrong with it; other loans must go on.
        .catch((error: unknown) => deps.log.warn({ loanId, err: error }, 'a loan cannot be folded again'));
    }
  }
}

async function refoldLoan(deps: Deps, tx: Tx, loanId: number): Promise<void> {
  const serviced = await lockServicedLoan(tx, loanId, true);
  const { terms, events, eventRows, stored } = serviced;
  if (!terms || !stored || stored.foldEdition === foldEdition) return;
  await writeAllMovements(tx, terms, eventRows);
  const folded = storedPosition(foldEvents(terms, events), stored.termsVersion, eventRows);
  writeLoanPosition(tx, folded.stored, folded.instalments);
  if (folded.stored.state !== stored.state && !serviced.loan.deletedAt)
    await followState({ deps, tx, serviced }, folded.stored.state);
}

/** Sets the status to completed when the loan is fully paid, back to active when that is reversed. */
async function followState(
  { deps, tx, serviced }: Pick<LoanWork, 'deps' | 'tx' | 'serviced'>,
  state: StoredLoanState,
): Promise<void> {
  const { loan } = serviced;
  const at = deps.clock.now();
  const change = async (status: string) => {
    serviced.loan = await changeLoan(tx, loan.id, { status, updatedAt: at });
  };
  if (state === 'cancelled') await change('approved');
  else if (state === 'settled' || state === 'completed') {
    if (loan.status === 'completed') return;
    await change('completed');
    await tellBorrower({ deps, tx }, loan.accountId, 'loan_paid_off', { loanNumber: loan.loanNumber });
  } else if (loan.status === 'completed') await change('active');
}

async function versionOf(tx: Tx, { loan, stored, eventRows }: ServicedLoan): Promise<number> {
  const isFirst = eventRows.at(-1)?.kind === 'disbursement';
  if (stored && !isFirst) return stored.termsVersion;
  const newest = await findNewestTerms(tx, loan.id);
  if (!newest) throw new Error(`loan ${loan.id} was disbursed without terms`);
  return newest.version;
}

function storedState(state: LoanPosition['account']['state']): StoredLoanState {
  if (state === 'not_disbursed') throw new Error('a loan with events is disbursed');
  return state === 'overdue' ? 'open' : state;
}

export function eventOf(columns: EventDraft & { sequence: number }): LoanEvent {
  const { sequence, kind, valueDate: date } = columns;
  const amountCentavos = centavos(columns.amountCentavos ?? 0);
  switch (kind) {
    case 'disbursement':
      return { sequence, date, kind, channel: columns.channel as 'wallet' | 'direct' | 'recorded' };
    case 'receipt':
      return {
        sequence,
        date,
        kind,
        amountCentavos,
        channel: columns.channel as PaymentChannel,
        ...(columns.isSettlement && { settlement: true }),
      };
    case 'reversal':
      return { sequence, date, kind, reverses: columns.undoes ?? 0 };
    case 'waiver':
      return { sequence, date, kind, amountCentavos };
    case 'deferral':
      return { sequence, date, kind, months: columns.months ?? 0 };
    case 'refund':
      return { sequence, date, kind, amountCentavos, auto: columns.isAuto ?? false };
    case 'cancellation':
    case 'write_off':
      return { sequence, date, kind };
  }
}

/** Refusals that are about a field of the form. */
const fieldRefusals = {
  before_disbursement: ['valueDate', 'dateBeforeDisbursement'],
  above_late_charges_owed: ['amount', 'aboveLateCharges'],
  above_credit: ['amount', 'aboveCredit'],
  no_instalment: ['amount', 'instalmentNothing'],
  no_such_event: ['reverses', 'notReversible'],
  not_reversible: ['reverses', 'notReversible'],
} as const;

const isOfField = (refusal: EventRefusal): refusal is keyof typeof fieldRefusals => refusal in fieldRefusals;

function refuse(refusal: EventRefusal): never {
  if (!isOfField(refusal)) fail(refusal === 'already_written_off' ? 'loan_closed' : refusal);
  const [field, rule] = fieldRefusals[refusal];
  return refuseField(field, rule);
}
