import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { servicingPolicy, servicingTerms } from '#contract/contract-terms.ts';
import { ContractLender, QuoteReply, viewQuote } from '#contract/loan.ts';
import { receipt as receiptReply } from '#contract/servicing.ts';
import { en } from '#contract/wording/en.ts';
import {
  formatManilaDate,
  formatManilaInstant,
  type ManilaDate,
  manilaDate,
  manilaYear,
} from '#domain/calendar.ts';
import { refusalOf } from '#domain/event-refusal.ts';
import { limits } from '#domain/limits.ts';
import type { MemberStatus } from '#domain/member.ts';
import { type Centavos, centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { recordNumber } from '#domain/record-number.ts';
import { foldEvents, type LoanEvent, standingOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import {
  type ConsoleCall,
  counted,
  Refusal,
  readWords,
  type Say,
  secondsSince,
} from '#server/platform/console-text.ts';
import { advisoryLocks, type Reader, type Tx, untilAllAnswered } from '#server/platform/database/database.ts';
import { constraintOf } from '#server/platform/database/database-errors.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import type { AuditAction, AuditEntry } from '#server/services/audit-service.ts';
import { newAgreement } from '#server/services/contract-service.ts';
import { allMovements, storedPosition } from '#server/services/loan-event-record.ts';
import { textHash } from '#server/services/notice-service.ts';
import { referenceKeyOf } from '#server/services/payment-service.ts';
import { profileColumns } from '#server/services/profile-service.ts';
import { derivedColumns } from '#server/store/account-store.ts';
import {
  chainedEvent,
  type JournalMovementRow,
  type LoanEventRow,
  type LoanMovementRow,
  movementRow,
  type NewLoanEvent,
} from '#server/store/loan-event-store.ts';
import { insertLender } from '#server/store/loan-terms-store.ts';
import { drawIds, drawNumbers, insertMany, insertManySealed } from '#server/store/many-rows.ts';
import { holdMessages } from '#server/store/message-store.ts';
import * as schema from '#server/store/schema.ts';
import { noteNewRows, sealingRows } from '#server/store/sealed-rows.ts';
import { inOneLongTransaction, vacuumTables } from './backup-rows.ts';
import {
  type Book,
  type BookFault,
  type BookLoan,
  type BookMember,
  type BookReceipt,
  readBook,
} from './book-files.ts';

/**
 * Takes over the book of an older system (§taking-over-a-book). Without `--apply` it only says what is wrong with it, and
 * what it comes to. Returns false, for which the command ends with 1, if something is wrong.
 */
export async function importBook(deps: Deps, { words, say }: ConsoleCall): Promise<boolean> {
  const startMs = performance.now();
  const { folder, isApplied } = readWords(words, 'npm run books:import -- <folder> [--apply]');
  const book = await readBook(folder);
  if (!isApplied) {
    const { isSound, isTakenOver } = await deps.database.read((reader) => check(deps, reader, book, say));
    if (isSound) say('Nothing was changed. With --apply it is taken over.');
    return isSound || isTakenOver;
  }
  const { isSound, isTakenOver } = await inOneLongTransaction(deps.database, async (tx) => {
    // If two imports run at once, the second sees what the first has written.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.bookImport})`);
    const { folded, ...checked } = await check(deps, tx, book, say);
    if (checked.isSound) await takeOver(deps, tx, book, folded, say);
    return checked;
  }).catch((error: unknown): never => {
    throw takenMeanwhile.includes(constraintOf(error) ?? '') ? new Refusal(meanwhile) : error;
  });
  if (isSound) {
    await vacuumTables(deps.database);
    say(`All of it is taken over (${secondsSince(startMs)}). Check the books with npm run verify.`);
  }
  return isSound || isTakenOver;
}

/** A server on PostgreSQL goes on during the import, and may let somebody in after the check. */
const takenMeanwhile = ['accounts_phone_unique', 'payments_reference_unique'];
const meanwhile =
  'Somebody took a phone or a reference of this book meanwhile. Nothing was changed: the next run names it.';

/** Says every fault, and what the book comes to. */
async function check(deps: Deps, reader: Reader, book: Book, say: Say) {
  const fingerprint = fingerprintOf(deps, book);
  const takenOver = fingerprint && (await readTakenOver(reader, fingerprint));
  if (takenOver) {
    say(`This book was taken over on ${formatManilaInstant(takenOver)}. Nothing was changed.`);
    return { isSound: false, isTakenOver: true, folded: [] };
  }
  const today = manilaDate(deps.clock.now());
  const { members, loans, receipts } = book;
  const known = await readKnown(reader, {
    phones: members.read?.flatMap(({ phone }) => (phone ? phoneKey(phone) : [])) ?? [],
    members: members.read?.flatMap(({ number }) => number ?? []) ?? [],
    loans: loans.read?.flatMap(({ number }) => number ?? []) ?? [],
    references: receipts.read?.flatMap((receipt) => referenceOf(receipt) ?? []) ?? [],
  });
  const folded = foldLoans(loans.sound, receipts.sound, today);
  // A faulty row is folded too, as far as it can be, so that one run reports every fault.
  const tried = book.faults.length === 0 ? folded : foldLoans(...foldable(book), today);
  const faults = [...book.faults, ...faultsOf(book, known, today), ...tried.flatMap((one) => one.faults)];
  const order: readonly string[] = ['members.csv', 'loans.csv', 'receipts.csv'];
  faults.sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file) || one.line - other.line);
  for (const { file, line, what } of faults) say(`${file}${line > 0 ? `, line ${line}` : ''}: ${what}.`);
  if (faults.length > 0)
    say(`Nothing was changed: ${counted(faults.length, 'fault')}. What could be read comes to this:`);
  sayTotals(book, folded, today, say);
  return { isSound: faults.length === 0, isTakenOver: false, folded };
}

