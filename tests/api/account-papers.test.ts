import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { parsePesos } from '#domain/money.ts';
import { needsReference, type PaymentChannel, paymentChannels } from '#domain/payment.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';
import { passingServer, testServer } from '#tests/setup/test-server.ts';
import { sampleOf } from '#tests/setup/torture.ts';
import { applicant, disbursedLoan as loanSince, releaseLoan } from './lending.ts';

const server = await testServer();

const staff = () => server.signInMainAdmin();
const reason = 'Written in a test';

/** A loan of ₱150,000 for 12 months that was paid out on 15 September 2025, and its borrower. */
async function newLoan(today = '2026-05-20') {
  server.clock.set(new Date(`${today}T04:00:00.000Z`));
  const borrower = await server.verifiedBorrower({ fullName: 'Niña Peñaflor' });
  const { id, loanNumber } = await loanSince(server, borrower, { date: '2025-09-15' });
  return { borrower, id, loanNumber };
}

const disbursedLoan = server.built(newLoan);

async function pay(id: number, valueDate: string, amount: string, fields: object = {}) {
  const body = { amount, valueDate, channel: 'cash', ...fields } as const;
  return (await server.main.recordPayment(id, body)) as { id: number; receiptNumber: string };
}

const reverse = (paymentId: number, valueDate: string) =>
  server.main.updatePayment(paymentId, { status: 'reversed', valueDate, reason });

const act = (id: number, fields: object) => server.main.actOnLoan(id, odd({ reason, ...fields }));

/** A loan with one of everything that can happen to it, seen on 20 May 2026. */
const livedLoan = server.built(async () => {
  const loan = await disbursedLoan();
  const { borrower, id } = loan;
  await server.fund(borrower.id, 10_000);
  const first = await pay(id, '2025-11-15', '16250.00');
  // Half of the second in time, the rest late with its charge.
  await pay(id, '2025-12-15', '8000.00', { channel: 'wallet', reason });
  const late = await pay(id, '2026-01-14', '8500.00');
  const bounced = await pay(id, '2026-02-03', '16250.00');
  await reverse(bounced.id, '2026-02-10');
  await act(id, { kind: 'waiver', amount: '100.00', valueDate: '2026-03-01' });
  await act(id, { kind: 'deferral', months: 2, valueDate: '2026-03-01' });
  await pay(id, '2026-04-20', '40000.00');
  return { ...loan, first, late, bounced };
});

/** Paid off early, and the number of its last receipt. */
const settledLoan = server.built(async () => {
  const { borrower, id, loanNumber } = await disbursedLoan();
  await pay(id, '2026-02-15', '65000.00');
  const { amount } = await borrower.readSettlement(id);
  const last = await pay(id, '2026-05-20', amount, { settlement: true });
  return { borrower, id, loanNumber, last, number: last.receiptNumber };
});

type Asked = { from?: string; to?: string; lang?: string };

/** The lines of a statement as CSV, without its heading: amounts in centavos. */
async function linesOf(id: number, { token }: { token: string }, query: Asked = {}) {
  const { text, headers } = await server.as(token).readStatementTable(id, query);
  const rows = text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  const centavosOf = (cell = '') =>
    cell.startsWith('-')
      ? -(parsePesos(cell.slice(1)) ?? Number.NaN)
      : cell === ''
        ? 0
        : Number(parsePesos(cell));
  const lines = rows
    .slice(1)
    .map(([date, what = '', receipt, charged, credited, interest, principal, late, credit, balance]) => ({
      date,
      what,
      receipt,
      charged: centavosOf(charged),
      credited: centavosOf(credited),
      applied: [interest, principal, late, credit].reduce((sum, cell) => sum + centavosOf(cell), 0),
      balance: centavosOf(balance),
    }));
  return { lines, heading: rows[0], headers };
}

async function leftToPay(id: number, asOf?: string) {
  const { account } = await server.main.readLoanAccount(id, { asOf });
  const debts = [
    account.principalLeft,
    account.interestLeft,
    account.lateChargesOwed,
    account.refundToReturn,
  ];
  return debts.reduce((sum, text) => sum + Number(parsePesos(text)), -Number(parsePesos(account.credit)));
}

const flatTextOf = (bytes: Buffer) => readPdf(bytes).text.replace(/ *\n/g, ' ');

