import { describe, expect, it } from 'vitest';
import type { ErrorBody } from '#contract/errors.ts';
import type { Payment } from '#contract/servicing.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { photo } from '#tests/setup/photo.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { approvedApplication, borrowerWithLoan } from './lending.ts';

const server = await testServer();

type Answer = { status: number; body: Partial<Payment> & Partial<ErrorBody> };

async function newLoan() {
  const { loan } = await borrowerWithLoan(server, { date: '2026-01-10' });

  const pay = (anyBody: object) =>
    server.main.recordPayment(loan.id, odd(anyBody)).answer() as Promise<Answer>;
  const preview = (anyBody: object) =>
    server.main.previewLoan(loan.id, odd({ step: 'payment', ...anyBody })).answer() as Promise<Answer>;
  const update = (id: unknown, body: object) =>
    server.main.updatePayment(Number(id), odd(body)).answer() as Promise<Answer>;
  return { pay, preview, update, loanNumber: loan.loanNumber };
}

const openLoan = server.built(newLoan);

const transfer = (reference?: unknown, more: object = {}) => ({
  amount: 1_000,
  channel: 'gcash',
  reference,
  ...more,
});

const reference = 'GCash No. 0912-345 KE';

describe('a payment with a reference that is known', () => {
  it.each([
    ['in small letters', reference.toLowerCase()],
    ['in capitals', reference.toUpperCase()],
    ['without spaces and dashes', 'GCashNo0912345KE'],
    ['with other dashes', 'GCash–No—0912‑345−KE'],
    ['with dots, slashes and underscores', 'GCash/No.0912_345.KE'],
    ['with no-break and wide spaces', 'GCash\u00a0No\u30000912\u2003345\u202fKE'],
    ['with characters of no width', 'GC\u200bash\u200d No\u2060 09\ufeff12-345 KE'],
    ['with soft hyphens', 'GCa\u00adsh No. 0912\u00ad345 KE'],
    ['written from right to left', '\u202eGCash No. 0912-345 KE\u202c'],
    ['with a variation selector', 'GCash No. 0912-345 KE\ufe0f'],
    ['with accents', 'ĜCásh Ñö. 0912-345 KÈ'],
    ['with combining marks', 'GCash No. 0\u03389\u033812-345 KE\u0323'],
    ['in full width', 'ＧＣａｓｈ Ｎｏ． ０９１２−３４５ ＫＥ'],
    ['in mathematical bold', '𝐆𝐂𝐚𝐬𝐡 𝐍𝐨. 𝟎𝟗𝟏𝟐-𝟑𝟒𝟓 𝐊𝐄'],
    ['in mathematical monospace', '𝙶𝙲𝚊𝚜𝚑 𝙽𝚘. 𝟶𝟿𝟷𝟸-𝟹𝟺𝟻 𝙺𝙴'],
    ['in circles', 'ⒼⒸⓐⓢⓗ Ⓝⓞ. 0⑨①②-③④⑤ ⓀⒺ'],
    ['in superscript', 'GCash No. ⁰⁹¹²-³⁴⁵ KE'],
    ['with a long s and a Kelvin sign', 'GCaſh No. 0912-345 KE'],
    ['in Arabic digits', 'GCash No. ٠٩١٢-٣٤٥ KE'],
    ['in Persian digits', 'GCash No. ۰۹۱۲-۳۴۵ KE'],
    ['in Devanagari digits', 'GCash No. ०९१२-३४५ KE'],
    ['in Bengali digits', 'GCash No. ০৯১২-৩৪৫ KE'],
    ['in Thai digits', 'GCash No. ๐๙๑๒-๓๔๕ KE'],
    ['in Khmer digits', 'GCash No. ០៩១២-៣៤៥ KE'],
    ['in digits of the second Tai Tham set', 'GCash No. ᪐᪙᪑᪒-᪓᪔᪕ KE'],
    ['in Chakma digits beyond the basic plane', 'GCash No. 𑄶𑄿𑄷𑄸-𑄹𑄺𑄻 KE'],
    ['in digits of three scripts', 'GCash No. ٠9१2-๓4৫ KE'],
  ])('is refused %s', async (_, disguise) => {
    const { pay, preview } = await openLoan();
    const other = { channel: 'maya' };
    expect((await pay(transfer(reference, other))).status).toBe(201);
    expect(await pay(transfer(disguise, other))).toMatchObject({
      status: 409,
      body: { code: 'payment_known' },
    });
    expect(await preview(transfer(disguise, other))).toMatchObject({
      status: 409,
      body: { code: 'payment_known' },
    });
  });

  it.each([
    ['Cyrillic', 'GСаsh 0912-345'],
    ['Greek', 'GCΑSH 0912-345'],
    ['Armenian', 'GCaսh 0912-345'],
    ['Cherokee', 'ᏀCash 0912-345'],
    ['Lisu', 'ꓖCash 0912-345'],
    ['Coptic', 'GⲤash 0912-345'],
    ['small capitals', 'ɢᴄᴀsʜ 0912-345'],
    ['a Latin alpha', 'GCɑsh 0912-345'],
    ['letters on black circles', '🅖Cash 0912-345'],
    ['Roman numerals of the Aegean', 'GCash 0912-345 𐄇'],
    ['regional indicators', '🇬Cash 0912-345'],
    ['a Chinese number', 'GCash 0912-345 一'],
    ['nothing else', 'НОМЕР ОДИН'],
  ])('is refused in letters that only look alike: %s', async (_, disguise) => {
    const { pay } = await openLoan();
    const { status, body } = await pay(transfer(disguise));
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['reference']]);
    expect(body.message).toBe('Please type the reference with the letters A to Z and digits only');
  });

  it('counts again once the first is rejected or reversed, and in another channel', async () => {
    const { pay, update } = await openLoan();
    const rejected = await pay(transfer('R-0001'));
    await update(rejected.body.id, { status: 'rejected', reason: 'Not on the statement' });
    const reversed = await pay(transfer('r 0001'));
    expect(reversed.status).toBe(201);
    await update(reversed.body.id, { status: 'confirmed' });
    expect((await pay(transfer('R0001'))).body.code).toBe('payment_known');
    await update(reversed.body.id, { status: 'reversed', reason: 'It bounced' });
    expect((await pay(transfer('R0001'))).status).toBe(201);
    expect((await pay(transfer('R0001', { channel: 'pesonet' }))).status).toBe(201);
  });
});

