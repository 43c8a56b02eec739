import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { importBook } from '#server/books/book-import.ts';
import { accounts, auditEntries, notifications } from '#server/store/schema.ts';
import { cases } from '#tests/domain/worked-cases.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isTorture } from '#tests/setup/torture.ts';
import { auditOf } from './books.ts';
import { disbursedLoan } from './lending.ts';
import { tamper, verify } from './tampering.ts';

const server = await testServer({ engine: 'postgres' });

const example = (file: string) => fs.readFileSync(`docs/import/${file}.csv`, 'utf8');
const examples = {
  members: example('members'),
  loans: example('loans'),
  receipts: example('receipts'),
};
type Files = Partial<Record<keyof typeof examples, string | Buffer | null>>;

let folders = 0;

/** Runs the command on a folder with the example files, some of them changed or, with null, left out. */
async function run(files: Files = {}, words: string[] = []) {
  server.clock.set('2026-11-20T04:00:00.000Z');
  folders += 1;
  const folder = path.join(server.dataDir, `book-${folders}`);
  fs.mkdirSync(folder);
  for (const [name, content] of Object.entries({ ...examples, ...files })) {
    if (content !== null) fs.writeFileSync(path.join(folder, `${name}.csv`), content);
  }
  const lines: string[] = [];
  const isWell = await importBook(server.deps, {
    words: [folder, ...words],
    say: (line) => void lines.push(line),
  });
  return { isWell, lines, faults: lines.filter((line) => /^\w+\.csv/.test(line)) };
}

const takeOver = (files?: Files) => run(files, ['--apply']);

/** An example file with some of its text replaced, or with a line more. */
const changed = (file: keyof typeof examples, from: string, to: string) => {
  expect(examples[file]).toContain(from);
  return { [file]: examples[file].replace(from, to) };
};
const more = (file: keyof typeof examples, line: string) => ({ [file]: `${examples[file]}${line}\n` });

async function listed() {
  const [members, loans, payments] = await Promise.all([
    server.main.listMembers(),
    server.main.listLoans(),
    server.main.listPayments(),
  ]);
  return { members, loans, payments };
}

