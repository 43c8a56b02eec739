import { borrower, signedIn } from './endpoint.ts';
import { LanguageQuery, MessageReply } from './fields.ts';
import * as servicing from './servicing.ts';

export const readLoanAccount = signedIn('GET /api/loans/{id}/account', {
  summary: 'A loan at the end of a day: what is left and due, its instalments, receipts and events.',
  query: servicing.AccountQuery,
  reply: servicing.LoanAccountReply,
});

export const payOwnLoan = borrower('POST /api/loans/{id}/payments', {
  summary: 'Say what you have paid, which counts once staff confirm it, or pay from your wallet, at once.',
  body: servicing.OwnPaymentForm,
  reply: servicing.OwnPaymentReply,
  status: 201,
  idempotent: true,
  fails: ['not_disbursed', 'loan_closed', 'payment_known', 'foreign_document', 'too_many_payments'],
  conflicts: ['insufficient_funds'],
});

export const previewOwnPayment = borrower('POST /api/loans/{id}/payments/preview', {
  summary: 'What a payment from your wallet would do, refused as it would be; nothing is written.',
  body: servicing.OwnPaymentPreviewForm,
  reply: servicing.LoanPreviewReply,
  fails: ['not_disbursed', 'loan_closed', 'too_many_payments'],
  conflicts: ['insufficient_funds'],
});

export const withdrawOwnPayment = borrower('DELETE /api/loans/{id}/payments/{paymentId}', {
  summary: 'Take back a payment of your own that staff have not decided yet.',
  idempotent: true,
  params: servicing.OwnPaymentParams,
  reply: MessageReply,
  fails: ['payment_final'],
});

export const readSettlement = signedIn('GET /api/loans/{id}/settlement', {
  summary: 'What pays the whole loan off on a day, up to 30 days ahead.',
  query: servicing.SettlementQuery,
  reply: servicing.SettlementReply,
  fails: ['not_disbursed', 'loan_closed'],
});

export const readStatementPdf = signedIn('GET /api/loans/{id}/statement.pdf', {
  summary: 'What happened to a disbursed loan between two days, and what was left to pay after each of it.',
  query: servicing.StatementQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readStatementTable = signedIn('GET /api/loans/{id}/statement.csv', {
  summary: 'The same statement as CSV, for a spreadsheet.',
  query: servicing.StatementQuery,
  produces: 'csv',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readReceiptPdf = signedIn('GET /api/loans/{id}/receipts/{number}.pdf', {
  summary: 'The acknowledgement receipt of a payment; one that was reversed says so.',
  params: servicing.ReceiptParams,
  query: LanguageQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readClearancePdf = signedIn('GET /api/loans/{id}/clearance.pdf', {
  summary: 'A certificate that a loan is paid in full.',
  query: LanguageQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed', 'loan_open'],
});