async function download(row: Endpoint, { token }: { token: string }, params: object, query: object = {}) {
  const answer = await server.succeed(row, { token, params, query } as never);
  return { ...answer, text: flatTextOf(answer.bytes) };
}

/** Expects the tags that every paper of the product has, so that it can be read aloud. */
function expectTagged(bytes: Buffer, { language, title }: { language: string; title: string }) {
  const { source, pageCount } = readPdf(bytes);
  expect(pageCount).toBeGreaterThan(0);
  for (const part of [`/Lang (${language})`, '/Marked true', '/DisplayDocTitle true', '/FontFile2']) {
    expect(source).toContain(part);
  }
  expect(source).toContain(`>${title}</rdf:li>`);
  for (const type of ['Document', 'H1', 'H2', 'Table', 'TR', 'TH', 'TD', 'P']) {
    expect(source).toContain(`/S /${type}\n`);
  }
  expect(source).not.toMatch(/\/BaseFont \/(Helvetica|Times|Courier)/);
}

describe('the statement of account', () => {
  it('adds up from its first line to its last, and ends in what the account says', async () => {
    const { borrower, id, bounced } = await livedLoan();
    const { lines, headers } = await linesOf(id, borrower);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="LN-2026-000001-statement-2025-09-15-2026-05-20.csv"',
    });
    let balance = lines[0]?.balance ?? Number.NaN;
    for (const line of lines.slice(1, -1)) {
      balance += line.charged - line.credited;
      expect(line.balance, line.what).toBe(balance);
      if (line.receipt) expect(line.applied, line.what).toBe(line.credited);
    }
    expect(lines.at(-1)).toMatchObject({ date: '2026-05-20', balance });
    expect(balance).toBe(await leftToPay(id));
    expect(lines.map(({ what }) => what.replace(/AR-\d{4}-0*(\d+)/, 'AR $1'))).toEqual([
      'Opening balance',
      'Released: ₱150,000.00. To be paid back with interest',
      'Payment: Cash, AR 1',
      'Payment: From your wallet, AR 2',
      'Late charges up to 14 Jan 2026',
      'Payment: Cash, AR 3',
      'Payment: Cash, AR 4, ₱16,250.00: reversed',
      'Late charges up to 1 Mar 2026',
      'Late charges waived',
      'Unpaid instalments moved by 2 months',
      'Late charges up to 20 Apr 2026',
      'Payment: Cash, AR 5',
      'Closing balance',
    ]);
    expect(lines.find(({ what }) => what.includes('reversed'))).toMatchObject({ charged: 0, credited: 0 });
    expect(bounced.receiptNumber).toBe('AR-2026-000004');
  });

  it('of two halves is the statement of the whole', async () => {
    const { borrower, id } = await livedLoan();
    const first = await linesOf(id, borrower, { to: '2026-02-20' });
    const second = await linesOf(id, borrower, { from: '2026-02-21' });
    expect(first.lines.at(-1)?.balance).toBe(await leftToPay(id, '2026-02-20'));
    expect(second.lines[0]?.balance).toBe(first.lines.at(-1)?.balance);
    expect(second.lines.at(-1)?.balance).toBe(await leftToPay(id));
    // Before the loan nothing is owed, and a day to come is not told.
    const whole = await linesOf(id, borrower, { from: '2025-01-01', to: '2030-12-31' });
    expect(whole.lines[0]).toMatchObject({ date: '2025-01-01', balance: 0 });
    expect(whole.lines.at(-1)).toEqual(second.lines.at(-1));
  });

  it('tells what was overpaid, and what settling early saved', async () => {
    const { borrower, id } = await disbursedLoan();
    await pay(id, '2026-02-15', '65000.00');
    const body = await borrower.readSettlement(id);
    await pay(id, '2026-05-20', String(Number(parsePesos(body.amount)) / 100 + 500), { settlement: true });
    const { lines } = await linesOf(id, borrower);
    const [rebate, refund, end] = lines.slice(-3);
    expect(rebate).toMatchObject({
      what: 'Interest not charged, for settling early',
      credited: Number(parsePesos(body.rebate)),
      balance: -500_00,
    });
    expect(refund).toMatchObject({ what: 'Credit put into the wallet', charged: 500_00, balance: 0 });
    expect(end).toMatchObject({ balance: 0 });
    const paper = await download(api.readStatementPdf, borrower, { id });
    expect(paper.text).toContain('Settles the loan');
    expect(paper.text).toContain('-₱500.00');
  });

  it('says the same on paper, for the eye and read aloud, in both languages', async () => {
    const { borrower, id, loanNumber } = await livedLoan();
    const { lines } = await linesOf(id, borrower);
    const english = await download(api.readStatementPdf, borrower, { id });
    expectTagged(english.bytes, { language: 'en-PH', title: `Statement of Account ${loanNumber}` });
    expect(english.headers['content-disposition']).toBe(
      'inline; filename="LN-2026-000001-statement-2025-09-15-2026-05-20.pdf"',
    );
    for (const { what } of lines) expect(english.text).toContain(what);
    const closing = Number(lines.at(-1)?.balance) / 100;
    const shown = closing.toLocaleString('en', { minimumFractionDigits: 2 });
    expect(english.text).toContain(`Closing balance ₱${shown}`);
    expect(english.text).toContain('Niña Peñaflor');
    const filipino = await download(api.readStatementPdf, borrower, { id }, { lang: 'fil' });
    expectTagged(filipino.bytes, { language: 'fil-PH', title: `Statement of Account ${loanNumber}` });
    expect(filipino.text).toContain(`Panghuling balanse ₱${shown}`);
    expect((await linesOf(id, borrower, { lang: 'fil' })).heading).toContain('Natitira');
  });

  it('goes on over pages with its heading on each', async () => {
    const { borrower, id } = await disbursedLoan();
    for (let day = 10; day < 28; day += 1) {
      await pay(id, `2025-11-${day}`, '101.01');
      await pay(id, `2025-11-${day}`, '202.02');
    }
    const { pageCount, pages } = readPdf((await download(api.readStatementPdf, borrower, { id })).bytes);
    expect(pageCount).toBeGreaterThan(1);
    const withLines = pages.filter((page) => page.includes('Payment: Cash'));
    expect(withLines.length).toBeGreaterThan(1);
    for (const page of withLines) expect(page).toContain('Credited');
  });

  it.each([
    [{ from: 'yesterday' }, 'from'],
    [{ to: '2026-02-30' }, 'to'],
    [{ from: '' }, 'from'],
    [{ from: '2026-03-01', to: '2026-02-28' }, 'to'],
    [{ from: '2099-01-01' }, 'from'],
    [{ to: '2020-01-01' }, 'to'],
  ])('refuses %j', async (query, field) => {
    const { borrower, id } = await disbursedLoan();
    for (const row of [api.readStatementPdf, api.readStatementTable]) {
      const refused = await server.call(row, { token: borrower.token, params: { id }, query });
      expect(refused).toMatchObject({ status: 400, body: { errors: { [field]: expect.any(String) } } });
    }
  });
});

