import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { refused } from '#tests/setup/caller.ts';
import { codeIn, confirmAll, messaging, rowsOf, sendAll, writtenMessages } from '#tests/setup/outbox.ts';
import { type TestBorrower, testServer } from '#tests/setup/test-server.ts';

const server = await testServer({
  config: { ...messaging(), lender: { ...sampleLender, messages: { codes: 'sms' } } },
});

const newest = (channel: 'sms' | 'email') =>
  writtenMessages(server).findLast((one) => one.channel === channel);

async function sentCode(borrower: TestBorrower, channel: 'sms' | 'email' = 'sms'): Promise<string> {
  await (channel === 'sms' ? borrower.sendPhoneCode() : borrower.sendEmailCode());
  await sendAll(server);
  return codeIn(newest(channel)?.text);
}

describe('confirmed addresses', () => {
  it('are confirmed with the code that was sent there, and read masked', async () => {
    const borrower = await server.registerBorrower({ phone: '0917 123 4567', email: 'juan@example.com' });
    expect(await borrower.readContact()).toEqual({
      channels: { sms: true, email: true },
      codes: 'staff',
      phone: { sentTo: '+63 9•• ••• 4567', confirmedAt: null },
      email: { sentTo: 'j•••@example.com', confirmedAt: null },
      wants: { reminders: true, news: true },
    });
    const { sentTo, resendAt, expiresAt } = await borrower.sendPhoneCode();
    const now = server.clock.now().getTime();
    expect(sentTo).toBe('+63 9•• ••• 4567');
    expect([resendAt, expiresAt].map((at) => (Date.parse(at) - now) / 1_000)).toEqual([60, 600]);
    await sendAll(server);
    expect(newest('sms')).toMatchObject({ to: '+639171234567' });
    expect(newest('sms')?.text).toMatch(/^Hiram: \d{6} is your code to confirm this phone\./);
    const confirmed = await borrower.confirmPhone({ code: codeIn(newest('sms')?.text) });
    expect(confirmed.phone?.confirmedAt).toBe(server.clock.now().toISOString());
    const code = await sentCode(borrower, 'email');
    expect((await borrower.confirmEmail({ code })).email?.confirmedAt).not.toBeNull();
  });

  it('take a code once, for ten minutes and five tries, and only the newest', async () => {
    const borrower = await server.registerBorrower();
    const invalid = (code: string) => refused(borrower.confirmPhone({ code }), 400, 'invalid_code');
    await invalid('123456');
    const first = await sentCode(borrower);
    server.clock.advance({ minutes: 1 });
    const second = await sentCode(borrower);
    if (first !== second) await invalid(first);
    for (let tries = 0; tries < 4; tries += 1) await invalid(second === '000000' ? '000001' : '000000');
    await (first === second ? Promise.resolve() : invalid(second));
    server.clock.advance({ minutes: 1 });
    const third = await sentCode(borrower);
    server.clock.advance({ minutes: 10 });
    await invalid(third);
    server.clock.advance({ hours: 24 });
    const fourth = await sentCode(borrower);
    await borrower.confirmPhone({ code: fourth });
    await invalid(fourth);
    await refused(borrower.sendPhoneCode(), 409, 'already_confirmed');
  });

  it('are sent one code a minute and five a day', async () => {
    const borrower = await server.registerBorrower({ phone: '09171112222', email: 'a@example.com' });
    await borrower.sendPhoneCode();
    const soon = await server.call(api.sendPhoneCode, { token: borrower.token });
    expect([soon.status, soon.headers['retry-after']]).toEqual([429, '60']);
    for (let sent = 1; sent < 3; sent += 1) {
      server.clock.advance({ minutes: 1 });
      await borrower.sendPhoneCode();
    }
    server.clock.advance({ minutes: 1 });
    // Three a number, over all accounts; the e-mail address still has two of the five.
    await refused(borrower.sendPhoneCode(), 429, 'too_many_requests');
    await borrower.sendEmailCode();
    server.clock.advance({ minutes: 1 });
    await borrower.sendEmailCode();
    server.clock.advance({ minutes: 1 });
    await refused(borrower.sendEmailCode(), 429, 'too_many_requests');
    server.clock.advance({ hours: 24 });
    await borrower.sendPhoneCode();
  });

  it('say what is in the way', async () => {
    const abroad = await server.registerBorrower({ phone: '+1 415 555 0100' });
    await refused(abroad.sendPhoneCode(), 409, 'not_mobile');
    await refused(abroad.sendEmailCode(), 409, 'no_address');
    expect((await abroad.readContact()).phone).toBeNull();
  });

  it('are no longer confirmed once they are others, and the old one is told', async () => {
    const borrower = await server.verifiedBorrower();
    await confirmAll(server, borrower);
    const before = writtenMessages(server).length;
    await server.main.updateMember(borrower.id, { phone: '0999 888 7777' });
    await sendAll(server);
    const told = writtenMessages(server).slice(before);
    expect(told.map(({ channel, to }) => [channel, to])).toEqual([
      ['sms', expect.stringContaining(borrower.phone.slice(1))],
      ['email', 'maria@example.com'],
    ]);
    expect((await borrower.readContact()).phone).toEqual({ sentTo: '+63 9•• ••• 7777', confirmedAt: null });
    // The same e-mail address in other letters is the same one.
    await borrower.updateProfile({ email: 'MARIA@example.com' });
    expect((await borrower.readContact()).email?.confirmedAt).not.toBeNull();
    await borrower.updateProfile({ email: 'other@example.com' });
    expect((await borrower.readContact()).email?.confirmedAt).toBeNull();
    await sendAll(server);
    expect(newest('email')?.to).toBe('MARIA@example.com');
    expect((await rowsOf(server)).filter(({ addressSealed }) => addressSealed !== null)).toEqual([]);
  });

  it('keep what the borrower wants', async () => {
    const borrower = await server.registerBorrower();
    const { wants } = await borrower.updateContact({ wants: { reminders: false } });
    expect(wants).toEqual({ reminders: false, news: true });
    expect((await borrower.readContact()).wants).toEqual(wants);
  });

  it('may be confirmed by staff who did not change the phone lately', async () => {
    const borrower = await server.registerBorrower();
    const encoder = await server.createAdmin();
    const shown = await encoder.updateMember(borrower.id, { phoneConfirmed: true });
    expect(shown).toMatchObject({ phoneConfirmedBy: 'staff' });
    const other = await server.registerBorrower();
    await encoder.updateMember(other.id, { phone: '09998887766' });
    await refused(encoder.updateMember(other.id, { phoneConfirmed: true }), 403, 'own_request');
    await server.main.updateMember(other.id, { phoneConfirmed: true });
  });
});

