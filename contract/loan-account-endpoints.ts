import { endpoint } from './endpoint.ts';
import { LanguageQuery, MessageReply } from './fields.ts';
import * as servicing from './servicing.ts';

export const readLoanAccount = endpoint('GET /api/loans/{id}/account', {
  access: 'signedIn',
  summary: 'A loan at the end of a day: what is left and due, its instalments, receipts and events.',
  query: servicing.AccountQuery,
  reply: servicing.LoanAccountReply,
});

export const payOwnLoan = endpoint('POST /api/loans/{id}/payments', {
  access: 'borrower',
  summary: 'Say what you have paid, which counts once staff confirm it, or pay from your wallet, at once.',
  body: servicing.OwnPaymentForm,
  reply: servicing.OwnPaymentReply,
  status: 201,
  idempotent: true,
  fails: ['not_disbursed', 'loan_closed', 'payment_known', 'foreign_document', 'too_many_payments'],
  conflicts: ['insufficient_funds'],
});

export const previewOwnPayment = endpoint('POST /api/loans/{id}/payments/preview', {
  access: 'borrower',
  summary: 'What a payment from your wallet would do, refused as it would be; nothing is written.',
  body: servicing.OwnPaymentPreviewForm,
  reply: servicing.LoanPreviewReply,
  fails: ['not_disbursed', 'loan_closed', 'too_many_payments'],
  conflicts: ['insufficient_funds'],
});

export const withdrawOwnPayment = endpoint('DELETE /api/loans/{id}/payments/{paymentId}', {
  access: 'borrower',
  summary: 'Take back a payment of your own that staff have not decided yet.',
  idempotent: true,
  params: servicing.OwnPaymentParams,
  reply: MessageReply,
  fails: ['payment_final'],
});

export const readSettlement = endpoint('GET /api/loans/{id}/settlement', {
  access: 'signedIn',
  summary: 'What pays the whole loan off on a day, up to 30 days ahead.',
  query: servicing.SettlementQuery,
  reply: servicing.SettlementReply,
  fails: ['not_disbursed', 'loan_closed'],
});

export const readStatementPdf = endpoint('GET /api/loans/{id}/statement.pdf', {
  access: 'signedIn',
  summary: 'What happened to a disbursed loan between two days, and what was left to pay after each of it.',
  query: servicing.StatementQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readStatementTable = endpoint('GET /api/loans/{id}/statement.csv', {
  access: 'signedIn',
  summary: 'The same statement as CSV, for a spreadsheet.',
  query: servicing.StatementQuery,
  produces: 'csv',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readReceiptPdf = endpoint('GET /api/loans/{id}/receipts/{number}.pdf', {
  access: 'signedIn',
  summary: 'The acknowledgement receipt of a payment; one that was reversed says so.',
  params: servicing.ReceiptParams,
  query: LanguageQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed'],
});

export const readClearancePdf = endpoint('GET /api/loans/{id}/clearance.pdf', {
  access: 'signedIn',
  summary: 'A certificate that a loan is paid in full.',
  query: LanguageQuery,
  produces: 'pdf',
  isCostly: true,
  fails: ['not_disbursed', 'loan_open'],
});
