import { addDays, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { position, settlementOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { readNamesOf } from '#server/store/account-store.ts';
import { readPaymentsOf } from '#server/store/payment-store.ts';
import { findReadableLoan } from './loan-papers.ts';
import { agreedQuote, readServicedLoan, type ServicedLoan, servicingTerms } from './loan-servicing.ts';
import { viewPayment } from './payment-service.ts';
import type { Caller } from './session-service.ts';

/**
 * Where a loan stands at the end of a day, today unless told otherwise: input of `LoanAccountReply`. For all but its borrower
 * and staff it is not there.
 */
export async function readLoanAccount(
  deps: Deps,
  reader: Caller,
  loanId: number,
  asOf: ManilaDate | undefined,
) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  return deps.database.read(async (handle) =>
    viewLoanAccount(deps, handle, reader, await readServicedLoan(handle, loan), asOf),
  );
}

/** What pays the whole loan off on a day: input of `SettlementReply`. Fails with `not_disbursed` and `loan_closed`. */
export async function readSettlement(
  deps: Deps,
  reader: Caller,
  loanId: number,
  given: ManilaDate | undefined,
) {
  const { loan } = await findReadableLoan(deps, reader, loanId);
  const today = manilaDate(deps.clock.now());
  const date = given ?? today;
  if (date > addDays(today, limits.settlementAheadDays)) refuseField('date', 'settlementTooFarAhead');
  const { terms, events, stored } = await deps.database.read((handle) => readServicedLoan(handle, loan));
  if (!terms || stored?.state === 'cancelled') fail('not_disbursed');
  if (date < terms.startDate) refuseField('date', 'dateBeforeDisbursement');
  return settlementOn(terms, events, date) ?? fail('loan_closed');
}

/** The account as it is inside a transaction that has just changed it. */
export async function viewLoanAccount(
  deps: Deps,
  handle: Tx | Reader,
  reader: Caller,
  serviced: ServicedLoan,
  asOf: ManilaDate = manilaDate(deps.clock.now()),
) {
  const { loan, rows, stored } = serviced;
  // Not disbursed: its instalments as they were agreed, counted from the application.
  const terms =
    serviced.terms ?? servicingTerms((await agreedQuote(handle, loan)).quote, manilaDate(loan.createdAt));
  const names = reader.account.isAdmin
    ? await readNamesOf(handle, [
        ...new Set(rows.flatMap((row) => [row.actorId, row.approverId ?? row.actorId])),
      ])
    : new Map<number, string>();
  const payments = await readPaymentsOf(handle, loan.id);
  const reversed = new Set(rows.flatMap(({ kind, undoes }) => (kind === 'disbursement' ? [] : [undoes])));
  return {
    ...position(terms, serviced.events, asOf),
    loanId: loan.id,
    loanNumber: loan.loanNumber,
    disbursedOn: stored?.disbursedOn ?? null,
    payments: payments.map(viewPayment),
    events: rows.map((row) => ({
      sequence: row.sequence,
      kind: row.kind,
      date: row.valueDate,
      amount: row.amountCentavos === null ? null : centavos(row.amountCentavos),
      months: row.months,
      channel: row.channel,
      auto: row.isAuto,
      reverses: row.kind === 'disbursement' ? null : row.undoes,
      isReversed: reversed.has(row.sequence),
      paymentId: row.paymentId,
      createdAt: row.createdAt,
      ...(reader.account.isAdmin && {
        reason: row.reason,
        by: names.get(row.actorId) ?? '',
        ...(row.approverId !== null && { approvedBy: names.get(row.approverId) ?? '' }),
        isAlone: row.isAlone,
      }),
    })),
  };
}
