import type { output } from 'zod/mini';
import type { MemberCreation, MemberUpdate } from '#contract/member.ts';
import type { AdminCreation, AdminUpdate } from '#contract/staff.ts';
import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin, type MemberStatus, rolesOf, type StaffRole, staffRoles } from '#domain/member.ts';
import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { dayMs } from '#server/platform/clock.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { readAccessChanges } from '#server/store/access-change-store.ts';
import { endSessionsOf } from '#server/store/access-store.ts';
import {
  type Account,
  type AccountChange,
  changeAccount,
  insertAccount,
  leaveSharedPhone,
  lockAccount,
  type NewAccount,
  personChange,
} from '#server/store/account-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { noSecrets, viewMember } from './account-view.ts';
import { type AuditAction, audit } from './audit-service.ts';
import { leaveAddresses } from './contact-details-service.ts';
import { requireAdminUnchanged, requireMemberUnchanged } from './edit-conflict.ts';
import { requireRole, requireRoleFor } from './four-eyes.ts';
import {
  type HashedPassword,
  hashed,
  issuedPasswordColumns,
  setPassword,
} from './issued-password-service.ts';
import { tellBorrower } from './notice-service.ts';
import { issueOtp } from './otp-service.ts';
import { addressOf, tellOutside } from './outbox-service.ts';
import { asBorrower, type Borrower, isOwnAccount, ownersUntil } from './own-account.ts';
import {
  changedNames,
  isBankAmong,
  newDocuments,
  noteVerified,
  profileColumns,
  requireAttachable,
} from './profile-service.ts';
import { type Act, failWhenPhoneIsTaken, requireFreePhone, type Staff } from './session-service.ts';
import { withSecrets } from './staff-list-service.ts';
import { holdAfterBoth } from './withdrawal-hold-service.ts';

/** Without the password, which is passed hashed. */
export type MemberEdit = output<typeof MemberUpdate>;

/** `tx` has locked the account. */
type Edit = Act<Staff> & { account: Account; borrower: Borrower };

/**
 * Changes any part of a member, all or nothing (§editing-members). The reply has no secrets, because it is stored for
 * retries: `addSecrets` adds them on the way out. A constraint finds a phone or email that is taken.
 */
export async function updateMember(
  act: Act<Staff>,
  id: number,
  { form, password }: { form: MemberEdit; password: HashedPassword | undefined },
) {
  const { deps, tx, actor: staff } = act;
  const strength = form.phone === undefined ? 'no key update' : 'update';
  const account = (await lockAccount(tx, id, strength)) ?? fail('not_found');
  requireMayEdit(staff, account, form);
  requireMemberUnchanged(account, form);
  const borrower = await asBorrower(deps, tx, account);
  const isAlone = isOwnAccount({ ...staff.account, id: staff.id }, borrower);
  const edit: Edit = { ...act, isAlone, account, borrower };

  const parts: AccountChange[] = [
    await personPart(edit, form),
    await confirmedPart(edit, form),
    await statusPart(edit, form.status),
    await creditPart(edit, form.creditScore),
  ];
  if (password) {
    await requireRoleFor(tx, staff, borrower, 'approver');
    parts.push(await setPassword(edit, account, password));
  }
  let isTexted = false;
  if (form.otpCode !== undefined) {
    await requireRoleFor(tx, staff, borrower, 'cashier');
    const issued = await issueOtp(edit, account, form.otpCode);
    parts.push(issued.change);
    isTexted = issued.isTexted;
  }
  if (form.balance !== undefined) await setBalance(edit, { ...form, balance: form.balance });
  const change: AccountChange = Object.assign({ updatedAt: deps.clock.now() }, ...parts);
  const member = viewMember(deps, await changeAccount(tx, id, change), noSecrets);
  return { ...member, ...(isTexted && { otpTexted: true as const }) };
}

/** Only the main admin changes an admin's account, which has nothing to do with money (§editing-members). */
function requireMayEdit(staff: Staff, account: Account, form: MemberEdit): void {
  if (!account.isAdmin) return;
  if (!isMainAdmin(staff.account)) fail('main_admin_only');
  if (isMainAdmin(account)) {
    const isDemoted = form.status !== undefined && form.status !== 'active';
    // The main admin signs in with the phone `admin`.
    if (isDemoted || form.phone !== undefined) fail('main_admin_protected');
  }
  for (const field of ['balance', 'otpCode', 'creditScore'] as const) {
    if (form[field] !== undefined) refuseField(field, 'memberUnknown');
  }
}

function noteUpdate(edit: Edit, after: Record<string, unknown>, before?: Record<string, unknown>) {
  const { id, isAdmin } = edit.account;
  return audit(edit, isAdmin ? 'admin_updated' : 'member_updated', { account: id }, { before, after });
}

