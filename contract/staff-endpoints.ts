import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { admin, mainAdmin } from './endpoint.ts';
import { MessageReply } from './fields.ts';
import * as member from './member.ts';
import { NotificationForm, NotificationReply } from './notification.ts';
import * as staff from './staff.ts';
import { LoansQuery, LoanUpdate, StaffLoanReply } from './staff-loan.ts';
import {
  StaffWithdrawalReply,
  WithdrawalHoldReply,
  WithdrawalsQuery,
  WithdrawalUpdate,
} from './staff-withdrawal.ts';

export const listMembers = admin('GET /api/admin/users', {
  summary: 'Members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: member.MembersQuery,
  reply: z.array(member.MemberReply),
  produces: 'jsonOrLines',
});

export const updateMember = admin('PUT /api/admin/users/{id}', {
  summary: 'Change any part of a member: profile, status, password, code, balance, credit score, documents.',
  body: member.MemberUpdate,
  reply: member.MemberReply,
  carriesSecrets: true,
  idempotent: true,
  fails: [
    'main_admin_only',
    'main_admin_protected',
    'phone_taken',
    'email_taken',
    'balance_changed',
    'edited_meanwhile',
    'foreign_document',
    'not_mobile',
    'overloaded',
    'own_request',
    'role_missing',
  ],
});

export const updateAdmin = mainAdmin('PATCH /api/admin/users/{id}', {
  summary: 'Change the email or the password of an admin.',
  body: staff.AdminUpdate,
  reply: member.MemberReply,
  carriesSecrets: true,
  fails: ['email_taken', 'edited_meanwhile', 'overloaded'],
});

export const deleteUser = admin('DELETE /api/admin/users/{id}', {
  summary:
    'Remove a member whose money is settled, or as the main admin another admin. Their books are kept.',
  reply: MessageReply,
  idempotent: true,
  fails: ['main_admin_only', 'main_admin_protected', 'member_not_settled', 'own_request', 'role_missing'],
});

export const listClosedAccounts = admin('GET /api/admin/closed-accounts', {
  summary: 'Deleted members who have money in the wallet, owe something, or have credit to be handed back.',
  reply: staff.ClosedAccountsReply,
  isCostly: true,
});

export const createMember = admin('POST /api/auth/register', {
  summary: 'Create a member; without a password one is generated.',
  body: member.MemberCreation,
  reply: member.CreatedAccountReply,
  carriesSecrets: true,
  status: 201,
  fails: ['already_registered', 'overloaded', 'role_missing'],
});

export const setUpSecondStep = admin('POST /api/auth/second-step/setup', {
  withoutSecondStep: true,
  summary: 'Begin to set up one’s own second step with the password: the secret for an authenticator app.',
  body: staff.SecondStepSetUp,
  reply: staff.SecondStepReply,
  fails: ['second_step_on', 'wrong_password', 'too_many_tries', 'overloaded'],
});

export const confirmSecondStep = admin('POST /api/auth/second-step/confirm', {
  withoutSecondStep: true,
  summary:
    'Switch it on with a code of the app; this session’s token is renewed, and every other session ends. The recovery codes are shown once.',
  body: staff.SecondStepCode,
  reply: staff.RecoveryCodesReply,
  fails: ['second_step_on', 'second_step_off', 'wrong_code'],
});

export const removeSecondStep = admin('DELETE /api/auth/second-step', {
  summary: 'Switch off one’s own second step; this session’s token is renewed, and every other session ends.',
  body: staff.SecondStepRemoval,
  reply: staff.SecondStepOffReply,
  fails: ['second_step_off', 'wrong_password', 'wrong_code', 'too_many_tries', 'overloaded'],
});

export const resetSecondStep = mainAdmin('DELETE /api/admin/users/{id}/second-step', {
  summary: 'Switch off the second step of another admin, who lost their phone; their sessions end.',
  reply: MessageReply,
  idempotent: true,
  fails: ['second_step_off', 'main_admin_protected'],
});

export const listLoans = admin('GET /api/admin/loans', {
  summary: 'Loans with their members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: LoansQuery,
  reply: z.array(StaffLoanReply),
  produces: 'jsonOrLines',
});

export const updateLoan = admin('PUT /api/admin/loans/{id}', {
  summary: 'Change a loan’s status, or its amount and term.',
  body: LoanUpdate,
  reply: StaffLoanReply,
  idempotent: true,
  fails: ['loan_disbursed', 'edited_meanwhile', 'too_many_versions', 'own_request', 'role_missing'],
});

