import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { ComplaintForm, ComplaintMessageForm, ComplaintReply, OwnComplaintUpdate } from './collection.ts';
import { anyone, borrower, signedIn } from './endpoint.ts';
import { ExchangeRatesReply } from './exchange.ts';
import { LanguageQuery, MessageReply, PageQuery } from './fields.ts';
import * as loan from './loan.ts';
import { AccessNewsClosing, NotificationReply } from './notification.ts';
import { DeletionRequestReply, OwnDataReply, OwnPassword } from './privacy.ts';
import { DocumentReply, FileParams, ProfileUpdate, UserReply } from './profile.ts';
import { WithdrawalReply, WithdrawalRequest } from './withdrawal.ts';

export const updateProfile = borrower('PUT /api/user/profile', {
  summary: 'Change any part of the profile, or attach documents.',
  body: ProfileUpdate,
  reply: UserReply,
  idempotent: true,
  fails: ['foreign_document'],
});

export const uploadDocument = signedIn('POST /api/upload', {
  summary: 'Store one image; it is re-encoded without metadata.',
  takesFile: true,
  reply: DocumentReply,
  status: 201,
  fails: [
    'validation_failed',
    'not_an_image',
    'too_large',
    'picture_too_large',
    'upload_too_slow',
    'too_many_uploads',
    'overloaded',
    'documents_unavailable',
    'storage_full',
  ],
});

export const applyForLoan = borrower('POST /api/loans', {
  summary: 'Apply for a loan. The quote of this moment is frozen with it.',
  body: loan.LoanApplication,
  reply: loan.LoanReply,
  status: 201,
  idempotent: true,
  fails: ['verification_required', 'quote_changed', 'too_many_open'],
});

export const listOwnLoans = borrower('GET /api/loans/user', {
  summary: 'The caller’s loans, newest first.',
  query: PageQuery,
  reply: z.array(loan.LoanReply),
  pageRows: limits.ownListMaxRows,
  isCostly: true,
});

export const listOwnWithdrawals = borrower('GET /api/withdrawals', {
  summary: 'The caller’s withdrawals, newest first.',
  query: PageQuery,
  reply: z.array(WithdrawalReply),
  pageRows: limits.ownListMaxRows,
  isCostly: true,
});

export const requestWithdrawal = borrower('POST /api/withdrawals', {
  summary: 'Withdraw from the wallet with a one-time code.',
  body: WithdrawalRequest,
  reply: WithdrawalReply,
  status: 201,
  idempotent: true,
  fails: ['insufficient_funds', 'invalid_otp'],
});

export const requestCode = borrower('POST /api/withdrawals/code-request', {
  summary: 'Ask staff for a one-time code: they see who waits. Once in ten minutes.',
  reply: MessageReply,
  status: 202,
  idempotent: true,
  fails: ['code_already_requested'],
});

export const listNotifications = signedIn('GET /api/notifications', {
  summary: 'The caller’s messages, newest first.',
  query: PageQuery,
  reply: z.array(NotificationReply),
  pageRows: limits.ownListMaxRows,
  isCostly: true,
});

export const closeAccessNews = signedIn('POST /api/notifications/closing', {
  summary:
    'Mark messages of a changed password, phone, bank account, code or second step as read, up to the given one.',
  body: AccessNewsClosing,
  reply: MessageReply,
  idempotent: true,
});

export const readFile = signedIn('GET /api/files/{id}', {
  summary: 'An uploaded image, for its owner, the member it is attached to, or staff.',
  params: FileParams,
  produces: 'image',
  fails: ['documents_unavailable'],
});

export const quoteLoan = anyone('POST /api/loans/quote', {
  summary: 'The whole cost of a loan, before anyone applies.',
  body: loan.QuoteRequest,
  reply: loan.HashedQuote,
});

export const readLoanSchedule = signedIn('GET /api/loans/{id}/schedule', {
  summary: 'The instalments of a loan, one a month.',
  reply: z.array(loan.ScheduleRow),
});