describe('the reference of a payment', () => {
  it.each(['bank_transfer', 'instapay', 'pesonet', 'gcash', 'maya', 'cheque'])(
    'is needed by %s',
    async (channel) => {
      const { pay, preview } = await openLoan();
      for (const missing of [
        undefined,
        null,
        '',
        '   ',
        '---',
        '. . .',
        'A-1',
        '１２３',
        '\u200b\u200b\u200b\u200b',
      ]) {
        for (const answer of [
          await pay(transfer(missing, { channel })),
          await preview(transfer(missing, { channel })),
        ]) {
          expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['reference']]);
        }
      }
      expect((await pay(transfer('A-123', { channel }))).status).toBe(201);
    },
  );

  it('is needed neither by cash nor by the wallet', async () => {
    const { pay } = await openLoan();
    expect((await pay({ amount: 1_000, channel: 'cash' })).status).toBe(201);
    expect((await pay({ amount: 1_000, channel: 'wallet', reason: 'Asked for' })).body.code).toBe(
      'insufficient_funds',
    );
  });
});

describe('InstaPay', () => {
  it('carries at most ₱50,000 a payment', async () => {
    const { pay, preview } = await openLoan();
    const above = transfer('IP-0001', { channel: 'instapay', amount: '50000.01' });
    for (const { status, body } of [await pay(above), await preview(above)]) {
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['amount']]);
      expect(body.message).toContain('₱50,000');
    }
    expect((await pay({ ...above, amount: 50_000 })).status).toBe(201);
    expect((await pay({ ...above, channel: 'pesonet' })).status).toBe(201);
  });
});

describe('the reference of a loan released directly', () => {
  it.each(['---', 'Б-1', '7'])('is any text: %s', async (given) => {
    const { id } = await approvedApplication(server);
    const release = (anyBody: object) => server.main.disburseLoan(id, odd(anyBody));
    await refused(release({ channel: 'direct', reference: '  ' }), 400);
    expect((await release({ channel: 'direct', reference: given }).answer()).status).toBe(201);
  });
});

describe('a proof of payment', () => {
  it('proves one payment, however often the same picture is uploaded', async () => {
    const token = await server.signInMainAdmin();
    const [first, second] = [await newLoan(), await newLoan()];
    const upload = async (width: number) => {
      const { url: proofUrl } = await server.upload(token, await photo({ width }));
      return { proofUrl };
    };
    const proved = await first.pay(transfer('G 0001', await upload(50)));
    expect(proved.status).toBe(201);
    const again = await upload(50);
    expect(again.proofUrl).not.toBe(proved.body.proofUrl);
    const twice = transfer('G 0002', again);
    for (const { status, body } of [await second.preview(twice), await second.pay(twice)]) {
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['proofUrl']]);
      expect(body.message).toBe(`This photo already proves a payment on loan ${first.loanNumber}`);
    }
    expect((await second.pay(transfer('G 0002', await upload(51)))).status).toBe(201);
    // The payment that it proved no longer counts, so it may prove another.
    await first.update(proved.body.id, { status: 'rejected', reason: 'Of another loan' });
    expect((await second.pay(transfer('G 0003', again))).status).toBe(201);
  });

  it('proves one of two payments that are recorded at once', async () => {
    const token = await server.signInMainAdmin();
    const loans = [await newLoan(), await newLoan(), await newLoan()];
    const answers = await Promise.all(
      loans.map(async ({ pay }, index) => {
        const { url: proofUrl } = await server.upload(token);
        return pay(transfer(`G 000${index}`, { proofUrl }));
      }),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });
});
