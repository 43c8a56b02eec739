import * as z from 'zod/mini';
import {
  AnySignIn,
  PasswordChange,
  ProfileUpdate,
  Registration,
  SessionReply,
  UserReply,
} from './account.ts';
import { DocumentReply, FileParams } from './document.ts';
import { endpoint } from './endpoint.ts';
import { ExchangeRatesReply } from './exchange.ts';
import { IdParams, MessageReply } from './fields.ts';
import { ContractReply, LoanApplication, LoanReply, QuoteReply, QuoteRequest, ScheduleRow } from './loan.ts';
import {
  CreatedMemberReply,
  LoanUpdate,
  MemberCreation,
  MemberReply,
  MembersQuery,
  MemberUpdate,
  StaffLoanReply,
  StaffWithdrawalReply,
  WithdrawalsQuery,
  WithdrawalUpdate,
} from './member.ts';
import { NotificationForm, NotificationReply } from './notification.ts';
import {
  AdminCreatedReply,
  AdminCreation,
  AdminUpdate,
  AllowedIpForm,
  AllowedIpReply,
  AllUsersQuery,
  AuditEntryReply,
  AuditQuery,
  StatsReply,
} from './staff.ts';
import { WithdrawalReply, WithdrawalRequest } from './withdrawal.ts';

/**
 * The endpoint table: one row an endpoint, in the order of spec section 7, then what contract.md adds. Each row is an
 * export of its own, so that a browser bundle carries only the rows it calls. The server binds every export and
 * refuses to start when one has no handler.
 *
 * Two rows may share a method and a path: then the staff row serves a caller with an admin's token, and the other row
 * everybody else (`register` and `createMember`).
 */

// ---- Borrowers: spec section 7, customer calls ----

export const signIn = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  access: 'anyone',
  summary: 'Sign in: `phone` for a borrower, `username` for staff.',
  body: AnySignIn,
  reply: SessionReply,
  fails: [
    'invalid_credentials',
    'account_suspended',
    'forbidden',
    'ip_not_allowed',
    'too_many_tries',
    'overloaded',
  ],
});

export const register = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  access: 'anyone',
  summary: 'Register as a borrower.',
  body: Registration,
  reply: SessionReply,
  status: 201,
  fails: ['already_registered', 'too_many_tries', 'overloaded'],
});

export const readProfile = endpoint({
  method: 'GET',
  path: '/api/user/profile',
  access: 'signedIn',
  summary: 'The account that the token belongs to.',
  reply: UserReply,
});

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/user/profile',
  access: 'borrower',
  summary: 'Change any part of the profile, or attach documents.',
  body: ProfileUpdate,
  reply: UserReply,
  fails: ['foreign_document'],
});

export const uploadDocument = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'signedIn',
  staffAddressRule: true,
  summary: 'Store one image; it is re-encoded without metadata.',
  takesFile: true,
  reply: DocumentReply,
  status: 201,
  fails: ['not_an_image', 'too_large', 'overloaded'],
});

export const applyForLoan = endpoint({
  method: 'POST',
  path: '/api/loans',
  access: 'borrower',
  summary: 'Apply for a loan. The quote of this moment is frozen with it.',
  body: LoanApplication,
  reply: LoanReply,
  status: 201,
  idempotent: true,
  fails: ['verification_required'],
});

export const listOwnLoans = endpoint({
  method: 'GET',
  path: '/api/loans/user',
  access: 'borrower',
  summary: 'The caller’s loans, newest first.',
  reply: z.array(LoanReply),
});

export const listOwnWithdrawals = endpoint({
  method: 'GET',
  path: '/api/withdrawals',
  access: 'borrower',
  summary: 'The caller’s withdrawals, newest first.',
  reply: z.array(WithdrawalReply),
});

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/api/withdrawals',
  access: 'borrower',
  summary: 'Withdraw from the wallet with a one-time code.',
  body: WithdrawalRequest,
  reply: WithdrawalReply,
  status: 201,
  idempotent: true,
  fails: ['insufficient_funds', 'invalid_otp'],
});

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  access: 'signedIn',
  summary: 'The caller’s messages, newest first.',
  reply: z.array(NotificationReply),
});