export const readLoanCalendar = signedIn('GET /api/loans/{id}/schedule.ics', {
  summary: 'The due dates for a calendar, each with a reminder the day before.',
  query: LanguageQuery,
  produces: 'calendar',
  isCostly: true,
});

export const readLoanTable = signedIn('GET /api/loans/{id}/schedule.csv', {
  summary: 'The instalments as a table for a spreadsheet.',
  query: LanguageQuery,
  produces: 'csv',
});

export const readLoanContract = signedIn('GET /api/loans/{id}/contract', {
  summary: 'The contract, with the quote that was agreed to.',
  query: loan.ContractQuery,
  reply: loan.ContractReply,
  isCostly: true,
});

export const readLoanContractPdf = signedIn('GET /api/loans/{id}/contract.pdf', {
  summary: 'The contract and disclosure statement, to print and sign.',
  query: loan.ContractQuery,
  produces: 'pdf',
  isCostly: true,
});

export const acceptContract = borrower('POST /api/loans/{id}/contract/acceptance', {
  summary: 'Agree to the newest version of a contract, which staff issued. Agreeing again changes nothing.',
  body: loan.ContractAcceptance,
  reply: loan.ContractAcceptanceReply,
  status: 201,
  idempotent: true,
  fails: ['quote_changed'],
});

export const downloadOwnData = borrower('POST /api/user/data', {
  summary: 'Everything that is kept about the caller, as a JSON file. Takes the password.',
  body: OwnPassword,
  produces: 'jsonFile',
  reply: OwnDataReply,
  fails: ['wrong_password', 'too_many_tries', 'overloaded'],
});

export const downloadOwnArchive = borrower('POST /api/user/data.zip', {
  summary: 'The same with the caller’s pictures, as one ZIP file.',
  query: LanguageQuery,
  body: OwnPassword,
  produces: 'zip',
  fails: ['wrong_password', 'too_many_tries', 'overloaded'],
});

export const readDeletionRequest = borrower('GET /api/user/deletion-request', {
  summary: 'Whether the caller has asked for deletion, and when.',
  reply: DeletionRequestReply,
});

export const requestDeletion = borrower('POST /api/user/deletion-request', {
  summary: 'Ask staff to delete the account, with the password. Asking again changes nothing.',
  body: OwnPassword,
  reply: DeletionRequestReply,
  status: 201,
  fails: ['wrong_password', 'too_many_tries', 'overloaded'],
});

export const withdrawDeletion = borrower('DELETE /api/user/deletion-request', {
  summary: 'Take the request for deletion back.',
  reply: MessageReply,
  idempotent: true,
});

export const readExchangeRates = anyone('GET /api/exchange-rates', {
  summary: 'Currency units for one peso.',
  reply: ExchangeRatesReply,
});

export const readOpenApi = anyone('GET /api/openapi.json', {
  summary: 'This table as an OpenAPI 3.1 document.',
  reply: z.record(z.string(), z.unknown()),
});

export const readApiPage = anyone('GET /api/docs', {
  summary: 'This table as a page to read.',
  produces: 'html',
});

export const complain = borrower('POST /api/complaints', {
  summary: 'Complain about something; staff have to acknowledge it within two days.',
  body: ComplaintForm,
  reply: ComplaintReply,
  status: 201,
  idempotent: true,
  fails: ['not_found'],
});

export const listOwnComplaints = borrower('GET /api/complaints', {
  summary: 'Your complaints, newest first, with what was written about them.',
  reply: z.array(ComplaintReply),
});

export const withdrawComplaint = borrower('PUT /api/complaints/{id}', {
  summary: 'Take a complaint of your own back, for good: staff may contact you again as before.',
  body: OwnComplaintUpdate,
  reply: ComplaintReply,
  idempotent: true,
  fails: ['complaint_final'],
});

export const answerComplaint = signedIn('POST /api/complaints/{id}/messages', {
  summary: 'Write more about a complaint of your own; staff answer it here.',
  body: ComplaintMessageForm,
  reply: ComplaintReply,
  status: 201,
  idempotent: true,
  fails: ['complaint_final', 'own_request', 'role_missing'],
});
