import { asc, gt, inArray, sql } from 'drizzle-orm';
import { servicingTerms } from '#contract/contract-terms.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { type WalletMovement, walletMovements } from '#domain/journal.ts';
import type { LoanEvent } from '#domain/servicing.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { frozenQuoteOf } from '#server/services/loan-papers.ts';
import { eventOf, storedPosition } from '#server/services/loan-servicing.ts';
import { hashOfLoanEvent, type LoanEventRow, type LoanPositionRow } from '#server/store/loan-event-store.ts';
import type { LoanTermsVersion } from '#server/store/loan-terms-store.ts';
import type { Payment } from '#server/store/payment-store.ts';
import {
  instalments,
  ledgerEntries,
  loanEvents,
  loanPositions,
  loans,
  loanTerms,
  payments,
} from '#server/store/schema.ts';
import type { CheckedPage } from './verify-store.ts';

export type LoanFinding = { table: string; id: string; accountId: number | null; what: string };

/**
 * The disbursed loans after this id: the chain of each one's events, what is stored of it beside what its events come to, its
 * payments beside its receipts, and what it moved in the wallet.
 */
export async function checkDisbursedLoans(
  reader: Reader,
  afterId: number,
  limit: number,
): Promise<CheckedPage<number, LoanFinding>> {
  const positions = await reader
    .select()
    .from(loanPositions)
    .where(gt(loanPositions.loanId, afterId))
    .orderBy(asc(loanPositions.loanId))
    .limit(limit);
  const ids = positions.map(({ loanId }) => loanId);
  if (ids.length === 0) return { rows: 0, next: undefined, findings: [] };
  const events = await reader
    .select()
    .from(loanEvents)
    .where(inArray(loanEvents.loanId, ids))
    .orderBy(asc(loanEvents.loanId), asc(loanEvents.sequence));
  const terms = await reader.select().from(loanTerms).where(inArray(loanTerms.loanId, ids));
  const rows = await reader
    .select()
    .from(instalments)
    .where(inArray(instalments.loanId, ids))
    .orderBy(asc(instalments.number));
  const paid = await reader.select().from(payments).where(inArray(payments.loanId, ids));
  const owners = await reader
    .select({ id: loans.id, accountId: loans.accountId })
    .from(loans)
    .where(inArray(loans.id, ids));
  const eventIds = events.map(({ id }) => id);
  const moved = await reader
    .select({
      eventId: ledgerEntries.loanEventId,
      accountId: ledgerEntries.accountId,
      type: ledgerEntries.type,
      amountCentavos: ledgerEntries.amountCentavos,
    })
    .from(ledgerEntries)
    .where(inArray(ledgerEntries.loanEventId, eventIds));

  const findings = positions.flatMap((stored) => {
    const { loanId } = stored;
    const accountId = owners.find(({ id }) => id === loanId)?.accountId ?? null;
    const own = events.filter((event) => event.loanId === loanId);
    const version = terms.find((one) => one.loanId === loanId && one.version === stored.termsVersion);
    const fault = (table: string, id: string, what: string) => ({ table, id, accountId, what });
    const broken = own.flatMap((event, index) => {
      const what = chainFault(event, own[index - 1]);
      return what ? [fault('loan_events', `${loanId}, event ${event.sequence}`, what)] : [];
    });
    const last = own.at(-1);
    const quote = version && readableQuote(version);
    if (!quote || !last) {
      const what = 'its events or its terms are missing or cannot be read';
      return [...broken, fault('loan_positions', String(loanId), what)];
    }
    const servicing = servicingTerms(quote, stored.disbursedOn);
    const folded = storedPosition(servicing, stored.termsVersion, own);
    const changed = Object.entries(folded.stored).find(
      ([name, value]) => stored[name as keyof LoanPositionRow] !== value,
    );
    const rowsOfLoan = rows.filter((row) => row.loanId === loanId);
    const isOtherRow = folded.instalments.find(
      ({ number, dueDate, amount, interest, principal, paid, left }) => {
        const row = rowsOfLoan.find((one) => one.number === number);
        return (
          row?.dueDate !== dueDate ||
          row.amountCentavos !== amount ||
          row.interestCentavos !== interest ||
          row.principalCentavos !== principal ||
          row.paidCentavos !== paid ||
          row.leftCentavos !== left
        );
      },
    );
    const movements = movementsOf(
      own.map(eventOf),
      terms.filter((one) => one.loanId === loanId),
    );
    return [
      ...broken,
      ...(changed
        ? [
            fault(
              'loan_positions',
              String(loanId),
              `${changed[0]} is ${stored[changed[0] as keyof LoanPositionRow]}, and its events come to ${changed[1]}`,
            ),
          ]
        : []),
      ...(isOtherRow || rowsOfLoan.length !== folded.instalments.length
        ? [
            fault(
              'instalments',
              `${loanId}, row ${isOtherRow?.number ?? rowsOfLoan.length}`,
              'it is not what the loan’s events come to',
            ),
          ]
        : []),
      ...paid
        .filter((payment) => payment.loanId === loanId)
        .flatMap((payment) => {
          const what = paymentFault(payment, own);
          return what ? [fault('payments', String(payment.id), what)] : [];
        }),
      ...own.flatMap((event) => {
        const what = walletFault(event, movements, moved, accountId);
        return what ? [fault('loan_events', `${loanId}, event ${event.sequence}`, what)] : [];
      }),
    ];
  });
  return { rows: positions.length, next: ids.at(-1), findings };
}

