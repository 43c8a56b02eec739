import type * as collection from '#contract/collection-endpoints.ts';
import type * as staff from '#contract/staff-endpoints.ts';
import { records } from '#contract/wording/server-words.ts';
import { deleteUser } from '#server/services/account-deletion-service.ts';
import { addAllowedIp, listAllowedIps, removeAllowedIp } from '#server/services/allowed-ip-service.ts';
import { audit, readAudit } from '#server/services/audit-service.ts';
import { listClosedAccounts } from '#server/services/closed-account-service.ts';
import { listComplaints, updateComplaint } from '#server/services/complaint-service.ts';
import { listContacts, recordContact } from '#server/services/contact-service.ts';
import { hashed } from '#server/services/issued-password-service.ts';
import { deleteLoan, listLoans, updateLoan } from '#server/services/loan-service.ts';
import { createAdmin, createMember, updateAdmin, updateMember } from '#server/services/member-service.ts';
import { sendMessage } from '#server/services/message-service.ts';
import { readMonthPdf } from '#server/services/month-paper.ts';
import {
  listMonthLoans,
  readCollectedDays,
  readExpectedWeeks,
  readMonth,
  readTrend,
} from '#server/services/month-service.ts';
import {
  listCollections,
  listPortfolioLoans,
  readDay,
  readJournal,
  readNextCall,
  readPortfolio,
} from '#server/services/portfolio-service.ts';
import {
  confirmSecondStep,
  removeSecondStep,
  resetSecondStep,
  setUpSecondStep,
} from '#server/services/second-step-service.ts';
import { addSecrets, listAccounts, readMember, readStats } from '#server/services/staff-list-service.ts';
import { find, readToday } from '#server/services/today-service.ts';
import {
  listWithdrawals,
  readWithdrawalHold,
  updateWithdrawal,
} from '#server/services/withdrawal-service.ts';
import { type Handlers, saying } from './route.ts';

export const staffRoutes: Handlers<typeof staff & typeof collection> = {
  listMembers: ({ deps, caller, query }) => listAccounts(deps, caller, { ...query, role: 'member' }),
  listAllUsers: ({ deps, caller, query }) => listAccounts(deps, caller, { role: query.role }),
  readMember: ({ deps, caller, params }) => readMember(deps, caller, params.id),
  createMember: ({ deps, caller, body }) => createMember(deps, caller, body),
  updateMember: async ({ deps, caller, params, body, once }) => {
    const password = body.password === undefined ? undefined : await hashed(deps, body.password);
    const answer = await once((act) => updateMember(act, params.id, { form: body, password }));
    return addSecrets(deps, caller, answer, body.otpCode !== undefined);
  },
  deleteUser: saying(records.deleted, ({ deps, params, once }) => deleteUser(deps, params.id, once)),
  listClosedAccounts: ({ deps }) => listClosedAccounts(deps),
  notifyMember: ({ body, once }) => once((act) => sendMessage(act, body)),

  createAdmin: ({ deps, caller, body }) => createAdmin(deps, caller, body),
  updateAdmin: ({ deps, caller, params, body }) => updateAdmin(deps, caller, params.id, body),
  setUpSecondStep: ({ deps, caller, body }) => setUpSecondStep(deps, caller, body.password),
  confirmSecondStep: ({ body, once }) => once((act) => confirmSecondStep(act, body.code)),
  removeSecondStep: async ({ deps, caller, body }) => ({
    message: records.secondStepOff,
    token: await removeSecondStep(deps, caller, body),
  }),
  resetSecondStep: saying(records.secondStepOff, ({ params, once }) =>
    once((act) => resetSecondStep(act, params.id)),
  ),

  listLoans: ({ deps, caller, query }) => listLoans(deps, caller, query),
  updateLoan: ({ params, body, once }) => once((act) => updateLoan(act, params.id, body)),
  deleteLoan: saying(records.deleted, ({ params, once }) => once((act) => deleteLoan(act, params.id))),

  listWithdrawals: ({ deps, caller, query }) => listWithdrawals(deps, caller, query),
  readWithdrawalHold: ({ deps, caller, params }) => readWithdrawalHold(deps, caller, params.id),
  updateWithdrawal: ({ params, body, once }) => once((act) => updateWithdrawal(act, params.id, body)),

  readStats: ({ deps }) => readStats(deps),
  listAudit: ({ deps, query }) => readAudit(deps, query),
  noteExport: saying(records.exportNoted, ({ body, once }) =>
    once((act) => audit(act, 'list_exported', {}, { after: body })),
  ),

  listAllowedIps: ({ deps, caller }) => listAllowedIps(deps, caller),
  addAllowedIp: ({ body, request, once }) =>
    once((act) => addAllowedIp(act, { ...body, isSenderHidden: request.isSenderHidden })),
  removeAllowedIp: saying(records.deleted, ({ params, once }) =>
    once((act) => removeAllowedIp(act, params.id)),
  ),
  readInstallation: ({ deps: { met } }) => ({
    unnamedProxy: met.unnamedProxy ?? null,
    ...(met.isErasingPaused && { isErasingPaused: true as const }),
  }),

  readToday: ({ deps, caller }) => readToday(deps, caller),
  find: ({ deps, query }) => find(deps, query),
  listCollections: ({ deps, query }) => listCollections(deps, query),
  readNextCall: ({ deps }) => readNextCall(deps),
  listContacts: ({ deps, caller, params }) => listContacts(deps, caller, params.id),
  recordContact: ({ params, body, once }) => once((act) => recordContact(act, params.id, body)),
  listComplaints: ({ deps, caller, query }) => listComplaints(deps, caller, query),
  updateComplaint: ({ params, body, once }) => once((act) => updateComplaint(act, params.id, body)),
  readPortfolio: ({ deps, query }) => readPortfolio(deps, query.asOf),
  listPortfolioLoans: ({ deps, query }) => listPortfolioLoans(deps, query.asOf),
  readDay: ({ deps, query }) => readDay(deps, query.date),
  readMonth: ({ deps, query }) => readMonth(deps, query),
  readMonthPdf: ({ deps, query }) => readMonthPdf(deps, query),
  listMonthLoans: ({ deps, query }) => listMonthLoans(deps, query),
  readTrend: ({ deps, query }) => readTrend(deps, query),
  readCollected: ({ deps, query }) => readCollectedDays(deps, query),
  readExpected: ({ deps, query }) => readExpectedWeeks(deps, query),
  readJournal: ({ deps, query }) => readJournal(deps, query),
};