// ---- Staff: spec section 7, admin calls ----

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  access: 'admin',
  summary: 'Members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: MembersQuery,
  reply: z.array(MemberReply),
  produces: 'jsonOrLines',
});

export const updateMember = endpoint({
  method: 'PUT',
  path: '/api/admin/users/{id}',
  access: 'admin',
  summary: 'Change any part of a member: profile, status, password, code, balance, credit score, documents.',
  params: IdParams,
  body: MemberUpdate,
  reply: MemberReply,
  idempotent: true,
  fails: [
    'not_found',
    'main_admin_only',
    'main_admin_protected',
    'phone_taken',
    'balance_changed',
    'foreign_document',
  ],
});

export const updateAdmin = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/{id}',
  access: 'mainAdmin',
  summary: 'Change the email or the password of an admin.',
  params: IdParams,
  body: AdminUpdate,
  reply: MemberReply,
  fails: ['not_found', 'email_taken'],
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/{id}',
  access: 'admin',
  summary: 'Remove a member, or as the main admin another admin. Their books are kept.',
  params: IdParams,
  reply: MessageReply,
  fails: ['not_found', 'main_admin_only', 'main_admin_protected'],
});

export const createMember = endpoint({
  method: 'POST',
  path: '/api/auth/register',
  access: 'admin',
  summary: 'Create a member; without a password one is generated.',
  body: MemberCreation,
  reply: CreatedMemberReply,
  status: 201,
  fails: ['already_registered', 'overloaded'],
});

export const listLoans = endpoint({
  method: 'GET',
  path: '/api/admin/loans',
  access: 'admin',
  summary: 'Loans with their members, newest first; one a line with `Accept: application/x-ndjson`.',
  reply: z.array(StaffLoanReply),
  produces: 'jsonOrLines',
});

export const updateLoan = endpoint({
  method: 'PUT',
  path: '/api/admin/loans/{id}',
  access: 'admin',
  summary: 'Change a loan’s status, or its amount and term.',
  params: IdParams,
  body: LoanUpdate,
  reply: StaffLoanReply,
  idempotent: true,
  fails: ['not_found'],
});

export const deleteLoan = endpoint({
  method: 'DELETE',
  path: '/api/admin/loans/{id}',
  access: 'admin',
  summary: 'Take a loan out of every list; it stays in the audit log.',
  params: IdParams,
  reply: MessageReply,
  fails: ['not_found'],
});

export const notifyMember = endpoint({
  method: 'POST',
  path: '/api/admin/notifications',
  access: 'admin',
  summary: 'Send a member a message.',
  body: NotificationForm,
  reply: NotificationReply,
  status: 201,
  fails: ['not_found'],
});

export const listWithdrawals = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals',
  access: 'admin',
  summary: 'Withdrawals with their members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: WithdrawalsQuery,
  reply: z.array(StaffWithdrawalReply),
  produces: 'jsonOrLines',
});

export const updateWithdrawal = endpoint({
  method: 'PUT',
  path: '/api/admin/withdrawals/{id}',
  access: 'admin',
  summary: 'Approve, complete or reject a withdrawal; a rejection refunds it once.',
  params: IdParams,
  body: WithdrawalUpdate,
  reply: StaffWithdrawalReply,
  idempotent: true,
  fails: ['not_found', 'withdrawal_final', 'withdrawal_transition'],
});

export const readStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  access: 'admin',
  summary: 'Counts of members, loans and withdrawals.',
  reply: StatsReply,
});

export const listAllUsers = endpoint({
  method: 'GET',
  path: '/api/admin/all-users',
  access: 'admin',
  summary: 'Admin accounts and members; `?role=admin` narrows to admins.',
  query: AllUsersQuery,
  reply: z.array(MemberReply),
  produces: 'jsonOrLines',
});

