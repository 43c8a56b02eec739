import type { input, output } from 'zod/mini';
import type { ContactForm, ContactsReply } from '#contract/collection.ts';
import { records } from '#contract/wording/server-words.ts';
import { addDays, manilaDate } from '#domain/calendar.ts';
import { silencingCategories } from '#domain/complaint.ts';
import type { ContactRefusal } from '#domain/contact.ts';
import { limits } from '#domain/limits.ts';
import { rolesOf } from '#domain/member.ts';
import { pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { minuteMs } from '#server/platform/clock.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { lockAccount, readNamesOf } from '#server/store/account-store.ts';
import { hasUnresolvedComplaint } from '#server/store/complaint-store.ts';
import { insertContact, readAttempts, readContactsOf } from '#server/store/contact-store.ts';
import { findLoanOfContact } from '#server/store/loan-store.ts';
import { audit } from './audit-service.ts';
import { requireRoleFor } from './four-eyes.ts';
import { findBorrower } from './own-account.ts';
import { askGuard, viewPromise } from './portfolio-service.ts';
import { findServicedLoan, lockServicedLoan, requireDisbursed, type ServicedLoan } from './serviced-loan.ts';
import type { Act, Staff } from './session-service.ts';

/** Lists the contacts about a loan, and whether staff may try another now: input of `ContactsReply`. */
export async function listContacts(deps: Deps, staff: Staff, loanId: number) {
  return deps.database.snapshot(async (reader) => {
    const { serviced } = await findServicedLoan(reader, staff, loanId);
    return viewContacts(deps, reader, staff, serviced);
  });
}

async function viewContacts(
  deps: Deps,
  reader: Reader,
  staff: Staff,
  serviced: ServicedLoan,
): Promise<input<typeof ContactsReply>> {
  const { accountId } = serviced.loan;
  const today = manilaDate(deps.clock.now());
  const contacts = await readContactsOf(reader, serviced.loan.id);
  const people = contacts.map(({ actorId }) => actorId);
  const nameOf = await readNamesOf(reader, people);
  return {
    contacts: contacts.map((contact) => ({
      at: contact.createdAt,
      by: nameOf(contact.actorId),
      channel: contact.channel,
      outcome: contact.outcome,
      note: contact.note,
      promise: viewPromise(contact, serviced, today),
      made: contact.isAgainstGuard,
    })),
    ...(await askGuard(deps, reader, [accountId]))(accountId),
    ...((await isMessageAttempt(reader, staff, accountId)) && { isMessageAttempt: true }),
  };
}

/**
 * Writes down an attempt to reach a borrower. An attempt that the guard forbids is refused with `contact_not_allowed`, unless the form
 * says that it happened anyway.
 */
export async function recordContact(
  act: Act<Staff>,
  loanId: number,
  { channel, outcome, note = '', promise, made }: output<typeof ContactForm>,
) {
  const { deps, tx, actor: staff } = act;
  const serviced = await lockServicedLoan(tx, loanId);
  const { accountId } = serviced.loan;
  const borrower = await findBorrower(deps, tx, accountId);
  const isAlone = await requireRoleFor(tx, staff, borrower, 'collector');
  requireDisbursed(serviced);
  const now = deps.clock.now();
  const today = manilaDate(now);
  if (promise && (promise.date < today || promise.date > addDays(today, limits.promiseAheadDays)))
    refuseField('promise.date', 'promiseDate');
  // Two collectors who call at once are one attempt too many: the second sees the first.
  await lockAccount(tx, accountId);
  const isIncoming = outcome === 'incoming';
  const refusal = await (isIncoming ? whyNotIncoming(act, accountId) : whyNotNow(deps, tx, accountId));
  if (refusal && !made) refuseContact(refusal);
  await insertContact(tx, {
    loanId,
    accountId,
    channel,
    outcome,
    note,
    isAgainstGuard: refusal !== undefined,
    actorId: staff.id,
    ...(promise && { promiseDate: promise.date, promiseCentavos: promise.amount }),
    createdAt: now,
  });
  const after = {
    channel,
    outcome,
    ...(promise && { promise: promise.date, amount: pesosText(promise.amount) }),
    ...(refusal && { againstGuard: refusal.reason }),
  };
  await audit({ ...act, isAlone }, 'contact_recorded', { loan: loanId }, { after });
  return viewContacts(deps, tx, staff, serviced);
}

type Refusal = { reason: ContactRefusal | 'incoming'; next: Date };

async function whyNotNow(deps: Deps, tx: Tx, accountId: number): Promise<Refusal | undefined> {
  const answer = (await askGuard(deps, tx, [accountId]))(accountId);
  return answer.may ? undefined : answer;
}

/** A borrower who calls back within the hour is written down by a colleague, later, or marked; else every visit could be called theirs. */
async function whyNotIncoming({ deps, tx, actor }: Act, accountId: number): Promise<Refusal | undefined> {
  const lastsMs = limits.incomingAfterAttemptMinutes * minuteMs;
  const since = new Date(deps.clock.now().getTime() - lastsMs);
  const attempts = await readAttempts(tx, [accountId], since);
  const own = attempts.filter(({ actorId }) => actorId === actor.id).map(({ at }) => at.getTime());
  return own.length > 0 ? { reason: 'incoming', next: new Date(Math.max(...own) + lastsMs) } : undefined;
}

function refuseContact({ reason, next }: Refusal): never {
  fail('contact_not_allowed', {
    message: records.contactNotAllowed(reason, next),
    present: { reason, next: next.toISOString() },
  });
}

/**
 * A message in the app is an attempt to collect when its author only collects, or while the borrower complains about being
 * asked to pay (§messages-from-staff).
 */
const isMessageAttempt = async (reader: Reader, { account }: Staff, accountId: number): Promise<boolean> =>
  rolesOf(account).every((role) => role === 'collector') ||
  (await hasUnresolvedComplaint(reader, accountId, silencingCategories));

/** Writes a message down if it is an attempt, which the guard has to allow. The account is locked. */
export async function noteMessage(act: Act<Staff>, accountId: number): Promise<void> {
  const { deps, tx, actor: staff } = act;
  if (!(await isMessageAttempt(tx, staff, accountId))) return;
  const refusal = await whyNotNow(deps, tx, accountId);
  if (refusal) refuseContact(refusal);
  await insertContact(tx, {
    loanId: (await findLoanOfContact(tx, accountId)) ?? null,
    accountId,
    channel: 'message',
    outcome: 'other',
    actorId: staff.id,
    createdAt: deps.clock.now(),
  });
}
