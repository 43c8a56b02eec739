import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { applicant, fundedBorrower } from '#tests/api/lending.ts';
import { soon } from '#tests/setup/browser.ts';
import { photo } from '#tests/setup/photo.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, dialogOf, expectToast, field, toastRegion } from './screen.ts';

const { server, browser } = await listeningServer();

it('the converter says what the day’s rate is, with six decimals, in each of the eight currencies', async () => {
  const { token } = await server.registerBorrower();
  const page = await browser.visit({ token });
  const codes = ['USD', 'EUR', 'GBP', 'JPY', 'AUD', 'CAD', 'SGD', 'HKD'];
  const rates = Object.fromEntries(codes.map((code, index) => [code, 0.0171234567 * (index + 1)]));
  await page.route('**/api/exchange-rates', (route) =>
    route.fulfill({ json: { base: 'PHP', rates, source: 'live', asOf: '2026-11-20T02:00:00.000Z' } }),
  );
  await page.goto('/loan-app');
  const converter = page.getByRole('region', { name: 'Currency converter' });
  await converter.getByText(en.converter.live, { exact: true }).waitFor();
  for (const [index, code] of codes.entries()) {
    await converter.getByRole('combobox', { name: 'Currency' }).selectOption(code);
    const rate = Number((0.0171234567 * (index + 1)).toFixed(6));
    await converter.getByText(`₱1 = ${rate} ${code}`, { exact: true }).waitFor();
    await soon(() => converter.locator('output').textContent()).toContain(
      (17.1234567 * (index + 1)).toFixed(2),
    );
    await converter.getByRole('img', { name: new RegExp(`simulated.*${code}`, 'i') }).waitFor();
  }
});

/** The lines of figures in a place, by the words beside them. */
const figuresIn = async (place: Locator): Promise<Record<string, string>> =>
  Object.fromEntries(
    await place
      .locator('dl > div')
      .evaluateAll((lines) => lines.map((line) => [...line.children].map(({ textContent }) => textContent))),
  );

it('an application is priced where it is typed, and the review agrees with it', async () => {
  const { token } = await server.verifiedBorrower();
  const page = await browser.visit({ token });
  const asked: string[] = [];
  await page.goto('/dashboard');
  const dialog = dialogOf(page, 'Apply for a Loan');
  const slider = dialog.getByRole('slider', { name: 'Loan amount' });
  await slider.focus();
  // The browser fetches the toasts' code at the first key.
  await page.keyboard.press('Shift');
  await toastRegion(page).waitFor({ state: 'attached' });
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (let ticks = 0; ticks < 20; ticks += 1) await page.keyboard.press('ArrowRight');
  await dialog.getByRole('spinbutton', { name: 'Term (months)' }).fill('18');
  const cost = dialog.getByRole('region', { name: 'What it costs' });
  // (350,000 + 350,000 × 2.5 % × 18) / 18
  await cost.getByText('₱28,194.44', { exact: true }).waitFor();
  const previewed = await figuresIn(cost);
  expect(Object.keys(previewed)).toEqual(expect.arrayContaining([en.quote.firstDue, en.quote.lastDue]));
  expect(asked).toEqual([]);
  await field(dialog, 'Purpose').fill('A sewing machine');
  await button(dialog, 'Review application').click();
  await button(dialog, 'Submit application').waitFor();
  expect(asked).toEqual(['/api/loans/quote']);
  expect(await figuresIn(dialog)).toMatchObject(previewed);
});

it('a one-time code is pasted as it was copied, and filled in by the phone', async () => {
  const borrower = await fundedBorrower(server);
  const page = await browser.open('/wallet', borrower);
  await button(page, 'Withdraw money').click();
  const funds = dialogOf(page, 'Withdraw Funds');
  await field(funds, 'Amount').fill('Your code is 482 913.');
  await field(funds, 'Amount').press('Control+A');
  await page.keyboard.press('Control+C');
  await field(funds, 'Amount').fill('5000');
  await page.keyboard.press('Enter');
  const otp = field(dialogOf(page, 'Enter OTP Code'), 'OTP code');
  await otp.press('Control+V');
  expect(await otp.inputValue()).toBe('482913');
  expect(await otp.getAttribute('autocomplete')).toBe('one-time-code');
  expect(await otp.getAttribute('inputmode')).toBe('numeric');
  await otp.fill('');
  // A phone sets the whole value at once.
  await otp.fill('482913');
  await page.keyboard.press('Enter');
  await expectToast(page, 'Withdrawal approved');
});

declare global {
  /** In the page: the photo that was last sent. */
  var sentPhoto: Blob | undefined;
}

function noteSentPhoto(): void {
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function note(body) {
    const file = body instanceof FormData ? body.get('file') : null;
    if (file instanceof Blob) globalThis.sentPhoto = file;
    send.call(this, body);
  };
}

describe('a photo of a document', () => {
  it('is made smaller before it leaves, and says how much of it has left', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token });
    await page.addInitScript(noteSentPhoto);
    await page.goto('/profile');
    const line = await page.context().newCDPSession(page);
    await line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 400_000,
    });
    const taken = await sharp({
      create: {
        width: 2600,
        height: 1300,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 10 },
      },
    })
      .jpeg()
      .toBuffer();
    await field(page, 'Selfie').setInputFiles({ name: 'taken.jpg', mimeType: 'image/jpeg', buffer: taken });
    const progress = page.getByRole('progressbar', { name: 'Uploading' });
    await soon(async () => Number(await progress.getAttribute('value'))).toSatisfy(
      (percent) => percent > 0 && percent < 100,
    );
    await expectToast(page, 'Document uploaded');
    const sent = await page.evaluate(async () => {
      const blob = globalThis.sentPhoto;
      if (!blob) throw new Error('nothing was sent');
      const { width, height } = await createImageBitmap(blob);
      return { width, height, type: blob.type, bytes: blob.size };
    });
    expect(sent).toMatchObject({ width: 2000, height: 1000, type: 'image/jpeg' });
    expect(sent.bytes).toBeLessThan(taken.byteLength);
  });

  it('that is small already leaves as it is, and comes from the camera or the gallery', async () => {
    const { token } = await server.registerBorrower();
    const page = await browser.visit({ token });
    await page.addInitScript(noteSentPhoto);
    await page.goto('/profile');
    const selfie = field(page, 'Selfie');
    // `capture` would take the gallery away.
    expect(await selfie.getAttribute('capture')).toBe(null);
    const buffer = await photo();
    await selfie.setInputFiles({ name: 'small.jpg', mimeType: 'image/jpeg', buffer });
    await expectToast(page, 'Document uploaded');
    expect(await page.evaluate(() => globalThis.sentPhoto?.size)).toBe(buffer.byteLength);
  });
});

it('the payment schedule is drawn as a mat of all that is to pay', async () => {
  const { borrower } = await applicant(server, { termMonths: 24 });
  const page = await browser.open('/profile', borrower);
  await button(page, 'Payment schedule').click();
  await dialogOf(page, 'Payment schedule').getByRole('img', { name: '0 of 24 paid' }).waitFor();
});
