import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { servicingPolicy } from '#contract/contract-terms.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { verifyBooks } from '#server/books/verify-run.ts';
import { ledgerEntries, loanEvents } from '#server/store/schema.ts';
import { type CaseEvent, cases } from '#tests/domain/worked-cases.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { pastTriggers } from '#tests/setup/test-database.ts';
import { type TestAdmin, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { isTorture, sampleOf } from '#tests/setup/torture.ts';
import { auditOf, expectSoundBooks } from './books.ts';
import {
  applicant,
  approvedApplication,
  creditAsEarlierVersions,
  takeOverLoan,
  termsOf,
  withdraw,
} from './lending.ts';

const server = await testServer();

const many = isTorture ? 50 : 20;

const noonOf = (date: string) => `${date}T04:00:00.000Z`;

/** An approved loan, applied for and agreed to today. */
const approvedLoan = server.built((fields: { amount?: number; termMonths?: number } = {}) =>
  approvedApplication(server, fields),
);

/** The same, released by hand on a day. */
const openLoan = server.built(async (date = '2026-01-10') => {
  const { borrower, loan } = await approvedLoan();
  await disburse(loan.id, { channel: 'recorded', date });
  return { borrower, id: loan.id };
});

const lateLoan = () => openLoan('2025-11-10');

/** Whatever a change answers: what was done, what waits, or why not. */
type Answer = {
  status: number;
  body: Partial<Payment> & Partial<LoanAccount> & { approval?: object } & Partial<ErrorBody>;
};

/** How a change was refused: with which code, or over which fields. */
const refusalOf = ({ status, body }: Answer) => [
  status,
  status === 400 ? Object.keys(body.errors ?? {}).join() : body.code,
];

const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status).sort();

const disburse = (
  id: number,
  anyBody: object,
  who: Caller = server.main,
  headers: Record<string, string> = {},
) => who.disburseLoan(id, odd(anyBody), { headers }).answer() as Promise<Answer>;

const pay = (id: number, anyBody: object, who: Caller = server.main, headers: Record<string, string> = {}) =>
  who.recordPayment(id, odd(anyBody), { headers }).answer() as Promise<Answer>;

const change = (id: number, anyBody: object, who: Caller = server.main) =>
  who.updatePayment(id, odd(anyBody)).answer() as Promise<Answer>;

const act = (id: number, anyBody: object, who: Caller = server.main) =>
  who.actOnLoan(id, odd(anyBody)).answer() as Promise<Answer>;

const accountOf = (id: number, asOf?: string, who: Caller = server.main) => who.readLoanAccount(id, { asOf });

const noticesOf = ({ token }: TestBorrower) => server.as(token).listNotifications();

/** Reads from the database what the loan's events moved in the wallet. */
async function walletOf(loanId: number) {
  const rows = await server.database.read((reader) =>
    reader
      .select({ entry: ledgerEntries, sequence: loanEvents.sequence })
      .from(ledgerEntries)
      .innerJoin(loanEvents, eq(loanEvents.id, ledgerEntries.loanEventId))
      .where(eq(loanEvents.loanId, loanId))
      .orderBy(asc(ledgerEntries.id)),
  );
  return rows.map(({ entry, sequence }) => ({
    type: entry.type,
    amount: pesosText(centavos(entry.amountCentavos)),
    balanceAfter: pesosText(centavos(entry.balanceAfterCentavos)),
    ofEvent: sequence,
  }));
}

const languages = ['en', 'fil'] as const;

/** Every receipt prints, reversed ones too: in both languages in turn, or each in both in the long run. */
async function expectPrinted(id: number): Promise<void> {
  const { payments } = await accountOf(id);
  for (const [index, { receiptNumber: number }] of payments.entries()) {
    for (const lang of isTorture ? languages : languages.slice(index % 2, (index % 2) + 1)) {
      const { text } = await server.main.readReceiptPdf(id, number ?? '', { lang });
      expect(text).toMatch(/^%PDF-/);
    }
  }
}