describe('a receipt', () => {
  it('acknowledges what was paid and says what it went to', async () => {
    const { borrower, id, late } = await livedLoan();
    const number = late.receiptNumber;
    const paper = await download(api.readReceiptPdf, borrower, { id, number });
    expectTagged(paper.bytes, { language: 'en-PH', title: `Acknowledgement Receipt ${number}` });
    expect(paper.headers['content-disposition']).toBe(`inline; filename="${number}.pdf"`);
    for (const part of [
      'Acknowledgement Receipt',
      'Amount received',
      '₱8,500.00',
      'Paid on',
      '14 Jan 2026',
      'Received from Niña Peñaflor',
      'Instalment 2 ₱8,250.00',
      'not valid for claim of input tax',
    ])
      expect(paper.text).toContain(part);
    const again = await download(api.readReceiptPdf, borrower, { id, number });
    expect(again.bytes.equals(paper.bytes)).toBe(true);
    const filipino = await download(api.readReceiptPdf, borrower, { id, number }, { lang: 'fil' });
    expect(filipino.text).toContain('Tinanggap mula kay Niña Peñaflor');
    expect(filipino.headers['content-disposition']).toContain(`${number}-fil.pdf`);
  });

  it('says who took it and where, the amount in words, what was left and what came next', async () => {
    const { borrower, id, first, late } = await livedLoan();
    const { text } = await download(api.readReceiptPdf, borrower, { id, number: late.receiptNumber });
    for (const part of [
      'In words Eight thousand five hundred pesos',
      'Received at Hiram Lending Corporation (sample), Gapan branch (sample), Sample Avenue, Gapan City',
      'Taken by Main Admin',
      'After this payment, on 20 May 2026',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Confirmed by');
    const filipino = await download(
      api.readReceiptPdf,
      borrower,
      { id, number: first.receiptNumber },
      { lang: 'fil' },
    );
    for (const part of [
      'Sa salita Labing-anim na libo, dalawang daan at limampung piso',
      'Tinanggap ni Main Admin',
      'Pagkatapos ng bayad na ito, noong 20 May 2026',
    ])
      expect(filipino.text).toContain(part);
  });

  it('says for ever what was left and what came next when it was issued', async () => {
    const { id } = await newLoan('2025-11-26');
    const { receiptNumber: number } = await pay(id, '2025-11-26', '16250.00');
    const paper = async () => download(api.readReceiptPdf, { token: await staff() }, { id, number });
    const issued = await paper();
    for (const part of [
      'After this payment, on 26 Nov 2025',
      'Left to pay ₱178,869.17',
      'of which late charges ₱119.17',
      'Due, with late charges ₱119.17',
      'Next instalment ₱16,250.00 on 15 Dec 2025',
    ])
      expect(issued.text).toContain(part);
    server.clock.set(new Date('2026-05-20T04:00:00.000Z'));
    await pay(id, '2025-11-15', '16250.00');
    expect((await paper()).bytes.equals(issued.bytes)).toBe(true);
  });

  it('names who confirmed it, and is at the lender’s address where it was no cash', async () => {
    const { borrower, id } = await disbursedLoan();
    const other = await server.createAdmin({ fullName: 'Rosa Cruz' });
    const { id: paymentId } = await pay(id, '2025-11-15', '16250.00', {
      channel: 'gcash',
      reference: 'G-1234',
    });
    const confirmed = await other.updatePayment(paymentId, { status: 'confirmed' });
    const { receiptNumber: number } = confirmed as { receiptNumber: string };
    const { text } = await download(api.readReceiptPdf, borrower, { id, number });
    for (const part of ['Recorded by Main Admin', 'Confirmed by Rosa Cruz', '(sample), Sample Street'])
      expect(text).toContain(part);
    // The names are on the paper alone.
    expect(JSON.stringify(await borrower.readLoanAccount(id))).not.toContain('Rosa Cruz');
  });

  it('names no place where cash may have been taken at any of several branches', async () => {
    const branches = ['Gapan', 'Cabanatuan'].map((name) => ({ name, address: `${name} City` }));
    const other = await passingServer({ config: { lender: { ...sampleLender, branches } } });
    const borrower = await other.verifiedBorrower();
    const payments = [{ amount: 1_000, channel: 'cash' as const }];
    const { id } = await loanSince(other, borrower, { date: '2026-03-10', payments });
    const [payment] = (await borrower.readLoanAccount(id)).payments;
    const paper = await borrower.readReceiptPdf(id, payment?.receiptNumber ?? '');
    const text = flatTextOf(paper.bytes);
    expect(text).toContain(`Received at ${sampleLender.name} Taken by`);
  });

  it('from before these were kept prints without them', async () => {
    const { borrower, id, first } = await livedLoan();
    await server.database.transaction((tx) =>
      tx.execute(sql`update payments set application = application - 'issue' where id = ${first.id}`),
    );
    const { text } = await download(api.readReceiptPdf, borrower, { id, number: first.receiptNumber });
    expect(text).toContain('In words Sixteen thousand two hundred fifty pesos');
    expect(text).toContain('Instalment 1 ₱16,250.00');
    for (const part of ['Taken by', 'Received at', 'Left to pay']) expect(text).not.toContain(part);
  });

  it('that was reversed stays, marked', async () => {
    const { borrower, id, bounced, first } = await livedLoan();
    const paper = async (number: string) =>
      (await download(api.readReceiptPdf, borrower, { id, number })).text;
    expect(await paper(bounced.receiptNumber)).toContain('This payment was reversed on 10 Feb 2026.');
    expect(await paper(first.receiptNumber)).not.toContain('reversed on');
  });
});

describe('a receipt that gives interest back', () => {
  /** Paid off within the cooling-off days, when instalments had been paid in advance with their interest. */
  async function takenBackLoan(channel: PaymentChannel) {
    const loan = await disbursedLoan();
    const { borrower, id } = loan;
    await pay(id, '2025-09-16', '110000.00');
    if (channel === 'wallet') await server.fund(borrower.id, 50_000);
    const reference = needsReference(channel) ? { reference: `Paid back ${id}` } : {};
    const paid = await pay(id, '2025-09-17', '40000.00', { channel, settlement: true, reason, ...reference });
    if (needsReference(channel)) {
      await server.main.updatePayment(paid.id, { status: 'confirmed' });
    }
    const body = await borrower.readLoanAccount(id);
    const receipt = body.receipts.at(-1);
    expect(receipt).toMatchObject({ settles: true, interest: expect.stringMatching(/^-/) });
    return { ...loan, number: body.payments[0]?.receiptNumber ?? '', interest: receipt?.interest ?? '' };
  }

  it.each(sampleOf(paymentChannels))('by %s prints in both languages', async (channel) => {
    const { borrower, id, number, interest } = await takenBackLoan(channel);
    const shown = `-₱${interest.slice(1).replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
    const english = await download(api.readReceiptPdf, borrower, { id, number });
    expect(english.text).toContain('Settles the loan ₱40,000.00');
    expect(english.text).toContain(`of which interest, given back ${shown}`);
    const filipino = await download(api.readReceiptPdf, borrower, { id, number }, { lang: 'fil' });
    expect(filipino.text).toContain(`kasama rito: interes na ibinalik ${shown}`);
  });

  it('is a plain number in the statement’s CSV', async () => {
    const { borrower, id, interest } = await takenBackLoan('cash');
    const { text } = await borrower.readStatementTable(id);
    expect(text).toContain(`,"${interest}",`);
    expect(text).not.toContain("'");
    const statement = await download(api.readStatementPdf, borrower, { id });
    expect(statement.text).toContain('interest, given back');
  });
});

describe('the clearance certificate', () => {
  it('is there once nothing is owed, and not before', async () => {
    const open = await disbursedLoan();
    await refused(open.borrower.readClearancePdf(open.id), 409, 'loan_open');
    const { borrower, id, loanNumber, last } = await settledLoan();
    const paper = await download(api.readClearancePdf, borrower, { id });
    expectTagged(paper.bytes, { language: 'en-PH', title: `Clearance Certificate ${loanNumber}` });
    expect(paper.text).toContain(
      `This certifies that Niña Peñaflor has paid loan ${loanNumber} of ₱150,000.00, released on 15 Sep 2025, in full as of 20 May 2026.`,
    );
    expect(paper.text).toContain('Settled early');
    const filipino = await download(api.readClearancePdf, borrower, { id }, { lang: 'fil' });
    expect(filipino.text).toContain('Pinatutunayan nito');
    await reverse(last.id, '2026-05-20');
    await refused(borrower.readClearancePdf(id), 409, 'loan_open');
  });
});

describe('the day on a clearance certificate', () => {
  /**
   * Returns the certificate's day, and the first day from which on the account says that the loan is closed.
   */
  async function closedOn(id: number, days: readonly string[]) {
    const { text } = await download(api.readClearancePdf, { token: await staff() }, { id });
    const states = await Promise.all(
      days.map(async (asOf) => {
        const { account } = await server.main.readLoanAccount(id, { asOf });
        return { asOf, isClosed: ['settled', 'completed'].includes(account.state) };
      }),
    );
    const first = states[states.findLastIndex(({ isClosed }) => !isClosed) + 1];
    return { printed: /Closed on (\d+ \w+ \d+)/.exec(text)?.[1], first: first?.asOf, text };
  }

  it('is that of the waiver, when only that left nothing to pay', async () => {
    const { id } = await newLoan('2026-11-20');
    await pay(id, '2026-10-20', '195000.00');
    const { lateChargesOwed: amount } = (await server.main.readLoanAccount(id)).account;
    await act(id, { kind: 'waiver', amount, valueDate: '2026-10-25' });
    const days = ['2026-10-19', '2026-10-20', '2026-10-24', '2026-10-25', '2026-11-20'];
    expect(await closedOn(id, days)).toMatchObject({ printed: '25 Oct 2026', first: '2026-10-25' });
  });

  it('is that of a late charge paid, and says that the sum includes it', async () => {
    const { id } = await newLoan('2026-11-20');
    await pay(id, '2026-10-20', '195000.00');
    await pay(id, '2026-11-02', (await server.main.readLoanAccount(id)).account.lateChargesOwed);
    const days = ['2026-10-20', '2026-11-01', '2026-11-02', '2026-11-20'];
    const { text, ...closed } = await closedOn(id, days);
    expect(closed).toEqual({ printed: '2 Nov 2026', first: '2026-11-02' });
    expect(text).toMatch(/Paid in all, with late charges ₱2\d\d,/);
  });

  it('is that of the return, when a refund had to come back after it was settled', async () => {
    const { id } = await disbursedLoan();
    await pay(id, '2026-02-15', '65000.00');
    await pay(id, '2026-05-10', (await server.main.readSettlement(id)).amount, { settlement: true });
    const over = await pay(id, '2026-05-12', '500.00');
    await reverse(over.id, '2026-05-13');
    await pay(id, '2026-05-18', '500.00');
    const days = ['2026-05-09', '2026-05-12', '2026-05-14', '2026-05-17', '2026-05-18', '2026-05-20'];
    expect(await closedOn(id, days)).toMatchObject({ printed: '18 May 2026', first: '2026-05-18' });
  });

  it('is an earlier one once a payment of an earlier day is found', async () => {
    const { id } = await newLoan('2026-11-20');
    await pay(id, '2025-11-15', '195000.00', { settlement: false });
    await pay(id, '2026-11-01', '100.00');
    await pay(id, '2025-10-01', '195000.00');
    const days = ['2025-09-30', '2025-10-01', '2025-11-15', '2026-11-01', '2026-11-20'];
    expect(await closedOn(id, days)).toMatchObject({ printed: '1 Oct 2025', first: '2025-10-01' });
  });
});

/** An iCalendar file without the folds of its lines. */
const unfolded = (text: string) => text.replaceAll('\r\n ', '');

describe('after a deferral', () => {
  it('statement, contract, calendar and table name it and have the account’s dates', async () => {
    const { borrower, id } = await newLoan('2026-03-01');
    await pay(id, '2025-11-15', '16250.00');
    await pay(id, '2025-12-15', '16250.00');
    await act(id, { kind: 'deferral', months: 2, valueDate: '2026-01-10' });
    await act(id, { kind: 'deferral', months: 1, valueDate: '2026-02-20' });
    const dueDates = (await borrower.readLoanAccount(id)).instalments.map(({ dueDate }) => dueDate);
    expect([dueDates[1], dueDates[2], dueDates[11]]).toEqual(['2025-12-15', '2026-04-15', '2027-01-15']);
    const note =
      'Deferred on 10 Jan 2026, 20 Feb 2026: unpaid instalments fall due 3 months later than agreed.';

    const statement = await download(api.readStatementPdf, borrower, { id });
    for (const part of [
      note,
      'Unpaid instalments moved by 1 month',
      'Next instalment ₱16,250.00 on 15 Apr 2026',
      'Last instalment ₱16,250.00 on 15 Jan 2027',
    ])
      expect(statement.text).toContain(part);

    const contract = await download(api.readLoanContractPdf, borrower, { id });
    expect(contract.text).toContain(note);
    // The third as it was agreed, and as it is due now; what was paid before has not moved.
    expect(contract.text).toContain('3 15 Jan 2026 ₱16,250.00');
    expect(contract.text).toContain('Due dates after the deferral');
    expect(contract.text).toContain('3 15 Apr 2026 ₱16,250.00');
    expect(contract.text.match(/15 Dec 2025/g)).toHaveLength(1);
    const filipino = await download(api.readLoanContractPdf, borrower, { id }, { lang: 'fil' });
    expect(filipino.text).toContain('Iniurong nang tatlong buwan');
    const first = await download(api.readLoanContractPdf, borrower, { id }, { version: '1' });
    expect(first.text).not.toContain('Deferred');
    const shown = await borrower.readLoanContract(id);
    expect(shown.deferral?.dueDates.slice(0, 2)).toEqual([
      { number: 3, dueDate: '2026-04-15', amount: '16250.00' },
      { number: 4, dueDate: '2026-05-15', amount: '16250.00' },
    ]);
    expect(shown.deferral?.months).toBe(3);

    const table = await borrower.readLoanTable(id);
    for (const date of dueDates) expect(table.text).toContain(`"${date}"`);
    const calendar = await borrower.readLoanCalendar(id);
    for (const date of dueDates) expect(calendar.text).toContain(date.replaceAll('-', ''));
    expect(unfolded(calendar.text)).toContain('unpaid instalments fall due 3 months later');
  });

  it('that was taken back they are as agreed', async () => {
    const { borrower, id } = await newLoan('2026-03-01');
    await act(id, { kind: 'deferral', months: 2, valueDate: '2025-12-01' });
    await act(id, { kind: 'reversal', reverses: 2 });
    for (const row of [api.readStatementPdf, api.readLoanContractPdf]) {
      expect((await download(row, borrower, { id })).text).not.toMatch(/Deferred|after the deferral/);
    }
  });
});

describe('after a cancelled release', () => {
  it('nothing is due on any paper', async () => {
    server.clock.set(new Date('2026-05-20T04:00:00.000Z'));
    const { borrower, id } = await applicant(server);
    await releaseLoan(server, { id });
    await server.main.cancelDisbursement(id, { reason });

    const statement = await download(api.readStatementPdf, borrower, { id });
    for (const part of ['cancelled on 20 May 2026: nothing is due', 'Closing balance ₱0.00', 'Due ₱0.00'])
      expect(statement.text).toContain(part);
    expect(statement.text).not.toMatch(/Next instalment|Settles/);
    for (const lang of ['en', 'fil']) {
      const contract = await download(api.readLoanContractPdf, borrower, { id }, { lang });
      expect(contract.text).toMatch(/The release was cancelled on 20 May 2026|Kinansela ang release noong/);
      // Among the terms, and not once more under the schedule.
      expect(contract.text.match(/The due dates count from|Binibilang ang mga petsa/g)).toHaveLength(1);
    }
    const table = await borrower.readLoanTable(id);
    const rows = table.text.trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(12);
    for (const row of rows) expect(row).toMatch(/^"\d+","[\d-]+","0\.00","0\.00","Release cancelled"$/);
    const calendar = await borrower.readLoanCalendar(id);
    expect(calendar.text.match(/STATUS:CANCELLED/g)).toHaveLength(12);
    expect(calendar.text).not.toMatch(/STATUS:CONFIRMED|VALARM/);

    // Released again, they are due.
    await server.main.disburseLoan(id, { channel: 'wallet' });
    const again = await borrower.readLoanTable(id);
    expect(again.text).toContain('"16250.00","178750.00","Pending"');
    const contract = await download(api.readLoanContractPdf, borrower, { id });
    expect(contract.text).not.toContain('cancelled');
  });
});

describe('the papers of a disbursed loan', () => {
  const papers: [string, Endpoint][] = [
    ['statement.pdf', api.readStatementPdf],
    ['statement.csv', api.readStatementTable],
    ['receipt', api.readReceiptPdf],
    ['clearance', api.readClearancePdf],
  ];

  it.each(papers)('are for the borrower and staff only: %s', async (_, row) => {
    const { borrower, id, number } = await settledLoan();
    const other = await newLoan();
    await pay(other.id, '2026-02-15', '100.00');
    const params = { id, number };
    const read = (token: string | undefined, of: object = params) =>
      server.call(row, { ...(token && { token }), params: of } as never);
    expect((await read(undefined)).status).toBe(401);
    expect((await read(other.borrower.token)).status).toBe(404);
    expect((await read(borrower.token, { id: 999_999, number })).status).toBe(404);
    expect((await read(borrower.token)).status).toBe(200);
    expect((await read(await staff())).status).toBe(200);
    const unknown = await read(borrower.token, { id, number: 'AR-2026-999999' });
    expect(unknown.status).toBe(row === api.readReceiptPdf ? 404 : 200);
    const german = await server.call(row, { token: borrower.token, params, query: { lang: 'de' } } as never);
    expect(german).toMatchObject({ status: 400, body: { errors: { lang: expect.any(String) } } });
  });

  it.each(papers)('are not there for a loan that nothing was paid out on: %s', async (_, row) => {
    const { borrower, id } = await applicant(server);
    const params = { id, number: 'AR-2026-000001' };
    const refused = await server.call(row, { token: borrower.token, params } as never);
    expect(refused).toMatchObject({ status: 409, body: { code: 'not_disbursed' } });
  });
});