async function personPart(edit: Edit, form: MemberEdit): Promise<AccountChange> {
  const { deps, tx, actor: staff, account, borrower } = edit;
  const columns: AccountChange = profileColumns(form);
  if (form.phone !== undefined) columns.phone = form.phone;
  const changed = changedNames(account, columns);
  if (changed.length === 0) return {};
  await requireRoleFor(tx, staff, borrower, 'encoder');

  await requireAttachable(deps, tx, account, newDocuments(columns, account), { orStaff: true });
  if (form.phone !== undefined) Object.assign(columns, await phonePart(edit, form.phone));
  const { phone, email } = { ...account, ...columns };
  if (account.isAdmin && phone === '' && email === null) refuseField('email', 'emailInvalid');
  const { marks, stamp } = await noteVerified(edit, account, columns, changed);
  await noteUpdate(edit, { changed, ...marks, ...(await ownersUntil(tx, account, columns)) });
  const person = personChange(account, columns);
  const { change: left, former } = await leaveAddresses(edit, account, person);
  const change = { ...person, ...stamp, ...left };
  const isPhoneChanged = changed.includes('phone');
  const toldBoth = { ...edit, former };
  const telling = { ...toldBoth, isToldOutside: former.includes('sms') };
  if (isPhoneChanged && !account.isAdmin) await tellBorrower(telling, account.id, 'phone_changed');
  if (former.includes('email')) await tellOutside(edit, account.id, 'email_changed', { former });
  if (isBankAmong(changed)) {
    if (!account.isAdmin) await tellBorrower(toldBoth, account.id, 'bank_details_changed');
    await holdAfterBoth(edit, account, 'bank');
  } else if (!isPhoneChanged) return change;
  return { ...change, staffChangedAccessAt: deps.clock.now() };
}

/**
 * Staff saw that messages arrive at this phone (§confirmed-addresses). Not who changed it lately, in this very request neither;
 * such a phone never gets codes.
 */
async function confirmedPart(edit: Edit, form: MemberEdit): Promise<AccountChange> {
  const { deps, tx, actor: staff, account, borrower } = edit;
  if (!form.phoneConfirmed || account.isAdmin || account.phoneConfirmedAt !== null) return {};
  await requireRoleFor(tx, staff, borrower, 'encoder');
  const isChangedNow = form.phone !== undefined && phoneKey(form.phone) !== account.phoneKey;
  const now = deps.clock.now();
  const since = new Date(now.getTime() - limits.phoneConfirmedByAnotherDays * dayMs);
  const changes = await readAccessChanges(tx, account.id, since);
  const isOwnChange = changes.some(({ what, actorId }) => what === 'phone' && actorId === staff.id);
  if (isChangedNow || isOwnChange) fail('own_request', { message: records.ownPhoneChange });
  if (addressOf(account, 'sms') === null) fail('not_mobile');
  await audit(edit, 'contact_confirmed', { account: account.id }, { after: { channel: 'sms' } });
  const confirmed = { phoneConfirmedAt: now, phoneConfirmedBy: staff.id };
  await changeAccount(tx, account.id, confirmed);
  await tellBorrower(edit, account.id, 'phone_confirmed');
  return confirmed;
}

/** The number as compared. Somebody who shared the former one leaves it to the others (§shared-numbers). */
async function phonePart({ tx, account }: Edit, phone: string): Promise<AccountChange> {
  const key = phone === '' ? null : phoneKey(phone);
  if (key === account.phoneKey) return {};
  if (key !== null) await requireFreePhone(tx, key, 'phone_taken');
  await leaveSharedPhone(tx, account);
  return { phoneKey: key, phoneShare: 0 };
}

/** A suspension ends every session permanently (§suspension). */
async function statusPart(edit: Edit, status: MemberStatus | undefined): Promise<AccountChange> {
  const { deps, tx, actor: staff, account, borrower } = edit;
  if (status === undefined || status === account.status) return {};
  await requireRoleFor(tx, staff, borrower, 'encoder');
  if (status === 'suspended') await endSessionsOf(tx, account.id, deps.clock.now());
  await noteUpdate(edit, { status, changed: ['status'] }, { status: account.status });
  if (!account.isAdmin) await tellBorrower(edit, account.id, 'status_changed', { status });
  return { status };
}

/** The previous score is kept for the trend. */
async function creditPart(edit: Edit, creditScore: number | undefined): Promise<AccountChange> {
  const { tx, actor: staff, account, borrower } = edit;
  if (creditScore === undefined || creditScore === account.creditScore) return {};
  await requireRoleFor(tx, staff, borrower, 'encoder');
  const before = { creditScore: account.creditScore };
  await audit(edit, 'credit_score_changed', { account: account.id }, { before, after: { creditScore } });
  return { creditScore, previousCreditScore: account.creditScore };
}

/** §registering. The password counts as issued, so the member's withdrawals are held at first. */
export async function createMember(deps: Deps, staff: Staff, form: output<typeof MemberCreation>) {
  requireRole(staff, 'encoder');
  const { phone, password, status = 'pending', ...profile } = form;
  const issued = await hashed(deps, password ?? newPassword());
  const columns = profileColumns(profile);
  const staffChangedAccessAt = deps.clock.now();
  const key = phoneKey(phone);
  await deps.database.read((reader) => requireFreePhone(reader, key, 'already_registered'));
  const account = { ...columns, phone, status, phoneKey: key, staffChangedAccessAt };
  const changed = ['phone', ...Object.keys(columns)];
  const created = { action: 'member_created', after: { status, changed } } as const;
  return storeIssued(deps, staff, account, issued, created).catch(failWhenPhoneIsTaken);
}