describe.each(sampleOf(cases))(
  'the worked loan $id: $title',
  ({ loan: worked, events, checkpoints, walletLedger }) => {
    it('comes out figure by figure', async () => {
      const channel = events[0]?.channel ?? '';
      // The wallet takes money on the day it is done, but books taken over are typed in long after.
      server.clock.set(noonOf(channel === 'wallet' ? worked.disbursedOn : '2026-11-20'));
      const { loan } = await approvedLoan({ amount: Number(worked.amount), termMonths: worked.termMonths });
      const paymentOf = new Map<CaseEvent['seq'], number>();
      const happen = async ({
        seq,
        kind,
        date,
        amount,
        months,
        channel: by,
        settlement,
        reverses,
      }: CaseEvent) => {
        if (channel === 'wallet') server.clock.set(noonOf(date));
        const valueDate = channel === 'wallet' ? undefined : date;
        const reason = 'As the worked loan has it';
        if (kind === 'disbursement') {
          expect(await disburse(loan.id, { channel: by, date: valueDate })).toMatchObject({ status: 201 });
        } else if (kind === 'receipt') {
          const reference = by === 'cash' ? undefined : `Loan ${loan.id}, no. ${seq}`;
          const { status, body } = await pay(loan.id, {
            amount,
            channel: by,
            valueDate,
            settlement,
            reference,
          });
          expect(status).toBe(201);
          paymentOf.set(seq, Number(body.id));
          if (body.status === 'submitted') {
            expect(await change(Number(body.id), { status: 'confirmed' })).toMatchObject({ status: 200 });
          }
        } else if (kind === 'reversal') {
          const id = paymentOf.get(reverses ?? '') ?? 0;
          expect(await change(id, { status: 'reversed', valueDate, reason })).toMatchObject({ status: 200 });
        } else if (kind === 'cancellation') {
          await server.main.cancelDisbursement(loan.id, { reason: 'The borrower changed their mind' });
        } else {
          expect(await act(loan.id, { kind, valueDate, months, amount, reason })).toMatchObject({
            status: 201,
          });
        }
      };
      const label = <Item extends { ofEvent: number }>(item: Item) => ({
        ...item,
        ofEvent: events[item.ofEvent - 1]?.seq,
      });
      const due = [...checkpoints];
      const look = async (before?: string) => {
        while (due[0] && (before === undefined || due[0].asOf < before)) {
          const checkpoint = due.shift();
          const seen = await accountOf(loan.id, checkpoint?.asOf);
          const { asOf, account, instalments, receipts, settlement } = seen;
          const shown = { asOf, account, instalments, receipts: receipts.map(label) };
          expect({ ...shown, ...(settlement && { settlement }) }).toEqual(checkpoint);
        }
      };
      for (const [index, event] of events.entries()) {
        // A look sees a day as it was known then: later events are not recorded yet. Back-dated
        // ones come after later days.
        if (events.slice(0, index).every(({ date }) => date <= event.date)) await look(event.date);
        if (!event.auto) await happen(event);
      }
      await look();
      expect(await walletOf(loan.id)).toEqual(
        walletLedger.map((entry) => ({
          ...entry,
          ofEvent: events.findIndex(({ seq }) => seq === entry.ofEvent) + 1,
        })),
      );
      await expectPrinted(loan.id);
      await expectSoundBooks(server.database);
    });
  },
);

describe('a disbursement', () => {
  it('puts the money into the wallet once, sets the loan active and dates its contract anew', async () => {
    const { borrower, loan } = await approvedLoan();
    server.clock.advance({ days: 20 });
    const { status, body } = await disburse(loan.id, { channel: 'wallet' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      disbursedOn: '2026-03-30',
      account: { state: 'open', principalLeft: '150000.00', nextDueDate: '2026-05-30' },
    });
    const terms = await termsOf(server, loan.id);
    expect(terms.map(({ quote }) => quote.servicing)).toEqual([
      undefined,
      {
        lateChargeRate: 2,
        graceDays: 10,
        lateChargeCapPercent: 24,
        coolingOffDays: 3,
        settlementMethod: 'present_value',
      },
    ]);
    const [own] = await borrower.listOwnLoans();
    expect(own).toMatchObject({ status: 'active', releasedAmount: '150000.00' });
    expect(own?.dueDates[0]).toBe('2026-05-30');
    const profile = await borrower.readProfile();
    expect(profile.balance).toBe('150000.00');
    expect((await noticesOf(borrower))[0]).toMatchObject({ type: 'loan_disbursed' });
    const contract = await borrower.readLoanContract(loan.id);
    expect(contract).toMatchObject({
      version: 2,
      startDate: '2026-03-30',
      agreedAt: '2026-03-10T04:00:00.000Z',
    });
    expect(contract.versions[1]).toMatchObject({ version: 1, agreedAt: '2026-03-10T04:00:00.000Z' });
    const rows = await borrower.readLoanSchedule(loan.id);
    expect(rows[0]).toEqual({ number: 1, dueDate: '2026-05-30', amount: '16250.00', status: 'pending' });
    expect(refusalOf(await disburse(loan.id, { channel: 'direct', reference: 'B-1' }))).toEqual([
      409,
      'already_disbursed',
    ]);
  });

  it('is one of many that arrive at the same moment', async () => {
    const { loan } = await approvedLoan();
    const answers = await atOnce(many, () => disburse(loan.id, { channel: 'wallet' }));
    expect(statusesOf(answers).slice(0, 2)).toEqual([201, 409]);
    expect(await walletOf(loan.id)).toHaveLength(1);
    await expectSoundBooks(server.database);
  });

  it.each([
    ['without a channel', {}, 'channel'],
    ['by a channel nobody knows', { channel: 'pigeon' }, 'channel'],
    ['directly without a reference', { channel: 'direct' }, 'reference'],
    ['into the wallet on another day', { channel: 'wallet', date: '2026-03-09' }, 'date'],
    ['tomorrow', { channel: 'recorded', date: '2026-03-11' }, 'date'],
    ['on a day that is none', { channel: 'recorded', date: '2026-02-30' }, 'date'],
  ])('is refused %s', async (_, form, field) => {
    const { loan } = await approvedLoan();
    expect(refusalOf(await disburse(loan.id, form))).toEqual([400, field]);
    expect((await accountOf(loan.id)).account.state).toBe('not_disbursed');
  });

  it('is only of an approved loan whose newest terms the borrower agreed to', async () => {
    const { loan: pending } = await applicant(server);
    expect((await disburse(pending.id, { channel: 'wallet' })).body.code).toBe('loan_not_approved');
    await server.main.updateLoan(pending.id, { status: 'approved', amount: 200_000 });
    expect((await disburse(pending.id, { channel: 'wallet' })).body.code).toBe('terms_not_agreed');
    expect((await disburse(9_999, { channel: 'wallet' })).status).toBe(404);
  });

  it('is recorded, not paid again, where an earlier version put the money into the wallet by hand', async () => {
    const { borrower, loan } = await approvedLoan();
    await creditAsEarlierVersions(server, borrower.id);
    const direct = { channel: 'direct', reference: 'CHK 1' } as const;
    for (const body of [{ channel: 'wallet' } as const, direct]) {
      expect((await disburse(loan.id, body)).body.code).toBe('already_credited');
    }
    await server.main.updateMember(borrower.id, { balance: 0 });
    await refused(server.main.deleteUser(borrower.id), 409, 'member_not_settled');
    expect((await disburse(loan.id, { channel: 'recorded' })).status).toBe(201);
    expect(await walletOf(loan.id)).toEqual([]);
  });

  it('takes over a loan of other books with the instalment that it has there', async () => {
    const borrower = await server.registerBorrower();
    const id = await takeOverLoan(server, borrower.id, { status: 'active' });
    expect((await disburse(id, { channel: 'recorded', date: '2026-01-15' })).status).toBe(201);
    const { account, instalments } = await accountOf(id);
    expect(account).toMatchObject({ state: 'open', principalLeft: '120000.00' });
    expect(instalments[0]).toMatchObject({ amount: '10600.00', dueDate: '2026-03-15' });
    expect(instalments.reduce((sum, { principal }) => sum + Number(principal), 0)).toBeCloseTo(120_000, 2);
  });

  it('is taken back while the wallet holds all of it, and the loan can be disbursed again', async () => {
    const { borrower, loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'wallet' });
    const cancel = () => server.main.cancelDisbursement(loan.id, { reason: 'The wrong account' });
    expect((await cancel()).account.state).toBe('cancelled');
    await refused(cancel(), 409, 'not_disbursed');
    expect((await disburse(loan.id, { channel: 'wallet' })).status).toBe(201);
    await withdraw(server, borrower, 2_000);
    await refused(cancel(), 409, 'already_withdrawn');
    await expectSoundBooks(server.database);
  });
});

