import { sql } from 'drizzle-orm';
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
import { type Centavos, centavos, formatPeso, pesosText } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { recordNumber } from '#domain/record-number.ts';
import { foldEvents, type LoanEvent, standingOn } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { canonicalHash } from '#server/platform/canonical-json.ts';
import { advisoryLocks, type Reader, type Tx, untilAllAnswered } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { withoutSecrets } from '#server/platform/secret-box.ts';
import type { AuditEvent } from '#server/services/audit-service.ts';
import { newAgreement } from '#server/services/contract-service.ts';
import { storedPosition } from '#server/services/loan-events-service.ts';
import { textHash } from '#server/services/notice-service.ts';
import { keyOf } from '#server/services/payment-service.ts';
import { profileColumns } from '#server/services/profile-service.ts';
import { derivedColumns } from '#server/store/account-store.ts';
import { chainedEvent, type LoanEventRow, type NewLoanEvent } from '#server/store/loan-event-store.ts';
import { insertLender } from '#server/store/loan-terms-store.ts';
import { drawIds, drawNumbers, insertMany, insertManySealed } from '#server/store/many-rows.ts';
import { noteNewRows, sealingRows } from '#server/store/row-seal-store.ts';
import {
  accounts,
  auditEntries,
  instalments,
  loanBorrowers,
  loanEvents,
  loanPositions,
  loans,
  loanTerms,
  payments,
  presentFormat,
} from '#server/store/schema.ts';
import { inOneLongTransaction, vacuumTables } from './backup-rows.ts';
import {
  type Book,
  type BookFault,
  type BookLoan,
  type BookMember,
  type BookReceipt,
  readBook,
} from './book-files.ts';
import { type Known, readKnown, readTakenOver } from './book-import-store.ts';
import { type ConsoleCall, counted, readWords, type Say, secondsSince } from './console-text.ts';

/**
 * Takes over the book of an older system (§taking-over-a-book). Without `--apply` it only says what is wrong with it, and
 * what it comes to.
 */
export async function importBook(deps: Deps, { words, say }: ConsoleCall): Promise<boolean> {
  const startMs = performance.now();
  const { folder, isApplied } = readWords(words, 'npm run books:import -- <folder> [--apply]');
  const book = await readBook(folder);
  if (!isApplied) {
    const { isSound, isKnown } = await deps.database.read((reader) => check(deps, reader, book, say));
    if (isSound) say('Nothing was changed. With --apply it is taken over.');
    return isSound || isKnown;
  }
  const { isSound, isKnown } = await inOneLongTransaction(deps.database, async (tx) => {
    // Of two imports at once, the second sees what the first has written.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.bookImport})`);
    const { folded, ...checked } = await check(deps, tx, book, say);
    if (checked.isSound) await takeOver(deps, tx, book, folded, say);
    return checked;
  });
  if (isSound) {
    await vacuumTables(deps.database);
    say(`All of it is taken over (${secondsSince(startMs)}). Check the books with npm run verify.`);
  }
  return isSound || isKnown;
}

/** Says every fault, and what the book comes to. */
async function check(deps: Deps, reader: Reader, book: Book, say: Say) {
  const fingerprint = fingerprintOf(deps, book);
  const takenOver = fingerprint && (await readTakenOver(reader, fingerprint));
  if (takenOver) {
    say(`This book was taken over on ${formatManilaInstant(takenOver)}. Nothing was changed.`);
    return { isSound: false, isKnown: true, folded: [] };
  }
  const today = manilaDate(deps.clock.now());
  const known = await readKnown(reader, {
    phones: book.members.map(({ phone }) => phoneKey(phone)),
    members: book.members.map(({ number }) => number),
    loans: book.loans.map(({ number }) => number),
    references: book.receipts.flatMap((receipt) => referenceOf(receipt) ?? []),
  });
  const receipts = new Map<string, BookReceipt[]>();
  for (const receipt of book.receipts) {
    const ofLoan = receipts.get(receipt.loanNumber);
    if (ofLoan) ofLoan.push(receipt);
    else receipts.set(receipt.loanNumber, [receipt]);
  }
  // By day, so that a member's newest loan has the highest number.
  const folded = book.loans
    .toSorted((one, other) => one.disbursedOn.localeCompare(other.disbursedOn))
    .map((loan) => foldLoan(loan, receipts.get(loan.number) ?? [], today));
  const faults = [...book.faults, ...faultsOf(book, known, today), ...folded.flatMap(({ faults }) => faults)];
  const order: readonly string[] = ['members.csv', 'loans.csv', 'receipts.csv'];
  faults.sort((one, other) => order.indexOf(one.file) - order.indexOf(other.file) || one.line - other.line);
  for (const { file, line, what } of faults) say(`${file}${line > 0 ? `, line ${line}` : ''}: ${what}.`);
  if (faults.length > 0)
    say(`Nothing was changed: ${counted(faults.length, 'fault')}. Of the rows without one:`);
  sayTotals(book, folded, today, say);
  return { isSound: faults.length === 0, isKnown: false, folded };
}

