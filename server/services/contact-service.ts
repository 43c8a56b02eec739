import type { input, output } from 'zod/mini';
import type { ContactForm, ContactsReply } from '#contract/collection.ts';
import { records } from '#contract/wording/server-words.ts';
import { addDays, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { lockAccount, readNamesOf } from '#server/store/account-store.ts';
import { insertContact, readContactsOf } from '#server/store/contact-store.ts';
import { audit } from './audit-service.ts';
import { requireRole } from './four-eyes.ts';
import {
  findServicedLoan,
  lockServicedLoan,
  requireDisbursed,
  type ServicedLoan,
} from './loan-events-service.ts';
import { askGuard, viewPromise } from './portfolio-service.ts';
import type { Act, Staff } from './session-service.ts';

/** Who talked to the borrower about a loan, and whether anybody may now: input of `ContactsReply`. */
export async function listContacts(deps: Deps, staff: Staff, loanId: number) {
  return deps.database.snapshot(async (reader) => {
    const { serviced } = await findServicedLoan(reader, staff, loanId);
    return viewContacts(deps, reader, serviced);
  });
}

async function viewContacts(
  deps: Deps,
  handle: Reader,
  serviced: ServicedLoan,
): Promise<input<typeof ContactsReply>> {
  const today = manilaDate(deps.clock.now());
  const contacts = await readContactsOf(handle, serviced.loan.id);
  const people = contacts.map(({ actorId }) => actorId);
  const nameOf = await readNamesOf(handle, people);
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
    ...(await askGuard(deps, handle, [serviced.loan.accountId]))(serviced.loan.accountId),
  };
}

/**
 * Writes down an attempt to reach a borrower. What the guard forbids is refused with `contact_not_allowed`, unless the form
 * says that it happened anyway.
 */
export async function recordContact(
  act: Act<Staff>,
  loanId: number,
  { channel, outcome, note = '', promise, made }: output<typeof ContactForm>,
) {
  const { deps, tx, actor: staff } = act;
  const serviced = await lockServicedLoan(tx, loanId);
  requireRole(staff, 'collector');
  requireDisbursed(serviced);
  const { accountId } = serviced.loan;
  const now = deps.clock.now();
  const today = manilaDate(now);
  if (promise && (promise.date < today || promise.date > addDays(today, limits.promiseAheadDays)))
    refuseField('promise.date', 'promiseDate');
  // Two collectors who call at once are one attempt too many: the second sees the first.
  await lockAccount(tx, accountId);
  const answer = (await askGuard(deps, tx, [accountId]))(accountId);
  const isForbidden = !answer.may && outcome !== 'incoming';
  if (isForbidden && !made) {
    const { reason, next } = answer;
    fail('contact_not_allowed', {
      message: records.contactNotAllowed(reason, next),
      present: { reason, next: next.toISOString() },
    });
  }
  await insertContact(tx, {
    loanId,
    accountId,
    channel,
    outcome,
    note,
    isAgainstGuard: isForbidden,
    actorId: staff.id,
    ...(promise && { promiseDate: promise.date, promiseCentavos: promise.amount }),
    createdAt: now,
  });
  const after = {
    channel,
    outcome,
    ...(promise && { promise: promise.date, amount: pesosText(promise.amount) }),
    ...(isForbidden && { againstGuard: answer.reason }),
  };
  await audit(act, 'contact_recorded', { loan: loanId }, { after });
  return viewContacts(deps, tx, serviced);
}
