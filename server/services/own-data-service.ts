import type { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import type { input, ZodMiniType } from 'zod/mini';
import { OwnDataReply } from '#contract/privacy.ts';
import { archiveReadme } from '#contract/wording/data-archive.ts';
import { type DateLanguage, manilaDate, manilaOffsetMinutes } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import type { Account } from '#server/store/account-store.ts';
import type { AuditEntry } from '#server/store/audit-store.ts';
import type { Contact } from '#server/store/contact-store.ts';
import type { StoredFile } from '#server/store/document-store.ts';
import { readLoanEvents } from '#server/store/loan-event-store.ts';
import {
  readAcceptancesOf,
  readBorrowersOf,
  readLenders,
  readTermsOfAll,
} from '#server/store/loan-terms-store.ts';
import { type OwnPage, readOwn, readOwnFiles, readOwnSessions } from '#server/store/own-data-store.ts';
import { fileUrl, viewUser } from './account-view.ts';
import { audit } from './audit-service.ts';
import { listOwnComplaints } from './complaint-service.ts';
import { agreedAtOf } from './contract-service.ts';
import { viewLoanRecord } from './loan-view.ts';
import { viewNotification } from './notice-service.ts';
import { viewPayment } from './payment-view.ts';
import { type Caller, withOwnPassword } from './session-service.ts';
import { countToday } from './tries-service.ts';
import { viewWithdrawal } from './withdrawal-service.ts';

/** `place`: the path in the archive; null if it is left out. */
type OwnPicture = { file: StoredFile; place: string | null };

/**
 * Everything stored about a person as one JSON document (`OwnDataReply`), page by page, so that memory stays flat.
 * Columns not in the schemas cannot leak.
 */
async function* ownDataText(
  deps: Deps,
  account: Account,
  pictures: readonly OwnPicture[],
): AsyncGenerator<string> {
  const about = {
    lender: deps.config.lender.name,
    accountId: account.id,
    exportedAt: deps.clock.now().toISOString(),
  };
  yield `{\n"about": ${JSON.stringify(about)},\n"profile": ${written(OwnDataReply.shape.profile, viewOwnProfile(account))}`;
  yield* list('documents', [pictures], viewPicture);
  yield* list('loans', loanPages(deps, account.id), asItIs);
  const all = <Row extends { id: number }>(read: ReadPage<Row>) => pagesOf(deps, account.id, read, idOf);
  yield* list('withdrawals', all(readOwn.withdrawals), (one) => ({ ...one, ...viewWithdrawal(one) }));
  const entries = pagesOf(deps, account.id, readOwn.ledgerEntries, ({ sequence }) => sequence);
  yield* list('ledgerEntries', entries, (entry) => ({
    ...entry,
    amount: entry.amountCentavos,
    balanceAfter: entry.balanceAfterCentavos,
  }));
  yield* list('payments', all(readOwn.payments), viewPayment);
  yield* list('statementLines', all(readOwn.statementLines), (one) => ({
    ...one,
    amount: one.amountCentavos,
  }));
  yield* list('contacts', all(readOwn.contacts), viewOwnContact);
  const complaints = await listOwnComplaints(deps, { id: account.id, account });
  yield* list('complaints', [complaints.toReversed()], asItIs);
  yield* list('notifications', all(readOwn.notifications), viewNotification);
  yield* list('messages', all(readOwn.messages), asItIs);
  yield* list('consents', all(readOwn.consents), asItIs);
  const sessions = await deps.database.read((reader) => readOwnSessions(reader, account.id));
  yield* list('sessions', [sessions], asItIs);
  yield* list('events', all(readOwn.events), (row) => viewEvent(account.id, row));
  yield '\n}\n';
}

const viewOwnContact = ({ createdAt, promiseDate, promiseCentavos, ...contact }: Contact) => ({
  ...contact,
  at: createdAt,
  promise:
    promiseDate === null || promiseCentavos === null ? null : { date: promiseDate, amount: promiseCentavos },
});

const asItIs = <Row>(row: Row) => row;
const idOf = ({ id }: { id: number }) => id;

const written = <View>(schema: ZodMiniType<unknown, View>, value: View) =>
  JSON.stringify(schema.parse(value));

type OwnData = input<typeof OwnDataReply>;
type ListName = Exclude<keyof OwnData, 'about' | 'profile'>;

async function* list<Name extends ListName, Row>(
  name: Name,
  pages: Iterable<readonly Row[]> | AsyncIterable<readonly Row[]>,
  view: (row: Row) => OwnData[Name][number],
): AsyncGenerator<string> {
  const schema: ZodMiniType<unknown, OwnData[Name][number]> = OwnDataReply.shape[name]._zod.def.element;
  yield `,\n"${name}": [`;
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${isFirst ? '' : ','}\n${page.map((row) => written(schema, view(row))).join(',\n')}`;
    isFirst = false;
  }
  yield ']';
}

type ReadPage<Row> = (reader: Reader, page: OwnPage) => PromiseLike<Row[]>;

function pagesOf<Row>(deps: Deps, accountId: number, read: ReadPage<Row>, keyOf: (row: Row) => number) {
  const limit = limits.dataDownloadPageRows;
  const readPage = (after = 0) =>
    deps.database.read(async (reader) => read(reader, { accountId, after, limit }));
  return readPages(readPage, keyOf, limit);
}

async function* loanPages(deps: Deps, accountId: number) {
  for await (const page of pagesOf(deps, accountId, readOwn.loans, idOf)) {
    const ids = page.map(idOf);
    const { terms, acceptances, borrowers, lenders, events } = await deps.database.read(async (reader) => ({
      terms: await readTermsOfAll(reader, ids),
      acceptances: await readAcceptancesOf(reader, ids),
      borrowers: await readBorrowersOf(reader, ids),
      lenders: await readLenders(reader),
      events: await readLoanEvents(reader, ids),
    }));
    yield page.map((loan) => ({
      ...loan,
      ...viewLoanRecord(loan),
      history: events
        .filter(({ loanId }) => loanId === loan.id)
        .map((event) => ({ ...event, date: event.valueDate, amount: event.amountCentavos })),
      terms: terms
        .filter(({ loanId }) => loanId === loan.id)
        .map((one) => ({
          ...one,
          agreedAt: agreedAtOf(one, accountId, acceptances),
          lender: lenders.find(({ hash }) => hash === one.agreement?.lenderHash)?.facts ?? null,
          borrower:
            borrowers.find(({ loanId, version }) => loanId === loan.id && version === one.version) ?? null,
        })),
    }));
  }
}

/** Named one by one: an account holds hashes and sealed secrets too. */
const viewOwnProfile = (account: Account) => ({
  ...viewUser(account),
  previousCreditScore: account.previousCreditScore,
  passwordIssuedAt: account.issuedPasswordAt,
  oneTimeCodeExpiresAt: account.otpExpiresAt,
  codeRequestedAt: account.codeRequestedAt,
  staffChangedAccessAt: account.staffChangedAccessAt,
  verifiedAt: account.verifiedAt,
  creditWithoutLoanAt: account.creditWithoutLoanAt,
  deletionRequestedAt: account.deletionRequestedAt,
  phoneConfirmedAt: account.phoneConfirmedAt,
  emailConfirmedAt: account.emailConfirmedAt,
  wantsReminders: account.wantsReminders,
  wantsNews: account.wantsNews,
  wantsChangedAt: account.wantsChangedAt,
  language: account.language,
  oldNumber: account.oldNumber,
  updatedAt: account.updatedAt,
});

const viewPicture = ({ file, place }: OwnPicture) => ({
  ...file,
  url: fileUrl(file.id),
  file: place,
  size: file.sizeBytes,
  width: file.widthPx,
  height: file.heightPx,
});

/**
 * An entry as the person it is about may see it. Which member of staff acted, and from where, is the staff's data; an
 * entry about several people would name the others.
 */
function viewEvent(accountId: number, entry: AuditEntry): OwnData['events'][number] {
  const isOwn = entry.actorId === accountId;
  const isAboutMany = entry.targetId === null && !isOwn;
  return {
    ...entry,
    by: isOwn ? 'you' : entry.actorId === null ? 'unknown' : 'staff',
    // A refused sign-in has no actor, but it was tried on this account.
    ipAddress: isOwn || entry.actorId === null ? entry.ipAddress : null,
    before: isAboutMany ? null : entry.before,
    after: isAboutMany ? null : entry.after,
  };
}

/** RA 10173, sections 16(c) and 18. Logged, since somebody who stole a session would want it too. */
export async function downloadOwnData(deps: Deps, caller: Caller, password: string) {
  const { account } = caller;
  const pictures = (await begin(deps, caller, password)).map((file) => ({ file, place: null }));
  return { pieces: ownDataText(deps, account, pictures), fileName: `${nameOf(deps, account)}.json` };
}

/** The same with the pictures and a README, as a ZIP archive in pieces. */
export async function downloadOwnArchive(
  deps: Deps,
  caller: Caller,
  password: string,
  language: DateLanguage,
) {
  const { account } = caller;
  const files = await begin(deps, caller, password);
  const pieces = makeZip(archiveEntries(deps, account, files, language));
  return { pieces, fileName: `${nameOf(deps, account)}.zip` };
}

/** Runs before anything is sent, so a failure has its status. A wrong password is one of the tries (§tries). */
async function begin(deps: Deps, caller: Caller, password: string): Promise<StoredFile[]> {
  const { id, account } = caller;
  const files = await deps.database.read(async (reader) => readOwnFiles(reader, account));
  await withOwnPassword(deps, caller, password, async (act) => {
    await countToday(act, 'data_download');
    await audit(act, 'data_downloaded', { account: id });
    return {};
  });
  return files;
}

const nameOf = ({ clock }: Deps, { id }: Account) => `hiram-${id}-${manilaDate(clock.now())}`;

/** Pictures come before the JSON, which lists those that could be read. */
async function* archiveEntries(
  deps: Deps,
  account: Account,
  files: readonly StoredFile[],
  language: DateLanguage,
) {
  const { lender } = deps.config;
  const { name, supportPhone, supportEmail } = lender;
  const now = deps.clock.now();
  const moment = now.toISOString();
  // ZIP has local times without a zone.
  const lastModified = new Date(now.getTime() + (manilaOffsetMinutes + now.getTimezoneOffset()) * 60_000);
  const page = archiveReadme[language]({ lender: name, moment, supportPhone, supportEmail });
  yield { name: 'README.txt', lastModified, input: page };

  const pictures: OwnPicture[] = [];
  let roomBytes: number = limits.dataDownloadPicturesMaxBytes;
  for (const file of files) {
    roomBytes -= file.sizeBytes;
    const content = roomBytes >= 0 ? await contentOf(deps, file) : undefined;
    const place = content ? placeOf(account, file) : null;
    pictures.push({ file, place });
    if (!content || place === null) continue;
    try {
      yield { name: place, lastModified, input: content };
    } finally {
      content.destroy();
    }
  }
  yield { name: 'data.json', lastModified, input: ownDataText(deps, account, pictures) };
}

async function contentOf(deps: Deps, { id, sizeBytes }: StoredFile): Promise<Readable | undefined> {
  const content = await deps.files.read(id, sizeBytes).catch(() => undefined);
  if (!content) deps.log.warn({ file: id }, 'a document is missing from the file store, or not whole');
  return content;
}

/** Named after its use, or after its id if unused. */
function placeOf(account: Account, { id, contentType }: StoredFile): string {
  const uses = {
    'id-front': account.idFrontFileId,
    'id-back': account.idBackFileId,
    selfie: account.selfieFileId,
  };
  const [use = `unused-${id}`] = Object.entries(uses).flatMap(([name, used]) => (used === id ? [name] : []));
  return `documents/${use}.${contentType.replace(/^image\//, '').replace('jpeg', 'jpg')}`;
}
