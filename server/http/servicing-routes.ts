import type { Returned } from '#contract/endpoint.ts';
import type * as account from '#contract/loan-account-endpoints.ts';
import type * as servicing from '#contract/servicing-endpoints.ts';
import type { Deps } from '#server/deps.ts';
import { type Once, Replayed } from '#server/idempotency.ts';
import {
  readClearancePdf,
  readReceiptPdf,
  readStatementPdf,
  readStatementTable,
} from '#server/services/account-papers.ts';
import { decide, listApprovals } from '#server/services/approval-service.ts';
import { type AuditAction, auditLook } from '#server/services/audit-service.ts';
import { closeDrawer, listDrawers, openDrawer, readCurrentDrawer } from '#server/services/drawer-service.ts';
import { AwaitsApproval } from '#server/services/four-eyes.ts';
import {
  previewLoan,
  readLoanAccount,
  readSettlement,
  viewLoanAccount,
} from '#server/services/loan-account-service.ts';
import { takeStep } from '#server/services/loan-step.ts';
import { loanSteps } from '#server/services/loan-step-table.ts';
import { payOwnLoan, withdrawOwnPayment } from '#server/services/own-payment-service.ts';
import { updatePayment } from '#server/services/payment-decision.ts';
import { recordPayment } from '#server/services/payment-service.ts';
import { listPayments, viewPayment } from '#server/services/payment-view.ts';
import { withReceiptNumber } from '#server/services/receipt-service.ts';
import { type LoanWork, lockForWork, type ServicedLoan } from '#server/services/serviced-loan.ts';
import type { Act, Staff } from '#server/services/session-service.ts';
import {
  confirmLine,
  readStatement,
  StillWaiting,
  statementToConfirm,
} from '#server/services/statement-service.ts';
import type { Payment } from '#server/store/payment-store.ts';
import type { StatementRow } from '#server/store/statement-store.ts';
import { failureOf } from './errors.ts';
import type { Call, Handlers } from './route.ts';

export const servicingRoutes: Handlers<typeof account & typeof servicing> = {
  disburseLoan: (call) => changing(call, (work) => takeStep(loanSteps.disbursement, work, call.body)),
  cancelDisbursement: (call) =>
    onLoan(call, async (work) => {
      const done = await takeStep(loanSteps.cancellation, work, call.body);
      if (done instanceof AwaitsApproval) throw new Error('a cancellation takes one person');
      return viewLoanAccount(work.deps, work.tx, work.actor, done);
    }),
  actOnLoan: (call) => changing(call, (work) => takeStep(loanSteps[call.body.kind], work, call.body)),
  readLoanAccount: looking('loan_account_opened', ({ deps, caller, params, query }) =>
    readLoanAccount(deps, caller, params.id, query.asOf),
  ),
  payOwnLoan: async ({ deps, params, body, once }) =>
    withReceiptNumber(deps, await once(async (act) => viewPayment(await payOwnLoan(act, params.id, body)))),
  previewOwnPayment: ({ deps, caller, params, body }) =>
    previewLoan(deps, caller, params.id, { ...body, step: 'own_payment' }),
  withdrawOwnPayment: ({ params, once }) => once((act) => withdrawOwnPayment(act, params)),
  readSettlement: looking('loan_account_opened', ({ deps, caller, params, query }) =>
    readSettlement(deps, caller, params.id, query.date),
  ),
  previewLoan: looking('loan_account_opened', ({ deps, caller, params, body }) =>
    previewLoan(deps, caller, params.id, body),
  ),

  readStatementPdf: looking('statement_opened', ({ deps, caller, params, query }) =>
    readStatementPdf(deps, caller, params.id, query),
  ),
  readStatementTable: looking('statement_opened', ({ deps, caller, params, query }) =>
    readStatementTable(deps, caller, params.id, query),
  ),
  readReceiptPdf: looking('receipt_opened', ({ deps, caller, params: { id, number }, query }) =>
    readReceiptPdf(deps, caller, id, { number, lang: query.lang }),
  ),
  readClearancePdf: looking('clearance_opened', ({ deps, caller, params, query }) =>
    readClearancePdf(deps, caller, params.id, query.lang),
  ),

  recordPayment: async (call) =>
    withReceiptNumber(
      call.deps,
      await onLoan(call, async (work) => viewPaid(await recordPayment(work, call.body))),
    ),
  updatePayment: async ({ deps, params, body, once }) =>
    withReceiptNumber(deps, await once(async (act) => viewPaid(await updatePayment(act, params.id, body)))),
  listPayments: ({ deps, query }) => listPayments(deps, query),

  openDrawer: ({ body, once }) => once((act) => openDrawer(act, body.float)),
  readCurrentDrawer: ({ deps, caller }) => readCurrentDrawer(deps, caller),
  closeDrawer: ({ params, body, once }) => once((act) => closeDrawer(act, params.id, body)),
  listDrawers: ({ deps, query }) => listDrawers(deps, query.date),

  readStatement: async ({ deps, caller, body, once }) =>
    (await once.earlier()) ?? readStatement(deps, caller, body, once),
  confirmStatement: async ({ deps, caller, params, body, once }) => {
    const earlier = await once.earlier();
    if (earlier) return earlier;
    const lines = [...new Set(body.lines)];
    const statement = await statementToConfirm(deps, caller, params.id, lines);
    return confirmLines(deps, caller, once, statement, lines);
  },

  listApprovals: ({ deps, caller, query }) => listApprovals(deps, caller, query),
  decideApproval: ({ params, body, once }) => once((act) => decide(act, params.id, body)),
};

