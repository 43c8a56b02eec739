import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleLender } from '#server/sample-lender.ts';
import { fundedBorrower } from '#tests/api/lending.ts';
import { soon, type VisitOptions } from '#tests/setup/browser.ts';
import { expectNoAxeViolations, expectWhole, hasFocus } from '#tests/setup/browser-checks.ts';
import { codeIn, confirmAll, messaging, sendAll, writtenMessages } from '#tests/setup/outbox.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import type { TestBorrower } from '#tests/setup/test-server.ts';
import { listeningServer } from '#tests/setup/web-server.ts';
import { button, descriptionOf, dialogOf, expectToast, field, leaveDone, region } from './screen.ts';

/** Stands still at the present, where the browser's is: only a borrower's past is older. */
const clock = createTestClock();
const { server, browser } = await listeningServer({
  config: { ...messaging(), lender: { ...sampleLender, messages: { codes: 'sms' } } },
  deps: { clock },
});
beforeEach(() => clock.set(new Date()));

const part = (page: Page) => region(page, 'How we reach you');

async function openAccount({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
  const page = await browser.open('/account', { token, ...options });
  await part(page).waitFor();
  return page;
}

const newestCode = async (channel: 'sms' | 'email') => {
  await sendAll(server);
  return codeIn(writtenMessages(server).findLast((one) => one.channel === channel)?.text);
};

const wrongFor = (code: string) => (code === '000000' ? '000001' : '000000');

describe('how we reach you', () => {
  it('confirms phone and e-mail with the codes that were sent there', async () => {
    const borrower = await server.verifiedBorrower();
    const page = await openAccount(borrower, { expects: [/status of 400/] });
    await button(part(page), 'Confirm my phone').click();
    const code = field(part(page), 'Confirmation code');
    await soon(() => hasFocus(code)).toBe(true);
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await code.getAttribute('inputmode')).toBe('numeric');
    await part(page)
      .getByText(/^We texted a code to \+63 9•• ••• \d{4}\. It works until \d\d:\d\d\.$/)
      .waitFor();
    await part(page)
      .getByText(/^A new code in (0:[0-5]\d|1:00)$/)
      .waitFor();
    await expectWhole(page);
    const right = await newestCode('sms');
    await code.fill(wrongFor(right));
    await page.keyboard.press('Enter');
    await soon(() => descriptionOf(code)).toContain('This code is wrong or no longer works.');
    expect(await hasFocus(code)).toBe(true);
    await code.fill(right);
    await button(part(page), 'Confirm').click();
    await expectToast(page, 'Phone confirmed');
    await part(page)
      .getByText(/^Confirmed on \d+ \w+ \d{4}$/)
      .waitFor();
    await button(part(page), 'Confirm my email').click();
    await code.fill(await newestCode('email'));
    await button(part(page), 'Confirm').click();
    await expectToast(page, 'Email confirmed');
    const { phone, email } = await borrower.readContact();
    expect([phone?.confirmedAt, email?.confirmedAt]).not.toContain(null);
  });

  it('takes a code that was sent before the page was opened anew', async () => {
    const borrower = await server.verifiedBorrower();
    await borrower.sendPhoneCode();
    const page = await openAccount(borrower, { expects: [/status of 429/] });
    await button(part(page), 'Confirm my phone').click();
    await part(page).getByText('If you have a code from before').waitFor();
    await field(part(page), 'Confirmation code').fill(await newestCode('sms'));
    await page.keyboard.press('Enter');
    await expectToast(page, 'Phone confirmed');
  });

  it('says what is in the way, and keeps what is wanted', async () => {
    const abroad = await server.registerBorrower({ phone: '+1 415 555 0100' });
    const page = await openAccount(abroad);
    await part(page)
      .getByText(/^\+1 415 555 0100 cannot get our texts/)
      .waitFor();
    await part(page).getByText('Your profile has no email address.').waitFor();
    expect(await part(page).getByRole('button').count()).toBe(0);
    const reminders = part(page).getByRole('switch', { name: 'Reminders', exact: true });
    expect(await reminders.isChecked()).toBe(true);
    await reminders.uncheck();
    await expectToast(page, 'Saved');
    expect((await abroad.readContact()).wants).toEqual({ reminders: false, news: true });
    await part(page).getByRole('link', { name: 'Add one' }).click();
    await page.waitForURL('/profile#personal');
  });
});

