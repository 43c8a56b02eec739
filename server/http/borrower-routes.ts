import { Readable } from 'node:stream';
import * as api from '#contract/api.ts';
import type * as borrower from '#contract/borrower-endpoints.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type * as session from '#contract/session-endpoints.ts';
import { en } from '#contract/wording/en.ts';
import { records } from '#contract/wording/server-words.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { createBoundedQueue, createKeyedLimiter } from '#server/platform/bounded-queue.ts';
import { requestDeletion, withdrawDeletion } from '#server/services/account-deletion-service.ts';
import {
  answerComplaint,
  complain,
  listOwnComplaints,
  withdrawComplaint,
} from '#server/services/complaint-service.ts';
import { acceptContract, readContract, readContractPdf } from '#server/services/contract-service.ts';
import { applyForLoan, listOwnLoans } from '#server/services/loan-service.ts';
import { listNotices } from '#server/services/notice-service.ts';
import { requestOtp } from '#server/services/otp-service.ts';
import { downloadOwnArchive, downloadOwnData } from '#server/services/own-data-service.ts';
import { closeNews, updateProfile } from '#server/services/profile-service.ts';
import { quoteToday } from '#server/services/quote-service.ts';
import { readSchedule, readScheduleCalendar, readScheduleTable } from '#server/services/schedule-service.ts';
import { changePassword, register, signIn, signOut, viewSelf } from '#server/services/session-service.ts';
import { listOwnWithdrawals, requestWithdrawal } from '#server/services/withdrawal-service.ts';
import { apiPage, openApiOf } from './openapi.ts';
import { type Handlers, type RawAnswer, saying } from './route.ts';
import { inTurn } from './stream-reply.ts';
import { documentRoutes } from './upload.ts';

// Built once per process, before the server listens: it takes up to a tenth of a second.
const document = openApiOf(api as unknown as Record<string, Endpoint>);
const page = apiPage(document);

export function borrowerRoutes(): Handlers<typeof session & typeof borrower> {
  const downloads = createDownloads();

  return {
    signIn: ({ deps, body, sender }) => signIn(deps, body, sender),
    register: ({ deps, body, sender: { address }, language }) => register(deps, body, { address, language }),
    signOut: saying(en.done.signedOut, ({ once }) => once(signOut)),
    changePassword: saying(
      records.passwordChanged,
      // A repeat would be refused for the password that the first request changed.
      async ({ deps, caller, body, once }) =>
        (await once.earlier()) ?? changePassword(deps, caller, body, once),
    ),
    readProfile: ({ deps, caller }) => viewSelf(deps, caller.account),
    updateProfile: ({ body, language, once }) => once((act) => updateProfile(act, body, language)),
    ...documentRoutes(),

    quoteLoan: ({ deps, body }) => quoteToday(deps, body),
    applyForLoan: ({ body, language, once }) => once((act) => applyForLoan(act, body, language)),
    listOwnLoans: ({ deps, caller, query }) => listOwnLoans(deps, caller.id, query.before),
    readLoanSchedule: ({ deps, caller, params }) => readSchedule(deps, caller, params.id),
    readLoanCalendar: ({ deps, caller, params, query }) =>
      readScheduleCalendar(deps, caller, params.id, query.lang ?? 'en'),
    readLoanTable: ({ deps, caller, params, query }) =>
      readScheduleTable(deps, caller, params.id, query.lang ?? 'en'),
    readLoanContract: ({ deps, caller, params, query }) => readContract(deps, caller, params.id, query),
    readLoanContractPdf: ({ deps, caller, params, query }) => readContractPdf(deps, caller, params.id, query),
    acceptContract: ({ params, body, once }) => once((act) => acceptContract(act, params.id, body.version)),

    listOwnWithdrawals: ({ deps, caller, query }) => listOwnWithdrawals(deps, caller.id, query.before),
    requestWithdrawal: ({ body, once }) => once((act) => requestWithdrawal(act, body)),
    requestCode: saying(en.withdrawal.codeRequested, ({ once }) => once(requestOtp)),

    complain: ({ body, once }) => once((act) => complain(act, body)),
    listOwnComplaints: ({ deps, caller }) => listOwnComplaints(deps, caller),
    withdrawComplaint: ({ params, once }) => once((act) => withdrawComplaint(act, params.id)),
    answerComplaint: ({ params, body, once }) => once((act) => answerComplaint(act, params.id, body.message)),

    listNotifications: ({ deps, caller, query }) => listNotices(deps, caller.account, query.before),
    closeAccessNews: saying(records.noticesRead, ({ body, once }) =>
      once((act) => closeNews(act, body.lastId)),
    ),

    downloadOwnData: ({ deps, caller, body }) =>
      downloads.start(deps, caller.id, 'application/json; charset=utf-8', () =>
        downloadOwnData(deps, caller, body.password),
      ),
    downloadOwnArchive: ({ deps, caller, body, query }) =>
      downloads.start(deps, caller.id, 'application/zip', () =>
        downloadOwnArchive(deps, caller, body.password, query.lang ?? 'en'),
      ),
    readDeletionRequest: ({ caller: { account } }) => ({ requestedAt: account.deletionRequestedAt }),
    requestDeletion: ({ deps, caller, body }) => requestDeletion(deps, caller, body.password),
    withdrawDeletion: saying(en.done.requestTakenBack, ({ once }) => once(withdrawDeletion)),

    readExchangeRates: ({ deps }) => deps.rates.current(),
    readOpenApi: () => document,
    readApiPage: () => ({ contentType: 'text/html; charset=utf-8', body: page }),
  };
}

type Download = { pieces: AsyncIterable<string | Uint8Array>; fileName: string };

const retryAfterSeconds = 10;

/** One download per account at a time, and a few in all. A download yields after each piece, so a slow reader blocks nobody. */
function createDownloads() {
  const maxWaitMs = limits.callWaitMaxMs;
  const ofOne = createKeyedLimiter({
    maxWaitMs,
    maxRunning: 1,
    maxWaiting: limits.dataDownloadsWaiting,
    restFactor: limits.restFactor,
    full: () => new Failure('too_many_tries', { retryAfterSeconds }),
  });
  const ofAll = createBoundedQueue({
    maxWaitMs,
    maxRunning: limits.dataDownloadsAtOnce,
    maxWaiting: limits.dataDownloadsAtOnce,
    full: () => new Failure('overloaded', { retryAfterSeconds }),
  });
  return {
    start(deps: Deps, accountId: number, contentType: string, begin: () => Promise<Download>) {
      const lane = String(accountId);
      return new Promise<RawAnswer>((answer, refuse) => {
        const download = async () => {
          const { pieces, fileName } = await begin();
          const body = Readable.from(inTurn(deps, lane, pieces), { objectMode: false });
          const ended = new Promise((end) => body.once('close', end));
          const headers = { 'content-disposition': `attachment; filename="${fileName}"` };
          answer({ contentType, body, headers });
          await ended;
        };
        ofOne.take(lane, () => ofAll.run(download, lane)).catch(refuse);
      });
    },
  };
}
