import { describe, expect, it, onTestFinished } from 'vitest';
import * as api from '#contract/api.ts';
import { core } from '#contract/wording/en-sign-in.ts';
import { fil } from '#contract/wording/fil.ts';
import { call, fetchReply, readPath } from '#web/lib/call.ts';
import { errorText } from '#web/lib/error-text.ts';
import { type TokenLoss, tokenLost, writeToken } from '#web/lib/token.ts';
import { refusalOf } from './failing.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

/** Records what the session is told of a refused token, in order. */
function heardLosses(): TokenLoss[] {
  const heard: TokenLoss[] = [];
  onTestFinished(tokenLost.listen((loss) => heard.push(loss)));
  return heard;
}

describe('answers of the real server', () => {
  it('signs in, reads and writes through the table', async () => {
    const { phone, password } = await server.registerBorrower({ fullName: 'Ana Ñuñez' });
    const { token, user } = await call(api.signIn, { body: { phone, password } });
    writeToken(token);
    expect(await call(api.readProfile)).toEqual(user);
    const changed = await call(api.updateProfile, { body: { address: '12 Mabini Street, Cabanatuan' } });
    expect(changed).toMatchObject({
      id: user.id,
      fullName: 'Ana Ñuñez',
      address: '12 Mabini Street, Cabanatuan',
    });
    expect(await readPath('/api/loans/user')).toEqual([]);
    expect((await fetchReply(api.readProfile)).headers.get('content-type')).toContain('application/json');
  });

  it('a refusal carries message, status, code and field errors', async () => {
    const error = await refusalOf(call(api.signIn, { body: { phone: '0917', password: 'x' } }));
    expect(error).toMatchObject({
      name: 'CallError',
      status: 400,
      code: 'validation_failed',
      message: core.validation.phoneRequired,
    });
    expect(error.data?.errors).toEqual({
      phone: core.validation.phoneRequired,
      password: core.validation.passwordTooShort,
    });
  });

  it.each([
    { why: 'no token', work: () => call(api.readProfile), status: 401, code: 'not_signed_in' },
    {
      why: 'a wrong password',
      work: () => call(api.signIn, { body: { phone: '09170000000', password: 'not this one' } }),
      status: 401,
      code: 'invalid_credentials',
    },
    { why: 'an unknown path', work: () => readPath('/api/nothing/here'), status: 404, code: 'not_found' },
  ])('$why: $status $code', async ({ work, status, code }) => {
    expect(await refusalOf(work())).toMatchObject({ status, code });
  });
});

describe('a token that the server refuses', () => {
  it('is reported to the session, once per answer', async () => {
    const heard = heardLosses();
    writeToken('no such token');
    await refusalOf(call(api.readProfile));
    expect(heard).toEqual(['expired']);
  });

  it('is reported as suspended by the code or by the account status', async () => {
    const heard = heardLosses();
    const { id, token } = await server.registerBorrower();
    await server.main.updateMember(id, { status: 'suspended' });
    writeToken(token);
    expect(await refusalOf(call(api.readProfile))).toMatchObject({ status: 403, code: 'account_suspended' });
    browser.answer('{"message":"m","accountStatus":"suspended"}', { status: 403 });
    await refusalOf(call(api.readProfile));
    expect(heard).toEqual(['suspended', 'suspended']);
  });

  it('is not reported for a refusal about something else', async () => {
    const heard = heardLosses();
    // A wrong password at the sign-in screen, where nobody is signed in.
    await refusalOf(call(api.signIn, { body: { phone: '09170000000', password: 'not this one' } }));
    const { token } = await server.registerBorrower();
    writeToken(token);
    expect(await refusalOf(call(api.listMembers))).toMatchObject({ status: 403, code: 'forbidden' });
    expect(heard).toEqual([]);
  });

  it('is not reported to a session that began meanwhile', async () => {
    const heard = heardLosses();
    writeToken('the old session');
    browser.setNetwork(async (forward) => {
      const answer = await forward();
      writeToken('the new session');
      return answer;
    });
    expect(await refusalOf(call(api.readProfile))).toMatchObject({ status: 401 });
    expect(heard).toEqual([]);
  });
});

describe('what a reader sees of the real server’s refusals', () => {
  async function refusals() {
    const { token, phone } = await server.registerBorrower();
    const registration = { fullName: 'Somebody', phone, password: 'a password' };
    const taken = await refusalOf(call(api.register, { body: registration }));
    const wrong = await refusalOf(call(api.signIn, { body: { phone, password: 'not this one' } }));
    const short = await refusalOf(call(api.signIn, { body: { phone, password: 'short' } }));
    writeToken(token);
    const application = { amount: 150_000, purpose: 'A sari-sari store', termMonths: 12 };
    const unverified = await refusalOf(call(api.applyForLoan, { body: application }));
    return { taken, wrong, short, unverified };
  }

  it('the server’s own sentence in English, the same in Filipino', async () => {
    const { taken, wrong, short, unverified } = await refusals();
    const told = (words: typeof core) =>
      [taken, wrong, short, unverified].map((error) => errorText(error, words));
    expect(told(core)).toEqual([
      'You already have an account, please login',
      'Please check your credentials',
      'Password must be at least 6 characters',
      'Please complete your profile and documents first',
    ]);
    expect(told(fil)).toEqual([
      fil.errors.already_registered,
      fil.errors.invalid_credentials,
      fil.validation.passwordTooShort,
      fil.errors.verification_required,
    ]);
  });
});