describe('the example files', () => {
  it('have no fault, and a dry run says what they come to and changes nothing', async () => {
    const { isWell, lines } = await run();
    expect(lines).toEqual([
      'As of 20 Nov 2026:',
      '  Members        2',
      '  Loans          3, 3 of them open',
      '  Receipts       4, together ₱45,833.33',
      '  Principal out  ₱374,016.59',
      '  Due            ₱287,299.99',
      '  Overdue        ₱287,299.99',
      '  Late charges   ₱26,612.31',
      'Nothing was changed. With --apply it is taken over.',
    ]);
    expect(isWell).toBe(true);
    expect(await listed()).toEqual({ members: [], loans: [], payments: [] });
  });

  it('are taken over: members without a password, released loans, payments without receipt numbers', async () => {
    const { isWell } = await takeOver();
    expect(isWell).toBe(true);
    const { members, loans, payments } = await listed();
    expect(
      members.map(({ oldNumber, phone, status, bankAccountNumber }) => ({
        oldNumber,
        phone,
        status,
        bankAccountNumber,
      })),
    ).toEqual([
      { oldNumber: 'SAMPLE-M2', phone: '09000000102', status: 'pending', bankAccountNumber: null },
      {
        oldNumber: 'SAMPLE-M1',
        phone: '0900 000 0101',
        status: 'pending',
        bankAccountNumber: '000011112222',
      },
    ]);
    expect(members[1]).toMatchObject({
      monthlySalary: '25000.00',
      hasIssuedPassword: false,
      balance: '0.00',
    });
    expect(
      loans.map(({ oldNumber, loanNumber, status, amount, interestRate, releasedAt }) => [
        ...[oldNumber, loanNumber, status, amount, interestRate, releasedAt],
      ]),
    ).toEqual([
      ['SAMPLE-L2', 'LN-2026-000003', 'active', '40000.00', 3, null],
      ['SAMPLE-L3', 'LN-2026-000002', 'active', '200000.00', 2.5, null],
      ['SAMPLE-L1', 'LN-2026-000001', 'active', '150000.00', 2.5, null],
    ]);
    expect(
      payments.map(({ receiptNumber, status, valueDate, amount, channel, reference }) => [
        ...[receiptNumber, status, valueDate, amount, channel, reference],
      ]),
    ).toEqual([
      [null, 'confirmed', '2026-03-31', '13333.33', 'bank_transfer', 'SAMPLE 0003'],
      [null, 'confirmed', '2025-12-15', '16250.00', 'cash', null],
      [null, 'confirmed', '2025-11-25', '8250.00', 'gcash', 'SAMPLE 0002'],
      [null, 'confirmed', '2025-11-15', '8000.00', 'gcash', 'SAMPLE 0001'],
    ]);
    const account = await server.main.readLoanAccount(loans[2]?.id ?? 0);
    expect(account.disbursedOn).toBe('2025-09-15');
    expect(account.events.map(({ kind, channel, date }) => [kind, channel, date])[0]).toEqual([
      ...['disbursement', 'recorded', '2025-09-15'],
    ]);
    const contract = await server.main.readLoanContract(loans[2]?.id ?? 0);
    expect(contract).toMatchObject({ version: 1, startDate: '2025-09-15', agreedAt: null });
    const signedIn = await server.visitor.signIn({ phone: '09000000102', password: '' }).answer();
    expect(signedIn.status).not.toBe(200);
    expect((await verify(server.database)).lines.at(-1)).toMatch(/^The books are sound: /);
  });

  it('have the totals of the dry run in portfolio and collections', async () => {
    await takeOver();
    expect(await server.main.readPortfolio()).toMatchObject({
      loans: 3,
      principalOut: '374016.59',
      overdue: { loans: 3, amount: '287299.99' },
    });
    const charges = (await server.main.listCollections()).map(({ lateChargesOwed }) =>
      Number(lateChargesOwed),
    );
    expect(charges.reduce((one, other) => one + other)).toBeCloseTo(26_612.31, 6);
  });

  it('tell nobody, and leave one entry each in the log by the main admin, without personal data', async () => {
    await takeOver();
    const told = await server.database.read((reader) => reader.select().from(notifications));
    expect(told).toEqual([]);
    const entries = await server.database.read((reader) => reader.select().from(auditEntries));
    const own = entries.filter(({ action }) => action.endsWith('_taken_over'));
    expect(own.map(({ action }) => action)).toEqual([
      ...['member_taken_over', 'member_taken_over', 'loan_taken_over', 'payment_taken_over'],
      ...['payment_taken_over', 'payment_taken_over', 'loan_taken_over', 'payment_taken_over'],
      ...['loan_taken_over', 'book_taken_over'],
    ]);
    expect(new Set(own.map(({ actorId }) => actorId))).toEqual(new Set([3]));
    const text = JSON.stringify(own);
    for (const personal of ['Sample Member', '0900', 'SAMPLE 000', 'sample.example', '0000111', 'SAMPLE-M'])
      expect(text).not.toContain(personal);
  });

  it('are found by their old numbers, and in the download of who they are about', async () => {
    await takeOver();
    expect(await server.main.find({ search: 'sample-m2' })).toMatchObject({
      members: [{ fullName: 'Sample Member Two', oldNumber: 'SAMPLE-M2' }],
    });
    expect((await server.main.find({ search: 'Sample-L3' })).loans).toMatchObject([
      { oldNumber: 'SAMPLE-L3' },
    ]);
    expect(await server.main.listLoans({ search: 'sample-l1' })).toMatchObject([{ oldNumber: 'SAMPLE-L1' }]);
    const [member] = await server.main.listMembers({ search: 'SAMPLE-M1' });
    // A change of name keeps what the search reads.
    await server.main.updateMember(member?.id ?? 0, {
      fullName: 'Sample Member First',
      password: 'a password',
    });
    expect(await server.main.listMembers({ search: 'sample-m1' })).toMatchObject([{ id: member?.id }]);
    const token = await server.signIn({ phone: '09000000101', password: 'a password' });
    const own = JSON.parse(
      (await server.as(token).downloadOwnData({ password: 'a password' }).success()).text,
    );
    expect(own.profile.oldNumber).toBe('SAMPLE-M1');
    expect(own.loans.map(({ oldNumber }: { oldNumber: string }) => oldNumber)).toEqual([
      ...['SAMPLE-L1', 'SAMPLE-L2'],
    ]);
    expect(own.payments).toHaveLength(3);
  });

  it('count as taken over on the day of the import, and are collected on none', async () => {
    await takeOver();
    const nothing = { count: 0, amount: '0.00' };
    expect(await server.main.readDay()).toMatchObject({
      collected: [],
      total: '0.00',
      disbursed: nothing,
      refunded: nothing,
      takenOver: { count: 4, amount: '45833.33' },
    });
    expect(await server.main.readDay({ date: '2025-12-15' })).toMatchObject({
      takenOver: nothing,
      total: '0.00',
    });
    expect(await server.main.listPayments({ receivedOn: '2026-11-20' })).toEqual([]);
    const { id } = (await server.main.listLoans({ search: 'sample-l2' }))[0] ?? { id: 0 };
    // The first receipt of its own begins the year's numbers.
    const paid = await server.main.recordPayment(id, { amount: 100, channel: 'cash' });
    expect(paid).toMatchObject({ receiptNumber: 'AR-2026-000001' });
    expect(await server.main.readDay()).toMatchObject({ total: '100.00', takenOver: { count: 4 } });
    expect((await verify(server.database)).isWell).toBe(true);
  });

  it('change nothing a second time, however they are spelt, and say so', async () => {
    await takeOver();
    const before = await auditOf(server.database, 'payment_taken_over');
    const spelt = { loans: examples.loans.replaceAll(',2.5,', ',2.50%,').replaceAll('\n', '\r\n') };
    for (const again of [await takeOver(), await takeOver(spelt), await run()]) {
      expect(again).toEqual({
        isWell: true,
        faults: [],
        lines: ['This book was taken over on 20 Nov 2026, 12:00. Nothing was changed.'],
      });
    }
    expect(await auditOf(server.database, 'payment_taken_over')).toEqual(before);
    const next = await takeOver(more('members', 'SAMPLE-M3,Sample Member Three,0900 000 0103,,,,,,,,'));
    expect(next.faults).toEqual(
      expect.arrayContaining([
        'members.csv, line 2: number SAMPLE-M1 is taken over already.',
        'loans.csv, line 2: number SAMPLE-L1 is taken over already.',
        'receipts.csv, line 2: reference: LN-2026-000001 has the same one, and each counts once.',
      ]),
    );
    expect((await listed()).members).toHaveLength(2);
  });

  it('are taken over once by two imports at the same time', async () => {
    const both = await Promise.all([takeOver(), takeOver()]);
    const again = both.filter(({ lines }) => lines[0]?.startsWith('This book was taken over on '));
    expect([both.map(({ isWell }) => isWell), again.length]).toEqual([[true, true], 1]);
    expect((await listed()).payments).toHaveLength(4);
  });

  // The embedded engine belongs to the import alone.
  it.skipIf(server.engine === 'embedded')(
    'are not taken over beside a registration of the moment',
    async () => {
      let [isInserted, isMet] = [false, false];
      const registering = server.database.transaction(async (tx) => {
        const stamps = { createdAt: server.clock.now(), updatedAt: server.clock.now() };
        const own = { fullName: 'Ana Reyes', phone: '09000000102', phoneKey: '+639000000102' };
        await tx.insert(accounts).values({ ...own, passwordHash: '', ...stamps });
        isInserted = true;
        while (!isMet) await sleep(25);
      });
      while (!isInserted) await sleep(25);
      const taking = takeOver().catch(({ message }: Error) => message);
      const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`;
      while (!isMet)
        isMet = (await server.database.read((reader) => reader.execute(waiting))).rows.length > 0;
      await registering;
      expect(await taking).toBe(
        'Somebody took a phone or a reference of this book meanwhile. Nothing was changed: the next run names it.',
      );
      const { members, loans } = await listed();
      expect([members.length, loans.length]).toEqual([1, 0]);
      expect((await takeOver()).faults).toEqual([
        expect.stringMatching(/^members\.csv, line 3: phone: it is that of an account here, number \d+\.$/),
      ]);
    },
  );

  it('can be reversed, and verify names a payment that counts without a number elsewhere', async () => {
    await takeOver();
    const [payment] = await server.main.listPayments();
    await server.main.updatePayment(payment?.id ?? 0, { status: 'reversed', reason: 'Not on the statement' });
    expect((await verify(server.database)).isWell).toBe(true);
    expect(await server.main.readDay()).toMatchObject({ reversed: { count: 1, amount: '13333.33' } });
    await tamper(server.database, sql`update loans set old_number = null where old_number = 'SAMPLE-L1'`);
    const unnumbered = expect.stringMatching(/^Wrong: payments \d+: it counts without a receipt number\.$/);
    const resealed = expect.stringMatching(/^Wrong: loans 1, .*: it is not as the server wrote it\.$/);
    const { wrong } = await verify(server.database);
    expect(wrong).toEqual(expect.arrayContaining([unnumbered, resealed]));
    expect(wrong).toHaveLength(4);
  });
});

type Fault = [what: string, files: Files, fault: string];

/** In an example file one text stands for another, and this is told of a line of it. */
const faultsIn: Record<keyof typeof examples, [what: string, from: string, to: string, told: string][]> = {
  members: [
    ['a member has the number of another', 'SAMPLE-M2', 'SAMPLE-M1', '3: number SAMPLE-M1 is in line 2 too.'],
    [
      'a member has the phone of another',
      '9000000102',
      '+63 900 000 0101',
      '3: phone: line 2 has the same one.',
    ],
    [
      'a phone is impossible',
      '9000000102',
      '917123456789012345',
      '3: phone: this cannot be a phone number, and members sign in with it.',
    ],
    [
      'the spreadsheet has shortened a number',
      '000011112222',
      '1.11122E+10',
      '2: bankAccountNumber: the spreadsheet has shortened this number. Format the column as text, and enter it again.',
    ],
    [
      'a field is too short',
      '"1 Sample Street, Sample City"',
      'Sample',
      '2: address: Please write it out, in at least 10 letters or digits, or leave it empty.',
    ],
    ['an email is none', 'one@sample.example', 'one at sample', '2: email: Valid email is required.'],
  ],
  loans: [
    [
      'quotes do not close',
      'Sample: tuition',
      '"Sample: tuition',
      '4: the quotes of this line do not close.',
    ],
    [
      'a column is unknown',
      'purpose\n',
      'purpose,firstDue\n',
      '1: there is no column "firstDue"; there are number, memberNumber, amount, termMonths, monthlyRate, disbursedOn, purpose.',
    ],
    ['a column is missing', ',monthlyRate', '', '1: column monthlyRate is missing.'],
    ['a column is there twice', 'purpose\n', 'purpose,purpose\n', '1: column purpose is there twice.'],
    ['a cell is empty', 'SAMPLE-L2,SAMPLE-M1', 'SAMPLE-L2,', '3: memberNumber is empty.'],
    ['a loan has the number of another', 'SAMPLE-L2', 'SAMPLE-L1', '3: number SAMPLE-L1 is in line 2 too.'],
    [
      'a loan has an unknown member',
      ',SAMPLE-M2',
      ',SAMPLE-M9',
      '4: memberNumber: members.csv has no number SAMPLE-M9.',
    ],
    ['a loan has another shape', '40000,6', '40000,61', '3: termMonths: Term must be 6 to 60 months.'],
    ['a term is not whole', '40000,6', '40000,6.5', '3: termMonths: Please give the term in whole months.'],
    [
      'a rate is none',
      '3%',
      'three',
      '3: monthlyRate: Please give the add-on rate in percent a month, such as 2.5.',
    ],
    [
      'an amount is none',
      '40000',
      '"40,00"',
      '3: amount: Amount must be above zero and at most ₱10,000,000.',
    ],
    [
      'instalments would be nothing',
      '40000,6,3%',
      '0.01,60,0',
      '3: amount: These terms would make an instalment of ₱0.00.',
    ],
    ['a release is to come', '01/06/2026', '21/11/2026', '3: disbursedOn: This day is yet to come.'],
    [
      'a release is too long ago',
      '15/09/2025',
      '31/12/1989',
      '2: disbursedOn: Please give a day from 1990 on.',
    ],
    [
      'a day has the month first',
      '15/09/2025',
      '09/15/2025',
      '2: disbursedOn: Please give a day, as 31/12/2026 or 2026-12-31.',
    ],
  ],
  receipts: [
    ['a row has too many cells', ',cash,', ',cash,,x', '4: has 6 cells, and the first line 5.'],
    [
      'a file has days in two forms',
      '2026-03-31',
      '31/03/2026',
      '5: date: days are written in another way in line 2: one way a file.',
    ],
    [
      'a receipt has an unknown loan',
      'SAMPLE-L3',
      'SAMPLE-L9',
      '5: loanNumber: loans.csv has no number SAMPLE-L9.',
    ],
    [
      'a receipt is before its release',
      '2026-03-31',
      '2026-01-30',
      '5: date: This day is before the loan was released.',
    ],
    ['a receipt is to come', '2026-03-31', '2026-11-21', '5: date: This day is yet to come.'],
    [
      'a receipt has no channel of the product',
      ',cash,',
      ',barter,',
      '4: channel: Please give one of cash, bank_transfer, instapay, pesonet, gcash, maya, cheque.',
    ],
    [
      'a receipt is from a wallet',
      ',cash,',
      ',wallet,',
      '4: channel: nobody had a wallet in the older books.',
    ],
    [
      'a transfer has no reference',
      ',cash,',
      ',maya,',
      '4: reference: Please give the reference of the transfer.',
    ],
    [
      'a transfer is more than its channel carries',
      '13333.33,Bank transfer',
      '50000.01,InstaPay',
      '5: amount: InstaPay carries at most ₱50,000 a payment. Use PESONet, or several payments.',
    ],
    [
      'a reference is there twice',
      'SAMPLE 0002',
      'sample-0001',
      '3: reference: line 2 has the same one, and each counts once.',
    ],
  ],
};

const faulty: Fault[] = [
  ['a file is missing', { receipts: null }, 'receipts.csv: is not in the folder.'],
  ['a file is empty', { members: '' }, 'members.csv: is empty.'],
  [
    'a file has another encoding',
    { members: Buffer.from('number,fullName\n1,Pe\xf1a', 'latin1') },
    'members.csv: is not UTF-8: save it from the spreadsheet as "CSV UTF-8".',
  ],
  [
    'a loan is overpaid',
    more('receipts', 'SAMPLE-L3,2026-03-31,300000,cash,'),
    'receipts.csv, line 6: amount: loan SAMPLE-L3 is overpaid by ₱',
  ],
  ...(['members', 'loans', 'receipts'] as const).flatMap((file) =>
    faultsIn[file].map(
      ([what, from, to, told]): Fault => [what, changed(file, from, to), `${file}.csv, line ${told}`],
    ),
  ),
];

describe('a fault is named with its file and line, and nothing is changed, where', () => {
  it.each(faulty)('%s', async (_, files, fault) => {
    const { isWell, lines, faults } = await takeOver(files);
    expect(isWell).toBe(false);
    expect(faults.filter((line) => line.startsWith(fault))).toHaveLength(1);
    expect(faults.filter((line) => line.endsWith('..'))).toEqual([]);
    expect(lines.join('\n')).toMatch(/Nothing was changed: \d+ faults?\. What could be read comes to this:/);
    const entries = await server.database.read((reader) => reader.select().from(auditEntries));
    expect(entries.filter(({ action }) => action.endsWith('_taken_over'))).toEqual([]);
    expect((await listed()).members).toEqual([]);
  });

  it('all days have the month first: it is said once, and the totals are right', async () => {
    const receipts = examples.receipts.replace(/(\d{4})-(\d\d)-(\d\d)/g, '$2/$3/$1');
    const { isWell, lines, faults } = await run({ receipts });
    expect(isWell).toBe(false);
    expect(faults).toEqual([
      'receipts.csv, line 2: date: the days of this file seem to have the month first, as 11/15/2025. Write them as 31/12/2026 or 2026-12-31.',
    ]);
    const totals = (all: string[]) => all.slice(all.findIndex((line) => line.startsWith('As of')));
    expect(totals(lines)).toEqual(expect.arrayContaining(totals((await run()).lines).slice(0, 8)));
  });

  it('no day is after the twelfth: nobody guesses what comes first', async () => {
    const header = 'loanNumber,date,amount,channel,reference\n';
    const row = (day: string) => ({ receipts: `${header}SAMPLE-L3,${day},100,cash,\n` });
    const { isWell, faults } = await takeOver(row('05/08/2026'));
    expect([isWell, faults]).toEqual([
      false,
      [
        'receipts.csv, line 2: date: nobody can tell whether the day or the month comes first in 05/08/2026, since no day of this file is after the twelfth. Write days as 2026-12-31.',
      ],
    ]);
    for (const day of ['08/08/2026', '2026-08-05']) expect((await run(row(day))).faults, day).toEqual([]);
  });

  it.each([
    ['active', 'an account here, number 1001'],
    ['suspended', 'a suspended account here, number 1001'],
  ] as const)('a member who is %s here has the phone', async (status, whose) => {
    const { id } = await server.registerBorrower({ phone: '0900-000-0102' });
    await server.main.updateMember(id, { status });
    const { faults } = await takeOver();
    expect(faults).toEqual([`members.csv, line 3: phone: it is that of ${whose}.`]);
    expect((await listed()).members).toHaveLength(1);
  });

  it('a payment has several of its own', async () => {
    const { faults } = await run(
      more('receipts', 'SAMPLE-L3,2026-02-31,1000,maya,\nSAMPLE-L3,2026-03-32,50000.01,InstaPay,0007'),
    );
    expect(faults).toEqual([
      'receipts.csv, line 6: date: Please give a day, as 31/12/2026 or 2026-12-31.',
      'receipts.csv, line 6: reference: Please give the reference of the transfer.',
      'receipts.csv, line 7: date: Please give a day, as 31/12/2026 or 2026-12-31.',
      'receipts.csv, line 7: amount: InstaPay carries at most ₱50,000 a payment. Use PESONet, or several payments.',
    ]);
  });

  it('several rows have several, in the order of the files', async () => {
    const { faults } = await run({
      ...changed('members', 'Sample Member Two', 'X'),
      ...changed('loans', `"₱150,000.00",12`, '"₱150,000.001",5'),
    });
    expect(faults).toEqual([
      'members.csv, line 3: fullName: Please write it out, in at least 2 letters or digits.',
      'loans.csv, line 2: amount: Please give at most two decimals.',
      'loans.csv, line 2: termMonths: Term must be 6 to 60 months.',
    ]);
  });

  it('a row with a fault of its own has others beside other rows, or before its release', async () => {
    const { lines, faults } = await run({
      members: examples.members.replace('Sample Member One', 'X').replace('SAMPLE-M2', 'SAMPLE-M1'),
      loans: examples.loans
        .replace('Sample: stock for a store', 'X')
        .replace('SAMPLE-L2,SAMPLE-M1,40000,6', 'SAMPLE-L1,SAMPLE-M9,40000,5')
        .replace('31/01/2026', '21/11/2026')
        .replace('24,2.5', '24,'),
      receipts: examples.receipts
        .replace('2025-11-15,"8,000.00"', '2025-09-14,"8,000.001"')
        .replace('2025-11-25', '2025-09-14')
        .replace('SAMPLE 0002', 'sample-0001')
        .replace('16,250.00",cash', '900,000.00",maya')
        .replace('SAMPLE-L3,2026-03-31,13333.33', 'SAMPLE-L9,2026-11-21,0'),
    });
    expect(faults).toEqual([
      'members.csv, line 2: fullName: Please write it out, in at least 2 letters or digits.',
      'members.csv, line 3: number SAMPLE-M1 is in line 2 too.',
      'loans.csv, line 2: purpose: Please write it out, in at least 3 letters or digits.',
      'loans.csv, line 3: termMonths: Term must be 6 to 60 months.',
      'loans.csv, line 3: number SAMPLE-L1 is in line 2 too.',
      'loans.csv, line 3: memberNumber: members.csv has no number SAMPLE-M9.',
      'loans.csv, line 4: monthlyRate is empty.',
      'loans.csv, line 4: memberNumber: members.csv has no number SAMPLE-M2.',
      'loans.csv, line 4: disbursedOn: This day is yet to come.',
      'receipts.csv, line 2: amount: Please give at most two decimals.',
      'receipts.csv, line 2: date: This day is before the loan was released.',
      'receipts.csv, line 3: reference: line 2 has the same one, and each counts once.',
      'receipts.csv, line 3: date: This day is before the loan was released.',
      'receipts.csv, line 4: reference: Please give the reference of the transfer.',
      expect.stringMatching(
        /^receipts\.csv, line 4: amount: loan SAMPLE-L1 is overpaid by ₱[\d,]+\.\d\d with it\.$/,
      ),
      'receipts.csv, line 5: amount: Please give an amount above zero, with at most two decimals.',
      'receipts.csv, line 5: loanNumber: loans.csv has no number SAMPLE-L9.',
      'receipts.csv, line 5: date: This day is yet to come.',
    ]);
    expect(lines).toContain('  Loans          0, 0 of them open');
  });
});

it('a closed member’s phone is free, and what a spreadsheet makes of its cells is read', async () => {
  const closed = await server.registerBorrower({ phone: '09000000102' });
  await server.main.deleteUser(closed.id);
  const { isWell, faults } = await takeOver({
    members: examples.members
      .replace('Sample Member Two', '"=HYPERLINK(""http://example.com"")\nTwo"')
      .replace(',09000000901,', ',9000000901,')
      .replaceAll('\n', '\r\n'),
    loans: examples.loans
      .replace('01/06/2026', '1/6/2026')
      .replaceAll(/"(.*?)"/g, (_, cell: string) => cell.replace(',', '_'))
      .replaceAll(',', ';')
      .replaceAll('_', ','),
    receipts: `${examples.receipts},,,,\r\n\r\n`,
  });
  expect(faults).toEqual([]);
  expect(isWell).toBe(true);
  const { members, loans } = await listed();
  expect(members[0]).toMatchObject({ fullName: '=HYPERLINK("http://example.com")\r\nTwo' });
  expect(members[1]).toMatchObject({ referencePhone: '09000000901' });
  expect(loans.map(({ amount }) => amount)).toEqual(['40000.00', '200000.00', '150000.00']);
  expect((await server.main.readLoanAccount(loans[0]?.id ?? 0)).disbursedOn).toBe('2026-06-01');
});

it('a folder has to be named', async () => {
  const call = (...words: string[]) => importBook(server.deps, { words, say: () => {} });
  await expect(call('--apply')).rejects.toThrow('Usage: npm run books:import -- <folder> [--apply]');
  await expect(call('a', '--force')).rejects.toThrow('Usage: npm run books:import');
});

const worked = cases.filter(({ events }) =>
  events.every(({ kind }, at) => kind === (at ? 'receipt' : 'disbursement')),
);

/** The worked loans that are made of a release and receipts, as the files of an older book. */
const workedBook = {
  members: [
    'number,fullName,phone,email,address,countryOfWork,monthlySalary,referenceName,referencePhone,bankName,bankAccountNumber',
  ]
    .concat(worked.map(({ id }, at) => `${id},Sample Person,0900000020${at},,,,,,,,`))
    .join('\n'),
  loans: ['number,memberNumber,amount,termMonths,monthlyRate,disbursedOn,purpose']
    .concat(
      worked.map(
        ({ id, loan }) => `${id},${id},${loan.amount},${loan.termMonths},2.5,${loan.disbursedOn},As worked`,
      ),
    )
    .join('\n'),
  receipts: ['loanNumber,date,amount,channel,reference']
    .concat(
      worked.flatMap(({ id, events }, at) =>
        events
          .slice(1)
          .map(({ date, amount, channel, seq }) =>
            [id, date, amount, channel, channel === 'cash' ? '' : `Worked ${at} ${seq}`].join(','),
          ),
      ),
    )
    .join('\n'),
};

describe('the worked loans of a release and receipts', () => {
  it('come out figure by figure when they are taken over', async () => {
    expect(worked.length).toBe(6);
    expect((await takeOver(workedBook)).faults).toEqual([]);
    const loans = (await server.main.listLoans()).toReversed();
    for (const [at, { checkpoints }] of worked.entries()) {
      const { id = 0, status } = loans[at] ?? {};
      for (const checkpoint of checkpoints) {
        const { asOf, account, instalments, receipts, settlement } = await server.main.readLoanAccount(id, {
          asOf: checkpoint.asOf,
        });
        expect({ asOf, account, instalments, receipts, ...(settlement && { settlement }) }).toEqual(
          checkpoint,
        );
      }
      const { account, receipts, payments } = await server.main.readLoanAccount(id);
      expect(payments.map(({ application }) => application)).toEqual(expect.arrayContaining(receipts));
      const isOver = account.state === 'settled' || account.state === 'completed';
      expect(status).toBe(isOver ? 'completed' : 'active');
    }
    const today = { from: '2026-11-20', to: '2026-11-20' };
    const booked = (await server.main.readJournal(today)).map(
      ({ kind, account, debit, credit, valueDate }) => ({
        kind,
        account,
        debit,
        credit,
        valueDate,
      }),
    );
    expect(booked).toEqual(
      worked.flatMap(({ events, journal }) =>
        journal.flatMap(({ lines }, at) =>
          lines.map((line) => ({ ...line, kind: events[at]?.kind, valueDate: events[at]?.date })),
        ),
      ),
    );
    expect((await verify(server.database)).isWell).toBe(true);
  });

  it.runIf(isTorture)(
    'are in collections, portfolio and statements what they are when staff type them in',
    async () => {
      const all = async () => {
        const loans = (await server.main.listLoans()).toReversed();
        const collections = [
          await server.main.listCollections(),
          await server.main.listCollections({ asOf: '2026-01-25' }),
        ];
        const own = ({ loanId, loanNumber, userId, fullName, phone, ...rest }: (typeof collections)[0][0]) =>
          rest;
        const statements = await Promise.all(loans.map(({ id }) => server.main.readStatementTable(id)));
        return {
          statuses: loans.map(({ status, account }) => ({ status, account })),
          collections: collections.map((rows) => rows.map(own)),
          portfolio: [
            await server.main.readPortfolio(),
            await server.main.readPortfolio({ asOf: '2026-01-25' }),
          ],
          statements: statements.map(({ text }) => text.replaceAll(/AR-2026-\d+/g, '')),
        };
      };
      server.clock.set('2026-11-20T04:00:00.000Z');
      for (const { loan, events, id } of worked) {
        const { amount, termMonths, disbursedOn: date } = loan;
        const terms = { amount: Number(amount), termMonths, date };
        const made = await disbursedLoan(server, await server.verifiedBorrower(), terms);
        for (const { date: valueDate, amount: paid, channel, seq } of events.slice(1)) {
          const reference = channel === 'cash' ? undefined : `${id} ${seq}`;
          const form = { amount: paid, channel, valueDate, reference } as never;
          const recorded = (await server.main.recordPayment(made.id, form)) as { id: number; status: string };
          if (recorded.status === 'submitted')
            await server.main.updatePayment(recorded.id, { status: 'confirmed' });
        }
      }
      const typed = await all();
      await server.reset();
      await takeOver(workedBook);
      expect(await all()).toEqual(typed);
    },
  );
});

describe('what spreadsheets make of a file', () => {
  const [head = '', other = '', second = ''] = examples.members.trim().split('\n');
  const columns = head.split(',');
  /** The second member with other cells. */
  const member = (cells: Record<string, string>) => {
    const own = second.split(',');
    expect(own).toHaveLength(columns.length);
    return columns.map((name, index) => cells[name] ?? own[index]).join(',');
  };
  const members = (...lines: string[]) => ({ members: `${[head, other, ...lines].join('\n')}\n` });

  it('counts a quoted line break as one line with Windows line ends too', async () => {
    const broken = members(member({ address: '"12 Mabini Street\nCabanatuan\nCity"', phone: '12' })).members;
    const { faults } = await run({ members: broken.replaceAll('\n', '\r\n') });
    expect(faults).toEqual([expect.stringMatching(/^members\.csv, line 5: phone/)]);
  });

  it('reads a formula that keeps a text from becoming a number', async () => {
    const kept = members(member({ bankAccountNumber: '="0012345678"', phone: '"=""09000000102"""' }));
    expect((await takeOver(kept)).faults).toEqual([]);
    const listed = await server.main.listMembers({ search: '09000000102' });
    expect(listed).toMatchObject([{ bankAccountNumber: '0012345678', phone: '09000000102' }]);
  });

  it.each(['#N/A', '#REF!', '#VALUE!', '#NAME?', 'NULL', 'n/a', '-', '—', '?'])(
    'takes %s for no name',
    async (cell) => {
      const { faults } = await run(members(member({ fullName: cell })));
      expect(faults).toContainEqual(
        `members.csv, line 3: fullName: "${cell}" is no value. Correct the cell, or leave it empty.`,
      );
    },
  );

  it('names a rate above ten as one of a year', async () => {
    const { faults } = await run({ loans: examples.loans.replace(/,2\.5%?,/, ',30,') });
    expect(faults.join()).toMatch(/monthlyRate: 30 percent a month looks like the rate of a year/);
  });

  it('lets a column be missing that may be empty, and empty columns and rows follow', async () => {
    const at = columns.indexOf('email');
    const without = [head, member({}), ',,,,,,,,,,']
      .map((line) =>
        line
          .split(',')
          .filter((_, index) => index !== at)
          .join(','),
      )
      .map((line) => `${line},,`)
      .join('\n');
    expect((await run({ members: without, loans: null, receipts: null })).faults.join()).not.toContain(
      'members.csv',
    );
  });

  it.each([
    ['UTF-16', 'utf16le', 'is UTF-16'],
    ['Windows-1252', 'latin1', 'is not UTF-8'],
  ] as const)('names the encoding %s', async (_, encoding, said) => {
    const text = `${encoding === 'utf16le' ? '\uFEFF' : ''}${examples.members.replace('Reyes', 'Peña')}ñ`;
    const { faults } = await run({ members: Buffer.from(text, encoding) });
    expect(faults.join()).toContain(`members.csv: ${said}`);
  });

  it('reads tabs between cells', async () => {
    const file = fs.readFileSync('docs/import/receipts.csv', 'utf8');
    expect((await run({ receipts: file.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gm, '\t') })).faults).toEqual(
      [],
    );
  });

  it.each([
    ['a link to a device', (where: string) => fs.symlinkSync('/dev/zero', where)],
    ['a pipe', (where: string) => execFileSync('mkfifo', [where])],
    ['a folder', (where: string) => fs.mkdirSync(where)],
  ])('reads no file that is %s', async (_, make) => {
    const folder = fs.mkdtempSync(path.join(server.dataDir, 'odd-'));
    fs.writeFileSync(path.join(folder, 'loans.csv'), examples.loans);
    fs.writeFileSync(path.join(folder, 'receipts.csv'), examples.receipts);
    make(path.join(folder, 'members.csv'));
    const lines: string[] = [];
    await importBook(server.deps, { words: [folder], say: (line) => void lines.push(line) });
    expect(lines).toContain('members.csv: is no regular file.');
  });
});
