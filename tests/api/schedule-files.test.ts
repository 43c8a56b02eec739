import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { centavos } from '#domain/money.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { passingServer, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { type CalendarPart, readCalendar, textOf } from './calendar-text.ts';
import { applicant, apply, approvedApplication, borrowerWithLoan, takeOverLoan } from './lending.ts';

const server = await testServer();

type Asked = { lang?: string };

const calendarOf = async ({ token }: Pick<TestBorrower, 'token'>, id: number, query: Asked = {}) => {
  const answer = await server.as(token).readLoanCalendar(id, query);
  return { ...answer, calendar: readCalendar(answer.text) };
};

const tableOf = (token: string, id: number, query: Asked = {}) => server.as(token).readLoanTable(id, query);

const edit = (id: number, body: { amount?: number; termMonths?: number; status?: string }) =>
  server.main.updateLoan(id, body);

const propertyOf = (part: CalendarPart | undefined, name: string) => part?.properties.get(name)?.value;

/** Cells of a table in which every one is quoted. */
const cellsOf = (text: string) =>
  text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.slice(1, -1).split('","'));

describe('the due dates for a calendar', () => {
  it('say of a disbursed loan what is paid, and remind of the rest', async () => {
    server.clock.set('2027-02-01T04:00:00.000Z');
    const { borrower, loan } = await borrowerWithLoan(server, {
      date: '2026-11-20',
      payments: [{ amount: 20_000, channel: 'cash', valueDate: '2027-01-20' }],
    });
    const { calendar } = await calendarOf(borrower, loan.id);
    const shown = calendar.parts.slice(0, 3).map((part) => [textOf(part, 'SUMMARY'), part.parts.length]);
    expect(shown).toEqual([
      ['Loan payment 1 of 12: ₱16,250.00 (Paid)', 0],
      ['Loan payment 2 of 12: ₱16,250.00 (Partly paid)', 1],
      ['Loan payment 3 of 12: ₱16,250.00', 1],
    ]);
    const [first] = calendar.parts;
    expect(first && textOf(first, 'DESCRIPTION')).toContain('from the day of disbursement, 20 Nov 2026.');
    // Higher than in any file before, or calendars would keep what they have.
    expect(propertyOf(first, 'SEQUENCE')).toBe('4');
  });

  it('are all-day entries with a reminder the day before, one for every instalment', async () => {
    const { borrower, loan } = await approvedApplication(server);
    const { headers, calendar } = await calendarOf(borrower, loan.id);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename="LN-2026-000001.ics"',
      'cache-control': 'no-store',
    });
    expect(calendar.name).toBe('VCALENDAR');
    expect(propertyOf(calendar, 'VERSION')).toBe('2.0');
    expect(propertyOf(calendar, 'PRODID')).toBeTruthy();
    expect(calendar.parts.map(({ name }) => name)).toEqual(Array(12).fill('VEVENT'));
    const [first] = calendar.parts;
    if (!first) throw new Error('no entry');
    expect(first.properties.get('DTSTART')).toEqual({ parameters: { VALUE: 'DATE' }, value: '20260510' });
    expect(first.properties.get('DTEND')).toEqual({ parameters: { VALUE: 'DATE' }, value: '20260511' });
    expect(propertyOf(first, 'DTSTAMP')).toBe('20260310T040000Z');
    expect(propertyOf(first, 'SEQUENCE')).toBe('1');
    expect(propertyOf(first, 'STATUS')).toBe('CONFIRMED');
    expect(textOf(first, 'SUMMARY')).toBe('Loan payment 1 of 12: ₱16,250.00');
    expect(textOf(first, 'DESCRIPTION').split('\n')).toEqual([
      'Loan LN-2026-000001',
      'As in contract LN-2026-000001-v1',
      `${sampleLender.name}, ${sampleLender.supportPhone}, ${sampleLender.supportEmail}`,
      expect.stringMatching(
        /^The due dates count from the day of application, 10 Mar 2026, until .* Your contract decides\./,
      ),
    ]);
    // The release dates them anew, so that nobody is reminded of these.
    expect(calendar.parts.flatMap(({ parts }) => parts)).toEqual([]);
    await server.main.disburseLoan(loan.id, { channel: 'wallet' });
    const released = await calendarOf(borrower, loan.id);
    const [alarm, ...more] = released.calendar.parts[0]?.parts ?? [];
    expect(more).toEqual([]);
    if (!alarm) throw new Error('no reminder');
    expect([alarm.name, propertyOf(alarm, 'ACTION')]).toEqual(['VALARM', 'DISPLAY']);
    // Nine in the morning of the day before the entry begins.
    expect(propertyOf(alarm, 'TRIGGER')).toBe('-PT15H');
    expect(textOf(alarm, 'DESCRIPTION')).toBe('Due tomorrow. Loan payment 1 of 12: ₱16,250.00');
    const schedule = await borrower.readLoanSchedule(loan.id);
    expect(calendar.parts.map((event) => propertyOf(event, 'DTSTART'))).toEqual(
      schedule.map(({ dueDate }) => dueDate.replaceAll('-', '')),
    );
  });

  it('keep their ids from version to version, and cancel payments that are gone', async () => {
    const { borrower, loan } = await applicant(server, { termMonths: 12 });
    const before = await calendarOf(borrower, loan.id);
    server.clock.advance({ days: 2 });
    await edit(loan.id, { amount: 300_000, termMonths: 8 });
    const after = await calendarOf(borrower, loan.id);
    const uids = ({ calendar }: typeof before) => calendar.parts.map((event) => textOf(event, 'UID'));
    expect(new Set(uids(before)).size).toBe(12);
    expect(uids(after)).toEqual(uids(before));
    const told = after.calendar.parts.map((event) => [
      propertyOf(event, 'SEQUENCE'),
      propertyOf(event, 'STATUS'),
      event.parts.length,
    ]);
    expect(told.slice(0, 8)).toEqual(Array(8).fill(['2', 'TENTATIVE', 0]));
    expect(told.slice(8)).toEqual(Array(4).fill(['2', 'CANCELLED', 0]));
    expect(after.calendar.parts.map((event) => propertyOf(event, 'DTSTART')).slice(0, 8)).toEqual(
      before.calendar.parts.map((event) => propertyOf(event, 'DTSTART')).slice(0, 8),
    );
    expect(propertyOf(after.calendar.parts[0], 'DTSTAMP')).toBe('20260312T040000Z');
    expect((await calendarOf(borrower, loan.id)).text).toBe(after.text);
  });

  it.each([
    ['pending', 'TENTATIVE'],
    ['active', 'CONFIRMED'],
    ['denied', 'CANCELLED'],
  ])('of a loan that is %s are %s, and remind of nothing', async (status, expected) => {
    const { borrower, loan } = await applicant(server);
    if (status !== 'pending') await edit(loan.id, { status });
    const { calendar } = await calendarOf(borrower, loan.id);
    expect(new Set(calendar.parts.map((event) => propertyOf(event, 'STATUS')))).toEqual(new Set([expected]));
    expect(calendar.parts.flatMap(({ parts }) => parts)).toEqual([]);
  });

  it('of a released loan are certain, in whatever words staff put its status', async () => {
    const { borrower, id } = await approvedApplication(server);
    await server.main.disburseLoan(id, { channel: 'wallet' });
    await edit(id, { status: 'legal action' });
    const { calendar } = await calendarOf(borrower, id);
    for (const event of calendar.parts)
      expect([propertyOf(event, 'STATUS'), event.parts.length]).toEqual(['CONFIRMED', 1]);
    // An earlier version could release a loan in this way.
    const byHand = await server.verifiedBorrower();
    const releasedAt = server.clock.now();
    await takeOverLoan(server, byHand.id, { status: 'approved', releasedAt, releasedCentavos: centavos(1) });
    const [old] = await byHand.listOwnLoans();
    const theirs = await calendarOf(byHand, old?.id ?? 0);
    expect(theirs.calendar.parts[0]?.parts).toHaveLength(1);
  });

  it('are in Filipino when asked for so', async () => {
    const { borrower, loan } = await applicant(server);
    const { calendar, headers } = await calendarOf(borrower, loan.id, { lang: 'fil' });
    const [first] = calendar.parts;
    if (!first) throw new Error('no entry');
    expect(textOf(first, 'SUMMARY')).toBe('Ika-1 sa 12 hulog ng loan: ₱16,250.00');
    expect(first.properties.get('SUMMARY')?.parameters).toEqual({ LANGUAGE: 'fil-PH' });
    expect(headers['content-language']).toBe('fil-PH');
  });

  it('escape and fold whatever a lender is called', async () => {
    const name = `Peña, Sons; and \\ Co. ${'Ñ'.repeat(60)} 陳大文 😀 ${'x'.repeat(90)}`;
    const other = await passingServer({ config: { lender: { ...sampleLender, name } } });
    const borrower = await other.verifiedBorrower();
    const loan = await apply(other, borrower);
    const { text } = await borrower.readLoanCalendar(loan.id);
    const [first] = readCalendar(text).parts;
    if (!first) throw new Error('no entry');
    expect(textOf(first, 'DESCRIPTION')).toContain(`\n${name}, `);
  });
});

