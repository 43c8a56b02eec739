import type { output } from 'zod/mini';
import type { ComplaintForm, ComplaintsQuery, ComplaintUpdate } from '#contract/collection.ts';
import { records } from '#contract/wording/server-words.ts';
import { manilaDate } from '#domain/calendar.ts';
import { complaintClock, isFinalComplaint } from '#domain/complaint.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { dayMs } from '#server/platform/clock.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readMembersOf, readNamesOf, readStaffWith } from '#server/store/account-store.ts';
import {
  type Complaint,
  changeComplaint,
  insertComplaint,
  insertComplaintMessage,
  lockComplaint,
  readComplaintMessages,
  readComplaints,
} from '#server/store/complaint-store.ts';
import { readAttempts } from '#server/store/contact-store.ts';
import { findLoan } from '#server/store/loan-store.ts';
import { aloneMark, audit } from './audit-service.ts';
import { hasAuthority, requireRole, turnOf } from './four-eyes.ts';
import { tellBorrower } from './notice-service.ts';
import { readFormerOwnersOf } from './own-account.ts';
import type { Act, Caller, Staff } from './session-service.ts';
import { countMessageTo, countToday } from './tries-service.ts';

type Which = Parameters<typeof readComplaints>[1];

/** §complaints. The loan of somebody else is not found. */
export async function complain(act: Act, { category, loanId, message }: output<typeof ComplaintForm>) {
  const { deps, tx, actor: caller } = act;
  const own = loanId === undefined ? undefined : await findLoan(tx, loanId);
  if (loanId !== undefined && own?.loan.accountId !== caller.id) fail('not_found');
  await countToday(act, 'complaint');
  const createdAt = deps.clock.now();
  const { id } = await insertComplaint(tx, {
    accountId: caller.id,
    category,
    createdAt,
    ...(loanId !== undefined && { loanId }),
  });
  await insertComplaintMessage(tx, { complaintId: id, authorId: caller.id, text: message, createdAt });
  await audit(act, 'complaint_opened', { complaint: id }, { after: { category } });
  return viewOne(act, id);
}

export const listOwnComplaints = (deps: Deps, { id, account }: Pick<Caller, 'id' | 'account'>) =>
  deps.database.read(async (reader) =>
    (await viewAll(deps, reader, { accountId: id }, { id, account })).reverse(),
  );

/** Lists the complaints whose clock runs out first on top. */
export const listComplaints = (deps: Deps, staff: Staff, { status }: output<typeof ComplaintsQuery>) =>
  deps.database.read(async (reader) => {
    const views = await viewAll(deps, reader, { status: status ?? 'unresolved' }, staff);
    const due = ({ dueOn }: (typeof views)[number]) => dueOn ?? '9999';
    return views.sort((one, other) => due(one).localeCompare(due(other)));
  });

/**
 * Counts the complaints that this employee may handle. Somebody who may handle none sees them all,
 * as others' work (§today).
 */
export async function countMyComplaints(deps: Deps, reader: Reader, staff: Staff) {
  const today = manilaDate(deps.clock.now());
  const rows = await readComplaints(reader, { status: 'unresolved' });
  const all = rows.map(({ complaint }) => complaint);
  const handlers = await handlersOf(deps, reader, all);
  const isHandler = hasAuthority(staff.account, 'collector');
  const own = isHandler ? all.filter((complaint) => handlers(complaint, staff).mayHandle) : all;
  const overdue = own.filter((complaint) => complaintClock(complaint, today).isOverdue);
  return { complaints: own.length, complaintsOverdue: overdue.length };
}

/** Its owner or staff write more. */
export async function answerComplaint(act: Act, id: number, text: string) {
  const { deps, tx, actor: caller } = act;
  const complaint = await lockComplaint(tx, id);
  const { isAdmin } = caller.account;
  if (!complaint || !(isAdmin || complaint.accountId === caller.id)) fail('not_found');
  if (!isAdmin) await countToday(act, 'complaint');
  const mark = isAdmin && (await requireHandler(act, complaint));
  requireNotFinal(complaint);
  if (isAdmin) await countMessageTo(act, complaint.accountId);
  const createdAt = deps.clock.now();
  await insertComplaintMessage(tx, { complaintId: id, authorId: caller.id, text, createdAt });
  await audit(act, 'complaint_answered', { complaint: id }, mark ? { after: mark } : {});
  if (isAdmin) await tellBorrower(act, complaint.accountId, 'complaint_answered', { message: text });
  return viewOne(act, id);
}