/** Loans whose events nobody keeps a position of, years whose receipt numbers have a gap. */
export async function checkLoanBooks(reader: Reader): Promise<LoanFinding[]> {
  const { rows } = await reader.execute<{ table: string; id: string; what: string }>(sql`
    select 'loan_events' as "table", loan_id::text as id, 'its position is missing' as what
      from loan_events
     where not exists (select from loan_positions where loan_positions.loan_id = loan_events.loan_id)
     group by loan_id
    union all
    select 'receipt_numbers', coalesce(numbers.year, given.receipt_year)::text,
           'receipts are numbered up to ' || coalesce(numbers.last_serial, 0) || ', and there are '
             || coalesce(given.count, 0) || ' up to ' || coalesce(given.last, 0)
      from receipt_numbers numbers
      full join (select receipt_year, count(*) as count, max(receipt_serial) as last
                   from payments where receipt_year is not null group by receipt_year) given
        on given.receipt_year = numbers.year
     where coalesce(numbers.last_serial, 0) <> coalesce(given.count, 0)
        or coalesce(numbers.last_serial, 0) <> coalesce(given.last, 0)
     limit 20`);
  return rows.map((row) => ({ ...row, accountId: null }));
}

/** Undefined when the terms were changed, which is found with the terms themselves. */
function readableQuote(version: LoanTermsVersion) {
  try {
    return frozenQuoteOf(version);
  } catch {
    return undefined;
  }
}

/** What the events moved in the wallet, from one disbursement to the next, each on the terms frozen with it. */
function movementsOf(events: readonly LoanEvent[], versions: readonly LoanTermsVersion[]): WalletMovement[] {
  const frozen = versions
    .toSorted((one, other) => one.version - other.version)
    .map(readableQuote)
    .filter((quote) => quote?.disbursedOn !== undefined);
  const starts = events.flatMap(({ kind, sequence }) => (kind === 'disbursement' ? [sequence] : []));
  return starts.flatMap((start, index) => {
    const [quote, end = Number.POSITIVE_INFINITY] = [frozen[index], starts[index + 1]];
    const own = events.filter(({ sequence }) => sequence >= start && sequence < end);
    return quote?.disbursedOn
      ? walletMovements(servicingTerms(quote, quote.disbursedOn as ManilaDate), own)
      : [];
  });
}

function chainFault(event: LoanEventRow, before: LoanEventRow | undefined): string | undefined {
  if (event.sequence !== (before?.sequence ?? 0) + 1) return 'the event before it is missing';
  if (event.previousHash !== (before?.hash ?? '')) return 'it does not continue the event before it';
  return event.hash === hashOfLoanEvent(event) ? undefined : 'its values do not match its hash';
}

function paymentFault(payment: Payment, events: readonly LoanEventRow[]): string | undefined {
  const receipts = events.filter(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment.id);
  const [receipt] = receipts;
  const counts = payment.status === 'confirmed' || payment.status === 'reversed';
  if (!receipt) return counts ? 'its receipt is missing among the loan’s events' : undefined;
  if (!counts) return `it is ${payment.status}, and has a receipt among the loan’s events`;
  const isSame =
    receipt.amountCentavos === payment.amountCentavos &&
    receipt.valueDate === payment.valueDate &&
    receipt.channel === payment.channel &&
    receipts.length === 1;
  if (!isSame) return 'it is not what its receipt says';
  const isReversed = events.some(({ kind, undoes }) => kind === 'reversal' && undoes === receipt.sequence);
  if (isReversed === (payment.status === 'reversed')) return undefined;
  return isReversed ? 'its receipt is reversed, and it is not' : 'it is reversed, and its receipt is not';
}

function walletFault(
  event: LoanEventRow,
  expected: readonly WalletMovement[],
  moved: readonly { eventId: number | null; accountId: number; type: string; amountCentavos: number }[],
  accountId: number | null,
): string | undefined {
  const due = expected.filter(({ ofEvent }) => ofEvent === event.sequence);
  const made = moved.filter(({ eventId }) => eventId === event.id);
  const isSame =
    due.length === made.length &&
    due.every(({ type, amount }) =>
      made.some((one) => one.type === type && one.amountCentavos === amount && one.accountId === accountId),
    );
  return isSame ? undefined : 'what it moved in the wallet is not what the ledger has';
}
