import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { endpoint } from './endpoint.ts';
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

export const listMembers = endpoint('GET /api/admin/users', {
  access: 'admin',
  summary: 'Members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: member.MembersQuery,
  reply: z.array(member.MemberReply),
  produces: 'jsonOrLines',
});

export const updateMember = endpoint('PUT /api/admin/users/{id}', {
  access: 'admin',
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
    'overloaded',
    'role_missing',
  ],
});

export const updateAdmin = endpoint('PATCH /api/admin/users/{id}', {
  access: 'mainAdmin',
  summary: 'Change the email or the password of an admin.',
  body: staff.AdminUpdate,
  reply: member.MemberReply,
  carriesSecrets: true,
  fails: ['email_taken', 'edited_meanwhile', 'overloaded'],
});

export const deleteUser = endpoint('DELETE /api/admin/users/{id}', {
  access: 'admin',
  summary:
    'Remove a member whose money is settled, or as the main admin another admin. Their books are kept.',
  reply: MessageReply,
  fails: ['main_admin_only', 'main_admin_protected', 'member_not_settled', 'role_missing'],
});

export const listClosedAccounts = endpoint('GET /api/admin/closed-accounts', {
  access: 'admin',
  summary: 'Deleted members who have money in the wallet, owe something, or have credit to be handed back.',
  reply: staff.ClosedAccountsReply,
  isCostly: true,
});

export const createMember = endpoint('POST /api/auth/register', {
  access: 'admin',
  summary: 'Create a member; without a password one is generated.',
  body: member.MemberCreation,
  reply: member.CreatedAccountReply,
  carriesSecrets: true,
  status: 201,
  fails: ['already_registered', 'overloaded', 'role_missing'],
});

export const setUpSecondStep = endpoint('POST /api/auth/second-step/setup', {
  access: 'admin',
  withoutSecondStep: true,
  summary: 'Begin to set up one’s own second step: the secret for an authenticator app.',
  reply: staff.SecondStepReply,
  fails: ['second_step_on'],
});

export const confirmSecondStep = endpoint('POST /api/auth/second-step/confirm', {
  access: 'admin',
  withoutSecondStep: true,
  summary:
    'Switch it on with a code of the app; every other session ends. The recovery codes are shown once.',
  body: staff.SecondStepCode,
  reply: staff.RecoveryCodesReply,
  fails: ['second_step_on', 'second_step_off', 'wrong_code'],
});

export const removeSecondStep = endpoint('DELETE /api/auth/second-step', {
  access: 'admin',
  summary: 'Switch off one’s own second step; every other session ends.',
  body: staff.SecondStepRemoval,
  reply: MessageReply,
  fails: ['second_step_off', 'wrong_password', 'wrong_code', 'too_many_tries', 'overloaded'],
});

export const resetSecondStep = endpoint('DELETE /api/admin/users/{id}/second-step', {
  access: 'mainAdmin',
  summary: 'Switch off the second step of another admin, who lost their phone; their sessions end.',
  reply: MessageReply,
  fails: ['second_step_off', 'main_admin_protected'],
});

export const listLoans = endpoint('GET /api/admin/loans', {
  access: 'admin',
  summary: 'Loans with their members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: LoansQuery,
  reply: z.array(StaffLoanReply),
  produces: 'jsonOrLines',
});

export const updateLoan = endpoint('PUT /api/admin/loans/{id}', {
  access: 'admin',
  summary: 'Change a loan’s status, or its amount and term.',
  body: LoanUpdate,
  reply: StaffLoanReply,
  idempotent: true,
  fails: ['loan_disbursed', 'edited_meanwhile', 'too_many_versions', 'role_missing'],
});

export const deleteLoan = endpoint('DELETE /api/admin/loans/{id}', {
  access: 'admin',
  summary:
    'Take a loan out of every list; it stays in the audit log. Once it is approved, only the main admin may; the borrower can still read its contract.',
  reply: MessageReply,
  fails: ['loan_disbursed', 'main_admin_only', 'role_missing'],
});

export const notifyMember = endpoint('POST /api/admin/notifications', {
  access: 'admin',
  summary: 'Send a member a message.',
  body: NotificationForm,
  reply: NotificationReply,
  status: 201,
  fails: ['not_found', 'role_missing'],
});

export const listWithdrawals = endpoint('GET /api/admin/withdrawals', {
  access: 'admin',
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

export const updateWithdrawal = endpoint('PUT /api/admin/withdrawals/{id}', {
  access: 'admin',
  summary: 'Approve, complete or reject a withdrawal; a rejection refunds it once.',
  body: WithdrawalUpdate,
  reply: StaffWithdrawalReply,
  idempotent: true,
  fails: ['withdrawal_final', 'withdrawal_transition', 'own_request', 'role_missing'],
});

export const readWithdrawalHold = endpoint('GET /api/admin/withdrawals/{id}/hold', {
  access: 'admin',
  summary:
    'Who changed phone, password, bank details, code or balance of a withdrawal’s account in the last 30 days.',
  reply: WithdrawalHoldReply,
});

export const readStats = endpoint('GET /api/admin/stats', {
  access: 'admin',
  summary: 'Counts of members, loans and withdrawals.',
  reply: staff.StatsReply,
});

export const noteExport = endpoint('POST /api/admin/exports', {
  access: 'admin',
  summary: 'Note in the audit log that a list is saved as a file, before it is made.',
  body: staff.ListExport,
  reply: MessageReply,
  status: 201,
});

export const listAllUsers = endpoint('GET /api/admin/all-users', {
  access: 'admin',
  summary: 'Admin accounts and members; `?role=admin` narrows to admins.',
  query: staff.AllUsersQuery,
  reply: z.array(member.MemberReply),
  produces: 'jsonOrLines',
});

export const createAdmin = endpoint('POST /api/admin/create-admin', {
  access: 'mainAdmin',
  summary: 'Create an admin account.',
  body: staff.AdminCreation,
  reply: member.CreatedAccountReply,
  carriesSecrets: true,
  status: 201,
  fails: ['email_taken', 'phone_taken', 'overloaded'],
});

export const listAllowedIps = endpoint('GET /api/admin/allowed-ips', {
  access: 'mainAdmin',
  summary: 'The addresses that staff may come from; an empty list allows all.',
  reply: z.array(staff.AllowedIpReply),
});

export const addAllowedIp = endpoint('POST /api/admin/allowed-ips', {
  access: 'mainAdmin',
  summary: 'Allow an address or a CIDR range.',
  body: staff.AllowedIpForm,
  reply: staff.AllowedIpReply,
  status: 201,
  fails: ['ip_already_listed', 'proxy_not_named'],
});

export const readInstallation = endpoint('GET /api/admin/installation', {
  access: 'mainAdmin',
  summary: 'Problems that the operator should fix.',
  reply: staff.InstallationReply,
});

export const removeAllowedIp = endpoint('DELETE /api/admin/allowed-ips/{id}', {
  access: 'mainAdmin',
  summary: 'Remove an allowed address.',
  reply: MessageReply,
  fails: ['own_address'],
});

export const readMember = endpoint('GET /api/admin/users/{id}', {
  access: 'admin',
  summary: 'One member, with the password issued to them and their one-time code.',
  reply: member.MemberReply,
  carriesSecrets: true,
});

export const listAudit = endpoint('GET /api/admin/audit', {
  access: 'mainAdmin',
  summary:
    'Who did what to whom, newest first; all of it, or of one action, actor or target, or of some days.',
  query: staff.AuditQuery,
  reply: z.array(staff.AuditEntryReply),
  pageRows: limits.auditPageDefaultRows,
});