/** Of the rows, however they are spelt; keyed, because the log keeps it after the people are erased. */
function fingerprintOf(deps: Deps, { faults, members, loans: lent, receipts }: Book): string | undefined {
  if (faults.length > 0 || deps.secrets === withoutSecrets) return undefined;
  const bare = (rows: readonly { line: number }[]) => rows.map(({ line, ...row }) => row);
  return textHash(deps, canonicalHash([members, lent, receipts].map(bare)));
}

const referenceOf = ({ channel, reference }: BookReceipt) => {
  const key = keyOf(reference);
  return key === null ? undefined : `${channel} ${key}`;
};

/** What is wrong with rows beside other rows, and beside what is here already. */
function faultsOf(book: Book, known: Known, today: ManilaDate): BookFault[] {
  const faults: BookFault[] = [];
  const inFile = (file: BookFault['file']) => {
    const lineOf = new Map<string, number>();
    return {
      add: (line: number, what: string) => void faults.push({ file, line, what }),
      /** The line that has it already. */
      earlier(key: string, line: number) {
        const found = lineOf.get(key);
        if (found === undefined) lineOf.set(key, line);
        return found;
      },
    };
  };
  const isHere = 'is taken over already';

  const members = inFile('members.csv');
  for (const { line, number, phone } of book.members) {
    const twice = members.earlier(`number ${number}`, line);
    if (twice) members.add(line, `number ${number} is in line ${twice} too`);
    else if (known.members.has(number)) members.add(line, `number ${number} ${isHere}`);
    const key = phoneKey(phone);
    const shared = members.earlier(`phone ${key}`, line);
    const holder = known.phones.get(key);
    if (!key.startsWith('+'))
      members.add(line, 'phone: this cannot be a phone number, and members sign in with it');
    else if (shared) members.add(line, `phone: line ${shared} has the same one, and members sign in with it`);
    else if (holder) {
      const { id, status } = holder;
      members.add(
        line,
        `phone: it is that of an account here, number ${id}${status === 'suspended' ? ', which is suspended' : ''}`,
      );
    }
  }

  const lent = inFile('loans.csv');
  for (const { line, number, memberNumber, disbursedOn } of book.loans) {
    const twice = lent.earlier(number, line);
    if (twice) lent.add(line, `number ${number} is in line ${twice} too`);
    else if (known.loans.has(number))
      lent.add(line, `number ${number} ${isHere}, as ${known.loans.get(number)}`);
    if (book.memberNumbers && !book.memberNumbers.has(memberNumber))
      lent.add(line, `memberNumber: members.csv has no number ${memberNumber}`);
    if (disbursedOn > today) lent.add(line, `disbursedOn: ${en.validation.dateInFuture}`);
  }

  const paid = inFile('receipts.csv');
  for (const receipt of book.receipts) {
    const { line, loanNumber, valueDate, channel } = receipt;
    if (book.loanNumbers && !book.loanNumbers.has(loanNumber))
      paid.add(line, `loanNumber: loans.csv has no number ${loanNumber}`);
    if (valueDate > today) paid.add(line, `date: ${en.validation.dateInFuture}`);
    if (channel === 'wallet') paid.add(line, 'channel: nobody had a wallet in the older books');
    const key = referenceOf(receipt);
    const twice = key && paid.earlier(key, line);
    if (twice) paid.add(line, `reference: line ${twice} has the same one, and each counts once`);
    else if (key && known.references.has(key))
      paid.add(line, `reference: a payment on loan ${known.references.get(key)} has the same one`);
  }
  return faults;
}