/** §main-admin. The password counts as issued. */
export async function createAdmin(deps: Deps, staff: Staff, form: output<typeof AdminCreation>) {
  const issued = await hashed(deps, form.password);
  const { fullName = '', phone = '', email, roles = [...staffRoles] } = form;
  const key = phone === '' ? null : phoneKey(phone);
  if (key !== null) await deps.database.read((reader) => requireFreePhone(reader, key, 'phone_taken'));
  const account = { fullName, phone, email, isAdmin: true, status: 'active', phoneKey: key } as const;
  const withRoles = { ...account, withheldRoles: withheld(roles) };
  return storeIssued(deps, staff, withRoles, issued, { action: 'admin_created', after: { roles } });
}

async function storeIssued(
  deps: Deps,
  staff: Staff,
  account: Omit<NewAccount, 'passwordHash' | 'createdAt' | 'updatedAt'>,
  password: HashedPassword,
  created: { action: AuditAction; after: Record<string, unknown> },
) {
  const now = deps.clock.now();
  return deps.database.transaction(async (tx) => {
    const stamps = { passwordHash: password.hash, createdAt: now, updatedAt: now };
    const { id } = await insertAccount(tx, { ...account, ...stamps });
    // The sealed password is tied to the account's id, known only now.
    const stored = await changeAccount(tx, id, issuedPasswordColumns(deps, id, password));
    const [act, on] = [{ deps, tx, actor: staff }, { account: id }];
    await audit(act, created.action, on, { after: created.after });
    await audit(act, 'password_issued', on);
    if (staff.wants.password) await audit(act, 'password_revealed', on);
    return { user: viewMember(deps, stored, staff.wants) };
  });
}

/** Only the main admin gets here (§main-admin). */
export async function updateAdmin(deps: Deps, staff: Staff, id: number, form: output<typeof AdminUpdate>) {
  const password = form.password === undefined ? undefined : await hashed(deps, form.password);
  const changed = await deps.database.transaction(async (tx) => {
    const account = await lockAccount(tx, id);
    if (!account?.isAdmin) fail('not_found');
    requireAdminUnchanged(account, form);
    const borrower = { ...account, formerOwners: [] };
    const edit: Edit = { deps, tx, actor: staff, account, borrower };
    const change: AccountChange = await personPart(edit, { email: form.email });
    if (form.roles) Object.assign(change, await changeRoles(edit, form.roles));
    if (password) Object.assign(change, await setPassword(edit, account, password));
    return changeAccount(tx, id, { ...change, updatedAt: deps.clock.now() });
  });
  return withSecrets(deps, staff, changed);
}

const withheld = (roles: readonly StaffRole[]) => staffRoles.filter((role) => !roles.includes(role));

/** The main admin has every role, whatever is stored. */
async function changeRoles(edit: Edit, roles: readonly StaffRole[]): Promise<AccountChange> {
  const { account } = edit;
  if (isMainAdmin(account)) fail('main_admin_protected');
  const after = staffRoles.filter((role) => roles.includes(role));
  await noteUpdate(edit, { roles: after }, { roles: rolesOf(account) });
  return { withheldRoles: withheld(roles) };
}

type BalanceEdit = Pick<MemberEdit, 'expectedBalance' | 'reason'> & { balance: Centavos };

/** Sets a balance; the difference from the locked `account` becomes a ledger entry (§balance). */
async function setBalance(
  edit: Edit,
  { balance, expectedBalance, reason = 'admin_adjustment' }: BalanceEdit,
): Promise<void> {
  const { deps, tx, actor: staff, account, borrower } = edit;
  const before = account.balanceCentavos;
  if (expectedBalance !== undefined && expectedBalance !== before) fail('balance_changed');
  const amount = centavos(balance - before);
  if (amount === 0) return;
  await requireRoleFor(tx, staff, borrower, 'approver');
  const at = deps.clock.now();
  const moved = await moveMoney(tx, {
    accountId: account.id,
    amountCentavos: amount,
    type: reason,
    actorId: staff.id,
    reason,
    expectedBalanceCentavos: before,
    at,
  });
  if (!moved) fail('balance_changed');
  const isRaised = amount > 0;
  if (isRaised) await changeAccount(tx, account.id, { creditWithoutLoanAt: at });
  const on = { account: account.id };
  const after = { balance: pesosText(balance), reason, ...(isRaised && { withoutLoan: true }) };
  await audit(edit, 'balance_changed', on, { before: { balance: pesosText(before) }, after });
  await tellBorrower(edit, account.id, 'balance_changed', {
    before: formatPeso(before),
    after: formatPeso(balance),
    amount: formatPeso(centavos(Math.abs(amount))),
    change: isRaised ? 'added' : 'taken',
  });
}
