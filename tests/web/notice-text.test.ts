import { describe, expect, it } from 'vitest';
import type { Notification } from '#contract/notification.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { applicant, apply, releaseLoan, withdraw } from '#tests/api/lending.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { isGoodNews, noticeText } from '#web/features/notice/notice-text.ts';

const server = await testServer();

/** A borrower to whom staff did everything that a borrower is told of, and what they were told, the last first. */
async function toldOfEverything() {
  const { borrower, loan } = await applicant(server);

  await releaseLoan(server, await apply(server, borrower));
  await server.fund(borrower.id, 5000);
  const withdrawal = await withdraw(server, borrower, 1_500);

  await server.main.updateWithdrawal(withdrawal.id, { status: 'completed' });

  await server.main.updateLoan(loan.id, { status: 'denied' });
  await server.main.updateLoan(loan.id, { status: 'Bank check' });
  await server.main.updateLoan(loan.id, { termMonths: 24 });

  await server.main.updateMember(borrower.id, { bankName: 'Bank B' });
  await server.main.updateMember(borrower.id, { status: 'active' });
  await server.main.notifyMember({
    userId: borrower.id,
    title: 'Come by',
    message: 'Bring your ID, loanNumber {x}',
    type: 'loan_update',
  });
  const told = await borrower.listNotifications();
  return { told, loan, withdrawal: withdrawal };
}

describe('what the borrower is told', () => {
  it('reads in English as the server wrote it, in Filipino entirely in Filipino', async () => {
    const { told, loan, withdrawal } = await toldOfEverything();
    const types = new Set(told.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      [
        'balance_changed',
        'bank_details_changed',
        'loan_disbursed',
        'loan_status_changed',
        'loan_terms_changed',
        'loan_update',
        'otp_set',
        'status_changed',
        'withdrawal_status_changed',
      ].sort(),
    );
    for (const notice of told) {
      // The server writes a status as it is stored, the app in its own word: they differ in a capital letter.
      const { title, message } = noticeText(notice, { words: en, balanceShown: true });
      expect(title).toBe(notice.title);
      expect(message.toLowerCase()).toBe(notice.message.toLowerCase());
    }
    const inFilipino = told.map((notice) => noticeText(notice, { words: fil, balanceShown: true }));
    const said = inFilipino.map(({ title, message }) => `${title}: ${message}`);
    expect(said.slice(0, 6)).toEqual([
      'Come by: Bring your ID, loanNumber {x}',
      'Aktibo na ang account mo: Ang status nito ngayon: Aktibo.',
      Object.values(fil.notices.bank_details_changed()).join(': '),
      `Nagbago ang terms ng loan mo: Loan ${loan.loanNumber}: ₱150,000.00 sa loob ng 24 buwan, ₱10,000.00 bawat buwan. Basahin ang bagong bersyon ng kontrata mo at tanggapin ito: saka lang namin mailalabas ang pera.`,
      `Ang loan mo: Bank check: Loan ${loan.loanNumber}: Bank check.`,
      `Hindi naaprubahan ang loan mo: Loan ${loan.loanNumber}: Hindi naaprubahan.\nPuwede kang mag-apply ulit, o magtanong sa aming staff tungkol dito.`,
    ]);
    expect(said).toContain(
      `Naipadala na ang withdrawal mo: Withdrawal ${withdrawal.withdrawalNumber}: Naipadala na.`,
    );
    expect(said).toContain('Nabawasan ng ₱145,000.00 ang wallet mo: Mula ₱150,000.00 naging ₱5,000.00.');
    expect(said).toContainEqual(expect.stringMatching(/^Pumasok sa wallet mo ang ₱150,000\.00: Loan /));
  });
});

