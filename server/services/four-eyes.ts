import { records } from '#contract/wording/records.ts';
import { rolesOf, type StaffRole } from '#domain/member.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countApprovers, findAccount } from '#server/store/account-store.ts';
import { type Approval, insertApproval } from '#server/store/approval-store.ts';
import { audit } from './audit-service.ts';
import type { Author, LoanWork } from './loan-servicing.ts';
import type { Staff } from './session-service.ts';

/** What is to be done with a loan, in the words of the code that does it: centavos, Manila days. */
export type Task = { kind: string } & Record<string, unknown>;

/** What somebody may do, and whether a second person has to agree. */
export type Plan<Planned extends Task = Task> = { task: Planned; takesTwo: boolean };

/** The answer where a second person has to decide first. */
export type Awaiting = { approval: Approval };

export const isAwaiting = (answer: object): answer is Awaiting => 'approval' in answer;

/** Everybody on the staff has every role until the main admin takes one away. Fails with `role_missing`. */
export function requireRole({ account }: Staff, role: StaffRole): void {
  if (!rolesOf(account).includes(role)) fail('role_missing');
}

/**
 * Does a task at once, or asks for a second person where it takes two and there are two. Where it takes two and there is
 * only one, it is done and marked so.
 */
export async function withFourEyes<Done extends object>(
  { deps, tx, staff, serviced: { loan } }: LoanWork,
  { task, takesTwo }: Plan,
  run: (author: Author) => Promise<Done>,
): Promise<Done | Awaiting> {
  const actorId = staff.account.id;
  if (!takesTwo) return run({ actorId, isAlone: false });
  if ((await countApprovers(tx)) < 2) return run({ actorId, isAlone: true });
  const { kind, ...payload } = task;
  const approval = await insertApproval(tx, {
    loanId: loan.id,
    accountId: loan.accountId,
    kind,
    payload,
    askedBy: actorId,
    askedAt: deps.clock.now(),
  });
  await audit(deps, tx, staff, {
    action: 'approval_asked',
    on: { loan: loan.id },
    after: { approvalId: approval.id, kind, ...auditedTask(task) },
  });
  return { approval };
}

/** Nobody decides about an account with their own phone. Fails with `own_request`. */
export async function requireNotOwnAccount({ tx, staff, serviced }: LoanWork<Reader>): Promise<void> {
  const { account } = staff;
  if (!account.phoneKey) return;
  const borrower = await findAccount(tx, serviced.loan.accountId);
  if (borrower?.phoneKey === account.phoneKey) fail('own_request', { message: records.ownRequest });
}

/** What the log keeps of a task. Reasons are about people: they stand with the event, and the log goes without. */
export const auditedTask = ({ kind: _, reason: _reason, ...rest }: Task) => withPesos(rest);

export function withPesos({ amountCentavos, ...rest }: Record<string, unknown>) {
  return {
    ...rest,
    ...(typeof amountCentavos === 'number' && { amount: pesosText(centavos(amountCentavos)) }),
  };
}