describe('a payment', () => {
  it('in cash counts at once and has a receipt, which the borrower is told of', async () => {
    const { borrower, id } = await openLoan();
    const { status, body } = await pay(id, { amount: '16250.00', channel: 'cash', valueDate: '2026-03-10' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'confirmed', receiptNumber: 'AR-2026-000001' });
    expect((await accountOf(id)).instalments[0]).toMatchObject({ status: 'paid', left: '0.00' });
    const rows = await borrower.readLoanSchedule(id);
    expect(rows.slice(0, 2).map(({ status }) => status)).toEqual(['paid', 'pending']);
    const table = await borrower.readLoanTable(id, { lang: 'fil' });
    expect(table.text).toContain('Bayad na');
    expect((await noticesOf(borrower))[0]).toMatchObject({ type: 'payment_received' });
  });

  it('by another channel waits until it is confirmed, and never counts once rejected', async () => {
    const { borrower, id } = await openLoan();
    const { body: first } = await pay(id, { amount: 5_000, channel: 'gcash', reference: '0012 345' });
    expect(first.status).toBe('submitted');
    expect((await accountOf(id)).receipts).toEqual([]);
    expect(refusalOf(await pay(id, { amount: 6_000, channel: 'gcash', reference: '0012-345' }))).toEqual([
      409,
      'payment_known',
    ]);
    expect((await change(Number(first.id), { status: 'rejected' })).status).toBe(400);
    const rejected = await change(Number(first.id), { status: 'rejected', reason: 'Not on the statement' });
    expect(rejected.body.status).toBe('rejected');
    expect((await change(Number(first.id), { status: 'confirmed' })).body.code).toBe('payment_final');
    expect((await noticesOf(borrower))[0]).toMatchObject({ type: 'payment_rejected' });
    const again = await pay(id, { amount: 5_000, channel: 'gcash', reference: '0012 345' });
    expect(again.status).toBe(201);
    const confirmed = await change(Number(again.body.id), { status: 'confirmed', valueDate: '2026-03-09' });
    expect(confirmed.body).toMatchObject({ status: 'confirmed', valueDate: '2026-03-09' });
    expect((await accountOf(id)).receipts).toMatchObject([{ date: '2026-03-09', amount: '5000.00' }]);
  });

  it('from the wallet takes the money out of it, and no more than there is', async () => {
    const { borrower, id } = await openLoan();
    await server.fund(borrower.id, 20_000);
    const reason = 'The borrower asked at the counter';
    expect((await pay(id, { amount: 16_250, channel: 'wallet' })).body.errors).toHaveProperty('reason');
    expect((await pay(id, { amount: 16_250, channel: 'wallet', reason })).status).toBe(201);
    expect(refusalOf(await pay(id, { amount: 16_250, channel: 'wallet', reason }))).toEqual([
      409,
      'insufficient_funds',
    ]);
    const [payment] = (await accountOf(id)).payments;
    expect(await change(Number(payment?.id), { status: 'reversed', reason: 'A mistake' })).toMatchObject({
      status: 200,
      body: { status: 'reversed', receiptNumber: 'AR-2026-000001' },
    });
    expect((await change(Number(payment?.id), { status: 'reversed', reason: 'Again' })).body.code).toBe(
      'already_reversed',
    );
    expect((await walletOf(id)).map(({ type, amount }) => [type, amount])).toEqual([
      ['loan_payment', '-16250.00'],
      ['loan_payment_reversal', '16250.00'],
    ]);
    await expectSoundBooks(server.database);
  });

  it('of more than is owed leaves credit, which reaches the wallet in the same moment', async () => {
    const { borrower, id } = await openLoan();
    const { account } = await accountOf(id);
    const body = await borrower.readSettlement(id);
    expect(Number(body.amount)).toBeLessThan(Number(account.principalLeft) + Number(account.interestLeft));
    await pay(id, { amount: Number(body.amount) + 500, channel: 'cash' });
    const after = await accountOf(id);
    expect(after.account).toMatchObject({ state: 'settled', credit: '0.00', dueNow: '0.00' });
    expect(await walletOf(id)).toMatchObject([{ type: 'loan_refund', amount: '500.00' }]);
    const [loan] = await borrower.listOwnLoans();
    expect(loan?.status).toBe('completed');
    await refused(borrower.readSettlement(id), 409, 'loan_closed');
    // Whatever comes later is all credit.
    await pay(id, { amount: 100, channel: 'cash' });
    expect(await walletOf(id)).toHaveLength(2);
    await expectSoundBooks(server.database);
  });

  it.each([
    ['nothing', { amount: 0 }, 'amount'],
    ['less than nothing', { amount: -1 }, 'amount'],
    ['more than there is money', { amount: '1000000000001' }, 'amount'],
    ['a fraction of a centavo', { amount: '1.005' }, 'amount'],
    ['a day before the disbursement', { valueDate: '2026-01-09' }, 'valueDate'],
    ['tomorrow', { valueDate: '2026-03-11' }, 'valueDate'],
    ['a channel nobody knows', { channel: 'pigeon' }, 'channel'],
    ['a channel of the provider’s own', { channel: 'provider' }, 'channel'],
  ])('of %s is refused', async (_, broken, field) => {
    const { id } = await openLoan();
    expect(refusalOf(await pay(id, { amount: 1_000, channel: 'cash', ...broken }))).toEqual([400, field]);
    expect((await accountOf(id)).payments).toEqual([]);
  });

  it('is refused on a loan that is not disbursed, or not any more', async () => {
    const { loan } = await approvedLoan();
    const refused = async () => (await pay(loan.id, { amount: 1_000, channel: 'cash' })).body.code;
    expect(await refused()).toBe('not_disbursed');
    await disburse(loan.id, { channel: 'wallet' });
    await server.main.cancelDisbursement(loan.id, { reason: 'The wrong account' });
    expect(await refused()).toBe('not_disbursed');
  });

  it('is one of many with the same reference, and each of many without', async () => {
    const { id } = await openLoan();
    const same = await atOnce(many, () => pay(id, { amount: 1_000, channel: 'cash', reference: 'OR 77' }));
    expect(statusesOf(same).slice(0, 2)).toEqual([201, 409]);
    await atOnce(many, () => pay(id, { amount: 100, channel: 'cash' }));
    const { receipts, payments } = await accountOf(id);
    expect(receipts).toHaveLength(many + 1);
    expect(payments.map(({ receiptNumber }) => receiptNumber).sort()).toEqual(
      Array.from({ length: many + 1 }, (_, index) => `AR-2026-${String(index + 1).padStart(6, '0')}`),
    );
    expect(receipts.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(1_000 + 100 * many);
  });

  it('is booked once for one key, however often it is sent', async () => {
    const { id } = await openLoan();
    const headers = { 'idempotency-key': 'the-same' };
    const send = () => pay(id, { amount: 1_000, channel: 'cash' }, server.main, headers);
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect((await accountOf(id)).payments).toHaveLength(1);
  });
});

describe('what staff do to a loan', () => {
  const reason = 'The borrower lost their work';

  it('waives at most the late charge that is owed', async () => {
    const { borrower, id } = await lateLoan();
    const { account } = await accountOf(id);
    expect(Number(account.lateChargesOwed)).toBeGreaterThan(0);
    expect(refusalOf(await act(id, { kind: 'waiver', amount: 100_000, reason }))).toEqual([400, 'amount']);
    const { body } = await act(id, { kind: 'waiver', amount: account.lateChargesOwed, reason });
    expect(body.account).toMatchObject({
      lateChargesOwed: '0.00',
      lateChargesWaived: account.lateChargesOwed,
    });
    expect((await noticesOf(borrower))[0]).toMatchObject({ type: 'late_charge_waived' });
    const waiver = body.events?.find(({ kind }) => kind === 'waiver');
    const back = await act(id, { kind: 'reversal', reverses: waiver?.sequence, reason });
    expect(back.body.account).toMatchObject({ lateChargesOwed: account.lateChargesOwed });
    expect(refusalOf(await act(id, { kind: 'reversal', reverses: waiver?.sequence, reason }))).toEqual([
      409,
      'already_reversed',
    ]);
  });

  it('moves unpaid instalments, at most twice', async () => {
    const { id } = await lateLoan();
    const moved = await act(id, { kind: 'deferral', months: 3, reason });
    expect(moved.body.instalments?.[0]?.dueDate).toBe('2026-04-10');
    expect((await act(id, { kind: 'deferral', months: 1, reason })).status).toBe(201);
    expect(refusalOf(await act(id, { kind: 'deferral', months: 1, reason }))).toEqual([
      409,
      'deferral_not_possible',
    ]);
  });

  it('writes off, and goes on to take what comes', async () => {
    const { id } = await lateLoan();
    const { body } = await act(id, { kind: 'write_off', reason });
    expect(body.account).toMatchObject({ state: 'written_off', writeOffAmount: '150000.00' });
    expect((await act(id, { kind: 'write_off', reason })).body.code).toBe('loan_closed');
    expect((await pay(id, { amount: 1_000, channel: 'cash' })).status).toBe(201);
  });

  it.each([
    ['without a reason', { kind: 'write_off', reason: '' }, 'reason'],
    ['of a kind nobody knows', { kind: 'gift', reason }, 'kind'],
    ['of no amount', { kind: 'waiver', reason }, 'amount'],
    ['of no months', { kind: 'deferral', reason }, 'months'],
    ['of seven months', { kind: 'deferral', months: 7, reason }, 'months'],
    ['of an event that is not there', { kind: 'reversal', reverses: 99, reason }, 'reverses'],
    ['of the disbursement', { kind: 'reversal', reverses: 1, reason }, 'reverses'],
    ['of credit that is not there', { kind: 'refund', amount: 5, reason }, 'amount'],
    ['tomorrow', { kind: 'write_off', valueDate: '2026-03-11', reason }, 'valueDate'],
  ])('is refused %s', async (_, form, field) => {
    const { id } = await lateLoan();
    expect(refusalOf(await act(id, form))).toEqual([400, field]);
  });
});

describe('a preview', () => {
  const previewAs = (id: number, anyBody: object, who: Caller = server.main) =>
    who.previewLoan(id, odd(anyBody));
  const reason = 'As agreed at the counter';
  const balanceOf = async ({ token }: TestBorrower) => (await server.as(token).readProfile()).balance;

  /** Looks at a step, takes it, and holds what came of it against what was shown. */
  async function expectForetold(
    { borrower, id }: { borrower: TestBorrower; id: number },
    step: object,
    take: () => Promise<{ status: number }>,
  ) {
    const before = await accountOf(id);
    const body = await previewAs(id, step);
    expect(body.before).toMatchObject({ account: before.account, instalments: before.instalments });
    // Nothing has happened yet.
    expect(await accountOf(id)).toEqual(before);
    expect((await take()).status).toBeLessThan(202);
    const { account, instalments } = await accountOf(id);
    expect(body.after).toEqual({ account, instalments, walletBalance: await balanceOf(borrower) });
    return body;
  }

  it('of a disbursement into the wallet and of its cancellation is what comes of them', async () => {
    const { borrower, loan } = await approvedLoan();
    const to = { borrower, id: loan.id };
    const form = { channel: 'wallet' };
    const shown = await expectForetold(to, { step: 'disbursement', ...form }, () => disburse(loan.id, form));
    expect(shown).toMatchObject({ date: '2026-03-10', waitsFor: null, isAlone: true });
    expect([shown.before.walletBalance, shown.after.walletBalance]).toEqual(['0.00', '150000.00']);
    const cancel = async () => server.main.cancelDisbursement(loan.id, { reason }).answer();
    await expectForetold(to, { step: 'cancellation' }, cancel);
    const byHand = { channel: 'recorded', date: '2026-03-10' };
    await expectForetold(to, { step: 'disbursement', ...byHand }, () => disburse(loan.id, byHand));
  });

  it('of a disbursement counts late charges by the contract’s own rules, whatever contracts of today say', async () => {
    const { borrower, loan } = await approvedLoan();
    const { graceDays } = servicingPolicy;
    onTestFinished(() => {
      servicingPolicy.graceDays = graceDays;
    });
    servicingPolicy.graceDays = graceDays + 20;
    // Its first instalment is due on 25 February, 13 days ago.
    const form = { channel: 'recorded', date: '2025-12-25' };
    const step = { step: 'disbursement', ...form };
    await expectForetold({ borrower, id: loan.id }, step, () => disburse(loan.id, form));
    expect((await accountOf(loan.id)).account.lateChargesOwed).not.toBe('0.00');
  });

  it('of payments, with what they go to and what is left over', async () => {
    const to = await lateLoan();
    const cash = { amount: 20_000, channel: 'cash', valueDate: '2026-03-01' };
    const { receipt } = await expectForetold(to, { step: 'payment', ...cash }, () => pay(to.id, cash));
    expect(receipt).toMatchObject({ instalments: { 1: '16250.00', 2: '3750.00' }, lateCharges: '0.00' });
    const transfer = { amount: 1_000, channel: 'gcash', reference: 'G 0001' };
    const sent = await previewAs(to.id, { step: 'payment', ...transfer });
    expect(sent.waitsFor).toBe('confirmation');
    const { body } = await pay(to.id, transfer);
    const confirmed = { status: 'confirmed', paymentId: Number(body.id) };
    await expectForetold(to, { step: 'payment_update', ...confirmed }, () =>
      change(Number(body.id), confirmed),
    );
    const reversed = { status: 'reversed', paymentId: Number(body.id) };
    await expectForetold(to, { step: 'payment_update', ...reversed }, () =>
      change(Number(body.id), { ...reversed, reason }),
    );
    const all = { amount: 200_000, channel: 'cash' };
    const settling = await expectForetold(to, { step: 'payment', ...all }, () => pay(to.id, all));
    expect(settling.receipt?.settles).toBe(true);
    expect(Number(settling.after.walletBalance)).toBeGreaterThan(0);
  });

  it('of every change', async () => {
    const to = await lateLoan();
    for (const action of [
      { kind: 'waiver', amount: 100 },
      { kind: 'deferral', months: 2 },
      { kind: 'write_off' },
      { kind: 'reversal', reverses: 4 },
    ]) {
      await expectForetold(to, { step: 'action', ...action }, () => act(to.id, { ...action, reason }));
    }
  });

  it('of what waits for somebody else is shown to who may decide it', async () => {
    const { borrower, loan } = await approvedLoan();
    const helper = await server.createAdmin();
    const to = { borrower, id: loan.id };
    expect((await previewAs(loan.id, { step: 'disbursement', channel: 'wallet' })).waitsFor).toBe('approval');
    const { body } = await disburse(loan.id, { channel: 'wallet' }, helper);
    const { id: approvalId } = body.approval as { id: number };
    await refused(previewAs(loan.id, { step: 'approval', approvalId }, helper), 403, 'own_request');
    await expectForetold(to, { step: 'approval', approvalId }, () =>
      server.main.decideApproval(approvalId, { decision: 'approved' }).answer(),
    );
    await refused(previewAs(loan.id, { step: 'approval', approvalId }), 409, 'already_decided');
    await refused(previewAs(loan.id, { step: 'approval', approvalId: 999 }), 404);
  });

  it('of a step that there is not, or of no loan, is refused', async () => {
    const { id } = await openLoan();
    await refused(previewAs(id, { step: 'gift' }), 400);
    await refused(previewAs(9_999, { step: 'cancellation' }), 404);
  });
});

it('a late charge is explained by the days that the instalment was unpaid', async () => {
  const { loan } = await approvedLoan();
  await disburse(loan.id, { channel: 'recorded', date: '2025-10-10' });
  await pay(loan.id, { amount: 6_250, channel: 'cash', valueDate: '2026-01-10' });
  await act(loan.id, {
    kind: 'deferral',
    months: 3,
    valueDate: '2026-02-20',
    reason: 'Asked for three months',
  });
  const { lateCharges, instalments } = await accountOf(loan.id, '2026-02-10');
  expect(lateCharges).toEqual([
    {
      number: 1,
      dueDate: '2025-12-10',
      graceEnd: '2025-12-20',
      charge: '525.00',
      cap: '3900.00',
      spans: [
        { from: '2025-12-10', to: '2026-01-10', unpaid: '16250.00', charge: '325.00' },
        { from: '2026-01-10', to: '2026-02-10', unpaid: '10000.00', charge: '200.00' },
      ],
    },
    {
      number: 2,
      dueDate: '2026-01-10',
      graceEnd: '2026-01-20',
      charge: '325.00',
      cap: '3900.00',
      spans: [{ from: '2026-01-10', to: '2026-02-10', unpaid: '16250.00', charge: '325.00' }],
    },
  ]);
  expect(instalments.slice(0, 3).map(({ lateCharge }) => lateCharge)).toEqual(['525.00', '325.00', '0.00']);
  // The charge that ran up to the deferral stays, and so does its reason.
  const after = await accountOf(loan.id, '2026-03-10');
  expect(after.lateCharges.map(({ number, spans }) => [number, spans.at(-1)?.to])).toEqual([
    [1, '2026-02-20'],
    [2, '2026-02-20'],
  ]);
});

describe('where it takes two people', () => {
  let helper: TestAdmin;
  async function twoPeople() {
    helper = await server.createAdmin();
    return approvedLoan();
  }
  const waiting = () => server.main.listApprovals();

  it('a disbursement waits for somebody else, and nobody decides their own request', async () => {
    const { loan } = await twoPeople();
    const asked = await disburse(loan.id, { channel: 'wallet' });
    expect(asked.status).toBe(202);
    expect(asked.body).toMatchObject({ approval: { kind: 'disbursement', decision: null } });
    expect((await accountOf(loan.id)).account.state).toBe('not_disbursed');
    const [approval] = await waiting();
    expect(approval).toMatchObject({ askedByName: 'Main Admin', decidedByName: null });
    const id = approval?.id ?? 0;
    await refused(server.main.decideApproval(id, { decision: 'approved' }), 403, 'own_request');
    const given = await helper.decideApproval(id, { decision: 'approved' });
    expect(given).toMatchObject({ decision: 'approved', decidedBy: helper.id });
    const account = await accountOf(loan.id);
    expect(account.account.state).toBe('open');
    expect(account.events[0]).toMatchObject({
      by: 'Main Admin',
      approvedBy: 'Ordinary Admin',
      isAlone: false,
    });
    await refused(helper.decideApproval(id, { decision: 'approved' }), 409, 'already_decided');
    expect(await waiting()).toEqual([]);
  });

  it('each reader is told whether they may decide a request, and why not', async () => {
    const { loan } = await twoPeople();
    await disburse(loan.id, { channel: 'wallet' });
    const clerk = await server.createAdmin({ email: 'clerk@example.com', roles: ['encoder'] });
    const asSeenBy = async (person: Caller) => {
      const all = await person.listApprovals({ status: 'all' });
      return all.map(({ mayDecide, whyNot }) => [mayDecide, whyNot]);
    };
    expect(await asSeenBy(server.main)).toEqual([[false, 'own_request']]);
    expect(await asSeenBy(helper)).toEqual([[true, undefined]]);
    expect(await asSeenBy(clerk)).toEqual([[false, 'role_missing']]);
    // Nobody else may approve any longer: what waits is decided by who asked.
    await server.main.updateAdmin(helper.id, { roles: ['encoder'] });
    expect(await asSeenBy(server.main)).toEqual([[true, undefined]]);
    const [approval] = await waiting();
    await server.main.decideApproval(approval?.id ?? 0, { decision: 'approved' });
    expect(await asSeenBy(server.main)).toEqual([[false, undefined]]);
    expect((await accountOf(loan.id)).events[0]).toMatchObject({ isAlone: true });
  });

  it('who recorded a payment may not decide what another asks about it', async () => {
    const { loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'recorded', date: '2026-01-10' });
    const { body } = await pay(loan.id, { amount: 100, channel: 'maya', reference: 'M 0007' });
    await change(Number(body.id), { status: 'confirmed' });
    helper = await server.createAdmin();
    const third = await server.createAdmin({ email: 'third@example.com' });
    await change(Number(body.id), { status: 'reversed', reason: 'Bounced' }, helper);
    expect(await waiting()).toMatchObject([{ kind: 'payment_reversal', whyNot: 'own_request' }]);
    const seen = await third.listApprovals();
    expect(seen).toMatchObject([{ mayDecide: true }]);
  });

  it('a request is refused with a reason, and nothing happens', async () => {
    const { loan } = await twoPeople();
    await disburse(loan.id, { channel: 'wallet' });
    const [approval] = await waiting();
    await refused(helper.decideApproval(approval?.id ?? 0, { decision: 'rejected' }), 400);
    const rejection = { decision: 'rejected' as const, reason: 'No papers' };
    const rejected = await helper.decideApproval(approval?.id ?? 0, rejection);
    expect(rejected.decision).toBe('rejected');
    expect((await accountOf(loan.id)).account.state).toBe('not_disbursed');
  });

  it('much cash waits, little counts, and another’s transfer is confirmed', async () => {
    const { loan } = await twoPeople();
    await disburse(loan.id, { channel: 'recorded', date: '2026-01-10' });
    const [approval] = await waiting();
    await helper.decideApproval(approval?.id ?? 0, { decision: 'approved' });
    expect((await pay(loan.id, { amount: 50_000, channel: 'cash' })).status).toBe(201);
    const much = await pay(loan.id, { amount: '50000.01', channel: 'cash' });
    expect(much.status).toBe(202);
    const [asked] = await waiting();
    expect(asked).toMatchObject({ kind: 'payment' });
    await helper.decideApproval(asked?.id ?? 0, { decision: 'approved' });
    const transfer = await pay(loan.id, { amount: 100, channel: 'instapay', reference: 'X 0001' });
    const id = Number(transfer.body.id);
    expect((await change(id, { status: 'confirmed' })).body.code).toBe('own_request');
    expect((await change(id, { status: 'confirmed' }, helper)).body.status).toBe('confirmed');
    expect((await change(id, { status: 'reversed', reason: 'Bounced' })).status).toBe(202);
    expect((await accountOf(loan.id)).receipts).toHaveLength(3);
  });

  it('each person does what their roles allow', async () => {
    const { borrower, loan } = await twoPeople();
    expect((await server.main.updateAdmin(helper.id, { roles: ['cashier'] })).roles).toEqual(['cashier']);
    expect((await disburse(loan.id, { channel: 'wallet' }, helper)).body.code).toBe('role_missing');
    // One person less decides, so it takes only one.
    expect((await disburse(loan.id, { channel: 'recorded', date: '2026-01-10' })).status).toBe(201);
    expect((await pay(loan.id, { amount: 100, channel: 'cash' }, helper)).status).toBe(201);
    const transfer = await pay(loan.id, { amount: 100, channel: 'maya', reference: 'M 0002' }, helper);
    const confirm = { status: 'confirmed' };
    expect((await change(Number(transfer.body.id), confirm, helper)).body.code).toBe('role_missing');
    expect((await act(loan.id, { kind: 'write_off', reason: 'No hope' }, helper)).body.code).toBe(
      'main_admin_only',
    );
    for (const id of [helper.id, borrower.id]) {
      await refused(server.main.updateAdmin(id, odd({ roles: ['king'] })), 400);
    }
    const [entry] = await auditOf(server.database, 'admin_updated');
    expect(entry?.after).toEqual({ roles: ['cashier'] });
  });

  it('alone, it is done and marked so', async () => {
    const { loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'wallet' });
    expect((await accountOf(loan.id)).events[0]).toMatchObject({ isAlone: true });
    const [entry] = await auditOf(server.database, 'loan_disbursed');
    expect(entry?.after).toMatchObject({ onePerson: true });
  });
});

