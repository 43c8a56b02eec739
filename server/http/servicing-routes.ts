import type * as servicing from '#contract/servicing-endpoints.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  readClearancePdf,
  readReceiptPdf,
  readStatementPdf,
  readStatementTable,
} from '#server/services/account-papers.ts';
import { decide, listApprovals, viewApproval } from '#server/services/approval-service.ts';
import { cancelDisbursement, disburseLoan } from '#server/services/disbursement-service.ts';
import { type Awaiting, isAwaiting } from '#server/services/four-eyes.ts';
import {
  previewLoan,
  readLoanAccount,
  readSettlement,
  viewLoanAccount,
} from '#server/services/loan-account-service.ts';
import { actOnLoan } from '#server/services/loan-action-service.ts';
import type { ServicedLoan } from '#server/services/loan-servicing.ts';
import { listPayments, recordPayment, updatePayment, viewPayment } from '#server/services/payment-service.ts';
import type { Payment } from '#server/store/payment-store.ts';
import type { Call, Handlers } from './route.ts';

export const servicingRoutes: Handlers<typeof servicing> = {
  disburseLoan: (call) =>
    changing(call, (tx) => disburseLoan(call.deps, tx, call.caller, call.params.id, call.body)),
  cancelDisbursement: ({ deps, caller, params, body, once }) =>
    once(async (tx) =>
      viewLoanAccount(deps, tx, caller, await cancelDisbursement(deps, tx, caller, params.id, body)),
    ),
  actOnLoan: (call) =>
    changing(call, (tx) => actOnLoan(call.deps, tx, call.caller, call.params.id, call.body)),
  readLoanAccount: ({ deps, caller, params, query }) => readLoanAccount(deps, caller, params.id, query.asOf),
  readSettlement: ({ deps, caller, params, query }) => readSettlement(deps, caller, params.id, query.date),
  previewLoan: ({ deps, caller, params, body }) => previewLoan(deps, caller, params.id, body),

  readStatementPdf: ({ deps, caller, params, query }) => readStatementPdf(deps, caller, params.id, query),
  readStatementTable: ({ deps, caller, params, query }) => readStatementTable(deps, caller, params.id, query),
  readReceiptPdf: ({ deps, caller, params, query }) =>
    readReceiptPdf(deps, caller, params.id, { number: params.number, lang: query.lang }),
  readClearancePdf: ({ deps, caller, params, query }) =>
    readClearancePdf(deps, caller, params.id, query.lang),

  recordPayment: ({ deps, caller, params, body, once }) =>
    once(async (tx) => viewPaid(await recordPayment(deps, tx, caller, params.id, body))),
  updatePayment: ({ deps, caller, params, body, once }) =>
    once(async (tx) => viewPaid(await updatePayment(deps, tx, caller, params.id, body))),
  listPayments: ({ deps, query }) => listPayments(deps, query),

  listApprovals: ({ deps, query }) => listApprovals(deps, { all: query.status === 'all' }),
  decideApproval: ({ deps, caller, params, body, once }) =>
    once((tx) => decide(deps, tx, caller, params.id, body)),
};

/** Does something to a loan and answers its account, or what waits for a second person. */
function changing(
  { deps, caller, once }: Pick<Call<typeof servicing.actOnLoan>, 'deps' | 'caller' | 'once'>,
  work: (tx: Tx) => Promise<ServicedLoan | Awaiting>,
) {
  return once(async (tx) => {
    const done = await work(tx);
    return isAwaiting(done)
      ? { approval: viewApproval(done.approval) }
      : viewLoanAccount(deps, tx, caller, done);
  });
}

const viewPaid = (paid: Payment | Awaiting) =>
  isAwaiting(paid) ? { approval: viewApproval(paid.approval) } : viewPayment(paid);
