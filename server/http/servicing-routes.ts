import type * as account from '#contract/loan-account-endpoints.ts';
import type * as servicing from '#contract/servicing-endpoints.ts';
import { records } from '#contract/wording/server-words.ts';
import { Awaiting } from '#server/idempotency.ts';
import {
  readClearancePdf,
  readReceiptPdf,
  readStatementPdf,
  readStatementTable,
} from '#server/services/account-papers.ts';
import { decide, listApprovals, viewApproval } from '#server/services/approval-service.ts';
import { type AuditEvent, auditLook } from '#server/services/audit-service.ts';
import {
  previewLoan,
  readLoanAccount,
  readSettlement,
  viewLoanAccount,
} from '#server/services/loan-account-service.ts';
import { type LoanWork, lockForWork, type ServicedLoan } from '#server/services/loan-events-service.ts';
import { loanSteps } from '#server/services/loan-step-table.ts';
import { payOwnLoan, withdrawOwnPayment } from '#server/services/own-payment-service.ts';
import { listPayments, recordPayment, updatePayment, viewPayment } from '#server/services/payment-service.ts';
import type { AwaitsApproval } from '#server/services/run-loan-step.ts';
import type { Payment } from '#server/store/payment-store.ts';
import { type Call, confirm, type Handlers } from './route.ts';

export const servicingRoutes: Handlers<typeof account & typeof servicing> = {
  disburseLoan: (call) => changing(call, (work) => loanSteps.disbursement.take(work, call.body)),
  cancelDisbursement: (call) =>
    onLoan(call, async (work) => {
      const done = await loanSteps.cancellation.take(work, call.body);
      if (done instanceof Awaiting) throw new Error('a cancellation takes one person');
      return viewLoanAccount(call.deps, work.tx, call.caller, done);
    }),
  actOnLoan: (call) => changing(call, (work) => loanSteps[call.body.kind].take(work, call.body)),
  readLoanAccount: (call) =>
    looking(
      call,
      'loan_account_opened',
      readLoanAccount(call.deps, call.caller, call.params.id, call.query.asOf),
    ),
  payOwnLoan: ({ deps, caller, params, body, once }) =>
    once(async (tx) => viewPayment(await payOwnLoan(deps, tx, caller, params.id, body))),
  previewOwnPayment: ({ deps, caller, params, body }) =>
    previewLoan(deps, caller, params.id, { ...body, step: 'own_payment' }),
  withdrawOwnPayment: ({ deps, caller, params }) =>
    confirm(withdrawOwnPayment(deps, caller, params), records.paymentWithdrawn),
  readSettlement: (call) =>
    looking(
      call,
      'loan_account_opened',
      readSettlement(call.deps, call.caller, call.params.id, call.query.date),
    ),
  previewLoan: (call) =>
    looking(call, 'loan_account_opened', previewLoan(call.deps, call.caller, call.params.id, call.body)),

  readStatementPdf: (call) =>
    looking(call, 'statement_opened', readStatementPdf(call.deps, call.caller, call.params.id, call.query)),
  readStatementTable: (call) =>
    looking(call, 'statement_opened', readStatementTable(call.deps, call.caller, call.params.id, call.query)),
  readReceiptPdf: ({ params: { id, number }, ...call }) =>
    looking(
      { ...call, params: { id } },
      'receipt_opened',
      readReceiptPdf(call.deps, call.caller, id, { number, lang: call.query.lang }),
      { receipt: number },
    ),
  readClearancePdf: (call) =>
    looking(
      call,
      'clearance_opened',
      readClearancePdf(call.deps, call.caller, call.params.id, call.query.lang),
    ),

  recordPayment: (call) => onLoan(call, async (work) => viewPaid(await recordPayment(work, call.body))),
  updatePayment: ({ deps, caller, params, body, once }) =>
    once(async (tx) => viewPaid(await updatePayment(deps, tx, caller, params.id, body))),
  listPayments: ({ deps, query }) => listPayments(deps, query),

  listApprovals: ({ deps, caller, query }) => listApprovals(deps, caller, query),
  decideApproval: ({ deps, caller, params, body, once }) =>
    once((tx) => decide(deps, tx, caller, params.id, body)),
};

type LoanCall = Pick<Call<typeof servicing.actOnLoan>, 'deps' | 'caller' | 'params' | 'once'>;

/** In one transaction, with the loan locked. */
const onLoan = <Answer>(
  { deps, caller: actor, params, once }: LoanCall,
  work: (work: LoanWork) => Promise<Answer>,
) => once(async (tx) => work(await lockForWork(deps, tx, actor, params.id)));

/** Does something to a loan and answers its account, or what waits for a second person. */
const changing = (call: LoanCall, change: (work: LoanWork) => Promise<ServicedLoan | AwaitsApproval>) =>
  onLoan(call, async (work) => {
    const done = await change(work);
    return done instanceof Awaiting
      ? new Awaiting(viewApproval(done.approval))
      : viewLoanAccount(call.deps, work.tx, call.caller, done);
  });

/** Logs a view by staff, once there is something to see. */
async function looking<Answer>(
  { deps, caller, params }: Pick<Call<typeof account.readLoanAccount>, 'deps' | 'caller' | 'params'>,
  action: AuditEvent['action'],
  reading: Promise<Answer>,
  after?: { receipt: string },
): Promise<Answer> {
  const answer = await reading;
  if (caller.account.isAdmin) {
    await auditLook(deps, caller, { action, on: { loan: params.id }, ...(after && { after }) });
  }
  return answer;
}

const viewPaid = (paid: Payment | AwaitsApproval) =>
  paid instanceof Awaiting ? new Awaiting(viewApproval(paid.approval)) : viewPayment(paid);
