import { describe, expect, it } from 'vitest';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { noticesIn, wordNotice } from '#contract/wording/notices.ts';
import { runHousekeeping } from '#server/services/housekeeping-service.ts';
import { type Caller, odd, refused } from '#tests/setup/caller.ts';
import { photo } from '#tests/setup/photo.ts';
import { type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { auditOf, expectBooksVerified, ledgerOf } from './books.ts';
import { apply, borrowerWithLoan, disbursedLoan, releaseLoan } from './lending.ts';

/** These tests cover what a borrower pays, or says to have paid, and who lets it count (§own-payments). */
const server = await testServer({ engine: 'postgres' });

type Form = Sent<typeof api.payOwnLoan, 'body'>;

/** A loan of ₱150,000 in twelve instalments of ₱16,250, two of them due, and its borrower. */
const newLoan = (more: { date?: string; termMonths?: number } = {}) =>
  borrowerWithLoan(server, { date: '2026-01-10', ...more });
const oneLoan = server.built(() => newLoan());

/** After their session has ended. */
const signedInAgain = async ({ phone, password }: TestBorrower) =>
  server.as(await server.signIn({ phone, password }));

/** Somebody beside the main admin may decide. */
async function loanOfTwo(more: { date?: string; termMonths?: number } = {}) {
  const made = await newLoan(more);
  return { ...made, clerk: await server.createAdmin() };
}
const loanInOffice = server.built(() => loanOfTwo());

let references = 0;
const transfer = (more: Partial<Form> = {}): Form => {
  references += 1;
  return {
    amount: 5_000,
    paidOn: '2026-03-09',
    channel: 'gcash',
    reference: `GC ${10_000 + references}`,
    ...more,
  };
};
const confirmed = { status: 'confirmed' } as const;

async function noticesOf(borrower: TestBorrower, type: string) {
  return (await borrower.listNotifications()).filter((notice) => notice.type === type);
}

describe('what a borrower has paid elsewhere', () => {
  it('waits, and counts from the day it was paid once staff confirm it', async () => {
    const { borrower, loan } = await oneLoan();
    const { url: proofUrl } = await server.upload(borrower.token);
    const sent = await borrower.payOwnLoan(loan.id, transfer({ reference: 'gc-7001', proofUrl })).success();
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect(sent.body).toMatchObject({
      status: 'submitted',
      amount: '5000.00',
      valueDate: '2026-03-09',
      proofUrl,
    });
    for (const staffOnly of ['recordedBy', 'confirmedBy', 'reason'])
      expect(sent.body).not.toHaveProperty(staffOnly);

    const before = await borrower.readLoanAccount(loan.id);
    const expected = { id, amount: '5000.00', paidOn: '2026-03-09', channel: 'gcash', reference: 'gc-7001' };
    expect(before.submitted).toEqual([{ ...expected, status: 'submitted' }]);
    expect(before.receipts).toEqual([]);

    const [row] = await server.main.listPayments({ by: 'borrower' });
    expect(row).toMatchObject({
      id,
      proofUrl,
      recordedBy: borrower.id,
      recordedByName: 'Maria Clara Santos',
    });
    server.clock.advance({ days: 3 });
    expect(await server.main.updatePayment(id, confirmed)).toMatchObject({
      status: 'confirmed',
      receiptNumber: 'AR-2026-000001',
      valueDate: '2026-03-09',
      sentAmount: null,
    });
    const after = await borrower.readLoanAccount(loan.id);
    expect(after.submitted).toEqual([]);
    expect(after.receipts).toMatchObject([{ date: '2026-03-09', amount: '5000.00' }]);
    expect(await noticesOf(borrower, 'payment_received')).toMatchObject([
      {
        title: 'We received ₱5,000.00',
        message: 'Loan LN-2026-000001, paid on 9 Mar 2026. Receipt AR-2026-000001.',
      },
    ]);
    const { body: day } = await server.main.readDay({ date: '2026-03-13' }).success();
    expect(day.collected).toMatchObject([{ channel: 'gcash', recordedBy: 'borrower', amount: '5000.00' }]);
    await expectBooksVerified(server.deps);
  });

  it('in cash needs no reference, and is confirmed as cash is recorded: by a cashier, within the limits of cash', async () => {
    const { borrower, loan } = await loanInOffice();
    const cash = (amount: number) =>
      borrower.payOwnLoan(loan.id, { amount, paidOn: '2026-03-09', channel: 'cash' });
    const cashier = await server.createAdmin({ roles: ['cashier'] });
    const approver = await server.createAdmin({ roles: ['approver'] });
    const first = await cash(20_000);
    expect(first).toMatchObject({ status: 'submitted', channel: 'cash', reference: null });
    await refused(approver.updatePayment(first.id, confirmed), 403, { code: 'role_missing' });
    expect(await cashier.updatePayment(first.id, confirmed)).toMatchObject({ status: 'confirmed' });
    // Cash that one person takes on a loan and day is summed, whether staff recorded it or the borrower sent the slip.
    await cashier.recordPayment(loan.id, { amount: 20_000, channel: 'cash' });
    const second = await cash(20_000);
    const asked = await cashier.updatePayment(second.id, confirmed).success();
    expect(asked.status).toBe(202);
    expect(await noticesOf(borrower, 'payment_received')).toHaveLength(2);

    const third = await cash(1_000);
    await cashier.updatePayment(third.id, { status: 'rejected', note: 'We have no such cash' });
    // A transfer is still an approver's to confirm.
    const { id } = await borrower.payOwnLoan(loan.id, transfer());
    await refused(cashier.updatePayment(id, confirmed), 403, { code: 'role_missing' });
    await expectBooksVerified(server.deps);
  });

  it('in cash that a clerk recorded already is shown to who confirms it', async () => {
    const { borrower, loan } = await oneLoan();
    const cash = { amount: 5_000, channel: 'cash' } as const;
    await server.main.recordPayment(loan.id, { ...cash, valueDate: '2026-03-08' });
    await server.main.recordPayment(loan.id, { ...cash, amount: 5_001 });
    await server.main.recordPayment(loan.id, { ...cash, valueDate: '2026-03-05' });
    const { id } = await borrower.payOwnLoan(loan.id, { ...cash, paidOn: '2026-03-09' });
    const sameCash = [{ receiptNumber: 'AR-2026-000001', valueDate: '2026-03-08' }];
    const [row] = await server.main.listPayments({ status: 'submitted' });
    expect(row).toMatchObject({ id, sameCash });
    const [shown] = (await server.main.readLoanAccount(loan.id)).payments;
    expect(shown).toMatchObject({ id, sameCash });
    expect((await borrower.readLoanAccount(loan.id)).payments[0]).not.toHaveProperty('sameCash');
    // It may be other cash all the same.
    expect(await server.main.updatePayment(id, confirmed)).toMatchObject({ status: 'confirmed' });
    for (const one of await server.main.listPayments()) expect(one).not.toHaveProperty('sameCash');
  });

  it('is counted for those who may confirm it, and for all others as somebody else’s', async () => {
    const raised = await newLoan();
    const { borrower, loan } = await newLoan();
    await borrower.payOwnLoan(loan.id, { amount: 1_000, paidOn: '2026-03-09', channel: 'cash' });
    await borrower.payOwnLoan(loan.id, transfer());
    const typed = { amount: 1_500, channel: 'maya', reference: 'MY 70001' } as const;
    const both = await server.createAdmin({ roles: ['cashier', 'approver'] });
    await both.recordPayment(loan.id, typed);
    const counted = async (who: Caller) => (await who.readToday()).waiting.paymentsToConfirm;
    const counts: Record<string, number> = { both: await counted(both) };
    for (const role of ['cashier', 'approver', 'encoder'] as const)
      counts[role] = await counted(await server.createAdmin({ roles: [role] }));
    expect(counts).toEqual({ both: 2, cashier: 1, approver: 2, encoder: 3 });
    // Neither the one whose own account it is, nor who raised the wallet that it is paid from.
    const owner = await server.createAdmin({ email: 'ana@example.com' });
    await server.main.updateMember(borrower.id, { email: 'ana@example.com' });
    expect(await counted(owner)).toBe(0);
    const raiser = await server.createAdmin();
    await raiser.updateMember(raised.borrower.id, { balance: 90_000 });
    const before = [await counted(raiser), await counted(server.main)];
    const fromWallet = { amount: 60_000, channel: 'wallet' } as const;
    expect(await raised.borrower.payOwnLoan(raised.loan.id, fromWallet)).toMatchObject({
      status: 'submitted',
    });
    expect([await counted(raiser), await counted(server.main)]).toEqual([3, 4]);
    expect(before).toEqual([3, 3]);
  });

  it('by several is one line of the day, which leads to their payments', async () => {
    for (const { borrower, loan } of [await newLoan(), await newLoan()]) {
      const { id } = await borrower.payOwnLoan(loan.id, transfer());
      await server.main.updatePayment(id, confirmed);
    }
    const { date, collected } = await server.main.readDay();
    expect(collected).toMatchObject([
      { channel: 'gcash', recordedBy: 'borrower', count: 2, amount: '10000.00' },
    ]);
    expect(await server.main.listPayments({ receivedOn: date, by: 'borrower' })).toHaveLength(2);
  });

  it('is one of the borrower’s own data, with neither name of staff', async () => {
    const { borrower, loan } = await oneLoan();
    const { id } = await borrower.payOwnLoan(loan.id, transfer());
    await server.main.updatePayment(id, { status: 'rejected', note: 'We do not find it' });
    const data = (await borrower.downloadOwnData({ password: borrower.password })) as { payments: object[] };
    expect(data.payments).toMatchObject([{ id, note: 'We do not find it', status: 'rejected' }]);
    expect(data.payments[0]).not.toHaveProperty('recordedBy');
  });

  it.each([
    [
      'rejected',
      (id: number) => server.main.updatePayment(id, { status: 'rejected', reason: 'Looks forged' }),
    ],
    [
      'reversed',
      async (id: number) => {
        await server.main.updatePayment(id, confirmed);
        await server.main.updatePayment(id, { status: 'reversed', reason: 'Looks forged' });
      },
    ],
  ] as const)(
    'is %s without a note, and the borrower does not read the reason for it',
    async (status, decide) => {
      const { borrower, loan } = await oneLoan();
      const { id } = await borrower.payOwnLoan(loan.id, transfer());
      await decide(id);
      expect((await server.main.listPayments())[0]).toMatchObject({ status, note: null });
      expect(JSON.stringify(await borrower.readLoanAccount(loan.id))).not.toContain('forged');
      expect(JSON.stringify(await borrower.listNotifications())).not.toContain('forged');
    },
  );

  it('is rejected with a note that the borrower reads for 30 days, and a reason that only staff do', async () => {
    const { borrower, loan } = await oneLoan();
    const { id } = await borrower.payOwnLoan(loan.id, transfer());
    await refused(server.main.updatePayment(id, { status: 'rejected' }), 400, {
      errors: { note: 'Please say why, in at least three letters' },
    });
    const note = 'The photo is of another transfer';
    const reason = 'Third time this month';
    await server.main.updatePayment(id, { status: 'rejected', note, reason });
    const account = await borrower.readLoanAccount(loan.id);
    expect(account.submitted).toMatchObject([{ id, status: 'rejected', note }]);
    expect(JSON.stringify(account)).not.toContain(reason);
    expect(JSON.stringify(await borrower.listNotifications())).not.toContain(reason);
    const [notice] = await noticesOf(borrower, 'payment_rejected');
    expect(notice?.message).toContain(`Reason: ${note}`);
    expect(wordNotice(noticesIn('fil'), 'payment_rejected', notice?.details ?? {}).message).toContain(note);
    server.clock.advance({ days: 30 });
    const later = await signedInAgain(borrower);
    expect((await later.readLoanAccount(loan.id)).submitted).toEqual([]);
    expect((await server.main.listPayments())[0]).toMatchObject({ reason, note });
  });

  it('is taken back while it waits, and not once it is decided', async () => {
    const { borrower, loan } = await oneLoan();
    const { id } = await borrower.payOwnLoan(loan.id, transfer());
    const other = await server.registerBorrower();
    await refused(other.withdrawOwnPayment(loan.id, id), 404, 'not_found');
    await refused(borrower.withdrawOwnPayment(loan.id, id + 1), 404, 'not_found');
    const headers = { 'idempotency-key': 'taken-back' };
    const takenBack = () => borrower.withdrawOwnPayment(loan.id, id, { headers });
    expect(await takenBack()).toEqual({ message: 'This payment was taken back' });
    // Sent again, since its answer was lost.
    expect(await takenBack()).toEqual({ message: 'This payment was taken back' });
    await refused(borrower.withdrawOwnPayment(loan.id, id), 409, {
      code: 'payment_final',
      present: { status: 'withdrawn' },
    });
    await refused(server.main.updatePayment(id, confirmed), 409, 'payment_final');
    expect((await borrower.readLoanAccount(loan.id)).submitted).toEqual([]);
    expect(await auditOf(server.database, 'payment_withdrawn')).toMatchObject([{ actorId: borrower.id }]);

    const typed = await server.main
      .recordPayment(loan.id, { amount: 1_000, channel: 'maya', reference: 'M 1234' })
      .success();
    await refused(borrower.withdrawOwnPayment(loan.id, (typed.body as { id: number }).id), 404, 'not_found');
  });

  it('counts with the amount that came in; the borrower reads which, and why', async () => {
    const { borrower, loan } = await oneLoan();
    const { id } = await borrower.payOwnLoan(loan.id, transfer());
    const lower = { ...confirmed, amount: 4_500 };
    await refused(server.main.updatePayment(id, lower), 400, {
      errors: { note: 'Please say why, in at least three letters' },
    });
    expect(
      await server.main.previewLoan(loan.id, { step: 'payment_update', paymentId: id, ...lower }),
    ).toMatchObject({
      receipt: { amount: '4500.00' },
    });
    const note = 'The transfer was of ₱4,500.00';
    expect(await server.main.updatePayment(id, { ...lower, note })).toMatchObject({
      amount: '4500.00',
      sentAmount: '5000.00',
    });
    const { payments, receipts } = await borrower.readLoanAccount(loan.id);
    expect(payments).toMatchObject([{ amount: '4500.00', sentAmount: '5000.00', note }]);
    expect(receipts).toMatchObject([{ amount: '4500.00' }]);
    const [notice] = await noticesOf(borrower, 'payment_received');
    expect(notice).toMatchObject({ title: 'We received ₱4,500.00' });
    expect(notice?.message).toContain(`You wrote ₱5,000.00.\nOur staff say: ${note}`);
    expect(wordNotice(noticesIn('fil'), 'payment_received', notice?.details ?? {}).message).toContain(
      '₱5,000.00 ang isinulat mo.',
    );
    expect((await auditOf(server.database, 'payment_confirmed')).at(-1)).toMatchObject({
      before: { amount: '5000.00' },
      after: { amount: '4500.00' },
    });
    await expectBooksVerified(server.deps);
  });

  it('only what a borrower sent is confirmed with another amount', async () => {
    const { borrower, loan } = await oneLoan();
    const typed = await server.main
      .recordPayment(loan.id, { amount: 1_000, channel: 'maya', reference: 'M 1234' })
      .success();
    const { id } = typed.body as { id: number };
    const higher = { ...confirmed, amount: 1_001, note: 'Another amount' };
    await refused(server.main.updatePayment(id, higher), 400, { errors: { amount: expect.any(String) } });
    expect(await server.main.updatePayment(id, { ...confirmed, amount: 1_000 })).toMatchObject({
      amount: '1000.00',
    });
    const sent = await borrower.payOwnLoan(loan.id, transfer({ channel: 'instapay' }));
    const above = { ...confirmed, amount: 50_001, note: 'Another amount' };
    await refused(server.main.updatePayment(sent.id, above), 400, {
      errors: { amount: expect.stringContaining('InstaPay') },
    });
  });
});

describe('bad input is a sentence, and nothing is stored:', () => {
  it.each<[what: string, form: object, field: string]>([
    ['no amount', { amount: undefined }, 'amount'],
    ['nothing paid', { amount: 0 }, 'amount'],
    ['half a centavo', { amount: '10.005' }, 'amount'],
    ['a day yet to come', { paidOn: '2026-03-11' }, 'paidOn'],
    ['a day before the loan', { paidOn: '2026-01-09' }, 'paidOn'],
    ['no day', { paidOn: undefined }, 'paidOn'],
    ['a day that does not exist', { paidOn: '2026-02-30' }, 'paidOn'],
    ['no reference', { reference: undefined }, 'reference'],
    ['a reference of three letters', { reference: 'a-b c' }, 'reference'],
    ['a reference in Cyrillic', { reference: 'ОСАКА 1' }, 'reference'],
    ['a channel that is none', { channel: 'barter' }, 'channel'],
    ['InstaPay of more than it carries', { channel: 'instapay', amount: 50_000.01 }, 'amount'],
  ])('%s', async (_, form, field) => {
    const { borrower, loan } = await oneLoan();
    const { errors = {} } = await refused(
      borrower.payOwnLoan(loan.id, odd({ ...transfer(), ...form })),
      400,
      'validation_failed',
    );
    expect(Object.keys(errors)).toEqual([field]);
    expect((await borrower.readLoanAccount(loan.id)).submitted).toEqual([]);
  });

  it('proof that is no image, of somebody else, or of another payment', async () => {
    const { borrower, loan } = await oneLoan();
    await expect(server.upload(borrower.token, Buffer.from('%PDF-1.7'))).rejects.toThrow('not_an_image');
    const theirs = await server.upload((await server.registerBorrower()).token);
    for (const proofUrl of [theirs.url, '/api/files/none', 'https://example.com/proof.jpg']) {
      await refused(borrower.payOwnLoan(loan.id, transfer({ proofUrl })), 400, {
        code: 'foreign_document',
        errors: { proofUrl: 'Please upload the image again' },
      });
    }
    const bytes = await photo({ width: 71 });
    const { url: proofUrl } = await server.upload(borrower.token, bytes);
    await borrower.payOwnLoan(loan.id, transfer({ proofUrl }));
    const { url: again } = await server.upload(borrower.token, bytes);
    for (const used of [proofUrl, again]) {
      await refused(borrower.payOwnLoan(loan.id, transfer({ proofUrl: used })), 400, {
        errors: { proofUrl: 'This photo already proves another payment' },
      });
    }
    expect((await borrower.readLoanAccount(loan.id)).submitted).toHaveLength(1);
  });

  it('the proof is read by staff and its borrower, by nobody else', async () => {
    const { borrower, loan } = await oneLoan();
    const { url, id } = await server.upload(borrower.token);
    const payment = await borrower.payOwnLoan(loan.id, transfer({ proofUrl: url }));
    const other = await server.registerBorrower();
    await refused(other.readFile(id), 404, 'not_found');
    for (const reader of [borrower, server.main]) expect((await reader.readFile(id)).status).toBe(200);
    expect(await auditOf(server.database, 'proof_opened')).toMatchObject([
      { after: { paymentId: payment.id } },
    ]);
    // Taken back, it is kept no longer than any photo that proves nothing.
    await borrower.withdrawOwnPayment(loan.id, payment.id);
    for (const hours of [20, 20]) {
      server.clock.advance({ hours });
      // Signs in, so that the log has no gap.
      await server.main.listPayments();
    }
    await runHousekeeping(server.deps);
    await refused(borrower.readFile(id), 404, 'not_found');
  });

  it('a loan that is not disbursed, cancelled, paid off, or somebody else’s', async () => {
    const { borrower, loan } = await oneLoan();
    const applied = await apply(server, borrower);
    for (const form of [transfer(), { channel: 'wallet', amount: 100 } as const]) {
      await refused(borrower.payOwnLoan(applied.id, form), 409, 'not_disbursed');
      const other = await server.registerBorrower();
      await refused(other.payOwnLoan(loan.id, form), 404, 'not_found');
      await refused(borrower.payOwnLoan(999_999_999, form), 404, 'not_found');
      await refused(server.main.payOwnLoan(loan.id, form), 403, 'forbidden');
    }
    await releaseLoan(server, applied);
    await server.main.cancelDisbursement(applied.id, { reason: 'A mistake' });
    await refused(borrower.payOwnLoan(applied.id, transfer()), 409, 'not_disbursed');
    await refused(borrower.previewOwnPayment(applied.id, { amount: 100 }), 409, 'not_disbursed');
    await server.main.recordPayment(loan.id, { amount: 300_000, channel: 'cash' });
    await refused(borrower.payOwnLoan(loan.id, transfer()), 409, 'loan_closed');
    await refused(borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 1 }), 409, 'loan_closed');
    await refused(borrower.previewOwnPayment(loan.id, { amount: 1 }), 409, 'loan_closed');
  });

  it('a sixth while five wait, and a twenty-first of a day', async () => {
    const { borrower, loan } = await oneLoan();
    const ids: number[] = [];
    for (let sent = 0; sent < 5; sent += 1) ids.push((await borrower.payOwnLoan(loan.id, transfer())).id);
    const sixth = await borrower.payOwnLoan(loan.id, transfer()).answer();
    expect([sixth.status, sixth.body.code]).toEqual([429, 'too_many_payments']);
    expect(sixth.headers['retry-after']).toBe('3600');
    await server.fund(borrower.id, 10_000);
    await refused(
      borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 1_000 }),
      429,
      'too_many_payments',
    );
    await refused(borrower.previewOwnPayment(loan.id, { amount: 1_000 }), 429, 'too_many_payments');
    // Another loan's payments wait for themselves.
    const second = await disbursedLoan(server, borrower, { date: '2026-01-10' });
    await borrower.payOwnLoan(second.id, transfer());
    await borrower.withdrawOwnPayment(loan.id, ids[0] ?? 0);
    await borrower.payOwnLoan(loan.id, transfer());
    for (let count = 7; count < 20; count += 1) {
      const { id } = await borrower.payOwnLoan(second.id, transfer());
      await borrower.withdrawOwnPayment(second.id, id);
    }
    await refused(borrower.payOwnLoan(second.id, transfer()), 429, 'too_many_requests');
  });
});

