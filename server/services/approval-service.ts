import type { output } from 'zod/mini';
import type { ApprovalDecision, ApprovalsQuery } from '#contract/servicing.ts';
import { isMainAdmin } from '#domain/member.ts';
import type { LoanStepKind } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure, refuseField } from '#server/failure.ts';
import { onlyRow, type Reader } from '#server/platform/database/database.ts';
import { readNamesOf, readStaffWith } from '#server/store/account-store.ts';
import { type Approval, findApproval, lockApproval, readApprovals } from '#server/store/approval-store.ts';
import { changePayment, type Payment } from '#server/store/payment-store.ts';
import { readReleaseWarnings } from './disbursement-service.ts';
import { handBackCash } from './drawer-service.ts';
import { closeRequests, hasAuthority, requireRole, requireTurn, turnOf, viewApproval } from './four-eyes.ts';
import { type AnyLoanStep, tryRequest } from './loan-step.ts';
import { loanSteps } from './loan-step-table.ts';
import { findBorrower, readFormerOwnersOf } from './own-account.ts';
import { closeRequestsOf, raisersOf, rejectPayment } from './payment-decision.ts';
import { paymentOf } from './payment-receipt.ts';
import { viewPayment } from './payment-view.ts';
import { type LoanContext, lockForWork } from './serviced-loan.ts';
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
    const warningsOf = await releaseWarnings(reader, rows);
    const whyNot = await decidingRules(deps, reader, staff, { rows, warningsOf });
    return rows.map((row) => {
      const { approval, loanNumber, member, payment } = row;
      return {
        ...viewApproval(approval),
        loanNumber,
        user: member,
        askedByName: nameOf(approval.askedBy),
        decidedByName: approval.decidedBy === null ? null : nameOf(approval.decidedBy),
        ...(payment && { payment: viewPayment(payment) }),
        ...warningsOf(approval),
        ...(approval.decision ? { mayDecide: false } : whyNot(row)),
      };
    });
  });
}

type AskedAbout = Pick<Awaited<ReturnType<typeof readApprovals>>[number], 'approval' | 'payment' | 'member'>;

/** The warnings for the person who decides an open request for a release. */
async function releaseWarnings(reader: Reader, rows: readonly Pick<AskedAbout, 'approval'>[]) {
  const isRelease = ({ kind, decision }: Approval) => kind === 'disbursement' && decision === null;
  const loanIds = rows.flatMap(({ approval }) => (isRelease(approval) ? [approval.loanId] : []));
  const warningsOf = await readReleaseWarnings(reader, loanIds);
  return (approval: Approval) => (isRelease(approval) ? warningsOf(approval.loanId) : {});
}

type WarningsOf = (
  approval: Approval,
) => Partial<ReturnType<Awaited<ReturnType<typeof readReleaseWarnings>>>>;

async function decidingRules(
  deps: Deps,
  reader: Reader,
  { id, account }: Staff,
  { rows, warningsOf }: { rows: readonly AskedAbout[]; warningsOf: WarningsOf },
) {
  const isApprover = hasAuthority(account, 'approver');
  const approvers = await readStaffWith(reader, 'approver');
  const people = rows.map(({ member }) => member.id);
  const asBorrower = await readFormerOwnersOf(deps, reader, people);
  const employee = { ...account, id };
  const raisers = new Map<number, readonly number[]>();
  for (const { approval, payment } of rows)
    if (payment && approval.kind === 'confirmation')
      raisers.set(approval.id, (await raisersOf({ deps, reader }, payment)).barred ?? []);
  return ({ approval, payment, member }: AskedAbout) => {
    const makers = [approval.askedBy, ...(payment ? [payment.recordedBy] : [])];
    const changers = warningsOf(approval).changesBeforeAgreement?.map(({ actorId }) => actorId) ?? [];
    const barred = [...changers, ...(raisers.get(approval.id) ?? [])];
    const turn = turnOf(employee, approvers, { borrower: asBorrower(member), makers, barred });
    if (turn === 'refused') return { mayDecide: false, whyNot: 'own_request' as const };
    return isApprover ? { mayDecide: true } : { mayDecide: false, whyNot: 'role_missing' as const };
  };
}

export async function countMyDecisions(deps: Deps, reader: Reader, staff: Staff): Promise<number> {
  const rows = await readApprovals(reader, { isOpen: true });
  const warningsOf = await releaseWarnings(reader, rows);
  const whyNot = await decidingRules(deps, reader, staff, { rows, warningsOf });
  return rows.filter((row) => whyNot(row).mayDecide).length;
}

const stepOf = (kind: LoanStepKind): AnyLoanStep => loanSteps[kind];

async function paymentOfOpen({ reader }: LoanContext, { decision, payload }: Approval) {
  if (decision) fail('already_decided', { present: { decision } });
  const paymentId = typeof payload.paymentId === 'number' ? payload.paymentId : undefined;
  return paymentId === undefined ? undefined : paymentOf(reader, { paymentId });
}

/** Fails with `own_request` while another may decide; returns whether one person does because nobody else may. */
async function requireDecider(work: LoanContext, { askedBy, accountId, kind }: Approval, payment?: Payment) {
  return requireTurn(work.reader, work.actor, 'approver', {
    borrower: await findBorrower(work.deps, work.reader, accountId),
    makers: payment ? [askedBy, payment.recordedBy] : [askedBy],
    ...(await stepOf(kind).barred?.(work, payment)),
  });
}

/** Works out what approving a request would do now. Fails as `decide` does. */
export async function previewDecision(work: LoanContext, id: number) {
  requireRole(work.actor, 'approver');
  const approval = await findApproval(work.reader, id);
  if (approval?.loanId !== work.serviced.loan.id) fail('not_found');
  const isAlone = await requireDecider(work, approval, await paymentOfOpen(work, approval));
  const author = { actorId: approval.askedBy, isAlone };
  const trial = await tryRequest(stepOf(approval.kind), work, approval, author);
  return { trial: trial ?? fail('request_outdated'), waitsFor: null };
}

/**
 * Decides a request (§four-eyes); an approved step runs in the same transaction. A failure that now prevents the step leaves
 * the request open; `request_outdated` closes it.
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
  const isTakenBack = decision === 'withdrawn';
  if (isTakenBack && askedBy !== staff.id && !isMainAdmin(staff.account)) fail('forbidden');
  const isAlone = !isTakenBack && (await requireDecider(work, approval, payment));
  work.isAlone = isAlone;
  const close = async () => viewApproval(onlyRow(await closeRequests(work, { id }, { decision, reason })));
  if (decision !== 'approved') {
    if (!isTakenBack && !reason) refuseField('reason', 'reasonRequired');
    const closed = await close();
    if (kind === 'payment' && payment?.status === 'submitted') {
      if (isTakenBack) {
        if (payment.channel === 'cash') await handBackCash(work, payment);
        await changePayment(tx, payment.id, { status: decision, updatedAt: deps.clock.now() });
      } else await rejectPayment(work, payment, { reason });
      await closeRequestsOf(work, payment.id, 'rejected');
    }
    return closed;
  }
  const author = { actorId: askedBy, ...(askedBy !== staff.id && { approverId: staff.id }), isAlone };
  const step = stepOf(kind);
  const trial = await tryRequest(step, work, approval, author);
  if (!trial) {
    await closeRequests(work, { id });
    return new KeptFailure('request_outdated');
  }
  await step.record(work, trial);
  const closed = await close();
  if (payment) await closeRequestsOf(work, payment.id, decision);
  return closed;
}
