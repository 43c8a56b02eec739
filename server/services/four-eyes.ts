import { records } from '#contract/wording/server-words.ts';
import { isMainAdmin, rolesOf, type StaffRole } from '#domain/member.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { type Account, readStaffWith } from '#server/store/account-store.ts';
import { type Approval, closeApprovals, type OfRequests } from '#server/store/approval-store.ts';
import { audit } from './audit-service.ts';
import { type Borrower, type Employee, isOwnAccount } from './own-account.ts';
import type { Act, Caller } from './session-service.ts';

/** In what capacity somebody acts. */
export type Authority = StaffRole | 'main_admin';

export function hasAuthority(account: Account, authority: Authority): boolean {
  return authority === 'main_admin' ? isMainAdmin(account) : rolesOf(account).includes(authority);
}

/** Fails with `role_missing` or `main_admin_only` unless the caller may ask as one of these. */
export function requireRole(
  { account }: Pick<Caller, 'account'>,
  ...oneOf: [Authority, ...Authority[]]
): void {
  if (oneOf.some((authority) => hasAuthority(account, authority))) return;
  fail(oneOf[0] === 'main_admin' ? 'main_admin_only' : 'role_missing');
}

/** The people who should leave it to others. Owners of the account (§own-account) are found without being named. */
export type Bars = {
  borrower: Borrower | undefined;
  /** They asked for what is decided, or recorded it. */
  makers?: readonly number[];
  /** Others, and what their refusal says. */
  barred?: readonly number[];
  refusal?: { message: string };
};

/**
 * Tells how somebody may decide for a borrower, or record. `free`: nothing bars them. `refused`: somebody else among `able`
 * is to do it. `alone`: nobody else can. A maker does it only if nobody else may; a barred person, only if nobody may who
 * is not barred. So somebody always may. Of two approvers, one of whom recorded it, the recorder is refused and the other
 * is free; a single approver who recorded it decides alone.
 */
export function turnOf(
  caller: Employee,
  able: readonly Employee[],
  { borrower, makers = [], barred = [] }: Bars,
): 'free' | 'alone' | 'refused' {
  const isBarred = (staff: Employee) =>
    barred.includes(staff.id) || (borrower !== undefined && isOwnAccount(staff, borrower));
  const others = able.filter(({ id }) => id !== caller.id && !makers.includes(id));
  if (makers.includes(caller.id)) return others.length > 0 ? 'refused' : 'alone';
  if (!isBarred(caller)) return 'free';
  return others.every(isBarred) ? 'alone' : 'refused';
}

/** Fails with `own_request` while another may (`turnOf`); returns whether one person does it because nobody else may. */
export async function requireTurn(
  reader: Reader,
  { id, account }: Pick<Caller, 'id' | 'account'>,
  authority: Authority,
  bars: Bars,
): Promise<boolean> {
  const caller = { ...account, id };
  // Nobody has to be looked up: that depends on nobody else.
  const isUnbarred = turnOf(caller, [], bars) === 'free';
  if (isUnbarred) return false;
  // There is one main admin.
  const able = authority === 'main_admin' ? [] : await readStaffWith(reader, authority);
  if (turnOf(caller, able, bars) === 'alone') return true;
  const { makers = [], barred = [] } = bars;
  if (makers.includes(id)) fail('own_request', { message: records.ownRequest });
  fail('own_request', barred.includes(id) ? bars.refusal : { message: records.ownAccount });
}

/** `requireRole` for what is done to a borrower's account, and `requireTurn`. */
export async function requireRoleFor(
  reader: Reader,
  caller: Pick<Caller, 'id' | 'account'>,
  borrower: Borrower | undefined,
  authority: Authority,
): Promise<boolean> {
  requireRole(caller, authority);
  return requireTurn(reader, caller, authority, { borrower });
}

/** True if an active employee with this role is none of these people. */
export const hasStaffOtherThan = async (reader: Reader, role: StaffRole, except: readonly number[]) =>
  (await readStaffWith(reader, role)).some(({ id }) => !except.includes(id));

const closings = {
  approved: 'approval_given',
  rejected: 'approval_refused',
  withdrawn: 'approval_withdrawn',
  outdated: 'approval_outdated',
} as const;

/** Closes those of these requests that are open, as `outdated` by default, and logs each (§what-was-seen). */
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

/** The result of a step that waits for a second person: the open request, instead of what was asked for. */
export class AwaitsApproval {
  readonly approval: ReturnType<typeof viewApproval>;

  constructor(approval: Approval) {
    this.approval = viewApproval(approval);
  }
}

/**
 * Returns what the log keeps of a task. Its texts are personal data, stored only with
 * the payment and the event.
 */
export const auditedTask = ({ reason: _, note: __, ...task }: Record<string, unknown>) => withPesos(task);

function withPesos({ amountCentavos, ...rest }: Record<string, unknown>) {
  return {
    ...rest,
    ...(typeof amountCentavos === 'number' && { amount: pesosText(centavos(amountCentavos)) }),
  };
}