describe('a reference', () => {
  it('is taken once on a loan, however it is written, and again once rejected or withdrawn', async () => {
    const { borrower, loan } = await oneLoan();
    const first = await borrower.payOwnLoan(loan.id, transfer({ reference: 'GC-0912 77' }));
    await refused(borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277' })), 409, 'payment_known');
    await borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277', channel: 'maya' }));
    await borrower.withdrawOwnPayment(loan.id, first.id);
    const second = await borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277' }));
    await server.main.updatePayment(second.id, { status: 'rejected', note: 'Not found' });
    const third = await borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277' }));
    await server.main.updatePayment(third.id, confirmed);
    const { message } = await refused(
      borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277' })),
      409,
      'payment_known',
    );
    expect(message).toBe('A payment with this reference is already recorded');
    const reversal = { status: 'reversed', reason: 'Asked the bank twice', note: 'It bounced' } as const;
    await refused(server.main.updatePayment(third.id, { ...reversal, amount: 1 }), 400);
    await server.main.updatePayment(third.id, reversal);
    const [notice] = await noticesOf(borrower, 'payment_reversed');
    expect(notice?.message).toContain('Reason: It bounced');
    expect(notice?.message).not.toContain('Asked');
    await borrower.payOwnLoan(loan.id, transfer({ reference: 'gc091277' }));
  });

  it('by a cheque that bounced is reversed in words of its own, and a transfer is not', async () => {
    const { borrower, loan } = await oneLoan();
    const reverse = async (channel: 'cheque' | 'gcash', reference: string) => {
      const sent = await borrower.payOwnLoan(loan.id, transfer({ channel, reference }));
      await server.main.updatePayment(sent.id, confirmed);
      await server.main.updatePayment(sent.id, { status: 'reversed', reason: 'bounced' });
      return (await noticesOf(borrower, 'payment_reversed'))[0];
    };
    const notice = await reverse('cheque', 'CHQ 00123');
    expect(notice).toMatchObject({ title: expect.stringMatching(/^Your cheque for ₱.* did not clear$/) });
    expect(notice?.message).toMatch(/^The bank returned it unpaid.*receipt AR-.*We add no fee/s);
    expect(notice?.message).not.toContain('bounced');
    const other = await reverse('gcash', 'gc 00123');
    expect(other?.title).toMatch(/^Your payment of/);
    const { account, events } = await server.main.readLoanAccount(loan.id);
    expect(account.lateChargesOwed).toBe('0.00');
    expect(events.filter(({ kind }) => kind === 'reversal')).toMatchObject([
      { reason: 'bounced' },
      { reason: 'bounced' },
    ]);
  });

  it('that is known on another loan is taken without a word, shown to staff, and confirmed once', async () => {
    const { borrower, loan } = await oneLoan();
    const other = await newLoan();
    const first = await borrower.payOwnLoan(loan.id, transfer({ reference: 'GC 5005' }));
    const second = await other.borrower.payOwnLoan(other.loan.id, transfer({ reference: 'gc5005' }));
    const rows = await server.main.listPayments();
    expect(rows.map(({ id, doubleOn }) => [id, doubleOn])).toEqual([
      [second.id, [loan.loanNumber]],
      [first.id, [other.loan.loanNumber]],
    ]);
    const [shown] = (await server.main.readLoanAccount(loan.id)).payments;
    expect(shown?.doubleOn).toEqual([other.loan.loanNumber]);
    expect((await borrower.readLoanAccount(loan.id)).payments[0]).not.toHaveProperty('doubleOn');
    await server.main.updatePayment(second.id, confirmed);
    const named = { code: 'payment_known', message: expect.stringContaining(other.loan.loanNumber) };
    await refused(server.main.updatePayment(first.id, confirmed), 409, named);
    await refused(
      server.main.previewLoan(loan.id, { step: 'payment_update', paymentId: first.id, ...confirmed }),
      409,
      named,
    );
    await server.main.updatePayment(first.id, { status: 'rejected', note: 'It is another loan’s' });
    await expectBooksVerified(server.deps);
  });

  it('that a borrower gave does not keep staff from recording the payment', async () => {
    const { borrower, loan } = await oneLoan();
    const { id } = await borrower.payOwnLoan(loan.id, transfer({ reference: 'GC 6006' }));
    const other = await newLoan();
    const typed = { amount: 5_000, channel: 'gcash', reference: 'GC6006' } as const;
    const { body } = await server.main.recordPayment(other.loan.id, typed).success();
    await refused(server.main.recordPayment(loan.id, typed), 409, 'payment_known');
    const named = { code: 'payment_known', message: expect.stringContaining(other.loan.loanNumber) };
    await refused(server.main.updatePayment(id, confirmed), 409, named);
    await server.main.updatePayment((body as { id: number }).id, confirmed);
  });
});

describe('a payment from the wallet', () => {
  it('is previewed, and counts at once', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 20_000);
    const preview = await borrower.previewOwnPayment(loan.id, { amount: 16_250 });
    expect(preview).toMatchObject({
      date: '2026-03-10',
      waitsFor: null,
      isAlone: false,
      before: { walletBalance: '20000.00', account: { dueNow: '16250.00' } },
      after: { walletBalance: '3750.00', account: { dueNow: '0.00' } },
      receipt: { amount: '16250.00', instalments: { 1: '16250.00' } },
    });
    expect((await borrower.readProfile()).balance).toBe('20000.00');
    const paid = await borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 16_250 });
    expect(paid).toMatchObject({
      status: 'confirmed',
      receiptNumber: 'AR-2026-000001',
      valueDate: '2026-03-10',
    });
    expect((await borrower.readProfile()).balance).toBe('3750.00');
    expect(await borrower.readLoanAccount(loan.id)).toMatchObject({
      submitted: [],
      account: { dueNow: '0.00' },
    });
    expect((await ledgerOf(server.database, borrower.id)).at(-1)).toMatchObject({
      type: 'loan_payment',
      amountCentavos: -16_250_00,
      actorId: borrower.id,
    });
    const [notice] = await noticesOf(borrower, 'payment_received');
    expect(notice?.message).toBe('Loan LN-2026-000001, paid on 10 Mar 2026. Receipt AR-2026-000001.');
    const { body: day } = await server.main.readDay({ date: '2026-03-10' }).success();
    expect([day.fromWallet, day.collected]).toEqual([{ count: 1, amount: '16250.00' }, []]);
    await expectBooksVerified(server.deps);
  });

  it('settles the loan where it is meant to', async () => {
    const { borrower, loan } = await newLoan({ termMonths: 6 });
    await server.main.recordPayment(loan.id, { amount: 500, channel: 'cash' });
    // Raised by hand, but longer ago than counts.
    await server.fund(borrower.id, 180_000);
    server.clock.advance({ days: 31 });
    const later = await signedInAgain(borrower);
    const form = { amount: (await later.readSettlement(loan.id)).amount, settlement: true };
    expect(await later.previewOwnPayment(loan.id, form)).toMatchObject({
      waitsFor: null,
      after: { account: { state: 'settled' } },
    });
    await later.payOwnLoan(loan.id, { ...form, channel: 'wallet' });
    expect((await later.readLoanAccount(loan.id)).account.state).toBe('settled');
    await expectBooksVerified(server.deps);
  });

  it('of more than is left, or than the wallet has, is refused whole', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 50_000);
    const body = { amount: 50_000.01, channel: 'wallet' } as const;
    await refused(borrower.payOwnLoan(loan.id, body), 409, 'insufficient_funds');
    await refused(borrower.previewOwnPayment(loan.id, body), 409, 'insufficient_funds');
    await server.main.recordPayment(loan.id, { amount: 185_000, channel: 'cash' });
    const { settlement } = await borrower.readLoanAccount(loan.id);
    expect(settlement).toBeUndefined();
    const last = await newLoan({ termMonths: 6 });
    await server.fund(last.borrower.id, 50_000);
    const whole = 6 * 28_750;
    await server.main.recordPayment(last.loan.id, { amount: whole - 28_750 - 200, channel: 'cash' });
    const owed = (await last.borrower.readLoanAccount(last.loan.id)).instalments.reduce(
      (sum, { left }) => sum + Number(left),
      0,
    );
    const above = { amount: owed + 1, channel: 'wallet' } as const;
    const refusal = { errors: { amount: 'This is more than is left to pay' } };
    await refused(last.borrower.payOwnLoan(last.loan.id, above), 400, refusal);
    await refused(last.borrower.previewOwnPayment(last.loan.id, above), 400, refusal);
    expect((await last.borrower.readProfile()).balance).toBe('50000.00');
    await last.borrower.payOwnLoan(last.loan.id, { ...above, amount: owed });
    expect((await last.borrower.readLoanAccount(last.loan.id)).account.state).toBe('settled');
  });

  it('is made once for one key, and twice for two', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 20_000);
    const pay = (key: string) =>
      borrower.payOwnLoan(
        loan.id,
        { channel: 'wallet', amount: 1_000 },
        { headers: { 'idempotency-key': key } },
      );
    const [one, again] = await Promise.all([pay('a'), pay('a')]);
    expect(again).toEqual(one);
    expect((await pay('b')).id).not.toBe(one.id);
    expect((await borrower.readProfile()).balance).toBe('18000.00');
  });
});

