import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import { limits } from '#domain/limits.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { settle, UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { removeToken, sessionEnded, writeToken } from '#web/lib/token.ts';
import { noAnswer } from './browser-stand-in.ts';
import { failureOf, refusalOf } from './failing.ts';
import { runHook } from './hook.ts';
import { pageServer } from './page-server.ts';

const { server, browser } = await pageServer();

// Nothing that one test left unsettled reaches the next.
beforeEach(() => sessionEnded.tell());

const replays = limits.moneyCheckDelaysMs.length;
const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123', otp: '123456' };

/** A borrower with 5,000 pesos and a code, signed in to this browser. */
async function borrowerWithCode() {
  const borrower = await server.registerBorrower();
  await server.fund(borrower.id, 5000);
  await server.setCode(borrower.id, bank.otp);
  writeToken(borrower.token);
  return borrower;
}

/** Reads what the books say, past this browser. */
async function books(token: string) {
  const withdrawals = await server.as(token).listOwnWithdrawals();
  const body = await server.as(token).readProfile();
  return { withdrawals: withdrawals.map(({ amount }) => amount), balance: body.balance };
}

const onceWithdrawn = { withdrawals: ['1500.00'], balance: '3500.00' };
const untouched = { withdrawals: [], balance: '5000.00' };

type Answer = { loseFirst: number; how: (answer: Response) => Promise<Response> };

/** The server hears every request; of the first answers something else arrives. */
function loseAnswers({ loseFirst, how }: Answer) {
  let count = 0;
  browser.setNetwork(async (forward) => {
    const answer = await forward();
    count += 1;
    return count <= loseFirst ? how(answer) : answer;
  });
}

const lost = async () => Promise.reject(noAnswer());
const proxyPage = (status: number) => async () => new Response('<h1>Sorry</h1>', { status });
const cutOff = async () => new Response('{"id":');

/** Withdraws as the dialog does. */
function patientlyWithdraw({ amount = 1500, identity = 'this withdrawal', isLeft = false } = {}) {
  return settle({
    request: { ...bank, amount },
    identity,
    send: (body, idempotencyKey, signal) => call(api.requestWithdrawal, { body, idempotencyKey, signal }),
    onChecking: (stop) => {
      if (isLeft) stop();
    },
  });
}

/** The same with every wait cut short, as by a connection that comes back. */
const withdraw = (asked?: Parameters<typeof patientlyWithdraw>[0]) => hurry(patientlyWithdraw(asked));

const keys = () => browser.requests.map(({ headers }) => headers['Idempotency-Key']);

async function hurry<Value>(work: Promise<Value>): Promise<Value> {
  const beat = setInterval(() => browser.tell('online'), 5);
  return work.finally(() => clearInterval(beat));
}

/** Returns our server's answer when it fails. */
const failing = (status: number, code: string) =>
  new Response(JSON.stringify({ message: `It is ${code}.`, code }), { status });