describe('a disbursed loan', () => {
  it('keeps its terms, and neither it nor its borrower can be deleted', async () => {
    const { borrower, loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'recorded' });
    await refused(server.main.updateLoan(loan.id, { amount: 200_000 }), 409, 'loan_disbursed');
    await refused(server.main.deleteLoan(loan.id), 409, 'loan_disbursed');
    await refused(server.main.deleteUser(borrower.id), 409, 'member_not_settled');
  });

  it('is nobody else’s to read', async () => {
    const { loan } = await approvedLoan();
    const stranger = await server.registerBorrower();
    await refused(stranger.readLoanAccount(loan.id), 404);
  });

  it('tells its borrower nothing of who recorded what', async () => {
    const { borrower, loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'wallet' });
    const { events } = await accountOf(loan.id, undefined, borrower);
    expect(Object.keys(events[0] ?? {})).not.toEqual(expect.arrayContaining(['by', 'reason']));
  });

  it('has a history that the database refuses to change', async () => {
    const { loan } = await approvedLoan();
    await disburse(loan.id, { channel: 'wallet' });
    for (const change of [
      sql`update loan_events set reason = 'another'`,
      sql`delete from loan_events`,
      sql`truncate loan_events cascade`,
    ]) {
      await expect(server.database.transaction((tx) => tx.execute(change))).rejects.toThrow();
    }
  });
});