/** A loan as it is frozen, with what happened to it since, and what is wrong with that. */
function foldLoan(loan: BookLoan, receipts: readonly BookReceipt[], today: ManilaDate) {
  const { amount: amountCentavos, monthlyRate, termMonths, disbursedOn: startDate } = loan;
  const quoted = quoteLoan({ amountCentavos, monthlyRate, termMonths, startDate });
  const quote = {
    ...QuoteReply.parse(viewQuote(quoted)),
    servicing: servicingPolicy,
    disbursedOn: startDate,
  };
  const terms = servicingTerms(quote, startDate);
  const events: LoanEvent[] = [
    { sequence: 1, date: startDate, kind: 'disbursement', channel: 'recorded' },
    ...receipts.map(({ valueDate: date, amount, channel }, index) => ({
      ...{ sequence: index + 2, date, channel, amountCentavos: amount },
      kind: 'receipt' as const,
    })),
  ];
  const faults: BookFault[] = [];
  const add = (file: BookFault['file'], line: number, what: string) => faults.push({ file, line, what });
  const [released] = events;
  const isNothing = released && refusalOf(terms, [], released, today) === 'no_instalment';
  if (isNothing) add('loans.csv', loan.line, `amount: ${en.validation.instalmentNothing}`);
  for (const { line, valueDate } of receipts)
    if (valueDate < startDate) add('receipts.csv', line, `date: ${en.validation.dateBeforeDisbursement}`);
  const fold = foldEvents(terms, isNothing ? [] : events);
  const over = fold.receipts.find(({ credit }) => credit > 0);
  const overLine = over && receipts[over.ofEvent - 2]?.line;
  if (overLine && faults.length === 0)
    add(
      'receipts.csv',
      overLine,
      `amount: loan ${loan.number} is overpaid by ${formatPeso(centavos(fold.credited))} with it`,
    );
  const { account } = standingOn(fold, today);
  return { loan, receipts, quote, fold, account, faults, instalment: quoted.monthlyPaymentCentavos };
}

type Folded = ReturnType<typeof foldLoan>;

function sayTotals({ members, receipts }: Book, folded: readonly Folded[], today: ManilaDate, say: Say) {
  const sum = (amountOf: (one: Folded) => Centavos) =>
    formatPeso(centavos(folded.reduce((total, one) => total + amountOf(one), 0)));
  const open = folded.filter(({ account }) => account.state === 'open' || account.state === 'overdue');
  const paid = formatPeso(centavos(receipts.reduce((total, { amount }) => total + amount, 0)));
  const lines = [
    ['Members', members.length.toLocaleString('en')],
    ['Loans', `${folded.length.toLocaleString('en')}, ${open.length.toLocaleString('en')} of them open`],
    ['Receipts', `${receipts.length.toLocaleString('en')}, together ${paid}`],
    ['Principal out', sum(({ account }) => account.principalLeft)],
    ['Due', sum(({ account }) => account.due)],
    ['Overdue', sum(({ account }) => account.overdue)],
    ['Late charges', sum(({ account }) => account.lateChargesOwed)],
  ];
  say(`As of ${formatManilaDate(today)}:`);
  for (const [name = '', figure] of lines) say(`  ${name.padEnd(14)} ${figure}`);
}

/** From this many on, PostgreSQL checks the foreign keys by their indexes, and goes on as it began. */
const rowsAtATime = 1_000;
const actorId = limits.mainAdminId;

/** All of it by the main admin, in one statement for each table and part. */
async function takeOver(
  deps: Deps,
  tx: Tx,
  { members, loans: lent, receipts, ...rest }: Book,
  folded: readonly Folded[],
  say: Say,
): Promise<void> {
  const total = members.length + lent.length + receipts.length;
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
  const book = fingerprintOf(deps, { members, loans: lent, receipts, ...rest });
  const counts = { members: members.length, loans: lent.length, receipts: receipts.length };
  await putEntries(writing, [{ action: 'book_taken_over', after: { ...counts, book } }]);
}

const barWidth = 30;

const progressBar = (share: number) => `[${'#'.repeat(Math.floor(share * barWidth)).padEnd(barWidth, '.')}]`;

type Writing = { tx: Tx; now: Date };
type Person = { id: number } & Parameters<typeof newAgreement>[2];