describe('one person confirms what a borrower sent,', () => {
  const send = async ({ borrower, loan }: Awaited<ReturnType<typeof loanOfTwo>>, form: Partial<Form>) =>
    (await borrower.payOwnLoan(loan.id, transfer(form))).id;
  type By = { updatePayment: typeof server.main.updatePayment };
  const confirm = async (by: By, id: number, more: object = {}) =>
    (await by.updatePayment(id, odd({ ...confirmed, ...more })).success()).status;

  it('up to ₱50,000 of a loan on a day of confirming', async () => {
    const made = await loanInOffice();
    const ids = [30_000, 20_000, 0.01].map((amount) => send(made, { amount }));
    const [first = 0, second = 0, third = 0] = await Promise.all(ids);
    expect(await confirm(server.main, first)).toBe(200);
    expect(await confirm(server.main, second)).toBe(200);
    expect(await confirm(server.main, third)).toBe(202);
    expect(await confirm(made.clerk, await send(made, { amount: 50_000 }))).toBe(200);
    server.clock.advance({ days: 1 });
    expect(await confirm(server.main, await send(made, { amount: 50_000 }))).toBe(200);
    await expectBooksVerified(server.deps);
  });

  /** Two people take it in. */
  async function paidInCash({ loan, clerk }: Awaited<ReturnType<typeof loanOfTwo>>, amount: number) {
    const form = { amount: amount.toFixed(2), channel: 'cash' } as const;
    const { body } = await server.main.recordPayment(loan.id, form).success();
    await clerk.decideApproval((body as { approval: { id: number } }).approval.id, { decision: 'approved' });
  }

  it.each<[what: string, form: Partial<Form>, more: object]>([
    ['more at once', { amount: 50_000.01 }, {}],
    ['more than was sent', {}, { amount: 5_000.01, note: 'More came in' }],
    ['what was paid more than 60 days ago', { paidOn: '2026-01-08' }, {}],
    ['what they say was paid more than 60 days ago', {}, { valueDate: '2026-01-08' }],
  ])('but not %s', async (_, form, more) => {
    const made = await loanOfTwo({ date: '2025-12-10' });
    const { borrower, loan, clerk } = made;
    const id = await send(made, form);
    expect(await confirm(server.main, id, more)).toBe(202);
    expect((await borrower.readLoanAccount(loan.id)).submitted).toMatchObject([{ id, status: 'submitted' }]);
    await refused(server.main.updatePayment(id, odd({ ...confirmed, ...more })), 409, 'already_asked');
    const [request] = await clerk.listApprovals();
    expect(request).toMatchObject({ kind: 'confirmation', payment: { id }, mayDecide: true });
    await clerk.decideApproval(Number(request?.id), { decision: 'approved' });
    expect((await borrower.readLoanAccount(loan.id)).receipts).toHaveLength(1);
    const { events } = await server.main.readLoanAccount(loan.id);
    expect(events.at(-1)).toMatchObject({ kind: 'receipt', isAlone: false, approvedBy: 'Ordinary Admin' });
    await expectBooksVerified(server.deps);
  });

  it('but not what settles; the request goes with the payment', async () => {
    const made = await loanInOffice();
    const { clerk, borrower, loan } = made;
    const { amount } = await borrower.readSettlement(loan.id);
    await paidInCash(made, Number(amount) - 40_000);
    const id = await send(made, {
      amount: (await borrower.readSettlement(loan.id)).amount,
      paidOn: '2026-03-10',
    });
    expect(await confirm(clerk, id)).toBe(202);
    const [request] = await server.main.listApprovals();
    await borrower.withdrawOwnPayment(loan.id, id);
    expect(await server.main.listApprovals()).toEqual([]);
    const late = server.main.decideApproval(Number(request?.id), { decision: 'approved' });
    await refused(late, 409, { code: 'already_decided', present: { decision: 'outdated' } });
  });

  it('but not what leaves more than ₱1,000 of credit, with all that they confirmed that day', async () => {
    const made = await loanOfTwo({ date: '2025-01-10', termMonths: 6 });
    const { clerk, borrower, loan } = made;
    const { account } = await borrower.readLoanAccount(loan.id);
    await paidInCash(made, Number(account.dueNow) - 20_000);
    const credited = await send(made, { amount: 21_000, paidOn: '2026-03-10' });
    const further = await send(made, { amount: 0.01, paidOn: '2026-03-10' });
    expect(await confirm(clerk, credited)).toBe(200);
    expect((await borrower.readLoanAccount(loan.id)).account.state).toBe('completed');
    expect((await borrower.readProfile()).balance).toBe('1000.00');
    expect(await confirm(clerk, further)).toBe(202);
    await expectBooksVerified(server.deps);
  });

  it.each<[part: string, change: object]>([
    ['phone', { phone: '0917 999 8877' }],
    ['password', { password: 'a new password' }],
    ['code', { otpCode: '654321' }],
    ['bank account', { bankAccountNumber: '9876543210' }],
  ])('but not who changed the %s of that account in 30 days', async (_, change) => {
    const made = await loanInOffice();
    await made.clerk.updateMember(made.borrower.id, odd(change));
    const borrower =
      'password' in change
        ? server.as(await server.signIn({ phone: made.borrower.phone, password: 'a new password' }))
        : made.borrower;
    const pay = async () => (await borrower.payOwnLoan(made.loan.id, transfer())).id;
    const id = await pay();
    expect(
      await server.main.previewLoan(made.loan.id, { step: 'payment_update', paymentId: id, ...confirmed }),
    ).toMatchObject({
      waitsFor: null,
    });
    expect(
      await made.clerk.previewLoan(made.loan.id, { step: 'payment_update', paymentId: id, ...confirmed }),
    ).toMatchObject({
      waitsFor: 'approval',
    });
    expect(await confirm(made.clerk, id)).toBe(202);
    expect(await confirm(server.main, await pay())).toBe(200);
    server.clock.advance({ days: 30, minutes: 1 });
    const again = server.as(
      await server.signIn({ username: made.clerk.email, password: made.clerk.password }),
    );
    const fresh = server.as(
      await server.signIn({
        phone: 'phone' in change ? String(change.phone) : made.borrower.phone,
        password: 'password' in change ? 'a new password' : made.borrower.password,
      }),
    );
    const { id: later } = await fresh.payOwnLoan(made.loan.id, transfer());
    expect(await confirm(again, later)).toBe(200);
  });

  it('and all of it where nobody else may, marked so', async () => {
    const { borrower, loan } = await oneLoan();
    await server.main.updateMember(borrower.id, { otpCode: '654321' });
    const { id } = await borrower.payOwnLoan(loan.id, transfer({ amount: 60_000 }));
    const step = { step: 'payment_update', paymentId: id, ...confirmed } as const;
    expect(await server.main.previewLoan(loan.id, step)).toMatchObject({ isAlone: true, waitsFor: null });
    expect(await confirm(server.main, id)).toBe(200);
    const { events } = await server.main.readLoanAccount(loan.id);
    expect(events.at(-1)).toMatchObject({ kind: 'receipt', isAlone: true, by: 'Maria Clara Santos' });
    expect((await auditOf(server.database, 'payment_confirmed')).at(-1)?.after).toMatchObject({
      onePerson: true,
    });
    await expectBooksVerified(server.deps);
  });

  it('keeping the note to the borrower out of the log, also while it waits', async () => {
    const made = await loanInOffice();
    const id = await send(made, {});
    const note = 'Paid by her sister';
    expect(await confirm(server.main, id, { amount: 6_000, note })).toBe(202);
    const [request] = await made.clerk.listApprovals();
    expect(request?.payload).toMatchObject({ amount: '6000.00', note });
    await made.clerk.decideApproval(Number(request?.id), { decision: 'approved' });
    expect((await made.borrower.readLoanAccount(made.loan.id)).payments).toMatchObject([
      { amount: '6000.00', sentAmount: '5000.00', note },
    ]);
    expect(JSON.stringify(await auditOf(server.database, 'approval_asked'))).not.toContain(note);
    expect(JSON.stringify(await auditOf(server.database, 'payment_confirmed'))).not.toContain(note);
  });
});

