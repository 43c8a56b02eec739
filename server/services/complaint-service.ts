import type { output } from 'zod/mini';
import type { ComplaintForm, ComplaintsQuery, ComplaintUpdate } from '#contract/collection.ts';
import { records } from '#contract/wording/server-words.ts';
import { manilaDate } from '#domain/calendar.ts';
import { complaintClock } from '#domain/complaint.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { mayAnother, readNamesOf } from '#server/store/account-store.ts';
import {
  changeComplaint,
  insertComplaint,
  insertComplaintMessage,
  lockComplaint,
  readComplaintMessages,
  readComplaints,
} from '#server/store/complaint-store.ts';
import { readContactsOf } from '#server/store/contact-store.ts';
import { findLoan } from '#server/store/loan-store.ts';
import { audit } from './audit-service.ts';
import { requireRole } from './four-eyes.ts';
import { tellBorrower } from './notice-service.ts';
import type { Act, Caller, Staff } from './session-service.ts';
import { countToday } from './tries-service.ts';

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
    (await viewAll(deps, reader, { accountId: id }, account.isAdmin)).reverse(),
  );

/** Those whose clock runs out first come first. */
export const listComplaints = (deps: Deps, { status }: output<typeof ComplaintsQuery>) =>
  deps.database.read(async (reader) => {
    const views = await viewAll(deps, reader, { status: status ?? 'unresolved' }, true);
    const due = ({ dueOn }: (typeof views)[number]) => dueOn ?? '9999';
    return views.sort((one, other) => due(one).localeCompare(due(other)));
  });

/** Its owner or staff write more. */
export async function answerComplaint(act: Act, id: number, text: string) {
  const { deps, tx, actor: caller } = act;
  const complaint = await lockComplaint(tx, id);
  const { isAdmin } = caller.account;
  if (!complaint || !(isAdmin || complaint.accountId === caller.id)) fail('not_found');
  if (isAdmin) requireRole(caller, 'collector');
  else await countToday(act, 'complaint');
  if (complaint.status === 'resolved') fail('complaint_final', { present: { status: complaint.status } });
  const createdAt = deps.clock.now();
  await insertComplaintMessage(tx, { complaintId: id, authorId: caller.id, text, createdAt });
  await audit(act, 'complaint_answered', { complaint: id });
  if (isAdmin) await tellBorrower(act, complaint.accountId, 'complaint_answered', { message: text });
  return viewOne(act, id);
}

/** The last person who contacted the borrower about the loan may not resolve a complaint about it while another may. */
export async function updateComplaint(
  act: Act<Staff>,
  id: number,
  { status }: output<typeof ComplaintUpdate>,
) {
  const { deps, tx, actor: staff } = act;
  const complaint = (await lockComplaint(tx, id)) ?? fail('not_found');
  requireRole(staff, 'collector');
  const { status: from, loanId, accountId } = complaint;
  if (from === 'resolved' || from === status) fail('complaint_final', { present: { status: from } });
  if (status === 'resolved' && loanId !== null) {
    const [last] = await readContactsOf(tx, loanId);
    const isOwn = last?.actorId === staff.id;
    if (isOwn && (await mayAnother(tx, 'collector', [staff.id])))
      fail('own_request', { message: records.ownComplaint });
  }
  const at = deps.clock.now();
  const acknowledged = { acknowledgedBy: staff.id, acknowledgedAt: at };
  await changeComplaint(tx, id, {
    status,
    ...(from === 'open' && acknowledged),
    ...(status === 'resolved' && { resolvedBy: staff.id, resolvedAt: at }),
  });
  await audit(act, 'complaint_updated', { complaint: id }, { before: { status: from }, after: { status } });
  await tellBorrower(act, accountId, 'complaint_updated', { status });
  return viewOne(act, id);
}

async function viewOne({ deps, tx, actor }: Act, id: number) {
  const [view] = await viewAll(deps, tx, { id }, actor.account.isAdmin);
  return view ?? fail('not_found');
}

/** Inputs of `ComplaintReply` and `StaffComplaintReply`: staff also read who of them wrote. */
async function viewAll(deps: Deps, handle: Reader, which: Which, isForStaff: boolean) {
  const today = manilaDate(deps.clock.now());
  const rows = await readComplaints(handle, which);
  const ids = rows.map(({ complaint }) => complaint.id);
  const messages = await readComplaintMessages(handle, ids);
  const authors = messages.map(({ message }) => message.authorId);
  const nameOf = await readNamesOf(handle, authors);
  return rows.map(({ complaint, loanNumber, user: { erasedAt, ...user } }) => ({
    ...complaint,
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