describe('an answer that arrives', () => {
  it('is passed on, and nothing is sent twice', async () => {
    const { token } = await borrowerWithCode();
    expect(await withdraw()).toMatchObject({ amount: '1500.00', status: 'pending' });
    expect(browser.requests).toHaveLength(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('a refusal is thrown as it is, and a new submit gets a new key', async () => {
    const { token } = await borrowerWithCode();
    expect(await refusalOf(withdraw({ amount: 6000 }))).toMatchObject({ code: 'insufficient_funds' });
    expect(browser.requests).toHaveLength(1);
    await withdraw();
    expect(new Set(keys()).size).toBe(2);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it.each([
    { status: 500, code: 'internal' },
    { status: 503, code: 'overloaded' },
  ])(
    'a failure of the server is final too: $code is thrown as it is, and a new submit has a new key',
    async (told) => {
      const { token } = await borrowerWithCode();
      browser.setNetwork(async () => failing(told.status, told.code));
      expect(await refusalOf(withdraw())).toMatchObject({ ...told, message: `It is ${told.code}.` });
      expect(browser.requests).toHaveLength(1);
      browser.setNetwork((forward) => forward());
      await withdraw();
      expect(new Set(keys()).size).toBe(2);
      expect(await books(token)).toEqual(onceWithdrawn);
    },
  );

  it.each([
    {
      why: 'its database did not say whether it was done',
      status: 503,
      answer: () => failing(503, 'database_unavailable'),
    },
    {
      why: 'the server could not write what it had done',
      status: 500,
      answer: () => failing(500, 'answer_failed'),
    },
    {
      why: 'a proxy answered for it',
      status: 503,
      answer: () => new Response('<h1>Sorry</h1>', { status: 503 }),
    },
  ])('where $why, it is shown, and requested again under the same key', async ({ status, answer }) => {
    const { token } = await borrowerWithCode();
    browser.setNetwork(async (forward) => {
      await forward();
      return answer();
    });
    for (const _ of [1, 2]) expect(await refusalOf(withdraw())).toMatchObject({ status });
    expect(browser.requests).toHaveLength(2);
    browser.setNetwork((forward) => forward());
    await withdraw();
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('an ended session is a refusal too: the request was never processed', async () => {
    removeToken();
    expect(await refusalOf(withdraw())).toMatchObject({ status: 401 });
    expect(browser.requests).toHaveLength(1);
  });
});

describe('an answer that is lost', () => {
  it.each([
    { name: 'the connection broke', how: lost },
    { name: 'a proxy answered 502', how: proxyPage(502) },
    { name: 'a proxy answered 504', how: proxyPage(504) },
    { name: 'the answer was cut off', how: cutOff },
  ])('$name: replayed under its key, done once', async ({ how }) => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how });
    expect(await withdraw()).toMatchObject({ amount: '1500.00' });
    expect(browser.requests).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('when the request itself was lost, the replay does the work', async () => {
    const { token } = await borrowerWithCode();
    let isFirst = true;
    browser.setNetwork(async (forward) => {
      if (!isFirst) return forward();
      isFirst = false;
      throw noAnswer();
    });
    await withdraw();
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('a refusal whose answer was lost is learned from the replay', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how: lost });
    expect(await refusalOf(withdraw({ amount: 6000 }))).toMatchObject({ code: 'insufficient_funds' });
    expect(await books(token)).toEqual(untouched);
  });

  it.each([
    { status: 429, code: 'too_many_tries' },
    { status: 500, code: 'internal' },
    { status: 503, code: 'database_unavailable' },
    { status: 403, code: 'ip_not_allowed' },
  ])('is no longer looked for once the server answers, and $code says nothing about it', async (told) => {
    const { token } = await borrowerWithCode();
    let count = 0;
    browser.setNetwork(async (forward) => {
      count += 1;
      if (count === 2) return failing(told.status, told.code);
      const answer = await forward();
      return count === 1 ? lost() : answer;
    });
    expect(await failureOf(withdraw())).toMatchObject({ name: 'UnsettledError', cause: { code: told.code } });
    expect(count).toBe(2);
    expect(await withdraw()).toMatchObject({ amount: '1500.00' });
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('busy at the first attempt is a plain refusal: nothing was begun', async () => {
    await borrowerWithCode();
    browser.answer('{"message":"m","code":"too_many_tries"}', { status: 429 });
    expect(await refusalOf(withdraw())).toMatchObject({ status: 429 });
    expect(browser.requests).toHaveLength(1);
  });
});

describe('an outcome that stays unknown', () => {
  it('is reported as unknown, and sending again is answered instead of done twice', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1 + replays, how: lost });
    expect(await failureOf(withdraw())).toBeInstanceOf(UnsettledError);
    expect(browser.requests).toHaveLength(1 + replays);
    expect(await withdraw()).toMatchObject({ amount: '1500.00' });
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('ends at once when the session ends meanwhile: no replay can tell', async () => {
    const { token } = await borrowerWithCode();
    let count = 0;
    browser.setNetwork(async (forward) => {
      count += 1;
      const answer = await forward();
      if (count > 1) return answer;
      await server.as(token).signOut();
      return lost();
    });
    expect(await failureOf(withdraw())).toBeInstanceOf(UnsettledError);
    expect(count).toBe(2);
  });

  it(`is looked for ${limits.moneyCheckMs / 1_000} seconds at most, though a replay hangs`, async () => {
    await borrowerWithCode();
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let count = 0;
    browser.setNetwork(async (_, { signal }) => {
      count += 1;
      if (count === 1) return lost();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    let outcome: unknown;
    void failureOf(patientlyWithdraw()).then((failure) => {
      outcome = failure;
    });
    await vi.advanceTimersByTimeAsync(limits.moneyCheckMs - 1);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBeInstanceOf(UnsettledError);
    expect(count).toBe(2);
  });

  it('is no longer looked for once its form is closed', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 9, how: lost });
    expect(await failureOf(withdraw({ isLeft: true }))).toBeInstanceOf(UnsettledError);
    expect(browser.requests).toHaveLength(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('a different request gets its own key', async () => {
    await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how: lost });
    await failureOf(withdraw({ isLeft: true }));
    await refusalOf(withdraw({ amount: 6000, identity: 'another withdrawal' }));
    expect(new Set(keys()).size).toBe(2);
  });

  it('a resubmit with other values sends the first request again', async () => {
    const { id, token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how: lost });
    await failureOf(withdraw({ isLeft: true }));
    expect(await withdraw({ amount: 2000 })).toMatchObject({ amount: '1500.00' });
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
    await server.setCode(id, bank.otp);
    await withdraw({ amount: 2000 });
    expect(await books(token)).toEqual({ withdrawals: ['2000.00', '1500.00'], balance: '1500.00' });
  });

  it('once the first is refused, the next request is sent as it is', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how: lost });
    await failureOf(withdraw({ amount: 6000, isLeft: true }));
    expect(await refusalOf(withdraw())).toMatchObject({ code: 'insufficient_funds' });
    expect(await books(token)).toEqual(untouched);
    await withdraw();
    expect(new Set(keys()).size).toBe(2);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('is forgotten with the session: the next person’s request gets its own key', async () => {
    await borrowerWithCode();
    loseAnswers({ loseFirst: 1, how: lost });
    await failureOf(withdraw({ isLeft: true }));
    sessionEnded.tell();
    const next = await borrowerWithCode();
    await withdraw();
    expect(new Set(keys()).size).toBe(2);
    expect(await books(next.token)).toEqual(onceWithdrawn);
  });
});

describe('useMoneyCall', () => {
  const body = { ...bank, amount: 1500 };
  const run = () => runHook(() => useMoneyCall(api.requestWithdrawal));
  const states = (money: ReturnType<typeof run>) => [...new Set(money.drawn.map(({ state }) => state))];

  it('goes from sending to checking and back to idle', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 2, how: lost });
    const money = run();
    expect(await hurry(money.now().send({ body }))).toMatchObject({ amount: '1500.00' });
    await expect.poll(() => money.now().state).toBe('idle');
    expect(states(money)).toEqual(['idle', 'sending', 'checking']);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('a refusal leaves it idle', async () => {
    await borrowerWithCode();
    const money = run();
    const refusal = await failureOf(money.now().send({ body: { ...body, otp: '654321' } }));
    expect(refusal).toBeInstanceOf(CallError);
    expect(refusal).toMatchObject({ code: 'invalid_otp' });
    await expect.poll(() => money.now().state).toBe('idle');
  });

  it('an unknown outcome stays on screen, and a reopened form sends the same key', async () => {
    const { token } = await borrowerWithCode();
    loseAnswers({ loseFirst: 1 + replays, how: lost });
    const money = run();
    expect(await hurry(failureOf(money.now().send({ body })))).toBeInstanceOf(UnsettledError);
    await expect.poll(() => money.now().state).toBe('unsettled');
    money.unmount();
    const again = run();
    await again.now().send({ body });
    expect(new Set(keys()).size).toBe(1);
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('waiting can be stopped, even while a replay is in progress', async () => {
    const { token } = await borrowerWithCode();
    browser.setNetwork(async (forward, { signal }) => {
      if (browser.requests.length === 1) {
        await forward();
        return lost();
      }
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const money = run();
    expect(money.now().stop).toBeUndefined();
    const work = failureOf(money.now().send({ body }));
    await expect.poll(() => money.now().state).toBe('checking');
    browser.tell('online');
    await expect.poll(() => browser.requests.length).toBe(2);
    money.now().stop?.();
    expect(await work).toBeInstanceOf(UnsettledError);
    await expect.poll(() => money.now()).toMatchObject({ state: 'unsettled' });
    expect(money.now().stop).toBeUndefined();
    expect(await books(token)).toEqual(onceWithdrawn);
  });

  it('a closed form replays nothing', async () => {
    await borrowerWithCode();
    const money = run();
    browser.setNetwork(async (forward) => {
      await forward();
      money.unmount();
      return lost();
    });
    expect(await hurry(failureOf(money.now().send({ body })))).toBeInstanceOf(UnsettledError);
    expect(browser.requests).toHaveLength(1);
  });
});

describe('an application asked for again after midnight', () => {
  const asked = { amount: '150000.00', purpose: 'A sewing machine', termMonths: 12 };
  type Asked = Sent<typeof api.applyForLoan, 'body'>;
  const whatIsAskedFor = ({ amount, purpose, termMonths }: Asked) => ({ amount, purpose, termMonths });
  const run = () => runHook(() => useMoneyCall(api.applyForLoan, whatIsAskedFor)).now();

  /** A borrower whose application of today was answered by nobody, and what applies for the same a day later. */
  async function applyOverMidnight({ arrives }: { arrives: boolean }) {
    const borrower = await server.verifiedBorrower();
    writeToken(borrower.token);
    const agreeTo = async () => {
      return { ...asked, agreedQuoteHash: (await server.visitor.quoteLoan(asked)).hash };
    };
    const today = await agreeTo();
    browser.setNetwork(async (forward) => {
      if (arrives) await forward();
      throw noAnswer();
    });
    expect(await hurry(failureOf(run().send({ body: today })))).toBeInstanceOf(UnsettledError);
    browser.setNetwork((forward) => forward());
    browser.requests.length = 0;
    server.clock.advance({ days: 1 });
    const tomorrow = await agreeTo();
    expect(tomorrow.agreedQuoteHash).not.toBe(today.agreedQuoteHash);
    const loans = async () => await borrower.listOwnLoans();
    return { today, tomorrow, loans };
  }

  it('is yesterday’s where that had arrived', async () => {
    const { today, tomorrow, loans } = await applyOverMidnight({ arrives: true });
    const loan = await run().send({ body: tomorrow });
    expect(JSON.parse(String(browser.theRequest().body))).toEqual(today);
    expect(await loans()).toMatchObject([{ id: loan.id }]);
  });

  it('is refused for its quote where it had not, and then submitted once', async () => {
    const { tomorrow, loans } = await applyOverMidnight({ arrives: false });
    expect(await refusalOf(run().send({ body: tomorrow }))).toMatchObject({ code: 'quote_changed' });
    expect(await loans()).toEqual([]);
    const loan = await run().send({ body: tomorrow });
    expect(new Set(keys()).size).toBe(2);
    expect(await loans()).toMatchObject([{ id: loan.id }]);
  });

  it('another amount, purpose or term is a new application', async () => {
    const { tomorrow, loans } = await applyOverMidnight({ arrives: true });
    const { agreedQuoteHash: _, ...unquoted } = tomorrow;
    await run().send({ body: { ...unquoted, purpose: 'A second sewing machine' } });
    expect(await loans()).toHaveLength(2);
  });
});