describe('the instalments as a table', () => {
  it('have ISO dates, plain decimals and nothing left to pay at the end', async () => {
    const { borrower, loan } = await applicant(server);
    const { bytes, text, headers } = await tableOf(borrower.token, loan.id);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="LN-2026-000001.csv"',
    });
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, ...rows] = cellsOf(text.slice(1));
    expect(head).toEqual(['No.', 'Due date', 'Amount (PHP)', 'Left after it (PHP)', 'Status']);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toEqual(['1', '2026-05-10', '16250.00', '178750.00', 'Pending']);
    expect(rows.at(-1)).toEqual(['12', '2027-04-10', '16250.00', '0.00', 'Pending']);
    const filipino = cellsOf((await tableOf(borrower.token, loan.id, { lang: 'fil' })).text.slice(1));
    expect(filipino[0]).toEqual(['Blg.', 'Due date', 'Halaga (PHP)', 'Matitira (PHP)', 'Status']);
    expect(filipino.slice(1)).toEqual(rows);
  });

  it('name a file safely whatever the loan is called', async () => {
    const borrower = await server.registerBorrower();
    const id = await takeOverLoan(server, borrower.id, { loanNumber: '=1+1"\r\nSet-Cookie: a/..' });
    const { headers } = await tableOf(borrower.token, id);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+\.csv"$/);
    expect(headers['set-cookie']).toBeUndefined();
    const { calendar } = await calendarOf(borrower, id);
    expect(calendar.parts).toHaveLength(12);
    expect(propertyOf(calendar.parts[0], 'SEQUENCE')).toBe('0');
  });
});