export async function updateComplaint(
  act: Act<Staff>,
  id: number,
  { status }: output<typeof ComplaintUpdate>,
) {
  const { deps, tx, actor: staff } = act;
  const complaint = (await lockComplaint(tx, id)) ?? fail('not_found');
  const mark = await requireHandler(act, complaint);
  requireNotFinal(complaint);
  const { status: from, accountId } = complaint;
  if (from === status) fail('complaint_final', { present: { status: from } });
  const at = deps.clock.now();
  const acknowledged = { acknowledgedBy: staff.id, acknowledgedAt: at };
  await changeComplaint(tx, id, {
    status,
    ...(from === 'open' && acknowledged),
    ...(status === 'resolved' && { resolvedBy: staff.id, resolvedAt: at }),
  });
  const changed = { before: { status: from }, after: { status, ...mark } };
  await audit(act, 'complaint_updated', { complaint: id }, changed);
  await tellBorrower(act, accountId, 'complaint_updated', { status });
  return viewOne(act, id);
}

/** Its borrower takes it back: it is over, and silences nobody from now on. */
export async function withdrawComplaint(act: Act, id: number) {
  const { deps, tx, actor: caller } = act;
  const complaint = await lockComplaint(tx, id);
  if (complaint?.accountId !== caller.id) fail('not_found');
  requireNotFinal(complaint);
  await changeComplaint(tx, id, { status: 'withdrawn', withdrawnAt: deps.clock.now() });
  await audit(act, 'complaint_withdrawn', { complaint: id }, { before: { status: complaint.status } });
  return viewOne(act, id);
}

function requireNotFinal({ status }: Complaint): void {
  if (isFinalComplaint(status)) fail('complaint_final', { present: { status } });
}

/**
 * Fails with `own_request` where the complaint may be about this collector and another may handle it (§complaints). Returns
 * the mark for the log where nobody else may.
 */
async function requireHandler({ deps, tx, actor: staff }: Act, complaint: Complaint) {
  requireRole(staff, 'collector');
  const { hasTried, turn } = (await handlersOf(deps, tx, [complaint]))(complaint, staff);
  if (turn === 'refused')
    fail('own_request', { message: hasTried ? records.ownComplaint : records.ownAccount });
  return turn === 'alone' && aloneMark;
}

/**
 * Tells whether an employee tried to reach the borrower of a complaint, on any loan, since thirty days before it. Such an
 * employee handles it only if every collector has tried too (`turnOf`); the rule for one's own account is the same.
 */
async function handlersOf(deps: Deps, reader: Reader, complaints: readonly Complaint[]) {
  const sinceOf = ({ createdAt }: Complaint) => createdAt.getTime() - limits.ownComplaintDays * dayMs;
  const since = new Date(Math.min(deps.clock.now().getTime(), ...complaints.map(sinceOf)));
  const accountIds = complaints.map(({ accountId }) => accountId);
  const attempts = await readAttempts(reader, accountIds, since);
  const collectors = await readStaffWith(reader, 'collector');
  const borrowers = await readMembersOf(reader, accountIds);
  const asBorrower = await readFormerOwnersOf(deps, reader, accountIds);
  return (complaint: Complaint, { id, account }: Pick<Caller, 'id' | 'account'>) => {
    const tried = attempts
      .filter(({ accountId, at }) => accountId === complaint.accountId && at.getTime() >= sinceOf(complaint))
      .map(({ actorId }) => actorId);
    const borrower = borrowers.get(complaint.accountId);
    const bars = { borrower: borrower && asBorrower(borrower), barred: tried };
    const turn = turnOf({ ...account, id }, collectors, bars);
    return {
      hasTried: tried.includes(id),
      turn,
      mayHandle: hasAuthority(account, 'collector') && turn !== 'refused',
    };
  };
}

async function viewOne({ deps, tx, actor }: Act, id: number) {
  const [view] = await viewAll(deps, tx, { id }, actor);
  return view ?? fail('not_found');
}

/** Inputs of `ComplaintReply` and `StaffComplaintReply`: staff also read who of them wrote. */
async function viewAll(deps: Deps, reader: Reader, which: Which, viewer: Pick<Caller, 'id' | 'account'>) {
  const isForStaff = viewer.account.isAdmin;
  const today = manilaDate(deps.clock.now());
  const rows = await readComplaints(reader, which);
  const ids = rows.map(({ complaint }) => complaint.id);
  const messages = await readComplaintMessages(reader, ids);
  const authors = messages.map(({ message }) => message.authorId);
  const nameOf = await readNamesOf(reader, authors);
  const all = rows.map(({ complaint }) => complaint);
  const handlers = isForStaff ? await handlersOf(deps, reader, all) : undefined;
  return rows.map(({ complaint, loanNumber, user: { erasedAt, ...user } }) => ({
    ...complaint,
    mayHandle: handlers?.(complaint, viewer).mayHandle ?? false,
    ...complaintClock(complaint, today),
    loanNumber,
    user: { ...user, ...(erasedAt && { fullName: null, phone: null }) },
    messages: messages
      .filter(({ message }) => message.complaintId === complaint.id)
      .map(({ message, isStaff }) => ({
        at: message.createdAt,
        isStaff,
        text: message.text,
        ...(isForStaff && { by: nameOf(message.authorId) }),
      })),
  }));
}
