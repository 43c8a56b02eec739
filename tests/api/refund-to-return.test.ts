import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { LoanAccount, Payment } from '#contract/servicing.ts';
import { refoldLoans } from '#server/services/loan-event-record.ts';
import { journalMovements, loanMovements, loanPositions, loans } from '#server/store/schema.ts';
import { updateEachSealed } from '#server/store/sealed-rows.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { expectBooksVerified } from './books.ts';
import { applicant, borrowerWithLoan, releaseLoan } from './lending.ts';

const server = await testServer();

type Answer = { status: number; body: Partial<Payment> & Partial<LoanAccount> & Partial<ErrorBody> };
type Row = Parameters<typeof server.call>[0];

/** A loan of 150,000 over 12 months, released on 10 January 2026; today is 10 March, its first due day. */
async function openLoan(date = '2026-01-10') {
  const { borrower, id } = await borrowerWithLoan(server, { date });
  return { borrower, id, ...(await doing(id)) };
}

let references = 0;

async function doing(id: number) {
  const token = await server.signIn({ username: 'admin', password: 'a password for tests only' });
  const call = (row: Row, params: object, anyBody?: object) =>
    server.call(row, { token, params, ...(anyBody && { anyBody }) } as object) as Promise<Answer>;
  const pay = async (amount: number | string, more: object = {}) => {
    references += 1;
    const form = { amount, channel: 'cash', reference: `Slip ${1_000 + references}`, ...more };
    const { status, body } = await call(api.recordPayment, { id }, form);
    expect(status).toBe(201);
    return Number(body.id);
  };
  const reverse = async (payment: number) =>
    expect(
      (await call(api.updatePayment, { id: payment }, { status: 'reversed', reason: 'It bounced' })).status,
    ).toBe(200);
  const act = (body: object) => call(api.actOnLoan, { id }, { reason: 'As agreed', ...body });
  const read = () => server.as(token).readLoanAccount(id);
  const settlement = async () => Number((await call(api.readSettlement, { id })).body.amount);
  const clearance = () => call(api.readClearancePdf, { id });
  return { token, call, pay, reverse, act, read, settlement, clearance };
}

const ownLoans = ({ token }: { token: string }) => server.as(token).listOwnLoans();

/** Reads the closing day as the API answers it, which is also what is stored. */
const closedOn = async (id: number, asOf?: string) => {
  const body = await server.main.readLoanAccount(id, { ...(asOf && { asOf }) });
  const [row] = await server.database.read((reader) =>
    reader.select().from(loanPositions).where(eq(loanPositions.loanId, id)),
  );
  if (!asOf) expect(body.closedOn).toBe(row?.closedOn);
  return body.closedOn;
};