type Asked = Record<'phones' | 'members' | 'loans' | 'references', readonly string[]>;

/**
 * Reads what is taken already: the accounts that have these phones, and the numbers and references in use.
 */
async function readKnown(reader: Reader, asked: Asked) {
  const read = async <Found>(what: keyof Asked, from: string, key: string, found: string) => {
    const { rows } = await reader.execute<{ key: string; found: Found }>(sql`
      select ${sql.raw(key)} as key, ${sql.raw(found)} as found from ${sql.raw(from)}
       where ${sql.raw(key)} = any(${sql.param([...asked[what]])}::text[])`);
    return new Map(rows.map((row) => [row.key, row.found]));
  };
  type Holder = { id: number; status: MemberStatus };
  // A borrower's own report does not take a reference (`payments_reference_unique`).
  const counting = `(select channel || ' ' || reference_key as reference, loan_number
    from payments join loans on loans.id = loan_id
   where payments.status = 'confirmed' or payments.status = 'submitted' and recorded_by <> payments.account_id)`;
  return {
    phones: await read<Holder>(
      'phones',
      'accounts',
      'phone_key',
      `json_build_object('id', id, 'status', status)`,
    ),
    members: await read('members', 'accounts', 'old_number', 'id'),
    loans: await read('loans', 'loans', 'old_number', 'id'),
    /** The keys are the channel, a space and the reference as it is compared. */
    references: await read<string>('references', `${counting} counting`, 'reference', 'loan_number'),
  };
}
type Known = Awaited<ReturnType<typeof readKnown>>;

/** When a book with this fingerprint was taken over; undefined if it was not. */
async function readTakenOver(reader: Reader, book: string): Promise<Date | undefined> {
  const { rows } = await reader.execute<{ at: string }>(sql`
    select created_at::text as at from audit_entries where action = 'book_taken_over' and after ->> 'book' = ${book}`);
  return rows[0] && new Date(rows[0].at);
}

/**
 * Returns a fingerprint of the rows, however they are spelt. It is keyed, because the log keeps it
 * after the people are erased.
 */
function fingerprintOf(
  deps: Deps,
  { faults, members, loans: broughtLoans, receipts }: Book,
): string | undefined {
  if (faults.length > 0 || deps.secrets === withoutSecrets) return undefined;
  const bare = ({ sound }: { sound: readonly { line: number }[] }) => sound.map(({ line, ...row }) => row);
  return textHash(deps, canonicalHash([members, broughtLoans, receipts].map(bare)));
}

const referenceOf = ({ channel, reference }: Partial<BookReceipt>) => {
  const key = referenceKeyOf(reference);
  return key === null || channel === undefined ? undefined : `${channel} ${key}`;
};

const faultsAt = (
  file: BookFault['file'],
  line: number,
  ...said: readonly (string | false | undefined)[]
): BookFault[] => said.flatMap((what) => (what ? [{ file, line, what }] : []));