describe('codes by text', () => {
  const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };

  async function readyBorrower(): Promise<TestBorrower> {
    const borrower = await server.verifiedBorrower();
    await confirmAll(server, borrower);
    server.clock.advance({ hours: 48, minutes: 1 });
    await server.fund(borrower.id, 50_000);
    await sendAll(server);
    return borrower;
  }

  const ask = (borrower: TestBorrower, amount = 1_000) =>
    borrower.sendTextCode({ password: borrower.password, amount, ...bank });

  it('are good for exactly this amount and account, once, and staff never see them', async () => {
    const borrower = await readyBorrower();
    expect((await borrower.readContact()).codes).toBe('sms');
    await ask(borrower);
    await sendAll(server);
    const text = newest('sms')?.text;
    expect(text).toMatch(
      /^Hiram: \d{6} is your code to withdraw PHP 1,000\.00 to account \*0123\. Valid 10 minutes\./,
    );
    const otp = codeIn(text);
    expect(await server.main.readMember(borrower.id)).toMatchObject({ otpCode: null, otpByText: true });
    await refused(borrower.requestWithdrawal({ amount: 2_000, ...bank, otp }), 400, 'invalid_otp');
    const elsewhere = { ...bank, bankAccountNumber: '9999999999999' };
    await refused(borrower.requestWithdrawal({ amount: 1_000, ...elsewhere, otp }), 400, 'invalid_otp');
    await borrower.requestWithdrawal({ amount: 1_000, ...bank, otp });
    await refused(borrower.requestWithdrawal({ amount: 1_000, ...bank, otp }), 400, 'invalid_otp');
  });

  it('are left to staff until phone and access have been the same for 48 hours', async () => {
    const borrower = await server.verifiedBorrower();
    await server.fund(borrower.id, 50_000);
    await refused(ask(borrower), 409, 'codes_by_staff');
    await confirmAll(server, borrower);
    await refused(ask(borrower), 409, 'codes_by_staff');
    server.clock.advance({ hours: 47, minutes: 59 });
    await refused(ask(borrower), 409, 'codes_by_staff');
    server.clock.advance({ minutes: 1, seconds: 1 });
    await ask(borrower);
    await borrower.updateProfile({ bankName: 'Bank B' });
    await refused(ask(borrower), 409, 'codes_by_staff');
  });

  it('replace one of staff, which is then over in the app', async () => {
    const borrower = await readyBorrower();
    await server.setCode(borrower.id, '654321');
    const overs = async () =>
      (await borrower.listNotifications())
        .filter(({ type }) => type === 'otp_set')
        .map(({ isOver }) => isOver ?? false);
    expect(await overs()).toEqual([false]);
    await ask(borrower);
    expect(await overs()).toEqual([true]);
  });

  it('are never texted to a phone that staff confirmed', async () => {
    const borrower = await server.verifiedBorrower();
    await server.main.updateMember(borrower.id, { phoneConfirmed: true });
    await server.fund(borrower.id, 50_000);
    server.clock.advance({ hours: 72 });
    await refused(ask(borrower), 409, 'codes_by_staff');
  });

  it('take the password, as a counted try', async () => {
    const borrower = await readyBorrower();
    const wrong = { password: 'not the password', amount: 1_000, ...bank };
    await refused(borrower.sendTextCode(wrong), 400, 'wrong_password');
  });

  it('come one a minute and five an hour', async () => {
    const borrower = await readyBorrower();
    for (let sent = 0; sent < 5; sent += 1) {
      await ask(borrower);
      await refused(ask(borrower), 429, 'too_many_requests');
      server.clock.advance({ minutes: 1 });
    }
    await refused(ask(borrower), 429, 'too_many_requests');
    server.clock.advance({ hours: 1 });
    await ask(borrower);
  });

  it('stop for a day after ten wrong ones', async () => {
    const borrower = await readyBorrower();
    for (let round = 0; round < 2; round += 1) {
      await ask(borrower);
      for (let wrong = 0; wrong < 5; wrong += 1)
        await refused(
          borrower.requestWithdrawal({ amount: 9_000, ...bank, otp: '111111' }),
          400,
          'invalid_otp',
        );
      server.clock.advance({ minutes: 1 });
    }
    await refused(ask(borrower), 409, 'codes_by_staff');
    expect((await borrower.readContact()).codes).toBe('staff');
    server.clock.advance({ hours: 24 });
    await ask(borrower);
  });

  it('of staff are texted where the account gets codes by text, and told as ever where not', async () => {
    const borrower = await readyBorrower();
    const before = writtenMessages(server).length;
    const set = await server.main.updateMember(borrower.id, { otpCode: '654321' });
    expect([set.otpTexted, set.otpByText]).toEqual([true, undefined]);
    await sendAll(server);
    const texts = writtenMessages(server).slice(before);
    expect(texts.filter(({ channel }) => channel === 'sms').map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Hiram: 654321 is your code to withdraw\./),
    ]);
    await borrower.requestWithdrawal({ amount: 3_000, ...bank, otp: '654321' });
    await borrower.updateProfile({ bankName: 'Bank B' });
    const told = await server.main.updateMember(borrower.id, { otpCode: '765432' });
    expect(told.otpTexted).toBeUndefined();
    await sendAll(server);
    const later = writtenMessages(server).map(({ text }) => text);
    expect(later.filter((text) => /A one-time code was set for you/.test(text))).toHaveLength(2);
    expect(JSON.stringify(writtenMessages(server))).not.toContain('765432');
  });
});