describe('money refunded for a payment that turned out not to be one', () => {
  it('is given back by paying exactly what is due now', async () => {
    const { borrower, pay, reverse, read, settlement, clearance } = await openLoan();
    const before = await settlement();
    await reverse(await pay(before + 4_892.84));
    const { account, settlement: asked } = await read();
    expect(account).toMatchObject({ state: 'open', refundToReturn: '4892.84', dueNow: '21142.84' });
    expect(Number(asked?.amount)).toBeCloseTo(before + 4_892.84, 2);
    expect((await clearance()).body.code).toBe('loan_open');
    await pay(account.dueNow);
    const after = await read();
    const [told] = await borrower.listNotifications();
    expect(told).toMatchObject({ type: 'payment_received', details: { returned: '₱4,892.84' } });
    expect(told?.details).not.toHaveProperty('credit');
    expect(after.account).toMatchObject({
      state: 'open',
      refundToReturn: '0.00',
      dueNow: '0.00',
      due: '0.00',
    });
    expect(after.receipts.at(-1)).toMatchObject({ credit: '4892.84', instalments: { 1: '16250.00' } });
    expect(await settlement()).toBeLessThan(before);
    await expectBooksVerified(server.deps);
  });

  it('keeps a loan open that was paid off, its borrower a member and its certificate back', async () => {
    const { borrower, id, pay, settlement, clearance } = await openLoan();
    const settled = (await settlement()).toFixed(2);
    await pay(settled);
    expect(await closedOn(id)).toBe('2026-03-10');
    expect((await clearance()).status).toBe(200);
    server.clock.advance({ days: 1 });
    const again = await doing(id);
    const tooMuch = await again.pay(5_000);
    expect((await again.read()).account.state).toBe('settled');
    expect(await closedOn(id)).toBe('2026-03-10');
    server.clock.advance({ days: 1 });
    await (await doing(id)).reverse(tooMuch);

    const open = await (await doing(id)).read();
    expect(open.account).toMatchObject({
      state: 'open',
      refundToReturn: '5000.00',
      dueNow: '5000.00',
      principalLeft: '0.00',
      settledOn: '2026-03-10',
    });
    expect(open.settlement?.amount).toBe('5000.00');
    expect(open.loan?.status).toBe('active');
    expect(await closedOn(id)).toBeNull();
    const { call: callNow, ...now } = await doing(id);
    expect(await now.clearance()).toMatchObject({ status: 409, body: { code: 'loan_open' } });
    // The money paid counts with what is left, though no instalment got it.
    expect((await ownLoans(borrower))[0]?.account).toMatchObject({ paid: settled, leftToPay: '5000.00' });
    // Emptied, the wallet is not what keeps the member.
    const wallet = Number(open.loan?.user.balance);
    await callNow(
      api.updateMember,
      { id: borrower.id },
      { balance: 0, expectedBalance: wallet, reason: 'correction' },
    );
    expect(await callNow(api.deleteUser, { id: borrower.id })).toMatchObject({
      status: 409,
      body: { code: 'member_not_settled' },
    });

    server.clock.advance({ days: 1 });
    const last = await doing(id);
    await last.pay(5_000);
    const closed = await last.read();
    expect(closed.account).toMatchObject({ state: 'settled', settledOn: '2026-03-10', dueNow: '0.00' });
    expect(closed.settlement).toBeUndefined();
    expect(closed.loan?.status).toBe('completed');
    // Settled on the 10th, and closed since the refund came back.
    expect(await closedOn(id)).toBe('2026-03-13');
    expect(await closedOn(id, '2026-03-12')).toBeNull();
    expect(await closedOn(id, '2026-03-10')).toBe('2026-03-10');
    expect((await last.clearance()).status).toBe(200);
    await expectBooksVerified(server.deps);
    expect((await last.call(api.deleteUser, { id: borrower.id })).status).toBe(200);
  });

  it('has to come back before the release is cancelled', async () => {
    const { loan } = await applicant(server);
    const { call, pay, reverse, settlement } = await doing(loan.id);
    const params = { id: loan.id };
    await releaseLoan(server, loan);
    await reverse(await pay((await settlement()) + 500));
    const cancel = () => call(api.cancelDisbursement, params, { reason: 'Changed their mind' });
    expect(await cancel()).toMatchObject({ status: 409, body: { code: 'refund_to_return' } });
    const preview = await call(api.previewLoan, params, { step: 'cancellation' });
    expect(preview).toMatchObject({ status: 409, body: { code: 'refund_to_return' } });
  });
});

describe('a position that an earlier edition of the fold has written', () => {
  it('is folded anew when the server starts, and taken for sound until then', async () => {
    const { id, pay, reverse, read, settlement } = await openLoan();
    await pay(await settlement());
    await reverse(await pay(5_000));
    // Then a loan was paid off whatever had to come back, and nobody said which edition that was.
    const asBefore = { state: 'settled', closedOn: '2026-03-10', foldEdition: null } as const;
    await server.database.transaction(async (tx) => {
      await updateEachSealed(tx, loanPositions, eq(loanPositions.loanId, id), asBefore as object);
      await updateEachSealed(tx, loans, eq(loans.id, id), { status: 'completed' });
      // An earlier edition stored no movements.
      await tx.delete(loanMovements);
      await tx.delete(journalMovements);
    });
    await expectBooksVerified(server.deps);
    await refoldLoans(server.deps);
    const [position] = await server.database.read((reader) =>
      reader.select().from(loanPositions).where(eq(loanPositions.loanId, id)),
    );
    expect(position).toMatchObject({ state: 'open', closedOn: null, foldEdition: 4 });
    expect((await read()).loan?.status).toBe('active');
    await expectBooksVerified(server.deps);
  });
});