/** Remembers what each line has, and answers the line that has it already. */
function linesBefore() {
  const lineOf = new Map<string | undefined, number>();
  return (key: string | undefined, line: number): number | undefined => {
    const found = lineOf.get(key);
    if (found === undefined && key !== undefined) lineOf.set(key, line);
    return found;
  };
}

/** Returns the faults of rows that only other rows, or what is stored, show. */
function faultsOf(book: Book, known: Known, today: ManilaDate): BookFault[] {
  const [membersBefore, phonesBefore, loansBefore, paidBefore] = Array.from({ length: 4 }, linesBefore);
  const inUseText = (
    number: string | undefined,
    twice: number | undefined,
    isHere: (number: string) => boolean,
  ) =>
    (twice && `number ${number} is in line ${twice} too`) ||
    (number !== undefined && isHere(number) && `number ${number} is taken over already`);
  const toCome = (column: string, date: ManilaDate | undefined) =>
    date !== undefined && date > today && `${column}: ${en.validation.dateInFuture}`;
  const numbersOf = (rows: readonly { number?: string }[] | undefined) =>
    rows && new Set(rows.map(({ number }) => number));
  const [memberNumbers, loanNumbers] = [numbersOf(book.members.read), numbersOf(book.loans.read)];
  const isIn = (numbers: ReturnType<typeof numbersOf>, number: string | undefined) =>
    number === undefined || numbers?.has(number) !== false;
  const members = book.members.read?.flatMap(({ line, number, phone }) => {
    const usedText = inUseText(number, membersBefore?.(number, line), (one) => known.members.has(one));
    if (phone === undefined) return faultsAt('members.csv', line, usedText);
    const key = phoneKey(phone);
    const [twice, holder] = [phonesBefore?.(key, line), known.phones.get(key)];
    const account = holder?.status === 'suspended' ? 'a suspended account' : 'an account';
    const whose = twice
      ? `line ${twice} has the same one`
      : holder && `it is that of ${account} here, number ${holder.id}`;
    const notAPhone = !key.startsWith('+') && 'this cannot be a phone number, and members sign in with it';
    const what = notAPhone || whose;
    return faultsAt('members.csv', line, usedText, what && `phone: ${what}`);
  });
  const broughtLoans = book.loans.read?.flatMap(({ line, number, memberNumber, disbursedOn }) => {
    const usedText = inUseText(number, loansBefore?.(number, line), (one) => known.loans.has(one));
    const unknownMember =
      !isIn(memberNumbers, memberNumber) && `memberNumber: members.csv has no number ${memberNumber}`;
    return faultsAt('loans.csv', line, usedText, unknownMember, toCome('disbursedOn', disbursedOn));
  });
  const paid = book.receipts.read?.flatMap((receipt) => {
    const { line, loanNumber, valueDate, channel } = receipt;
    const key = referenceOf(receipt);
    const twice = paidBefore?.(key, line);
    const other = twice ? `line ${twice}` : key && known.references.get(key);
    const none = !isIn(loanNumbers, loanNumber) && `loanNumber: loans.csv has no number ${loanNumber}`;
    const isFromWallet = channel === 'wallet' && 'channel: nobody had a wallet in the older books';
    const usedText = other && `reference: ${other} has the same one, and each counts once`;
    return faultsAt('receipts.csv', line, none, toCome('date', valueDate), isFromWallet, usedText);
  });
  return [members, broughtLoans, paid].flatMap((faults) => faults ?? []);
}

const loanFacts = ['number', 'amount', 'monthlyRate', 'termMonths', 'disbursedOn'] as const;
const receiptFacts = ['loanNumber', 'valueDate'] as const;
type LoanFacts = Pick<BookLoan, 'line' | (typeof loanFacts)[number]>;
type ReceiptFacts = Pick<BookReceipt, 'line' | (typeof receiptFacts)[number]> & Partial<BookReceipt>;

/** The rows that say enough to be folded. */
const foldable = ({ loans, receipts }: Book) =>
  [withAll(loans.read, loanFacts), withAll(receipts.read, receiptFacts)] as const;

const withAll = <Row, Name extends keyof Row>(rows: readonly Row[] = [], names: readonly Name[]) =>
  rows.filter((row): row is Row & Required<Pick<Row, Name>> =>
    names.every((name) => row[name] !== undefined),
  );