describe('the books of disbursed loans', () => {
  const faultsOf = async () => (await verifyBooks(server.deps, () => {})).faults;

  /** A loan with every kind of event, and another’s beside it. */
  const livedIn = server.built(async () => {
    const { borrower, id } = await lateLoan();
    await server.fund(borrower.id, 20_000);
    const reason = 'Of the books';
    await pay(id, { amount: 16_250, channel: 'cash', valueDate: '2026-01-10' });
    await pay(id, { amount: 5_000, channel: 'wallet', reason });
    const { body } = await pay(id, { amount: 7_000, channel: 'maya', reference: 'M 0001' });
    await change(Number(body.id), { status: 'confirmed' });
    await change(Number(body.id), { status: 'reversed', reason });
    await act(id, { kind: 'waiver', amount: 1, reason });
    await act(id, { kind: 'deferral', months: 1, reason });
    const other = await approvedLoan();
    await disburse(other.loan.id, { channel: 'wallet' });
  });

  it('are sound after all that can happen', async () => {
    await livedIn();
    expect(await faultsOf()).toEqual([]);
  });

  const first = '(select min(id) from loans)';

  it.each([
    ['instalments', 'update instalments set left_centavos = left_centavos - 1 where number = 5'],
    ['loan_movements', 'update loan_movements set principal_centavos = principal_centavos - 1'],
    ['loan_movements', 'delete from journal_movements where sequence = 2'],
    ['loan_positions', 'update loan_positions set principal_left_centavos = principal_left_centavos - 1'],
    ['payments', 'update payments set amount_centavos = amount_centavos + 1 where id = 1'],
    ['payments', `update payments set status = 'confirmed' where status = 'reversed'`],
    ['receipt_numbers', 'update receipt_numbers set last_serial = last_serial + 1'],
    [
      'loan_events',
      `update loan_events set amount_centavos = amount_centavos + 1 where loan_id = ${first} and sequence = 2`,
    ],
    ['loan_events', `update ledger_entries set loan_event_id = null where type = 'disbursement'`],
    ['loan_events', `delete from loan_positions where loan_id = ${first}`],
  ])('name in %s what was planted: %s', async (table, forgery) => {
    await livedIn();
    await pastTriggers(server.database, (tx) => tx.execute(sql.raw(forgery)));
    expect((await faultsOf()).map((fault) => fault.table)).toContain(table);
  });
});