describe('both files', () => {
  const rows = [api.readLoanCalendar, api.readLoanTable];

  it('are there for the loan’s borrower and staff only', async () => {
    const { borrower, loan } = await applicant(server);
    const stranger = await server.registerBorrower();
    const admin = await server.createAdmin();
    for (const row of rows) {
      const read = (token: string | undefined, id: number | string) =>
        server.call(row, { token, params: { id } });
      expect((await read(borrower.token, loan.id)).status).toBe(200);
      expect((await read(admin.token, loan.id)).status).toBe(200);
      expect((await read(undefined, loan.id)).status).toBe(401);
      const absent = await read(stranger.token, 999_999);
      expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await read(stranger.token, loan.id)).toMatchObject({ status: 404, text: absent.text });
      expect((await read(borrower.token, 'x')).status).toBe(404);
    }
    await admin.deleteLoan(loan.id);
    for (const row of rows) {
      expect((await server.call(row, { token: borrower.token, params: { id: loan.id } })).status).toBe(404);
    }
  });

  it('refuse an unknown language', async () => {
    const { borrower, loan } = await applicant(server);
    for (const row of rows) {
      for (const lang of ['de', '', 'EN', 'constructor']) {
        const { status, body } = await server.call(row, {
          token: borrower.token,
          params: { id: loan.id },
          query: { lang },
        });
        expect({ lang, status, code: body.code }).toEqual({ lang, status: 400, code: 'validation_failed' });
      }
    }
  });
});