/** Folds the loans in the order of their days, so that a member's newest loan has the highest number. */
function foldLoans<Loan extends LoanFacts, Receipt extends ReceiptFacts>(
  loans: readonly Loan[],
  receipts: readonly Receipt[],
  today: ManilaDate,
) {
  const ofLoan = new Map<string, Receipt[]>(loans.map(({ number }) => [number, []]));
  for (const receipt of receipts) ofLoan.get(receipt.loanNumber)?.push(receipt);
  return loans
    .toSorted((one, other) => one.disbursedOn.localeCompare(other.disbursedOn))
    .map((loan) => foldLoan(loan, ofLoan.get(loan.number) ?? [], today));
}

/** A loan as it is frozen, with what happened to it since, and what is wrong with that. */
function foldLoan<Loan extends LoanFacts, Receipt extends ReceiptFacts>(
  loan: Loan,
  receipts: readonly Receipt[],
  today: ManilaDate,
) {
  const { amount: amountCentavos, monthlyRate, termMonths, disbursedOn: startDate } = loan;
  const quoted = quoteLoan({ amountCentavos, monthlyRate, termMonths, startDate });
  const frozen = QuoteReply.parse(viewQuote(quoted));
  const quote = { ...frozen, servicing: servicingPolicy, disbursedOn: startDate };
  const terms = servicingTerms(quote, startDate);
  const released: LoanEvent = { sequence: 1, date: startDate, kind: 'disbursement', channel: 'recorded' };
  const early = receipts.filter(({ valueDate }) => valueDate < startDate);
  const paid = receipts.flatMap(({ valueDate: date, amount, channel }, index) => {
    if (date < startDate || amount === undefined || channel === undefined) return [];
    return { sequence: index + 2, date, kind: 'receipt', amountCentavos: amount, channel } as const;
  });
  const isNothing = refusalOf(foldEvents(terms, []), [], released, today) === 'no_instalment';
  const fold = foldEvents(terms, isNothing ? [] : [released, ...paid]);
  const over = fold.receipts.find(({ credit }) => credit > 0);
  // Event 1 is the release, so receipt 0 is event 2.
  const tooMuch = over && receipts[over.ofEvent - 2];
  const faults = [
    ...faultsAt('loans.csv', loan.line, isNothing && `amount: ${en.validation.instalmentNothing}`),
    ...early.flatMap(({ line }) =>
      faultsAt('receipts.csv', line, `date: ${en.validation.dateBeforeDisbursement}`),
    ),
    ...faultsAt(
      'receipts.csv',
      tooMuch?.line ?? 0,
      tooMuch && overpaid(loan.number, centavos(fold.credited)),
    ),
  ];
  const { account } = standingOn(fold, today);
  return { loan, receipts, quote, fold, account, faults, instalment: quoted.monthlyPaymentCentavos };
}

type Folded = ReturnType<typeof foldLoan<BookLoan, BookReceipt>>;

const overpaid = (number: string, credit: Centavos) =>
  `amount: loan ${number} is overpaid by ${formatPeso(credit)} with it`;

function sayTotals({ members, receipts }: Book, folded: readonly Folded[], today: ManilaDate, say: Say) {
  const sumOf = (amountOf: (one: Folded) => Centavos) => formatPeso(sum(folded.map(amountOf)));
  const open = folded.filter(({ account }) => account.state === 'open' || account.state === 'overdue');
  const paid = formatPeso(sum(receipts.sound.map(({ amount }) => amount)));
  const lines = [
    ['Members', members.sound.length.toLocaleString('en')],
    ['Loans', `${folded.length.toLocaleString('en')}, ${open.length.toLocaleString('en')} of them open`],
    ['Receipts', `${receipts.sound.length.toLocaleString('en')}, together ${paid}`],
    ['Principal out', sumOf(({ account }) => account.principalLeft)],
    ['Due', sumOf(({ account }) => account.due)],
    ['Overdue', sumOf(({ account }) => account.overdue)],
    ['Late charges', sumOf(({ account }) => account.lateChargesOwed)],
  ];
  say(`As of ${formatManilaDate(today)}:`);
  for (const [name = '', figure] of lines) say(`  ${name.padEnd(14)} ${figure}`);
}

/**
 * PostgreSQL plans to check foreign keys without their indexes if there are fewer rows, and
 * it keeps its first plan.
 */
const rowsAtATime = 1_000;
const actorId = limits.mainAdminId;

