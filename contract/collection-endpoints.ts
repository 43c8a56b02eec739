import * as z from 'zod/mini';
import * as collection from './collection.ts';
import { admin } from './endpoint.ts';
import * as month from './month.ts';

// The lender's day: who is late and whom one may call, what came in, what the portfolio is worth. See `api.ts`.

export const readToday = admin('GET /api/admin/today', {
  summary: 'What waits for somebody, what came in today, what is due and overdue.',
  reply: collection.TodayReply,
});

export const find = admin('GET /api/admin/find', {
  summary: 'The first members, loans and payments that fit a name, phone, number, receipt or reference.',
  query: collection.FindQuery,
  reply: collection.FoundReply,
});

export const listCollections = admin('GET /api/admin/collections', {
  summary: 'Loans in arrears: broken promises first, then those that are longest past due.',
  query: collection.CollectionsQuery,
  reply: z.array(collection.CollectionReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readNextCall = admin('GET /api/admin/collections/next', {
  summary: 'The borrower to call next: the first in arrears whom the contact guard allows.',
  reply: collection.NextCallReply,
  isCostly: true,
});

export const listContacts = admin('GET /api/admin/loans/{id}/contacts', {
  summary:
    'Who talked to the borrower about a loan, newest first, and whether somebody may contact them now.',
  reply: collection.ContactsReply,
});

export const recordContact = admin('POST /api/admin/loans/{id}/contacts', {
  summary: 'Write down an attempt to reach the borrower, with what they promised.',
  body: collection.ContactForm,
  reply: collection.ContactsReply,
  status: 201,
  idempotent: true,
  fails: ['not_disbursed', 'contact_not_allowed', 'own_request', 'role_missing'],
});

export const listComplaints = admin('GET /api/admin/complaints', {
  summary: 'Complaints, those first whose clock runs out first; with `status=all` the resolved ones too.',
  query: collection.ComplaintsQuery,
  reply: z.array(collection.StaffComplaintReply),
});

export const updateComplaint = admin('PUT /api/admin/complaints/{id}', {
  summary: 'Acknowledge or resolve a complaint.',
  body: collection.ComplaintUpdate,
  reply: collection.StaffComplaintReply,
  idempotent: true,
  fails: ['complaint_final', 'own_request', 'role_missing'],
});

export const readPortfolio = admin('GET /api/admin/reports/portfolio', {
  summary: 'What is out, due, overdue and at risk at the end of a day, as it is known now.',
  query: collection.ReportQuery,
  reply: collection.PortfolioReply,
  csv: true,
  isCostly: true,
});

export const listPortfolioLoans = admin('GET /api/admin/reports/portfolio-loans', {
  summary: 'The loans behind the figures of the portfolio, each with its part of them.',
  query: collection.ReportQuery,
  reply: z.array(collection.PortfolioLoanReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readDay = admin('GET /api/admin/reports/day', {
  summary: 'What came in and went out on a day, by channel and person.',
  query: collection.DayQuery,
  reply: collection.DayReply,
  csv: true,
  isCostly: true,
});

export const readMonth = admin('GET /api/admin/reports/month', {
  summary: 'What moved in a month, what it earned and took in, and how the journal leads to it.',
  query: month.MonthQuery,
  reply: month.MonthReply,
  csv: true,
  isCostly: true,
});

export const readMonthPdf = admin('GET /api/admin/reports/month.pdf', {
  summary: 'The month as a paper, with its tables.',
  query: month.MonthQuery,
  produces: 'pdf',
  isCostly: true,
});

export const listMonthLoans = admin('GET /api/admin/reports/month-loans', {
  summary:
    'The loans behind the principal of a month and its bridge to the journal, each with its part of them.',
  query: month.MonthQuery,
  reply: z.array(month.MonthLoanReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readTrend = admin('GET /api/admin/reports/trend', {
  summary: 'The last months: principal out and at risk at the end of each, what fell due and what came in.',
  query: month.TrendQuery,
  reply: z.array(month.TrendReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readExpected = admin('GET /api/admin/reports/expected', {
  summary: 'What open loans are expected to pay in the next weeks, from tomorrow.',
  query: month.ExpectedQuery,
  reply: z.array(month.ExpectedReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readCollected = admin('GET /api/admin/reports/collected', {
  summary: 'The last days with what was collected on each, today last.',
  query: month.CollectedQuery,
  reply: z.array(month.CollectedReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});

export const readJournal = admin('GET /api/admin/reports/journal', {
  summary: 'The entries for the general ledger, by the day of recording: a closed period never changes.',
  query: collection.JournalQuery,
  reply: z.array(collection.JournalLineReply),
  produces: 'jsonOrLines',
  csv: true,
  isCostly: true,
});
