import type { output } from 'zod/mini';
import type { ApprovalDecision, ApprovalsQuery } from '#contract/servicing.ts';
import { isMainAdmin } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure, refuseField } from '#server/failure.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import { readApproverIds, readNamesOf } from '#server/store/account-store.ts';
import { type Approval, findApproval, lockApproval, readApprovals } from '#server/store/approval-store.ts';
import { changePayment, type Payment } from '#server/store/payment-store.ts';
import { closeRequests, mayAsk, requireNobodyElse, requireRole, viewApproval } from './four-eyes.ts';
import { type LoanPlan, lockForWork } from './loan-events-service.ts';
import { loanSteps } from './loan-step-table.ts';
import { closeRequestsOf, paymentOf, rejectPayment, viewPayment } from './payment-service.ts';
import type { Act, Staff } from './session-service.ts';

/** Open requests, newest first; decided ones too with the status `all`. Inputs of `StaffApprovalReply`. */
export async function listApprovals(
  deps: Deps,
  staff: Staff,
  { status, before }: output<typeof ApprovalsQuery>,
) {
  return deps.database.read(async (reader) => {
    const rows = await readApprovals(reader, { isOpen: status !== 'all', before });
    const people = rows.flatMap(({ approval }) => [approval.askedBy, approval.decidedBy]);
    const nameOf = await readNamesOf(reader, people);
    const whyNot = await decidingRules(reader, staff);
    return rows.map(({ approval, loanNumber, member, payment }) => ({
      ...viewApproval(approval),
      loanNumber,
      user: member,
      askedByName: nameOf(approval.askedBy),
      decidedByName: approval.decidedBy === null ? null : nameOf(approval.decidedBy),
      ...(payment && { payment: viewPayment(payment) }),
      ...(approval.decision ? { mayDecide: false } : whyNot(approval, payment)),
    }));
  });
}

async function decidingRules(reader: Reader, { id, account }: Staff) {
  const isApprover = mayAsk(account, 'approver');
  const approvers = await readApproverIds(reader);
  return ({ askedBy }: Approval, payment: Payment | null) => {
    const own = [askedBy, payment?.recordedBy];
    const mayAnother = approvers.some((other) => !own.includes(other));
    if (own.includes(id) && mayAnother) return { mayDecide: false, whyNot: 'own_request' as const };
    return isApprover ? { mayDecide: true } : { mayDecide: false, whyNot: 'role_missing' as const };
  };
}

export async function countMyDecisions(reader: Reader, staff: Staff): Promise<number> {
  const rows = await readApprovals(reader, { isOpen: true });
  const whyNot = await decidingRules(reader, staff);
  return rows.filter(({ approval, payment }) => whyNot(approval, payment).mayDecide).length;
}

async function paymentOfOpen({ reader }: LoanPlan, { decision, payload }: Approval) {
  if (decision) fail('already_decided', { present: { decision } });
  const paymentId = typeof payload.paymentId === 'number' ? payload.paymentId : undefined;
  return paymentId === undefined ? undefined : paymentOf(reader, { paymentId });
}

/**
 * Fails with `own_request` if the decider asked for it or recorded its payment, unless nobody else may decide; returns
 * whether they did.
 */
async function requireNotOwn({ reader, actor }: LoanPlan, { askedBy }: Approval, payment?: Payment) {
  const people = payment ? [askedBy, payment.recordedBy] : [askedBy];
  const isOwn = people.includes(actor.id);
  if (isOwn) await requireNobodyElse(reader, people);
  return isOwn;
}

/** What approving a request would do now. Fails as `decide` does. */
export async function previewDecision(work: LoanPlan, id: number) {
  requireRole(work.actor, 'approver');
  const approval = await findApproval(work.reader, id);
  if (approval?.loanId !== work.serviced.loan.id) fail('not_found');
  const isAlone = await requireNotOwn(work, approval, await paymentOfOpen(work, approval));
  const trial = await loanSteps[approval.kind].previewAsked(work, approval);
  return { trial: trial ?? fail('request_outdated'), waitsFor: null, isAlone };
}

/**
 * Decides a request (§four-eyes); an approved step runs in the same transaction. What now prevents the step leaves the
 * request open; `request_outdated` closes it.
 */
export async function decide(
  act: Act<Staff>,
  id: number,
  { decision, reason = '' }: output<typeof ApprovalDecision>,
) {
  const { deps, tx, actor: staff } = act;
  if (decision !== 'withdrawn') requireRole(staff, 'approver');
  const { loanId } = (await findApproval(tx, id)) ?? fail('not_found');
  // Lock the loan before its request, in the order that everybody uses.
  const work = await lockForWork(act, loanId, true);
  const approval = (await lockApproval(tx, id)) ?? fail('not_found');
  const payment = await paymentOfOpen(work, approval);
  const { askedBy, kind } = approval;
  const isWithdrawn = decision === 'withdrawn';
  if (isWithdrawn && askedBy !== staff.id && !isMainAdmin(staff.account)) fail('forbidden');
  const isAlone = !isWithdrawn && (await requireNotOwn(work, approval, payment));
  const close = async () => viewApproval(onlyRow(await closeRequests(work, { id }, { decision, reason })));
  if (decision !== 'approved') {
    if (!isWithdrawn && !reason) refuseField('reason', 'reasonRequired');
    const closed = await close();
    if (kind === 'payment' && payment?.status === 'submitted') {
      if (isWithdrawn) await changePayment(tx, payment.id, { status: decision, updatedAt: deps.clock.now() });
      else await rejectPayment(work, payment, { reason });
      await closeRequestsOf(work, payment.id, 'rejected');
    }
    return closed;
  }
  const author = { actorId: askedBy, ...(askedBy !== staff.id && { approverId: staff.id }), isAlone };
  const done = await loanSteps[kind].doAsked(work, approval, author);
  if (!done) {
    await closeRequests(work, { id });
    return new KeptFailure('request_outdated');
  }
  const closed = await close();
  if (payment) await closeRequestsOf(work, payment.id, decision);
  return closed;
}