/** All of it by the main admin, in one statement for each table and part. */
async function takeOver(deps: Deps, tx: Tx, book: Book, folded: readonly Folded[], say: Say): Promise<void> {
  const [members, broughtLoans, receipts] = [book.members.sound, book.loans.sound, book.receipts.sound];
  const total = members.length + broughtLoans.length + receipts.length;
  let done = 0;
  const inParts = async <Row>(rows: readonly Row[], put: (part: Row[]) => Promise<number>) => {
    for (let start = 0; start < rows.length; start += rowsAtATime) {
      const part = rows.slice(start, start + rowsAtATime);
      done += await untilAllAnswered(tx, () => sealingRows(tx, deps.secrets, () => put(part)));
      say(`${progressBar(done / total)} ${done.toLocaleString('en')} of ${counted(total, 'row')} …`);
    }
  };
  const writing = { tx, now: deps.clock.now() };
  const people = new Map<string, Person>();
  await inParts(members, (part) => putMembers(writing, part, people));
  const lender = ContractLender.parse(deps.config.lender);
  await insertLender(tx, { hash: canonicalHash(lender), facts: lender });
  await inParts(folded, (part) => putLoans(writing, part, people, lender));
  const counts = { members: members.length, loans: broughtLoans.length, receipts: receipts.length };
  const after = { ...counts, book: fingerprintOf(deps, book) };
  await putEntries(writing, [{ action: 'book_taken_over', after }]);
  // Its members have heard nothing of this product: nothing is sent until the main admin says so.
  await holdMessages(tx, writing.now);
}

const barWidth = 30;

const progressBar = (share: number) => `[${'#'.repeat(Math.floor(share * barWidth)).padEnd(barWidth, '.')}]`;

type Writing = { tx: Tx; now: Date };
type Stored<Table extends PgTable> = Table['$inferInsert'] & { id: number };
type Person = { id: number } & Parameters<typeof newAgreement>[2];

async function putMembers({ tx, now }: Writing, members: readonly BookMember[], people: Map<string, Person>) {
  const ids = await drawIds(tx, schema.accounts, members.length);
  const entries: AuditEntry[] = [];
  const rows = members.map(({ line, number: oldNumber, phone, ...profile }, index) => {
    const id = ids[index] ?? 0;
    const { fullName, email = null, address = null } = profile;
    people.set(oldNumber, { id, fullName, phone, email, address });
    const columns = profileColumns(profile);
    const changed = ['phone', 'oldNumber', ...Object.keys(columns)];
    entries.push({ action: 'member_taken_over', on: { account: id }, after: { changed } });
    return {
      ...columns,
      id,
      oldNumber,
      phone,
      phoneKey: phoneKey(phone),
      format: schema.presentFormat,
      ...derivedColumns({ ...profile, phone, oldNumber }),
      // No password opens an account without a hash.
      status: 'pending' as const,
      passwordHash: '',
      staffChangedAccessAt: now,
      createdAt: now,
      updatedAt: now,
    };
  });
  await insertManySealed(tx, schema.accounts, rows);
  await putEntries({ tx, now }, entries);
  return rows.length;
}