async function putMembers({ tx, now }: Writing, members: readonly BookMember[], people: Map<string, Person>) {
  const ids = await drawIds(tx, accounts, members.length);
  const entries: AuditEvent[] = [];
  const rows = members.map(({ line, number: oldNumber, phone, ...profile }, index) => {
    const id = ids[index] ?? 0;
    const { fullName, email = null, address = null } = profile;
    people.set(oldNumber, { id, fullName, phone, email, address });
    const columns = profileColumns(profile);
    const changed = ['phone', 'oldNumber', ...Object.keys(columns)];
    entries.push({ action: 'member_taken_over', on: { account: id }, after: { changed } });
    return {
      ...columns,
      ...{
        id,
        oldNumber,
        phone,
        phoneKey: phoneKey(phone),
        ...derivedColumns({ ...profile, phone, oldNumber }),
      },
      // No password opens an account without a hash.
      ...{ status: 'pending' as const, passwordHash: '' },
      ...{ staffChangedAccessAt: now, createdAt: now, updatedAt: now },
    };
  });
  await insertManySealed(tx, accounts, rows);
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
  const ids = await drawIds(tx, loans, folded.length);
  const numbers = await drawNumbers(tx, `'loan_numbers'`, folded.length);
  const termsIds = await drawIds(tx, loanTerms, folded.length);
  const paymentIds = await drawIds(
    tx,
    payments,
    folded.reduce((sum, { receipts }) => sum + receipts.length, 0),
  );
  const stamps = { createdAt: now, updatedAt: now };
  const entries: AuditEvent[] = [];
  const put = folded.map(({ loan, receipts, quote, fold, instalment: monthlyPaymentCentavos }, index) => {
    const [loanId = 0, number = 0, termsId = 0] = [ids[index], numbers[index], termsIds[index]];
    const { number: oldNumber, amount: amountCentavos, termMonths, monthlyRate, purpose, disbursedOn } = loan;
    const borrower = people.get(loan.memberNumber);
    if (!borrower) throw new Error(`nobody has loan ${oldNumber}`);
    const loanNumber = recordNumber('LN', manilaYear(now), number);
    const accountId = borrower.id;
    const events: LoanEventRow[] = [];
    const append = (event: Omit<NewLoanEvent, 'actorId' | 'createdAt'>) => {
      const last = events.at(-1) ?? { sequence: 0, hash: '' };
      events.push(chainedEvent(loanId, last, { ...event, actorId, createdAt: now }));
    };
    append({ kind: 'disbursement', channel: 'recorded', valueDate: disbursedOn, undoes: 0 });
    const allocations = new Map(fold.receipts.map((receipt) => [receipt.ofEvent, receipt]));
    entries.push({
      action: 'loan_taken_over',
      on: { loan: loanId },
      after: { loanNumber, oldNumber, date: disbursedOn, amount: pesosText(amountCentavos), termMonths },
    });
    const paid = receipts.map(({ amount, channel, reference, valueDate }) => {
      const id = paymentIds.shift() ?? 0;
      append({ kind: 'receipt', channel, valueDate, amountCentavos: amount, paymentId: id });
      const allocation = allocations.get(events.length);
      entries.push({
        action: 'payment_taken_over',
        on: { loan: loanId },
        after: { paymentId: id, amount: pesosText(amount), channel, valueDate },
      });
      return {
        ...{ id, loanId, accountId, amountCentavos: amount, channel, valueDate, ...stamps },
        ...{ reference: reference ?? null, referenceKey: keyOf(reference), format: presentFormat },
        ...{ status: 'confirmed' as const, recordedBy: actorId, confirmedBy: actorId },
        application: allocation && receiptReply.parse(allocation),
      };
    });
    const { stored, instalments: rows } = storedPosition(fold, 1, events);
    const isOver = stored.state === 'settled' || stored.state === 'completed';
    const hash = canonicalHash(quote);
    const agreed = newAgreement(hash, lender, borrower);
    return {
      ...{ events, paid, stored },
      loan: {
        ...{ id: loanId, accountId, loanNumber, oldNumber, amountCentavos, termMonths, purpose, ...stamps },
        ...{ monthlyRateBasisPoints: monthlyRate, monthlyPaymentCentavos },
        status: isOver ? 'completed' : 'active',
      },
      terms: {
        id: termsId,
        loanId,
        version: 1,
        quote,
        hash,
        ...agreed.columns,
        issuedBy: actorId,
        issuedAt: now,
      },
      borrower: { loanId, version: 1, ...agreed.borrower },
      instalments: rows.map(({ number, dueDate, amount, interest, principal, paid, left }) => ({
        ...{ loanId, number, dueDate, amountCentavos: amount, interestCentavos: interest },
        ...{ principalCentavos: principal, paidCentavos: paid, leftCentavos: left },
      })),
    };
  });
  await insertManySealed(
    tx,
    loans,
    put.map(({ loan }) => loan),
  );
  await insertManySealed(
    tx,
    loanTerms,
    put.map(({ terms }) => terms),
  );
  await insertMany(
    tx,
    loanBorrowers,
    put.map(({ borrower }) => borrower),
  );
  await insertManySealed(
    tx,
    payments,
    put.flatMap(({ paid }) => paid),
  );
  await insertMany(
    tx,
    loanEvents,
    put.flatMap(({ events }) => events),
  );
  await insertMany(
    tx,
    loanPositions,
    put.map(({ stored }) => stored),
  );
  noteNewRows(tx, 'loan_positions', ids);
  await insertMany(
    tx,
    instalments,
    put.flatMap(({ instalments: rows }) => rows),
  );
  await putEntries({ tx, now }, entries);
  return entries.length;
}

/** As `audit` writes them. */
const putEntries = ({ tx, now }: Writing, entries: readonly AuditEvent[]) =>
  insertMany(
    tx,
    auditEntries,
    entries.map(({ action, on = {}, after }) => {
      const [[targetType, targetId] = []] = Object.entries(on);
      return { action, actorId, targetType, targetId, after, createdAt: now };
    }),
  );