export const deleteLoan = admin('DELETE /api/admin/loans/{id}', {
  summary:
    'Take a loan out of every list; it stays in the audit log. Once it is approved, only the main admin may; the borrower can still read its contract.',
  reply: MessageReply,
  idempotent: true,
  fails: ['loan_disbursed', 'main_admin_only', 'own_request', 'role_missing'],
});

export const notifyMember = admin('POST /api/admin/notifications', {
  summary:
    'Send a member a message. By collectors, and while the member complains about collection or an amount, it is an attempt to contact them.',
  body: NotificationForm,
  reply: NotificationReply,
  status: 201,
  idempotent: true,
  fails: ['not_found', 'contact_not_allowed', 'role_missing'],
});

export const listWithdrawals = admin('GET /api/admin/withdrawals', {
  summary: 'Withdrawals with their members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: WithdrawalsQuery,
  reply: z.array(StaffWithdrawalReply),
  produces: 'jsonOrLines',
  csv: {
    beneficiary: 'user.fullName',
    bank: 'bankName',
    account: 'bankAccountNumber',
    amount: 'amount',
    number: 'withdrawalNumber',
    reference: 'bankReference',
  },
});

export const updateWithdrawal = admin('PUT /api/admin/withdrawals/{id}', {
  summary: 'Approve, complete or reject a withdrawal; a rejection refunds it once.',
  body: WithdrawalUpdate,
  reply: StaffWithdrawalReply,
  idempotent: true,
  fails: ['withdrawal_final', 'withdrawal_transition', 'own_request', 'role_missing'],
});

export const readWithdrawalHold = admin('GET /api/admin/withdrawals/{id}/hold', {
  summary:
    'Who changed phone, password, bank details, code or balance of a withdrawal’s account in the last 30 days.',
  reply: WithdrawalHoldReply,
});

export const readStats = admin('GET /api/admin/stats', {
  summary: 'Counts of members, loans and withdrawals.',
  reply: staff.StatsReply,
});

export const noteExport = admin('POST /api/admin/exports', {
  summary: 'Note in the audit log that a list is saved as a file, before it is made.',
  body: staff.ListExport,
  reply: MessageReply,
  status: 201,
  idempotent: true,
});

export const listAllUsers = admin('GET /api/admin/all-users', {
  summary: 'Admin accounts and members; `?role=admin` narrows to admins.',
  query: staff.AllUsersQuery,
  reply: z.array(member.MemberReply),
  produces: 'jsonOrLines',
});

export const createAdmin = mainAdmin('POST /api/admin/create-admin', {
  summary: 'Create an admin account.',
  body: staff.AdminCreation,
  reply: member.CreatedAccountReply,
  carriesSecrets: true,
  status: 201,
  fails: ['email_taken', 'phone_taken', 'overloaded'],
});

export const listAllowedIps = mainAdmin('GET /api/admin/allowed-ips', {
  summary: 'The addresses that staff may come from; an empty list allows all.',
  reply: z.array(staff.AllowedIpReply),
});

export const addAllowedIp = mainAdmin('POST /api/admin/allowed-ips', {
  summary: 'Allow an address or a CIDR range.',
  body: staff.AllowedIpForm,
  reply: staff.AllowedIpReply,
  status: 201,
  idempotent: true,
  fails: ['ip_already_listed', 'proxy_not_named', 'sender_not_named'],
});

export const readInstallation = mainAdmin('GET /api/admin/installation', {
  summary: 'Problems that the operator should fix.',
  reply: staff.InstallationReply,
});

export const removeAllowedIp = mainAdmin('DELETE /api/admin/allowed-ips/{id}', {
  summary: 'Remove an allowed address.',
  reply: MessageReply,
  idempotent: true,
  fails: ['own_address'],
});

export const readMember = admin('GET /api/admin/users/{id}', {
  summary: 'One member, with the password issued to them and their one-time code.',
  reply: member.MemberReply,
  carriesSecrets: true,
});

export const listAudit = mainAdmin('GET /api/admin/audit', {
  summary:
    'Who did what to whom, newest first; all of it, or of one action, actor or target, or of some days.',
  query: staff.AuditQuery,
  reply: z.array(staff.AuditEntryReply),
  pageRows: limits.auditPageDefaultRows,
});