/** Loans with their terms, receipts and positions, released on their days and in the order of the file. */
async function putLoans(
  { tx, now }: Writing,
  folded: readonly Folded[],
  people: ReadonlyMap<string, Person>,
  lender: ContractLender,
) {
  const ids = await drawIds(tx, schema.loans, folded.length);
  const numbers = await drawNumbers(tx, `'loan_numbers'`, folded.length);
  const termsIds = await drawIds(tx, schema.loanTerms, folded.length);
  const paid = folded.reduce((sum, { receipts }) => sum + receipts.length, 0);
  const paymentIds = await drawIds(tx, schema.payments, paid);
  const stamps = { createdAt: now, updatedAt: now };
  const entries: AuditEntry[] = [];
  const rows = {
    loans: [] as Stored<typeof schema.loans>[],
    terms: [] as Stored<typeof schema.loanTerms>[],
    borrowers: [] as (typeof schema.loanBorrowers.$inferInsert)[],
    payments: [] as Stored<typeof schema.payments>[],
    events: [] as LoanEventRow[],
    positions: [] as (typeof schema.loanPositions.$inferInsert)[],
    instalments: [] as (typeof schema.instalments.$inferInsert)[],
    movements: [] as LoanMovementRow[],
    booked: [] as JournalMovementRow[],
  };
  for (const [index, { loan, receipts, quote, fold, instalment }] of folded.entries()) {
    const [id = 0, number = 0, termsId = 0] = [ids[index], numbers[index], termsIds[index]];
    const { number: oldNumber, amount: amountCentavos, termMonths, purpose, disbursedOn } = loan;
    const borrower = people.get(loan.memberNumber);
    if (!borrower) throw new Error(`nobody has loan ${oldNumber}`);
    const [loanNumber, accountId] = [recordNumber('LN', manilaYear(now), number), borrower.id];
    const events: LoanEventRow[] = [];
    const append = (event: Omit<NewLoanEvent, 'actorId' | 'createdAt'>) => {
      const last = events.at(-1) ?? { sequence: 0, hash: '' };
      events.push(chainedEvent(id, last, { ...event, actorId, createdAt: now }));
    };
    const note = (action: AuditAction, after: Record<string, unknown>) =>
      entries.push({ action, on: { loan: id }, after });
    append({ kind: 'disbursement', channel: 'recorded', valueDate: disbursedOn, undoes: 0 });
    const terms = { date: disbursedOn, amount: pesosText(amountCentavos), termMonths };
    note('loan_taken_over', { loanNumber, oldNumber, ...terms });
    const allocations = new Map(
      fold.receipts.map((receipt) => [receipt.ofEvent, receiptReply.parse(receipt)]),
    );
    for (const { amount, channel, reference = null, valueDate } of receipts) {
      const paymentId = paymentIds.shift() ?? 0;
      append({ kind: 'receipt', channel, valueDate, amountCentavos: amount, paymentId });
      note('payment_taken_over', { paymentId, amount: pesosText(amount), channel, valueDate });
      rows.payments.push({
        id: paymentId,
        loanId: id,
        accountId,
        amountCentavos: amount,
        channel,
        valueDate,
        ...stamps,
        reference,
        referenceKey: referenceKeyOf(reference),
        format: schema.presentFormat,
        status: 'confirmed',
        recordedBy: actorId,
        confirmedBy: actorId,
        application: allocations.get(events.length),
      });
    }
    const { stored, instalments } = storedPosition(fold, 1, events);
    const isOver = stored.state === 'settled' || stored.state === 'completed';
    const [key, hash] = [{ loanId: id, version: 1 }, canonicalHash(quote)];
    const agreed = newAgreement(hash, lender, borrower);
    rows.loans.push({
      id,
      accountId,
      loanNumber,
      oldNumber,
      amountCentavos,
      termMonths,
      purpose,
      ...stamps,
      monthlyRateBasisPoints: loan.monthlyRate,
      monthlyPaymentCentavos: instalment,
      status: isOver ? 'completed' : 'active',
    });
    const version = {
      ...key,
      ...agreed.columns,
      id: termsId,
      quote,
      hash,
      issuedBy: actorId,
      issuedAt: now,
    };
    rows.terms.push(version);
    rows.borrowers.push({ ...key, ...agreed.borrower });
    rows.events.push(...events);
    rows.positions.push(stored);
    const { movements, booked } = allMovements(fold.terms, [version], events);
    rows.movements.push(...movements.map((one) => movementRow(id, one)));
    rows.booked.push(...booked);
    for (const { number, dueDate, amount, interest, principal, paid, left } of instalments)
      rows.instalments.push({
        loanId: id,
        number,
        dueDate,
        amountCentavos: amount,
        interestCentavos: interest,
        principalCentavos: principal,
        paidCentavos: paid,
        leftCentavos: left,
      });
  }
  await insertManySealed(tx, schema.loans, rows.loans);
  await insertManySealed(tx, schema.loanTerms, rows.terms);
  await insertMany(tx, schema.loanBorrowers, rows.borrowers);
  await insertManySealed(tx, schema.payments, rows.payments);
  await insertMany(tx, schema.loanEvents, rows.events);
  await insertMany(tx, schema.loanPositions, rows.positions);
  noteNewRows(tx, 'loan_positions', ids);
  await insertMany(tx, schema.instalments, rows.instalments);
  await insertMany(tx, schema.loanMovements, rows.movements);
  await insertMany(tx, schema.journalMovements, rows.booked);
  await putEntries({ tx, now }, entries);
  return entries.length;
}

/** Writes entries as `audit` does. */
const putEntries = ({ tx, now }: Writing, entries: readonly AuditEntry[]) =>
  insertMany(
    tx,
    schema.auditEntries,
    entries.map(({ action, on = {}, after }) => {
      const [[targetType, targetId] = []] = Object.entries(on);
      return { action, actorId, targetType, targetId, after, createdAt: now };
    }),
  );