describe('a wallet that was raised by hand', () => {
  it('pays at once up to ₱50,000 of it, and above only once somebody else than who raised it confirms', async () => {
    const { borrower, loan, clerk } = await loanInOffice();
    const wallet = { channel: 'wallet', amount: 16_250 } as const;
    await clerk.updateMember(borrower.id, { balance: 66_250.01 });
    for (const amount of [16_250, 33_750])
      expect((await borrower.payOwnLoan(loan.id, { ...wallet, amount })).status).toBe('confirmed');
    expect(await borrower.previewOwnPayment(loan.id, { amount: 16_250 })).toMatchObject({
      waitsFor: 'confirmation',
    });
    const sent = await borrower.payOwnLoan(loan.id, wallet).success();
    expect([sent.status, sent.body.status]).toEqual([201, 'submitted']);
    const { id } = sent.body;
    expect((await borrower.readProfile()).balance).toBe('16250.01');
    expect((await borrower.readLoanAccount(loan.id)).submitted).toMatchObject([
      { id, channel: 'wallet', reference: null },
    ]);
    const own = { code: 'own_request', message: expect.stringContaining('raised this wallet') };
    await refused(clerk.updatePayment(id, confirmed), 403, own);
    await refused(
      clerk.previewLoan(loan.id, { step: 'payment_update', paymentId: id, ...confirmed }),
      403,
      own,
    );
    expect(await server.main.updatePayment(id, confirmed)).toMatchObject({ status: 'confirmed' });
    expect((await borrower.readProfile()).balance).toBe('0.01');
    const { events } = await server.main.readLoanAccount(loan.id);
    expect(events.at(-1)).toMatchObject({
      isAlone: false,
      by: 'Maria Clara Santos',
      approvedBy: 'Main Admin',
    });
    await expectBooksVerified(server.deps);
  });

  it('is not confirmed by who raised it as the second person either, while another may', async () => {
    const { borrower, loan, clerk } = await loanOfTwo({ date: '2025-11-10' });
    const third = await server.createAdmin();
    await clerk.updateMember(borrower.id, { balance: 50_000.01 });
    const { id } = await borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 50_000.01 });
    // A day more than 60 days back takes two people.
    const waits = await server.main.updatePayment(id, { ...confirmed, valueDate: '2026-01-08' }).success();
    expect(waits.status).toBe(202);
    const [request] = await server.main.listApprovals();
    const whyNotOf = async (staff: typeof third) => (await staff.listApprovals())[0]?.whyNot;
    expect([await whyNotOf(clerk), await whyNotOf(third)]).toEqual(['own_request', undefined]);
    await refused(clerk.decideApproval(request?.id ?? 0, { decision: 'approved' }), 403, 'own_request');
    await third.decideApproval(request?.id ?? 0, { decision: 'approved' });
    expect((await borrower.readProfile()).balance).toBe('0.00');
  });

  it('is confirmed by who raised it where nobody else may, marked so', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 50_000.01);
    const { id } = await borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 50_000.01 });
    const step = { step: 'payment_update', paymentId: id, ...confirmed } as const;
    expect(await server.main.previewLoan(loan.id, step)).toMatchObject({ isAlone: true });
    await server.main.updatePayment(id, confirmed);
    expect((await server.main.readLoanAccount(loan.id)).events.at(-1)).toMatchObject({ isAlone: true });
  });

  it('and emptied meanwhile pays nothing; the payment waits on, or is taken back', async () => {
    const { borrower, loan, clerk } = await loanInOffice();
    await clerk.updateMember(borrower.id, { balance: 60_000 });
    const { id } = await borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 50_001 });
    await server.fund(borrower.id, 16_249.99);
    await refused(server.main.updatePayment(id, confirmed), 409, 'insufficient_funds');
    expect(await borrower.readLoanAccount(loan.id)).toMatchObject({ submitted: [{ id }], receipts: [] });
    await refused(
      server.main.updatePayment(id, { ...confirmed, amount: 16_249.99, note: 'All there is' }),
      400,
    );
    await borrower.withdrawOwnPayment(loan.id, id);
    await expectBooksVerified(server.deps);
  });
});

