import { records } from '#contract/wording/server-words.ts';
import { isMainAdmin, rolesOf, type StaffRole } from '#domain/member.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { type Account, mayAnother } from '#server/store/account-store.ts';
import { type Approval, closeApprovals, type OfRequests } from '#server/store/approval-store.ts';
import { audit } from './audit-service.ts';
import type { Act, Caller } from './session-service.ts';

export type Asker = StaffRole | 'main_admin';

export function mayAsk(account: Account, asker: Asker): boolean {
  return asker === 'main_admin' ? isMainAdmin(account) : rolesOf(account).includes(asker);
}

/** Fails with `role_missing` or `main_admin_only` unless the caller may ask as one of these. */
export function requireRole({ account }: Pick<Caller, 'account'>, ...oneOf: [Asker, ...Asker[]]): void {
  if (oneOf.some((asker) => mayAsk(account, asker))) return;
  fail(oneOf[0] === 'main_admin' ? 'main_admin_only' : 'role_missing');
}

/** Fails with `own_request` while an active approver who is none of these people may decide (§four-eyes). */
export async function requireNobodyElse(handle: Reader, people: readonly number[]): Promise<void> {
  if (await mayAnother(handle, 'approver', people)) fail('own_request', { message: records.ownRequest });
}

const closings = {
  approved: 'approval_given',
  rejected: 'approval_refused',
  withdrawn: 'approval_withdrawn',
  outdated: 'approval_outdated',
} as const;

/** Closes whichever of these requests are open, as `outdated` by default, and logs each (§what-was-seen). */
export async function closeRequests(
  act: Act,
  of: OfRequests,
  { decision = 'outdated', reason = '' }: { decision?: keyof typeof closings; reason?: string } = {},
): Promise<Approval[]> {
  const by = { decidedBy: act.actor.id, decidedAt: act.deps.clock.now() };
  const closed = await closeApprovals(act.tx, of, { ...by, decision, reason });
  for (const { id, loanId, kind, askedBy } of closed) {
    await audit(act, closings[decision], { loan: loanId }, { after: { approvalId: id, kind, askedBy } });
  }
  return closed;
}

/** Input of `ApprovalReply`. */
export const viewApproval = ({ payload, ...approval }: Approval) => ({
  ...approval,
  payload: withPesos(payload),
});

/** What the log keeps of a task: not its texts, which are personal data and are stored with payment and event only. */
export const auditedTask = ({ reason: _, note: __, ...task }: Record<string, unknown>) => withPesos(task);

function withPesos({ amountCentavos, ...rest }: Record<string, unknown>) {
  return {
    ...rest,
    ...(typeof amountCentavos === 'number' && { amount: pesosText(centavos(amountCentavos)) }),
  };
}