describe('a message', () => {
  const notice = (changed: Partial<Notification>): Notification => ({
    id: 1,
    userId: 1001,
    title: 'Title',
    message: 'Message',
    type: 'loan_update',
    details: null,
    createdAt: '2026-11-20T00:00:00.000Z',
    ...changed,
  });

  it('reveals no balance while the balance is hidden', () => {
    const balances = { before: '₱0.00', after: '₱5,000.00' };
    const told = (details: Record<string, string>) =>
      noticeText(notice({ type: 'balance_changed', details: { ...balances, ...details } }), {
        words: en,
        balanceShown: false,
      });
    expect(told({})).toEqual({
      title: 'Your wallet balance was changed',
      message: '',
    });
    expect(told({ change: 'added', amount: '₱5,000.00' })).toEqual({
      title: '₱ •••••• added to your wallet',
      message: '',
    });
    expect(JSON.stringify(told({ change: 'released', amount: '₱5,000.00' }))).not.toContain('5,000');
    expect(told({ change: 'released', amount: '₱5,000.00', loanNumber: 'LN-1' }).title).toBe(
      '₱ •••••• released',
    );
    for (const [type, details, isOfWallet] of [
      ['loan_disbursed', { channel: 'wallet' }, true],
      ['loan_disbursed', { channel: 'direct' }, false],
      ['disbursement_cancelled', {}, true],
      ['payment_received', { credit: '₱7,777.00' }, true],
      ['payment_received', {}, false],
    ] as const) {
      const about = notice({ type, details: { amount: '₱7,777.00', ...details } });
      const hidden = noticeText(about, { words: en, balanceShown: false });
      expect(JSON.stringify(hidden).includes('₱ ••••••'), type).toBe(isOfWallet);
      const shown = noticeText(about, { words: en, balanceShown: true });
      expect(JSON.stringify(shown), type).toContain('₱7,777.00');
    }
  });

  it('of a rejected withdrawal says where the money is, and names each change in the reader’s words', () => {
    const told = (words: Wording, details: Record<string, string>) =>
      noticeText(notice({ type: 'withdrawal_status_changed', details }), { words, balanceShown: true })
        .message;
    const rejected = { withdrawalNumber: 'WD-1', status: 'Rejected', statusCode: 'rejected' };
    expect(told(en, rejected)).toContain('The money is back in your wallet.');
    expect(told(fil, rejected)).toContain('Ibinalik ang pera sa wallet mo.');
    const released = { withdrawalNumber: 'WD-1', status: 'Approved', statusCode: 'approved' };
    expect(told(en, released)).not.toContain('back in your wallet');
    const changed = { ...released, alsoChanged: 'phone,balance' };
    expect(told(en, changed)).toContain('changed your phone number and wallet balance');
    expect(told(fil, changed)).toContain('numero ng telepono at balance sa wallet');
  });

  it('names months in the language of the reader', () => {
    const disbursed = notice({ type: 'loan_disbursed', details: { firstDueDate: '26 Oct 2026' } });
    const told = (words: Wording) => noticeText(disbursed, { words, balanceShown: true }).message;
    expect(told(en)).toContain('26 Oct 2026');
    expect(told(fil)).toContain('26 Okt 2026');
  });

  it.each<[isGood: boolean, type: string, details: Record<string, string> | null]>([
    [true, 'loan_status_changed', { status: 'Approved', statusCode: 'approved' }],
    [true, 'balance_changed', { change: 'released' }],
    [true, 'withdrawal_status_changed', { status: 'completed' }],
    [false, 'loan_status_changed', { status: 'Denied', statusCode: 'denied' }],
    [false, 'status_changed', { status: 'suspended' }],
    [false, 'balance_changed', { change: 'taken' }],
    [false, 'balance_changed', null],
    [false, 'loan_update', { status: 'approved' }],
  ])('is good news (%s): %s %j', (isGood, type, details) => {
    expect(isGoodNews(notice({ type, details }))).toBe(isGood);
  });

  it.each<{ why: string; changed: Partial<Notification> }>([
    { why: 'what staff wrote', changed: { details: { title: 'x' } } },
    { why: 'a notice without details', changed: { type: 'balance_changed' } },
    { why: 'a type of tomorrow', changed: { type: 'tomorrow', details: {} } },
    { why: 'a type that is none', changed: { type: 'constructor', details: {} } },
  ])('$why stays as it is', ({ changed }) => {
    expect(noticeText(notice(changed), { words: fil, balanceShown: true })).toEqual({
      title: 'Title',
      message: 'Message',
    });
  });
});
