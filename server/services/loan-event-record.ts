import type { ServicingTerms } from '#domain/amortisation.ts';
import { manilaDate } from '#domain/calendar.ts';
import {
  type JournalEntry,
  journal,
  monthlyFigures,
  newestEntry,
  type WalletMovement,
} from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { movementsOf } from '#domain/loan-movement.ts';
import {
  closedSince,
  foldEdition,
  foldEvents,
  type InstalmentPosition,
  type LoanFold,
  type LoanPosition,
  type StoredLoanState,
  standingOn,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import {
  dropInstalments,
  insertLoanEvent,
  type JournalMovementRow,
  type LoanEventRow,
  type LoanPositionRow,
  readLoansToRefold,
  writeLoanPosition,
  writeMovements,
} from '#server/store/loan-event-store.ts';
import { changeLoan } from '#server/store/loan-store.ts';
import { findNewestTerms, type LoanTermsVersion, readTermsOfAll } from '#server/store/loan-terms-store.ts';
import { type Author, type EventDraft, eventOf } from './loan-event.ts';
import type { Effect } from './loan-event-trial.ts';
import { tellBorrower } from './notice-service.ts';
import { type LoanWork, livesOf, lockServicedLoan, type ServicedLoan } from './serviced-loan.ts';

/**
 * Records an event with everything that follows: wallet movements, the refund of new credit, position, status. It adds
 * the events to `work.serviced`. A step's own `record` then writes its receipt, log and message. The caller holds the loan's lock, which closing the account takes too. Fails with `insufficient_funds`, and with
 * `already_withdrawn`.
 */
export async function recordEvent(work: LoanWork, author: Author, effect: Effect): Promise<LoanEventRow> {
  const { draft, event, refund, after, changed, walletMovements } = effect;
  const { tx, serviced } = work;
  const row = await appendEvent(work, author, draft, walletMovements);
  if (refund) await appendEvent(work, author, refund, walletMovements);
  const { stored, instalments } = storedPosition(after, await versionOf(tx, serviced), serviced.eventRows);
  const wasStored = serviced.stored;
  serviced.stored = stored;
  if (event.kind === 'disbursement') dropInstalments(tx, stored.loanId);
  const isToWrite = ({ number }: InstalmentPosition) => event.kind === 'disbursement' || changed.has(number);
  writeLoanPosition(tx, stored, instalments.filter(isToWrite));
  // An upgrade has changed the fold: what an earlier edition stored is written anew, not only what is new.
  if (wasStored && wasStored.foldEdition !== foldEdition) {
    await writeAllMovements(tx, effect.terms, serviced.eventRows);
  } else writeNewMovements(work, effect, row);
  await followState(work, stored.state);
  return row;
}

/** Writes what an event changes in the movements of its loan, from the first that now differs (§month). */
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

/** Computes the rows by which the reports of a month count a loan, from its events. */
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

async function appendEvent(
  { deps, tx, serviced }: LoanWork,
  author: Author,
  draft: EventDraft,
  walletMovements: readonly WalletMovement[],
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
  for (const movement of walletMovements) {
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

/** Sets the loan's status: completed once it is paid, active again if that is reversed, approved if the release is cancelled. */
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
  const isRelease = eventRows.at(-1)?.kind === 'disbursement';
  if (stored && !isRelease) return stored.termsVersion;
  const newest = await findNewestTerms(tx, loan.id);
  if (!newest) throw new Error(`loan ${loan.id} was disbursed without terms`);
  return newest.version;
}

function storedState(state: LoanPosition['account']['state']): StoredLoanState {
  if (state === 'not_disbursed') throw new Error('a loan with events is disbursed');
  return state === 'overdue' ? 'open' : state;
}