describe('a code by text', () => {
  const codeDialog = (page: Page) => dialogOf(page, 'Enter OTP Code');

  /** Everything was confirmed so long ago that codes are texted. */
  async function textedBorrower(): Promise<TestBorrower> {
    clock.advance({ days: -3 });
    const borrower = await fundedBorrower(server);
    await confirmAll(server, borrower);
    clock.set(new Date());
    return borrower;
  }

  async function openCode({ token }: TestBorrower, options: VisitOptions = {}): Promise<Page> {
    const page = await browser.open('/wallet', { token, ...options });
    await button(page, 'Withdraw money').click();
    await field(dialogOf(page, 'Withdraw Funds'), 'Amount').fill('5000');
    await button(page, 'Continue').click();
    await codeDialog(page).waitFor();
    return page;
  }

  const textMe = async (page: Page, password: string): Promise<Locator> => {
    await button(codeDialog(page), 'Text me a code').click();
    const asking = dialogOf(page, 'Text me a code');
    await field(asking, 'Your password').fill(password);
    await button(asking, 'Text it').click();
    return asking;
  };

  it('comes for the password, and lets the money go', async () => {
    const borrower = await textedBorrower();
    const page = await openCode(borrower, { expects: [/status of 400/] });
    const asking = await textMe(page, 'not my password');
    await soon(() => descriptionOf(field(asking, 'Your password'))).toContain('not right');
    await expectNoAxeViolations(page);
    await field(asking, 'Your password').fill(borrower.password);
    await page.keyboard.press('Enter');
    await asking.waitFor({ state: 'hidden' });
    const otp = field(codeDialog(page), 'OTP code');
    await soon(() => hasFocus(otp)).toBe(true);
    await codeDialog(page)
      .getByText(/^Texted to \+63 9•• ••• \d{4} at \d\d:\d\d/)
      .waitFor();
    await codeDialog(page)
      .getByText(/^Nothing came\? A new one in/)
      .waitFor();
    await expectWhole(page);
    await otp.fill(await newestCode('sms'));
    await button(codeDialog(page), 'Confirm').click();
    await expectToast(page, 'Withdrawal approved', '₱5,000.00 to Bank A.');
    await leaveDone(page);
  });

  it('leaves it to staff where it cannot be texted any more', async () => {
    const borrower = await textedBorrower();
    const page = await openCode(borrower, { expects: [/status of 409/] });
    await button(codeDialog(page), 'Text me a code').waitFor();
    await borrower.updateProfile({ bankName: 'Bank B' });
    const asking = await textMe(page, borrower.password);
    await asking.waitFor({ state: 'hidden' });
    await codeDialog(page).getByText('Please ask our staff for it.').waitFor();
    await button(codeDialog(page), 'Request a code').waitFor();
  });

  it('is not offered to a phone that is not confirmed, which is told how to get there', async () => {
    const page = await openCode(await fundedBorrower(server));
    await codeDialog(page).getByText('If you confirm your phone under Profile, Account').waitFor();
    expect(await button(codeDialog(page), 'Text me a code').count()).toBe(0);
  });
});

describe('a code of staff', () => {
  it('is noticed by the phone that comes back to the page', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 20_000);
    const page = await browser.open('/wallet', { token: borrower.token });
    await button(page, 'Withdraw money').click();
    await field(dialogOf(page, 'Withdraw Funds'), 'Amount').fill('5000');
    await button(page, 'Continue').click();
    const dialog = dialogOf(page, 'Enter OTP Code');
    await button(dialog, 'Look again').waitFor();
    await button(dialog, 'Request a code').click();
    await dialog.getByText(/^You asked at \d\d:\d\d/).waitFor();
    await server.setCode(borrower.id, '482913');
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await dialog.getByText(/^Our staff set your code at \d\d:\d\d/).waitFor();
    await dialog.getByText(`They call you on ${borrower.phone}`).waitFor();
    await expectWhole(page);
  });
});