type Confirmed = Returned<typeof servicing.confirmStatement>;

/**
 * Confirms the lines one by one, each in a transaction of its own, and lets others through between them. After a lost
 * answer the same call finds what is done already.
 */
async function* confirmLines(
  deps: Deps,
  caller: Staff,
  once: Once<Act<Staff>>,
  statement: StatementRow,
  lines: readonly number[],
): AsyncGenerator<Confirmed[]> {
  const done: Confirmed = [];
  for (const n of lines) {
    yield [];
    done.push({ n, ...(await outcomeOf(deps, caller, statement, n)) });
  }
  const kept = await once(async () => done);
  yield [kept instanceof Replayed ? (kept.reply as Confirmed) : kept];
}

async function outcomeOf(deps: Deps, actor: Staff, statement: StatementRow, n: number) {
  try {
    return await deps.database.transaction((tx) => confirmLine({ deps, tx, actor }, statement, n));
  } catch (error) {
    if (error instanceof StillWaiting) return { status: 'waiting' as const };
    const failure = failureOf(error);
    if (!failure || failure.status >= 500) throw error;
    return { status: 'refused' as const, code: failure.code };
  }
}

type LoanCall = Pick<Call<typeof servicing.actOnLoan>, 'params' | 'once'>;

/** Works in one transaction, with the loan locked. */
const onLoan = <Answer>({ params, once }: LoanCall, work: (work: LoanWork) => Promise<Answer>) =>
  once(async (act) => work(await lockForWork(act, params.id)));

/** Does something to a loan and answers its account, or what waits for a second person. */
const changing = (call: LoanCall, change: (work: LoanWork) => Promise<ServicedLoan | AwaitsApproval>) =>
  onLoan(call, async (work) => {
    const done = await change(work);
    return done instanceof AwaitsApproval ? done : viewLoanAccount(work.deps, work.tx, work.actor, done);
  });

/** Logs a view by staff, once there is something to see. */
function looking<One extends ReadCall, Answer>(action: AuditAction, read: (call: One) => Promise<Answer>) {
  return async (call: One): Promise<Answer> => {
    const answer = await read(call);
    const { deps, caller, params } = call;
    if (caller.account.isAdmin) {
      const after = params.number === undefined ? undefined : { receipt: params.number };
      await auditLook(deps, caller, { action, on: { loan: params.id }, after });
    }
    return answer;
  };
}

/** `number`: a receipt's. */
type ReadCall = Pick<Call<typeof account.readLoanAccount>, 'deps' | 'caller'> & {
  params: { id: number; number?: string };
};

const viewPaid = (paid: Payment | AwaitsApproval) =>
  paid instanceof AwaitsApproval ? paid : viewPayment(paid);
