import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import * as drawers from './drawer.ts';
import { admin } from './endpoint.ts';
import * as servicing from './servicing.ts';
import * as statements from './statement.ts';

export const disburseLoan = admin('POST /api/admin/loans/{id}/disbursement', {
  summary: 'Pay an approved loan out into the wallet or directly, or take over one that was paid out before.',
  body: servicing.DisbursementForm,
  reply: servicing.LoanAccountDoneReply,
  status: 201,
  idempotent: true,
  fails: [
    ...['already_disbursed', 'loan_not_approved', 'terms_not_agreed', 'already_credited'],
    ...['already_asked', 'own_request', 'role_missing'],
  ] as const,
  conflicts: ['account_suspended'],
});

export const cancelDisbursement = admin('POST /api/admin/loans/{id}/disbursement/cancellation', {
  summary: 'Take a disbursement back while the wallet still holds all of it.',
  body: servicing.ReasonForm,
  reply: servicing.LoanAccountReply,
  status: 201,
  idempotent: true,
  fails: [
    ...['not_disbursed', 'not_in_wallet', 'already_withdrawn', 'has_payments', 'payment_waiting'],
    ...['refund_to_return', 'own_request', 'role_missing'],
  ] as const,
});

export const recordPayment = admin('POST /api/admin/loans/{id}/payments', {
  summary:
    'Write down a payment. Cash and wallet money count at once, the rest when somebody else confirms it.',
  body: servicing.PaymentForm,
  reply: servicing.PaymentDoneReply,
  status: 201,
  idempotent: true,
  fails: ['not_disbursed', 'foreign_document', 'payment_known', 'own_request', 'role_missing'],
  conflicts: ['insufficient_funds'],
});

export const updatePayment = admin('PUT /api/admin/payments/{id}', {
  summary: 'Confirm or reject a payment that waits, or reverse one that counted.',
  body: servicing.PaymentUpdate,
  reply: servicing.PaymentDoneReply,
  idempotent: true,
  fails: [
    ...['not_disbursed', 'payment_final', 'payment_known', 'already_reversed', 'already_asked'],
    ...['own_request', 'role_missing'],
  ] as const,
  conflicts: ['insufficient_funds'],
});

export const listPayments = admin('GET /api/admin/payments', {
  summary:
    'Payments with their loans and members, newest first; one a line with `Accept: application/x-ndjson`.',
  query: servicing.PaymentsQuery,
  reply: z.array(servicing.StaffPaymentReply),
  produces: 'jsonOrLines',
});

export const actOnLoan = admin('POST /api/admin/loans/{id}/actions', {
  summary:
    'Waive a late charge, defer instalments, write off, give credit back in cash, or take one of these back.',
  body: servicing.LoanActionForm,
  reply: servicing.LoanAccountDoneReply,
  status: 201,
  idempotent: true,
  fails: [
    ...['not_disbursed', 'loan_closed', 'deferral_not_possible', 'already_reversed'],
    ...['already_asked', 'main_admin_only', 'own_request', 'role_missing'],
  ] as const,
});

export const previewLoan = admin('POST /api/admin/loans/{id}/preview', {
  summary: 'What a disbursement, payment or change would do, refused as it would be; nothing is written.',
  body: servicing.LoanPreviewForm,
  reply: servicing.LoanPreviewReply,
  fails: [
    ...['already_disbursed', 'loan_not_approved', 'terms_not_agreed', 'already_credited', 'not_disbursed'],
    ...['not_in_wallet', 'already_withdrawn', 'has_payments', 'payment_known', 'payment_final'],
    ...['loan_closed', 'deferral_not_possible', 'already_reversed', 'already_decided'],
    ...['own_request', 'main_admin_only', 'role_missing', 'already_asked', 'request_outdated'],
    ...['payment_waiting', 'refund_to_return', 'foreign_document'],
  ] as const,
  conflicts: ['insufficient_funds', 'account_suspended'],
});

export const listApprovals = admin('GET /api/admin/approvals', {
  summary: 'What waits for a second person, newest first; with `status=all` also what was decided.',
  query: servicing.ApprovalsQuery,
  reply: z.array(servicing.StaffApprovalReply),
  pageRows: limits.ownListMaxRows,
});

export const decideApproval = admin('PUT /api/admin/approvals/{id}', {
  summary: 'Decide what somebody else asked for, or withdraw your own request; approved, it is done at once.',
  body: servicing.ApprovalDecision,
  reply: servicing.ApprovalReply,
  idempotent: true,
  fails: [
    ...['already_decided', 'request_outdated', 'own_request', 'role_missing', 'forbidden'],
    ...['already_disbursed', 'loan_closed'],
    ...['already_reversed', 'deferral_not_possible', 'payment_final', 'already_credited', 'terms_not_agreed'],
    ...['not_disbursed', 'loan_not_approved', 'payment_known'],
  ] as const,
  conflicts: ['insufficient_funds', 'account_suspended'],
});

export const openDrawer = admin('POST /api/admin/drawers', {
  summary: 'Open one’s drawer with the money that is in it.',
  body: drawers.DrawerForm,
  reply: drawers.DrawerReply,
  status: 201,
  idempotent: true,
  fails: ['drawer_open', 'role_missing'],
});

export const readCurrentDrawer = admin('GET /api/admin/drawers/current', {
  summary: 'One’s open drawer, with what should be in it.',
  reply: drawers.CurrentDrawerReply,
});

export const closeDrawer = admin('POST /api/admin/drawers/{id}/close', {
  summary: 'Close a drawer with the money that was counted. A difference wants a reason.',
  body: drawers.DrawerCloseForm,
  reply: drawers.DrawerCloseReply,
  idempotent: true,
  fails: ['drawer_closed', 'role_missing'],
});

export const listDrawers = admin('GET /api/admin/drawers', {
  summary: 'The drawers that were opened or closed on a day, today by default.',
  query: drawers.DrawersQuery,
  reply: z.array(drawers.DayDrawerReply),
});

export const readStatement = admin('POST /api/admin/statements', {
  summary: 'Match the credits of a statement with payments and loans. Nothing is booked.',
  body: statements.StatementForm,
  reply: statements.StatementReply,
  status: 201,
  idempotent: true,
  bodyMaxBytes: limits.statementBodyMaxBytes,
  fails: ['role_missing'],
});

export const confirmStatement = admin('POST /api/admin/statements/{id}/confirm', {
  summary:
    'Confirm or record matched lines of a statement, one by one, each as it would be by hand and under its rules.',
  body: statements.StatementConfirmForm,
  reply: statements.StatementConfirmReply,
  idempotent: true,
  bodyMaxBytes: limits.statementBodyMaxBytes,
  fails: ['role_missing'],
});