describe('at once:', () => {
  const settled = async (calls: { answer(): Promise<{ status: number; body: { code?: unknown } }> }[]) =>
    (await Promise.all(calls.map((call) => call.answer())))
      .map(({ status, body }) => body.code ?? status)
      .sort();

  it('the same reference twice is one payment', async () => {
    const { borrower, loan } = await oneLoan();
    const form = transfer();
    const calls = [1, 2, 3].map(() => borrower.payOwnLoan(loan.id, form));
    expect(await settled(calls)).toEqual([201, 'payment_known', 'payment_known']);
    expect((await borrower.readLoanAccount(loan.id)).submitted).toHaveLength(1);
  });

  it('two doubles confirmed are one receipt', async () => {
    const { borrower, loan } = await oneLoan();
    const other = await newLoan();
    const form = transfer();
    const ids = [
      await borrower.payOwnLoan(loan.id, form),
      await other.borrower.payOwnLoan(other.loan.id, form),
    ];
    expect(await settled(ids.map(({ id }) => server.main.updatePayment(id, confirmed)))).toEqual([
      200,
      'payment_known',
    ]);
    await expectBooksVerified(server.deps);
  });

  it('withdrawn while staff confirm, it is one or the other', async () => {
    const { borrower, loan } = await oneLoan();
    for (let round = 0; round < 4; round += 1) {
      const { id } = await borrower.payOwnLoan(loan.id, transfer());
      const calls = [borrower.withdrawOwnPayment(loan.id, id), server.main.updatePayment(id, confirmed)];
      expect(await settled(round % 2 ? calls : calls.reverse())).toEqual([200, 'payment_final']);
    }
    await expectBooksVerified(server.deps);
  });

  it('a wallet that two payments and a withdrawal empty is never overdrawn', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 10_000);
    const otp = await server.setCode(borrower.id);
    const { bankName, bankAccountNumber } = await borrower.readProfile();
    const pay = () => borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 6_000 });
    const withdraw = borrower.requestWithdrawal({
      amount: 6_000,
      otp,
      bankName: String(bankName),
      bankAccountNumber: String(bankAccountNumber),
    });
    const refusals = ['insufficient_funds', 'insufficient_funds'];
    expect(await settled([pay(), withdraw, pay()])).toEqual([201, ...refusals]);
    expect((await borrower.readProfile()).balance).toBe('4000.00');
    await expectBooksVerified(server.deps);
  });

  it('suspended meanwhile, a payment counts whole or not at all', async () => {
    const { borrower, loan } = await oneLoan();
    await server.fund(borrower.id, 10_000);
    const pay = () => borrower.payOwnLoan(loan.id, { channel: 'wallet', amount: 6_000 });
    const suspend = server.main.updateMember(borrower.id, { status: 'suspended' });
    const [paid] = await Promise.all([pay().answer(), suspend]);
    expect([201, 403]).toContain(paid.status);
    await refused(pay(), 403, { accountStatus: 'suspended' });
    await refused(borrower.payOwnLoan(loan.id, transfer()), 403, 'account_suspended');
    const { receipts } = await server.main.readLoanAccount(loan.id);
    expect(receipts).toHaveLength(paid.status === 201 ? 1 : 0);
    expect((await server.main.readMember(borrower.id)).balance).toBe(
      paid.status === 201 ? '4000.00' : '10000.00',
    );
    await expectBooksVerified(server.deps);
  });
});
