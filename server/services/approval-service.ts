import type { output } from 'zod/mini';
import type { ApprovalDecision } from '#contract/servicing.ts';
import { records } from '#contract/wording/records.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { readNamesOf } from '#server/store/account-store.ts';
import { type Approval, decideApproval, lockApproval, readApprovals } from '#server/store/approval-store.ts';
import { findPayment } from '#server/store/payment-store.ts';
import { audit } from './audit-service.ts';
import { type DisbursementTask, runDisbursement } from './disbursement-service.ts';
import { requireNotOwnAccount, requireRole, withPesos } from './four-eyes.ts';
import { type LoanActionTask, runLoanAction } from './loan-action-service.ts';
import { type Author, type LoanWork, lockServicedLoan } from './loan-servicing.ts';
import {
  bookPayment,
  type PaymentReversalTask,
  type PaymentTask,
  rejectPayment,
  reversePayment,
  viewPayment,
} from './payment-service.ts';
import type { Staff } from './session-service.ts';

/** What waits for a second person, newest first; with `all` also what was decided. Inputs of `ApprovalReply`. */
export async function listApprovals(deps: Deps, { all = false }) {
  return deps.database.read(async (reader) => {
    const rows = await readApprovals(reader, { isOpen: !all });
    const people = rows.flatMap(({ approval }) => [approval.askedBy, approval.decidedBy]);
    const nameOf = await readNamesOf(reader, people);
    return rows.map(({ approval, loanNumber, member, payment }) => ({
      ...viewApproval(approval),
      loanNumber,
      user: member,
      askedByName: nameOf(approval.askedBy),
      decidedByName: approval.decidedBy === null ? null : nameOf(approval.decidedBy),
      ...(payment && { payment: viewPayment(payment) }),
    }));
  });
}

/** Input of `ApprovalReply`, without whose loan it is. */
export function viewApproval({ payload, ...approval }: Approval) {
  return { ...approval, payload: withPesos(payload) };
}

/**
 * Decides what somebody else asked for; approved, it is done in the same transaction. Fails with `not_found`,
 * `already_decided`, `own_request`, `role_missing`, and with whatever stands in the way by now: it waits on then.
 */
export async function decide(
  deps: Deps,
  tx: Tx,
  staff: Staff,
  id: number,
  { decision, reason = '' }: output<typeof ApprovalDecision>,
) {
  requireRole(staff, 'approver');
  const approval = (await lockApproval(tx, id)) ?? fail('not_found');
  if (approval.decision) fail('already_decided', { present: { decision: approval.decision } });
  if (approval.askedBy === staff.account.id) fail('own_request', { message: records.ownRequest });
  if (decision === 'rejected' && !reason) refuseField('reason', 'reasonRequired');
  const work = { deps, tx, staff, serviced: await lockServicedLoan(tx, approval.loanId) };
  await requireNotOwnAccount(work);
  const decided = await decideApproval(tx, id, {
    decision,
    decidedBy: staff.account.id,
    decidedAt: deps.clock.now(),
    reason,
  });
  await audit(deps, tx, staff, {
    action: decision === 'approved' ? 'approval_given' : 'approval_refused',
    on: { loan: approval.loanId },
    after: { approvalId: id, kind: approval.kind, askedBy: approval.askedBy },
  });
  const task = taskOf(approval);
  if (decision === 'approved') {
    await run(work, task, { actorId: approval.askedBy, approverId: staff.account.id, isAlone: false });
  } else if (task.kind === 'payment') {
    await rejectPayment(work, await paymentOfTask(tx, task), reason);
  }
  return viewApproval(decided);
}

export const taskOf = ({ kind, payload }: Approval) =>
  ({ kind, ...payload }) as DisbursementTask | PaymentTask | PaymentReversalTask | LoanActionTask;

export async function paymentOfTask(handle: Reader, { paymentId }: PaymentTask | PaymentReversalTask) {
  const payment = await findPayment(handle, paymentId);
  if (!payment) throw new Error('approval of a payment that is not there');
  return payment;
}

async function run(work: LoanWork, task: ReturnType<typeof taskOf>, author: Author): Promise<unknown> {
  switch (task.kind) {
    case 'disbursement':
      return runDisbursement(work, task, author);
    case 'payment':
      return bookPayment(work, await paymentOfTask(work.tx, task), author);
    case 'payment_reversal':
      return reversePayment(work, await paymentOfTask(work.tx, task), task, author);
    default:
      return runLoanAction(work, task, author);
  }
}
