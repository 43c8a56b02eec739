import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { centavos } from '#domain/money.ts';
import { odd } from '#tests/setup/caller.ts';
import { mainAdminPassword, testServer } from '#tests/setup/test-server.ts';
import { expectSoundBooks } from './books.ts';
import { approvedApplication, borrowerWithLoan, takeOverLoan } from './lending.ts';

const server = await testServer();

type Answer = { status: number; body: Partial<ErrorBody> };
type Row = Parameters<typeof server.call>[0];

describe('a day before 1990', () => {
  const days = ['0001-01-01', '0099-12-31', '1900-02-28', '1989-12-31'];

  it.each<[string, Row, string]>([
    ['the account', api.readLoanAccount, 'asOf'],
    ['a settlement', api.readSettlement, 'date'],
    ['the first day of a statement', api.readStatementTable, 'from'],
    ['the last day of a statement', api.readStatementTable, 'to'],
    ['the first day of a printed statement', api.readStatementPdf, 'from'],
    ['the first day of payments', api.listPayments, 'from'],
    ['the last day of payments', api.listPayments, 'to'],
  ])('is refused for %s', async (_, row, name) => {
    const { id } = await borrowerWithLoan(server, { date: '2026-01-10' });
    const token = await server.signInMainAdmin();
    for (const day of [...days, '2026-02-30', 'yesterday']) {
      const request = { token, params: { id }, query: { [name]: day } } as object;
      const { status, body } = (await server.call(row, request)) as Answer;
      expect([day, status, Object.keys(body.errors ?? {})]).toEqual([day, 400, [name]]);
    }
  });

  it.each<[string, Row, object, string]>([
    ['a release', api.disburseLoan, { channel: 'recorded' }, 'date'],
    ['a payment', api.recordPayment, { amount: 1, channel: 'cash' }, 'valueDate'],
    ['a waiver', api.actOnLoan, { kind: 'waiver', amount: 1, reason: 'As agreed' }, 'valueDate'],
    ['a deferral', api.actOnLoan, { kind: 'deferral', months: 1, reason: 'As agreed' }, 'valueDate'],
    ['the preview of a release', api.previewLoan, { step: 'disbursement', channel: 'recorded' }, 'date'],
    [
      'the preview of a payment',
      api.previewLoan,
      { step: 'payment', amount: 1, channel: 'cash' },
      'valueDate',
    ],
    ['the preview of an action', api.previewLoan, { step: 'action', kind: 'write_off' }, 'valueDate'],
  ])('is refused for %s', async (_, row, form, name) => {
    const { id } = await approvedApplication(server);
    const token = await server.signInMainAdmin();
    for (const day of days) {
      const request = { token, params: { id }, anyBody: { ...form, [name]: day } } as object;
      const { status, body } = (await server.call(row, request)) as Answer;
      expect([day, status, Object.keys(body.errors ?? {})]).toEqual([day, 400, [name]]);
    }
  });

  it('is the last one refused, and the most distant days are answered', async () => {
    const { id } = await borrowerWithLoan(server, { date: '1990-01-01', termMonths: 6 });
    for (const asOf of ['1990-01-01', '9999-12-31']) {
      await server.main.readLoanAccount(id, { asOf });
    }
    for (const query of [{ from: '1990-01-01' }, { to: '9999-12-31' }]) {
      await server.main.readStatementTable(id, query);
    }
  });
});

describe('terms that make an instalment of 0.00', () => {
  it('are refused, and the smallest above them are taken', async () => {
    const { borrower, id } = await approvedApplication(server);
    const edit = (body: object) => server.main.updateLoan(id, odd(body)).answer();
    // With 2.5 % a month over 60 months each instalment is a twenty-fourth of the amount.
    const { status, body } = await edit({ amount: '0.11', termMonths: 60 });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['amount']]);
    expect((await edit({ amount: '0.12', termMonths: 60 })).status).toBe(200);
    const own = await borrower.listOwnLoans();
    expect(own[0]?.monthlyPayment).toBe('0.01');
  });

  it('are not released where older books have them', async () => {
    const borrower = await server.verifiedBorrower();
    const id = await takeOverLoan(server, borrower.id, {
      amountCentavos: centavos(11),
      termMonths: 60,
      status: 'approved',
      monthlyPaymentCentavos: centavos(0),
    });
    const release = { channel: 'recorded' } as const;
    const answers = [
      await server.main.disburseLoan(id, release).answer(),
      await server.main.previewLoan(id, { step: 'disbursement', ...release }).answer(),
    ] as Answer[];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    await server.main.readLoanAccount(id);
  });
});

describe('a loan released while the clock was ahead', () => {
  it('can be cancelled and printed once the clock is right', async () => {
    const { borrower, id } = await approvedApplication(server);
    const main = server.as(await server.signInMainAdmin());
    const before = server.clock.now();
    server.clock.advance({ days: 3 });
    const ahead = await server.signIn({ username: 'admin', password: mainAdminPassword });
    await server.as(ahead).disburseLoan(id, { channel: 'wallet' });
    await server.as(ahead).recordPayment(id, { amount: 100, channel: 'cash' });
    server.clock.set(before);

    const papers = [
      'readStatementTable',
      'readStatementPdf',
      'readLoanContract',
      'readLoanContractPdf',
    ] as const;
    const expectReadable = async () => {
      for (const read of ['readLoanAccount', ...papers, 'readLoanSchedule'] as const)
        expect([read, (await main[read](id).answer()).status]).toEqual([read, 200]);
    };
    await expectReadable();

    const [payment] = (await main.readLoanAccount(id)).payments;
    const receipt = await main.readReceiptPdf(id, payment?.receiptNumber ?? '');
    expect(receipt.status).toBe(200);

    const reversal = { status: 'reversed', reason: 'Typed in while the clock was wrong' } as const;
    expect((await main.updatePayment(payment?.id ?? 0, reversal).answer()).status).toBe(200);
    const reason = 'Released while the clock was wrong';
    expect((await main.cancelDisbursement(id, { reason }).answer()).status).toBe(201);
    await expectReadable();
    const own = await borrower.readProfile();
    expect(own.balance).toBe('0.00');
    await expectSoundBooks(server.database);
    // Released again on the right day.
    await main.disburseLoan(id, { channel: 'wallet' });
    const again = await main.readLoanAccount(id);
    expect([again.disbursedOn, again.account.state]).toEqual(['2026-03-10', 'open']);
    await expectSoundBooks(server.database);
  });
});
