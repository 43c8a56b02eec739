import type { QuoteDocument } from '#contract/loan.ts';
import { centavos, parsePesos, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import { hashOfAgreement, hashOfBorrower, hashOfFacts } from '#server/services/contract-service.ts';
import { hashOfQuote } from '#server/services/quote-service.ts';
import {
  checkRowSeals,
  type RowSealFinding,
  readLostRows,
  type SealedTable,
  sealedTables,
} from '#server/store/row-seal-store.ts';
import {
  type CountFinding,
  checkCount,
  checkRowSealRanges,
  checkSequences,
  countEntriesAfter,
  findNewestSeal,
  keptTables,
  type RangeFinding,
} from './audit-seal-store.ts';
import { type BookKey, keyFingerprint, readBookKeys, wereEverSealed } from './book-key.ts';
import { counted, createProgress, type Say, secondsSince } from './console-text.ts';
import { inSameSnapshot } from './table-store.ts';
import { checkDisbursedLoans, checkLoanBooks } from './verify-loans.ts';
import {
  type AccountRange,
  type AgreementInBooks,
  type CheckedPage,
  type CheckedSeal,
  checkEntries,
  checkHeads,
  checkSeals,
  checkTriggers,
  checkWithdrawals,
  type EntryFault,
  type EntryFinding,
  type EntryPlace,
  type HeadFinding,
  lowestId,
  readAccountRanges,
  readAgreementsInBooks,
  readLoansWithoutTerms,
  readSealHashes,
  readTermsInBooks,
  type SealFault,
  type TermsInBooks,
  type TriggerFinding,
  type WithdrawalFault,
  type WithdrawalFinding,
} from './verify-store.ts';

/** What was looked at, and what is wrong with it: ledger, accounts, withdrawals, terms, audit log, seals of rows. */
type Verified = {
  faults: Fault[];
  counts: Record<Checked, number>;
  unsealedEntries: number;
  newestSeal: NotedSeal | undefined;
  /** The keys that the books were sealed with, the newest first, and whether that one is here to check the seals. */
  keys: BookKey[];
  isKeyHere: boolean;
};

type Checked = 'ledger entries' | 'accounts' | 'withdrawals' | 'loan terms' | 'audit entries';

type Progress = (checked: Checked, count: number) => void;

/** One tampered row can break many; after so many the rest is not looked for. */
const faultsMax = 20;
/** One page keeps the embedded engine from everybody else for some ten milliseconds. */
const pageRows = { embedded: 500, postgres: 2_000 };
const termsPageRows = 100;
const sealsPageRows = 4;
const loansPageRows = 20;
const ledgerRanges = 4;

/**
 * Reads all of the books again and answers every row that is wrong, up to a bound: each account's chain of ledger
 * entries, its balance, the entries of each withdrawal, the hashes of loan terms, the seals of the audit log, and with
 * the key the seals of rows. `noted` seals were written down outside of the database. Nothing is written.
 *
 * On PostgreSQL all of it is the books of one moment, read on two connections. On the embedded engine, whose only
 * session must not be kept for long, each page is one statement, and what is checked in it holds at any moment by
 * itself (`verify-store.ts`).
 *
 * `progress` hears after each page how far it is.
 */
export async function verifyBooks(
  { database, secrets }: Pick<Deps, 'database' | 'secrets'>,
  progress: Progress,
  noted: readonly NotedSeal[] = [],
): Promise<Verified> {
  const keys = await database.read((reader) => readBookKeys(reader));
  const isKeyHere = secrets !== withoutSecrets;
  const isKeyRight = isKeyHere && keys[0]?.fingerprint === keyFingerprint(secrets);
  const ranges = await database.read((reader) => readAccountRanges(reader, ledgerRanges));
  const limit = database.hasOneSession ? pageRows.embedded : pageRows.postgres;
  const books = createBooks({ ranges, limit, progress, secrets: isKeyRight ? secrets : undefined, noted });
  if (database.hasOneSession) {
    await books.check((work) => database.read(work));
  } else {
    const check = (reader: Reader) => books.check((work) => work(reader));
    await inSameSnapshot(database, check, check);
  }
  const { faults, ...result } = books.result();
  const keyFault = await faultOfKey(database, keys[0], { isKeyHere, isKeyRight });
  return { ...result, faults: [...faults, ...keyFault].slice(0, faultsMax), keys, isKeyHere };
}

async function faultOfKey(
  database: Deps['database'],
  newest: BookKey | undefined,
  { isKeyHere, isKeyRight }: { isKeyHere: boolean; isKeyRight: boolean },
): Promise<Fault[]> {
  if (newest) {
    return isKeyHere && !isKeyRight
      ? [fault('book_keys', newest.id, 'the key here is another one than these books are sealed with')]
      : [];
  }
  const isLost = await database.read(wereEverSealed);
  return isLost ? [fault('book_keys', 1, 'the record of the key is gone')] : [];
}

/** Runs one page's reads. */
type ReadPage = <T>(work: (reader: Reader) => Promise<T>) => Promise<T>;

/** A part of the books, checked from its start to its end, and what is wrong there. */
type Part = { faults: Fault[]; check: (read: ReadPage) => Promise<void> };

type Work = {
  ranges: readonly AccountRange[];
  limit: number;
  progress: Progress;
  /** Undefined where the key is not, or another one: the seals of rows cannot be checked. */
  secrets: Deps['secrets'] | undefined;
  noted: readonly NotedSeal[];
};

function createBooks({ ranges, limit, progress, secrets, noted }: Work) {
  const counts = { 'ledger entries': 0, accounts: 0, withdrawals: 0, 'loan terms': 0, 'audit entries': 0 };
  let unsealedEntries = 0;
  let newestSeal: Awaited<ReturnType<typeof findNewestSeal>>;

  /** Page after page until one is empty, or there are faults enough; counted when it has a name. */
  function part<Place, Finding>(
    checked: Checked | undefined,
    start: Place,
    check: (reader: Reader, place: Place, limit: number) => Promise<CheckedPage<Place, Finding>>,
    faultsOf: (finding: Finding) => Fault | Fault[],
  ): Part {
    const faults: Fault[] = [];
    async function checkAll(read: ReadPage): Promise<void> {
      let place: Place | undefined = start;
      while (place !== undefined && faults.length < faultsMax) {
        const from: Place = place;
        const page: CheckedPage<Place, Finding> = await read((reader) => check(reader, from, limit));
        faults.push(...page.findings.flatMap(faultsOf));
        if (checked) {
          counts[checked] += page.rows;
          progress(checked, counts[checked]);
        }
        place = page.rows > 0 ? page.next : undefined;
      }
    }
    return { faults, check: checkAll };
  }

  const partOfRows = (name: (typeof sealedTables)[number], box: Deps['secrets']) =>
    part(
      undefined,
      lowestId,
      (reader, after) => checkRowSeals(reader, box, name, after, limit),
      (finding) => faultOfRow(name, finding),
    );

  /** A check of one statement. */
  function glance<Finding>(
    look: (reader: Reader) => Promise<readonly Finding[]>,
    faultOf: (finding: Finding) => Fault | Fault[],
  ): Part {
    const faults: Fault[] = [];
    const check = async (read: ReadPage) => void faults.push(...(await read(look)).flatMap(faultOf));
    return { faults, check };
  }

  async function lookAtNoted(reader: Reader) {
    const hashes =
      noted.length === 0
        ? new Map<number, string>()
        : await readSealHashes(
            reader,
            noted.map(({ number }) => number),
          );
    return noted.flatMap((seal) => faultOfNoted(seal, hashes.get(seal.number)));
  }

  async function lookAtTheEnd(read: ReadPage): Promise<void> {
    newestSeal = await read((reader) => findNewestSeal(reader));
    unsealedEntries = await read((reader) => countEntriesAfter(reader, newestSeal?.lastId ?? 0));
  }

  const parts: Part[] = [
    ...ranges.map((range) => part('ledger entries', null, checkEntriesOf(range), faultOfEntry)),
    part('accounts', lowestId, checkHeads, faultOfHead),
    part('withdrawals', lowestId, checkWithdrawals, faultOfWithdrawal),
    part('loan terms', { loanId: lowestId, version: 0 }, checkTermsPage, faultsOfTerms),
    part('audit entries', 0, checkSealsPage, faultsOfSeal),
    part(undefined, lowestId, readLoansWithoutTerms, loanWithoutTerms),
    part(
      undefined,
      lowestId,
      (reader, after) => checkDisbursedLoans(reader, after, loansPageRows),
      (fault) => fault,
    ),
    glance(checkLoanBooks, (fault) => fault),
    ...(secrets ? sealedTables.map((name) => partOfRows(name, secrets)) : []),
    part(undefined, { loanId: lowestId, version: 0 }, checkAgreementsPage, faultsOfAgreement),
    part(undefined, 0, (reader, after) => checkRowSealRanges(reader, after, sealsPageRows), faultOfRange),
    glance(readLostRows, lostRow),
    glance(checkTriggers, faultOfTrigger),
    glance(checkSequences, sequenceSetBack),
    glance(lookAtNoted, (fault) => fault),
    { faults: [], check: lookAtTheEnd },
  ];
  // A statement for each table, so that none takes long.
  const counted = keptTables.map((table) => glance((reader) => checkCount(reader, table), faultOfCount));
  const waiting = [...parts, ...counted];

  return {
    /** Takes one part after the other; several may do so side by side. */
    async check(read: ReadPage): Promise<void> {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.check(read);
    },
    result() {
      const faults = once(parts.flatMap((one) => one.faults));
      // Where a table's rows are named already, that there are too few of them is nothing new.
      const more = counted
        .flatMap((one) => one.faults)
        .filter(({ table }) => !faults.some((fault) => fault.table === table));
      return {
        faults: [...faults, ...more],
        counts,
        unsealedEntries,
        newestSeal: newestSeal && { number: newestSeal.number, hash: newestSeal.hash },
      };
    },
  };
}

/** The first fault of each row: what was found first says most. */
function once(faults: readonly Fault[]): Fault[] {
  const first = new Map<string, Fault>();
  for (const fault of faults) {
    const key = `${fault.table} ${fault.id}`;
    if (!first.has(key)) first.set(key, fault);
  }
  return [...first.values()];
}

const checkEntriesOf = (range: AccountRange) => (reader: Reader, from: EntryPlace | null, limit: number) =>
  checkEntries(reader, from, range, limit);

async function checkTermsPage(reader: Reader, after: { loanId: number; version: number }) {
  const terms = await readTermsInBooks(reader, after, termsPageRows);
  return { rows: terms.length, next: terms.at(-1), findings: terms };
}

async function checkAgreementsPage(reader: Reader, after: { loanId: number; version: number }) {
  const agreements = await readAgreementsInBooks(reader, after, termsPageRows);
  return { rows: agreements.length, next: agreements.at(-1), findings: agreements };
}

async function checkSealsPage(reader: Reader, fromNumber: number) {
  const seals = await checkSeals(reader, { fromNumber, limit: sealsPageRows });
  return {
    rows: seals.reduce((sum, { entryCount }) => sum + entryCount, 0),
    next: seals.at(-1)?.number,
    findings: seals,
  };
}

/** A row of the books that is wrong: its table and id, whose it is, and what is wrong in words. */
type Fault = { table: string; id: string; accountId: number | null; what: string };

const fault = (table: string, id: number | string, what: string, accountId: number | null = null): Fault => ({
  table,
  id: String(id),
  accountId,
  what,
});

const entryWords: Record<EntryFault, (sequence: number) => string> = {
  entry_before_missing: (sequence) =>
    `it is entry ${sequence} of its account, and entry ${sequence - 1} before it is missing`,
  previous_hash: () => 'it does not continue the entry before it',
  hash: () => 'its values do not match its hash',
  balance_after: () => 'its balance is not the one before plus its amount',
  account_missing: () => 'its account is missing',
  withdrawal_missing: () => 'its withdrawal is missing',
};

const faultOfEntry = ({ id, accountId, sequence, fault: kind }: EntryFinding) =>
  fault('ledger_entries', id, entryWords[kind](sequence), accountId);

/** An account whose balance or end of the chain is not that of its newest ledger entry. */
function faultOfHead({ accountId, sequence, balanceCentavos, ...newest }: HeadFinding): Fault {
  const wrong = (what: string) => fault('accounts', accountId, what, accountId);
  if (newest.newestSequence < sequence) {
    return wrong(`its newest ledger entry is missing: there are ${newest.newestSequence} of ${sequence}`);
  }
  if (newest.newestSequence > sequence) {
    return wrong(`its ledger has ${newest.newestSequence} entries where ${sequence} were written`);
  }
  if (newest.newestBalanceCentavos !== balanceCentavos) {
    const [balance, sum] = [balanceCentavos, newest.newestBalanceCentavos].map((amount) =>
      pesosText(centavos(amount)),
    );
    return wrong(`its balance is ${balance}, and its ledger comes to ${sum}`);
  }
  return wrong('it does not end in the hash of its newest ledger entry');
}

const withdrawalWords: Record<WithdrawalFault, string> = {
  debit_missing: 'its debit is missing in the ledger',
  debit_twice: 'it was debited more than once',
  debit_wrong: 'its debit is of another amount or account',
  refund_missing: 'it is rejected, and its refund is missing in the ledger',
  refund_unasked: 'it was refunded and is not rejected',
  refund_twice: 'it was refunded more than once',
  refund_wrong: 'its refund is of another amount or account',
};

const faultOfWithdrawal = ({ id, accountId, fault: kind }: WithdrawalFinding) =>
  fault('withdrawals', id, withdrawalWords[kind], accountId);

/** Nothing when the terms are what was agreed to, and the loan is as its newest terms say. */
function faultsOfTerms(terms: TermsInBooks): Fault[] {
  const what = wrongInTerms(terms);
  const { loanId, version, accountId } = terms;
  return what === undefined ? [] : [fault('loan_terms', `${loanId}, version ${version}`, what, accountId)];
}

function wrongInTerms(terms: TermsInBooks): string | undefined {
  if (hashOfQuote(terms.quote) !== terms.hash) return 'their quote does not match their hash';
  if (terms.versionBefore !== terms.version - 1) return `version ${terms.version - 1} is missing`;
  if (terms.loanAmountCentavos === null) return 'their loan is missing';
  if (!terms.isNewest) return undefined;
  const quote = terms.quote as Partial<QuoteDocument>;
  const isAsAgreed =
    parsePesos(quote.amount ?? '') === terms.loanAmountCentavos && quote.termMonths === terms.loanTermMonths;
  if (!isAsAgreed) return 'their loan has another amount or term';
  const isPaidAsAgreed =
    Math.round((quote.interestRate ?? 0) * 100) === terms.loanRateBasisPoints &&
    parsePesos(quote.monthlyPayment ?? '') === terms.loanPaymentCentavos;
  return isPaidAsAgreed ? undefined : 'their loan has another rate or monthly payment';
}

function faultsOfAgreement(found: AgreementInBooks): Fault[] {
  const what = wrongInAgreement(found);
  const { loanId, version, accountId } = found;
  return what === undefined ? [] : [fault('loan_terms', `${loanId}, version ${version}`, what, accountId)];
}

function wrongInAgreement(found: AgreementInBooks): string | undefined {
  const { hash, agreement, agreementHash, lender, borrower, isErased } = found;
  if (hashOfAgreement(hash, agreement) !== agreementHash) return 'their agreement does not match its hash';
  if (hashOfFacts(lender) !== agreement.lenderHash) return 'they name another lender than was agreed';
  if (!borrower) return isErased ? undefined : 'nobody is named as their borrower';
  return hashOfBorrower(borrower) === agreement.borrowerHash
    ? undefined
    : 'they name another borrower than was agreed';
}

const sealWords: Record<SealFault, string> = {
  seal_before_missing: 'the seal before it is missing',
  previous_hash: 'it does not continue the seal before it',
  hash: 'its values do not match its hash',
};

/** What is wrong with a seal itself, and each audit entry that is no longer as it was sealed. */
function faultsOfSeal({ number, fault: kind, written, found }: CheckedSeal): Fault[] {
  const faults: Fault[] = [];
  if (kind) faults.push(fault('audit_seals', number, sealWords[kind]));
  if (written === null) return faults;
  const sealed = hashesById(written);
  const present = hashesById(found ?? '');
  const ids = [...new Set([...sealed.keys(), ...present.keys()])].sort((a, b) => Number(a) - Number(b));
  for (const id of ids) {
    const what = wrongInEntry(sealed.get(id), present.get(id));
    if (what) faults.push(fault('audit_entries', id, `${what} (seal ${number})`));
  }
  return faults;
}

function wrongInEntry(sealed: string | undefined, present: string | undefined): string | undefined {
  if (sealed === present) return undefined;
  if (present === undefined) return 'it was sealed and is missing';
  if (sealed === undefined) return 'it was put in after its neighbours were sealed';
  return 'it is not as it was sealed';
}

/** Lines of an entry's id, a space and its hash. */
function hashesById(lines: string): Map<string, string> {
  const pairs = lines.split('\n').flatMap((line) => {
    const [id, hash] = line.split(' ');
    return id && hash ? [[id, hash] as const] : [];
  });
  return new Map(pairs);
}

const loanWithoutTerms = ({ id, accountId }: { id: number; accountId: number }) =>
  fault('loans', id, 'it has no terms that anybody agreed to', accountId);

const rowWords = {
  changed: 'it is not as the server wrote it',
  unsealed: 'it was not written by the server',
};

/** A row that does not fit what the key has sealed of it. */
function faultOfRow(name: SealedTable, { text, fault: kind }: RowSealFinding): Fault {
  const what = rowWords[kind];
  if (name === 'allowed_ips') return fault(name, '(the whole list)', what);
  const [sealedRow = ''] = text.split('\n');
  const values = JSON.parse(sealedRow) as unknown[];
  if (name === 'loan_acceptances') return fault(name, `${values[0]}, version ${values[1]}`, what);
  const [id, owner, version] = values;
  if (name === 'loan_terms') return fault(name, `${owner}, version ${version}`, what);
  const isOwned = name === 'loans' || name === 'withdrawals' || name === 'consents';
  return fault(name, String(id), what, isOwned ? Number(owner) : null);
}

/** A row that is gone, and its seal is not. */
const lostRow = ({ name, id }: { name: SealedTable; id: number }) =>
  fault(name, name === 'loan_terms' ? `no. ${id}` : id, 'it was sealed and is missing');

/** A table that has lost rows, or got some between those that were counted, since a seal. */
function faultOfCount({ table, throughId, counted, found, seal }: CountFinding): Fault {
  const difference = Math.abs(found - counted);
  const rows = difference === 1 ? '1 row' : `${difference} rows`;
  const what = found < counted ? `${rows} of ${counted} missing` : `${rows} more than the ${counted}`;
  return fault(table, `up to ${throughId}`, `${what} that seal ${seal} counted`);
}

const faultOfRange = ({ firstId, lastId, seal }: RangeFinding) =>
  fault('row_seals', `${firstId} to ${lastId}`, `they are not as seal ${seal} found them`);

const sequenceSetBack = ({ table, highestId }: { table: string; highestId: number }) =>
  fault(table, highestId, 'the sequence has not given this number');

const triggerWords = {
  missing: 'it is missing',
  disabled: 'it is disabled',
  changed: 'it is not as the migrations made it',
};

export const faultOfTrigger = ({ name, fault: kind }: TriggerFinding) =>
  fault('trigger', name, `${triggerWords[kind]}: its table is not append-only`);

/** A seal that was noted outside of the database: `found` is its hash there now. */
function faultOfNoted(noted: NotedSeal, found: string | undefined): Fault[] {
  if (found === noted.hash) return [];
  const what =
    found === undefined
      ? 'it was noted and is missing: these are the books of an earlier moment'
      : 'it is not the one that was noted';
  return [fault('audit_seals', noted.number, what)];
}

/** A seal's number and hash, as they were written down outside of the database. */
export type NotedSeal = { number: number; hash: string };

/** Verifies the books, names every row that is wrong, the first one first, and answers whether there is none. */
export async function verifyAndTell(
  deps: Pick<Deps, 'database' | 'secrets'>,
  say: Say,
  noted: readonly NotedSeal[] = [],
): Promise<boolean> {
  const startMs = performance.now();
  const progress = createProgress(say);
  const verified = await verifyBooks(
    deps,
    (checked, count) => progress(`${count.toLocaleString('en')} ${checked} checked …`),
    noted,
  );
  for (const fault of verified.faults) say(faultLine(fault));
  say(`${summaryOf(verified)} (${secondsSince(startMs)})`);
  return verified.faults.length === 0;
}

function faultLine({ table, id, accountId, what }: Fault): string {
  const account = accountId === null || table === 'accounts' ? '' : `, account ${accountId}`;
  return `Wrong: ${table} ${id}${account}: ${what}.`;
}

function summaryOf(verified: Verified): string {
  const { faults, counts, unsealedEntries, newestSeal } = verified;
  if (faults.length > 0)
    return `The books are not sound: ${counted(faults.length, 'row is', 'rows are')} wrong. ${keyWords(verified)}`;
  const checked = [
    counted(counts['ledger entries'], 'ledger entry', 'ledger entries'),
    counted(counts.accounts, 'account'),
    counted(counts.withdrawals, 'withdrawal'),
    counted(counts['loan terms'], 'version of loan terms', 'versions of loan terms'),
    counted(counts['audit entries'], 'sealed audit entry', 'sealed audit entries'),
  ].join(', ');
  const seal = newestSeal ? ` Seal ${newestSeal.number} is ${newestSeal.hash}.` : '';
  return `The books are sound: ${checked}; ${unsealedEntries} not sealed yet.${seal} ${keyWords(verified)}`;
}

/** How far the seals of rows reach: who read the key before that day, or wrote the books then, is not found out. */
function keyWords({ keys: [newest, ...older], isKeyHere }: Verified): string {
  if (!newest) return 'No row is sealed with a key yet: the next start does it.';
  const since = newest.sealedAt.toISOString();
  const sealed =
    older.length > 0 ? `Sealed anew on ${since}.` : `Rows are sealed with the key since ${since}.`;
  return isKeyHere ? sealed : `${sealed} The key is not here: these seals were not looked at.`;
}
