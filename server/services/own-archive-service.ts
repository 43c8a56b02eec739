import type { Readable } from 'node:stream';
import { makeZip } from 'client-zip';
import { dataArchive } from '#contract/wording/data-archive.ts';
import { type DateLanguage, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import type { Account } from '#server/store/account-store.ts';
import type { StoredFile } from '#server/store/file-store.ts';
import { readOwnFiles } from '#server/store/own-data-store.ts';
import { audit } from './audit-service.ts';
import { type OwnPicture, ownDataText } from './own-data-service.ts';
import type { Caller } from './session-service.ts';
import { countToday } from './tries-service.ts';

/**
 * All that is stored about the caller as one JSON document, in pieces (RA 10173, sections 16(c) and 18). The log keeps
 * that it was asked for, since whoever took over a session would ask for it too.
 */
export async function downloadOwnData(deps: Deps, caller: Caller, address: string) {
  const { account } = caller;
  const files = await begin(deps, account, address);
  return {
    pieces: ownDataText(
      deps,
      account,
      files.map((file) => ({ file, place: null })),
    ),
    fileName: `${nameOf(deps, account)}.json`,
  };
}

/** The same with the pictures themselves, and a page that says what is what, as a ZIP archive in pieces. */
export async function downloadOwnArchive(
  deps: Deps,
  caller: Caller,
  address: string,
  language: DateLanguage,
) {
  const { account } = caller;
  const files = await begin(deps, account, address);
  return {
    pieces: piecesOf(makeZip(archiveEntries(deps, account, files, language))),
    fileName: `${nameOf(deps, account)}.zip`,
  };
}

/**
 * Says so in the log, and answers the pictures there are: what fails in here still has its status. Fails with
 * `too_many_requests` after a day's share.
 */
async function begin(deps: Deps, account: Account, address: string): Promise<StoredFile[]> {
  const { id } = account;
  const files = await deps.database.read(async (reader) => readOwnFiles(reader, account));
  await deps.database.transaction(async (tx) => {
    await countToday(deps, tx, 'data_download', id);
    await audit(deps, tx, { id, address }, { action: 'data_downloaded', target: { type: 'account', id } });
  });
  return files;
}

const nameOf = ({ clock }: Deps, { id }: Account) => `hiram-${id}-${manilaDate(clock.now())}`;

/** Read to its end or not, a stream lets go of what it reads from; one that broke off already has. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The pictures come first, so that what is written about them is true of those that are there. */
async function* archiveEntries(
  deps: Deps,
  account: Account,
  files: readonly StoredFile[],
  language: DateLanguage,
) {
  const { lender } = deps.config;
  const { name, supportPhone, supportEmail } = lender;
  const lastModified = deps.clock.now();
  const moment = lastModified.toISOString();
  const page = dataArchive[language].readme({ lender: name, moment, supportPhone, supportEmail });
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

/** Named by what it is used as; one that is not in use by its id. */
function placeOf(account: Account, { id, contentType }: StoredFile): string {
  const uses = {
    'id-front': account.idFrontFileId,
    'id-back': account.idBackFileId,
    selfie: account.selfieFileId,
  };
  const [use = `unused-${id}`] = Object.entries(uses).flatMap(([name, used]) => (used === id ? [name] : []));
  return `documents/${use}.${contentType.replace(/^image\//, '').replace('jpeg', 'jpg')}`;
}