describe('credit', () => {
  const refundsOf = ({ events }: LoanAccount) =>
    events
      .filter(({ kind }) => kind === 'refund')
      .map(({ sequence, date, amount, auto }) => ({ sequence, date, amount, auto }));

  it('that a waiver makes goes into the wallet right behind it', async () => {
    // Released so that all six rows are due long since; paid with its late charges, 20 days ago.
    const { id } = await borrowerWithLoan(server, { date: '2025-06-10', termMonths: 6 });
    const { pay, act, read, token } = await doing(id);
    const then = await server.as(token).readLoanAccount(id, { asOf: '2026-02-18' });
    await pay(then.account.dueNow, { valueDate: '2026-02-18' });
    expect((await read()).account.state).toBe('completed');
    const waiver = { kind: 'waiver', amount: 500, valueDate: '2026-02-17' };
    const shown = await server.as(token).previewLoan(id, { step: 'action', ...waiver } as never);
    expect(shown.after).toMatchObject({ account: { credit: '0.00' }, walletBalance: '500.00' });
    expect((await act(waiver)).status).toBe(201);
    const after = await read();
    expect(refundsOf(after)).toEqual([{ sequence: 4, date: '2026-02-18', amount: '500.00', auto: true }]);
    expect(after.account).toMatchObject({ state: 'completed', credit: '0.00', lateChargesWaived: '500.00' });
    expect(after.loan?.user.balance).toBe('500.00');
    // On a day on which nothing was owed any more there is nothing to waive.
    const late = await act({ ...waiver, valueDate: '2026-02-19' });
    expect([late.status, Object.keys(late.body.errors ?? {})]).toEqual([400, ['amount']]);
    await expectBooksVerified(server.deps);
  });

  it('that a reversal makes goes into the wallet right behind it', async () => {
    // The last rows are due on 10 March and 10 April 2026. With one peso more the last but one is paid on 20 February, so
    // that what comes on 1 March is the last row and no settlement.
    const { id } = await borrowerWithLoan(server, { date: '2025-03-10' });
    const { pay, reverse, read, token } = await doing(id);
    const then = await server.as(token).readLoanAccount(id, { asOf: '2026-02-10' });
    await pay(Number(then.account.dueNow) + 16_249, { valueDate: '2026-02-10' });
    const peso = await pay(1, { valueDate: '2026-02-20' });
    await pay(16_250, { valueDate: '2026-03-01' });
    expect((await read()).account.state).toBe('completed');
    await reverse(peso);
    const after = await read();
    const [refund] = refundsOf(after);
    expect(after.account).toMatchObject({ state: 'settled', settledOn: '2026-03-01', credit: '0.00' });
    expect(refund).toMatchObject({ sequence: 6, date: '2026-03-10', auto: true });
    expect(after.receipts.at(-1)).toMatchObject({ settles: true, credit: refund?.amount });
    expect(after.loan?.user.balance).toBe(refund?.amount);
    await expectBooksVerified(server.deps);
  });

  it('of a closed account waits for a refund in cash', async () => {
    const { borrower, id, call, pay, settlement } = await openLoan();
    await pay(await settlement());
    expect((await call(api.deleteUser, { id: borrower.id })).status).toBe(200);
    const { pay: payMore, read, act } = await doing(id);
    await payMore(300);
    const { account, events } = await read();
    expect([account.credit, events.at(-1)?.kind]).toEqual(['300.00', 'receipt']);
    expect((await act({ kind: 'refund', amount: '300.01' })).status).toBe(400);
    expect((await act({ kind: 'refund', amount: 300 })).status).toBe(201);
    expect((await read()).account).toMatchObject({ credit: '0.00', refundToReturn: '0.00' });
    await expectBooksVerified(server.deps);
  });
});

describe('after a write-off', () => {
  it('nothing is deferred, and what was lost stays written down', async () => {
    const { act, pay, read } = await openLoan('2025-09-10');
    expect((await act({ kind: 'write_off' })).status).toBe(201);
    const { account } = await read();
    expect((await act({ kind: 'deferral', months: 6 })).body.code).toBe('loan_closed');
    await pay(30_000);
    expect((await read()).account).toMatchObject({
      state: 'written_off',
      writeOffAmount: account.principalLeft,
    });
    await expectBooksVerified(server.deps);
  });
});