export const createAdmin = endpoint({
  method: 'POST',
  path: '/api/admin/create-admin',
  access: 'mainAdmin',
  summary: 'Create an admin account.',
  body: AdminCreation,
  reply: AdminCreatedReply,
  status: 201,
  fails: ['email_taken', 'phone_taken', 'overloaded'],
});

export const listAllowedIps = endpoint({
  method: 'GET',
  path: '/api/admin/allowed-ips',
  access: 'mainAdmin',
  summary: 'The addresses that staff may come from; an empty list allows all.',
  reply: z.array(AllowedIpReply),
});

export const addAllowedIp = endpoint({
  method: 'POST',
  path: '/api/admin/allowed-ips',
  access: 'mainAdmin',
  summary: 'Allow an address or a CIDR range.',
  body: AllowedIpForm,
  reply: AllowedIpReply,
  status: 201,
  fails: ['ip_already_listed'],
});

export const removeAllowedIp = endpoint({
  method: 'DELETE',
  path: '/api/admin/allowed-ips/{id}',
  access: 'mainAdmin',
  summary: 'Remove an allowed address.',
  params: IdParams,
  reply: MessageReply,
  fails: ['not_found', 'own_address'],
});

// ---- What contract.md adds ----

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  access: 'signedIn',
  summary: 'End the session that the token belongs to.',
  reply: MessageReply,
});

export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/user/password',
  access: 'signedIn',
  summary: 'Set one’s own password; every other session ends.',
  body: PasswordChange,
  reply: MessageReply,
  fails: ['wrong_password', 'too_many_tries', 'overloaded'],
});

export const readFile = endpoint({
  method: 'GET',
  path: '/api/files/{id}',
  access: 'signedIn',
  staffAddressRule: true,
  summary: 'An uploaded image, for its owner, the member it is attached to, or staff.',
  params: FileParams,
  produces: 'image',
  fails: ['not_found'],
});

export const quoteLoan = endpoint({
  method: 'POST',
  path: '/api/loans/quote',
  access: 'anyone',
  summary: 'The whole cost of a loan, before anyone applies.',
  body: QuoteRequest,
  reply: QuoteReply,
});

export const readLoanSchedule = endpoint({
  method: 'GET',
  path: '/api/loans/{id}/schedule',
  access: 'signedIn',
  staffAddressRule: true,
  summary: 'The instalments of a loan, one a month.',
  params: IdParams,
  reply: z.array(ScheduleRow),
  fails: ['not_found'],
});

export const readLoanContract = endpoint({
  method: 'GET',
  path: '/api/loans/{id}/contract',
  access: 'signedIn',
  staffAddressRule: true,
  summary: 'The contract, with the quote that was agreed to.',
  params: IdParams,
  reply: ContractReply,
  fails: ['not_found'],
});

export const readLoanContractPdf = endpoint({
  method: 'GET',
  path: '/api/loans/{id}/contract.pdf',
  access: 'signedIn',
  staffAddressRule: true,
  summary: 'The contract and disclosure statement, to print and sign.',
  params: IdParams,
  produces: 'pdf',
  fails: ['not_found'],
});

export const readMember = endpoint({
  method: 'GET',
  path: '/api/admin/users/{id}',
  access: 'admin',
  summary: 'One member, with the password issued to them and their one-time code.',
  params: IdParams,
  reply: MemberReply,
  fails: ['not_found'],
});

export const listAudit = endpoint({
  method: 'GET',
  path: '/api/admin/audit',
  access: 'mainAdmin',
  summary: 'Who did what to whom, newest first.',
  query: AuditQuery,
  reply: z.array(AuditEntryReply),
});

export const readExchangeRates = endpoint({
  method: 'GET',
  path: '/api/exchange-rates',
  access: 'anyone',
  summary: 'Currency units for one peso.',
  reply: ExchangeRatesReply,
});

export const readOpenApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'anyone',
  summary: 'This table as an OpenAPI 3.1 document.',
  reply: z.record(z.string(), z.unknown()),
});

export const readApiPage = endpoint({
  method: 'GET',
  path: '/api/docs',
  access: 'anyone',
  summary: 'This table as a page to read.',
  produces: 'html',
});
