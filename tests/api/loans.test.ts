import { describe, expect, it } from 'vitest';
import { limits } from '#domain/limits.ts';
import { centavos, pesosText } from '#domain/money.ts';
import { atOnce } from '#tests/setup/at-once.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { fullProfile, passingServer, testServer } from '#tests/setup/test-server.ts';
import { auditOf } from './books.ts';
import {
  applicant,
  application,
  apply,
  borrowerWithLoan,
  brokenBodies,
  countLoans,
  disbursedLoan,
  jsonHeaders,
  takeOverLoan,
  termsOf,
  tooFineAmounts,
  unreadableAmounts,
  unreadableTerms,
} from './lending.ts';

const server = await testServer({ engine: 'postgres' });

describe('an application', () => {
  it('is stored with its number, its rate and its instalment', async () => {
    const borrower = await server.verifiedBorrower();
    const { status, body } = await borrower
      .applyForLoan({ amount: 150_000, purpose: '  Stock for a small store ', termMonths: 12 })
      .answer();
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      userId: borrower.id,
      loanNumber: 'LN-2026-000001',
      amount: '150000.00',
      termMonths: 12,
      interestRate: 2.5,
      monthlyPayment: '16250.00',
      purpose: 'Stock for a small store',
      status: 'pending',
      createdAt: '2026-03-10T04:00:00.000Z',
      updatedAt: '2026-03-10T04:00:00.000Z',
      releasedAt: null,
      releasedAmount: null,
      quote: {
        version: 1,
        totalPayment: '195000.00',
        costOfCredit: '45000.00',
        effectiveMonthlyRate: '3.666672',
        effectiveAnnualRate: expect.stringMatching(/^54\.052\d{3}$/),
      },
      dueDates: expect.arrayContaining(['2026-05-10', '2027-04-10']),
      account: null,
    });
  });

  it('is refused when the cost is no longer what the borrower agreed to', async () => {
    const borrower = await server.verifiedBorrower();
    const asked = { amount: 150_000, termMonths: 12 };
    const quoted = async (body: typeof asked) => (await server.visitor.quoteLoan(body)).hash;
    const applyWith = (agreedQuoteHash: string) =>
      borrower.applyForLoan({ ...asked, purpose: 'A store', agreedQuoteHash });
    const yesterday = await quoted(asked);
    server.clock.advance({ days: 1 });
    await refused(applyWith(yesterday), 409, 'quote_changed');
    const longer = await quoted({ ...asked, termMonths: 13 });
    for (const other of [longer, '']) {
      await refused(applyWith(other), 409, 'quote_changed');
    }
    const broken = ['none'] as unknown as string;
    await refused(applyWith(broken), 400, 'validation_failed');
    expect(await countLoans(server)).toBe(0);
    expect((await applyWith(await quoted(asked)).answer()).status).toBe(201);
  });

  it('freezes the current quote as version 1, and is logged', async () => {
    const { borrower, loan } = await applicant(server);
    const { hash, ...quote } = await server.visitor.quoteLoan({ amount: 150_000, termMonths: 12 });
    const [terms, ...more] = await termsOf(server, loan.id);
    expect(more).toEqual([]);
    expect(terms).toMatchObject({ version: 1, issuedBy: borrower.id, hash, quote });
    expect(await auditOf(server.database, 'loan_applied')).toMatchObject([
      {
        actorId: borrower.id,
        targetType: 'loan',
        targetId: loan.id,
        after: { loanNumber: 'LN-2026-000001', amount: '150000.00', termMonths: 12, interestRate: '2.5' },
      },
    ]);
  });

  it('accepts numeric text, centavos, and both ends of every range', async () => {
    const borrower = await server.verifiedBorrower();
    const accepted = [
      { amount: '150000', termMonths: 6 },
      { amount: '2000000.00', termMonths: 48 },
      { amount: 150_000.01, termMonths: 7 },
      { amount: '199999.9', termMonths: 12 },
    ];
    for (const fields of accepted) {
      const { status } = await borrower.applyForLoan({ ...application, ...fields }).answer();
      expect(status, JSON.stringify(fields)).toBe(201);
    }
    const body = await borrower.listOwnLoans();
    expect(body.map(({ amount }) => amount)).toEqual(['199999.90', '150000.01', '2000000.00', '150000.00']);
  });

  it('has Manila’s year in its number, which is unique', async () => {
    server.clock.set('2026-12-31T15:59:59.000Z');
    const borrower = await server.verifiedBorrower();
    expect((await apply(server, borrower)).loanNumber).toBe('LN-2026-000001');
    server.clock.set('2026-12-31T16:00:00.000Z');
    expect((await apply(server, borrower)).loanNumber).toBe('LN-2027-000002');
  });

  it('ignores what a borrower cannot set', async () => {
    const borrower = await server.verifiedBorrower();
    const other = await server.registerBorrower();
    const { status, body } = await borrower
      .applyForLoan(
        odd({
          ...application,
          status: 'approved',
          userId: other.id,
          interestRate: 0,
          monthlyPayment: 1,
          loanNumber: 'X',
          isAdmin: true,
        }),
      )
      .answer();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      status: 'pending',
      userId: borrower.id,
      interestRate: 2.5,
      loanNumber: 'LN-2026-000001',
    });
  });

  it('needs the whole profile and all three documents', async () => {
    const borrower = await server.registerBorrower();
    const ask = () => borrower.applyForLoan(application);
    await refused(ask(), 403, 'verification_required');

    await borrower.updateProfile(fullProfile);
    await refused(ask(), 403);
    const document = (await server.upload(borrower.token)).url;
    await borrower.updateProfile({ idFrontUrl: document, idBackUrl: document });
    await refused(ask(), 403);
    expect(await countLoans(server)).toBe(0);

    await borrower.updateProfile({ selfieUrl: document });
    expect((await ask().answer()).status).toBe(201);
  });

  it('is for borrowers: a visitor is not signed in, staff are refused', async () => {
    await refused(server.visitor.applyForLoan(application), 401);
    await refused(server.main.applyForLoan(application), 403, 'forbidden');
    await refused(server.main.listOwnLoans(), 403);
  });
});

describe('a wrong application', () => {
  const refusals: [name: string, fields: Record<string, unknown>, field: string, message: string][] = [
    ...unreadableAmounts.map(
      ([name, amount]) =>
        [`amount: ${name}`, { amount }, 'amount', 'Minimum loan amount is ₱150,000'] as [
          string,
          Record<string, unknown>,
          string,
          string,
        ],
    ),
    ...tooFineAmounts.map(
      ([name, amount]) =>
        [`amount: ${name}`, { amount }, 'amount', 'Please give at most two decimals'] as [
          string,
          Record<string, unknown>,
          string,
          string,
        ],
    ),
    ['amount: a centavo too little', { amount: '149999.99' }, 'amount', 'Minimum loan amount is ₱150,000'],
    ['amount: a centavo too much', { amount: 2_000_000.01 }, 'amount', 'Maximum loan amount is ₱2,000,000'],
    ['amount: huge', { amount: '9000000000000' }, 'amount', 'Maximum loan amount is ₱2,000,000'],
    ['term: one month too short', { termMonths: 5 }, 'termMonths', 'Minimum term is 6 months'],
    ['term: zero', { termMonths: 0 }, 'termMonths', 'Minimum term is 6 months'],
    ['term: negative', { termMonths: -12 }, 'termMonths', 'Minimum term is 6 months'],
    ['term: one month too long', { termMonths: 49 }, 'termMonths', 'Maximum term is 48 months'],
    ['term: huge', { termMonths: 1e15 }, 'termMonths', 'Maximum term is 48 months'],
    ...unreadableTerms.map(
      ([name, termMonths]) =>
        [`term: ${name}`, { termMonths }, 'termMonths', 'Please give the term in whole months'] as [
          string,
          Record<string, unknown>,
          string,
          string,
        ],
    ),
    ['purpose: missing', { purpose: undefined }, 'purpose', 'Please describe the purpose of the loan'],
    ['purpose: short', { purpose: 'ab' }, 'purpose', 'Please describe the purpose of the loan'],
    ['purpose: spaces', { purpose: '          ' }, 'purpose', 'Please describe the purpose of the loan'],
    ['purpose: a number', { purpose: 12345 }, 'purpose', 'Please describe the purpose of the loan'],
    ['purpose: an array', { purpose: ['a store'] }, 'purpose', 'Please describe the purpose of the loan'],
    ['purpose: a book', { purpose: 'x'.repeat(501) }, 'purpose', 'Please use a shorter text'],
    [
      'purpose: a NUL character',
      { purpose: 'a \u0000 store' },
      'purpose',
      'This text has characters that cannot be stored',
    ],
    [
      'purpose: half a character',
      { purpose: 'a \ud83d store' },
      'purpose',
      'This text has characters that cannot be stored',
    ],
  ];

  it('gets a 400 with the sentence of its field', async () => {
    const borrower = await server.verifiedBorrower();
    for (const [name, fields, field, message] of refusals) {
      const { status, body } = await borrower.applyForLoan(odd({ ...application, ...fields })).answer();
      expect({ name, status, body }).toEqual({
        name,
        status: 400,
        body: { code: 'validation_failed', message, errors: { [field]: message } },
      });
    }
    expect(await countLoans(server)).toBe(0);
  });

  it('names every wrong field, the first one as the message', async () => {
    const borrower = await server.verifiedBorrower();
    const { body } = await borrower.applyForLoan(odd({})).answer();
    expect(body).toEqual({
      code: 'validation_failed',
      message: 'Minimum loan amount is ₱150,000',
      errors: {
        amount: 'Minimum loan amount is ₱150,000',
        purpose: 'Please describe the purpose of the loan',
        termMonths: 'Please give the term in whole months',
      },
    });
  });

  it('is a 400 too when it is no JSON object at all', async () => {
    const borrower = await server.verifiedBorrower();
    for (const [name, rawBody] of brokenBodies) {
      const { status, body } = await borrower
        .applyForLoan(undefined, { rawBody, headers: jsonHeaders })
        .answer();
      expect({ name, status }).toEqual({ name, status: 400 });
      expect(body.message).toEqual(expect.any(String));
    }
    await refused(
      borrower.applyForLoan(undefined, {
        rawBody: JSON.stringify(application),
        headers: { 'content-type': 'text/plain' },
      }),
      415,
    );
    await refused(borrower.applyForLoan(odd({ ...application, more: 'x'.repeat(70_000) })), 413);
    expect(await countLoans(server)).toBe(0);
  });
});

describe('an application that is sent again', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  it('gets the first answer and makes no second loan', async () => {
    const borrower = await server.verifiedBorrower();
    const send = () => borrower.applyForLoan(application, { headers: withKey('k-1') });
    const first = await send().answer();
    server.clock.advance({ minutes: 5 });
    const second = await send().answer();
    expect(second).toMatchObject({ status: 201, text: first.text });
    expect(await countLoans(server)).toBe(1);
  });

  it('is a conflict when its body differs', async () => {
    const borrower = await server.verifiedBorrower();
    await borrower.applyForLoan(application, { headers: withKey('k-1') });
    await refused(
      borrower.applyForLoan({ ...application, termMonths: 24 }, { headers: withKey('k-1') }),
      409,
      'idempotency_key_reused',
    );
    expect(await countLoans(server)).toBe(1);
  });

  it('makes one loan when both arrive at once', async () => {
    const borrower = await server.verifiedBorrower();
    const answers = await atOnce(6, () =>
      borrower.applyForLoan(application, { headers: withKey('k-1') }).answer(),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countLoans(server)).toBe(1);
  });

  it('is a new one with another key, without a key, or from somebody else', async () => {
    const borrower = await server.verifiedBorrower();
    const somebody = await server.verifiedBorrower();
    const send = (token: string, headers: Record<string, string>) =>
      server.as(token).applyForLoan(application, { headers });
    await send(borrower.token, withKey('k-1'));
    await send(borrower.token, withKey('k-2'));
    await send(borrower.token, {});
    await send(borrower.token, {});
    await send(somebody.token, withKey('k-1'));
    expect(await countLoans(server)).toBe(5);
  });
});

describe('a borrower’s loans', () => {
  it('are read in one statement after the one that finds the caller, since Home asks at each visit', async () => {
    const borrower = await server.verifiedBorrower();
    const { id } = await disbursedLoan(server, borrower, { date: '2026-03-10' });
    await server.main.recordPayment(id, { amount: 1000, channel: 'cash' });
    const denied = await apply(server, borrower);
    await server.main.updateLoan(denied.id, { status: 'rejected', reason: 'Not now.' });
    const { statements } = server.database.load();
    const own = await borrower.listOwnLoans();
    expect(server.database.load().statements - statements).toBe(2);
    expect(own).toMatchObject([
      { id: denied.id, account: null, denied: { reason: 'Not now.' } },
      { id, account: { state: 'open', paid: '1000.00' } },
    ]);
  });

  it('come newest first, without other people’s and deleted ones', async () => {
    const borrower = await server.verifiedBorrower();
    expect(await borrower.listOwnLoans()).toEqual([]);
    const first = await apply(server, borrower);
    const second = await apply(server, borrower, { termMonths: 24 });
    const third = await apply(server, borrower, { termMonths: 36 });
    await apply(server, await server.verifiedBorrower());

    await server.main.deleteLoan(second.id);
    expect((await borrower.listOwnLoans()).map(({ id }) => id)).toEqual([third.id, first.id]);
  });

  it('say of a disbursed one where it stands, as its account does', async () => {
    server.clock.set('2027-03-01T04:00:00.000Z');
    const { borrower, loan } = await borrowerWithLoan(server, {
      date: '2026-11-20',
      payments: [{ amount: 10_000, channel: 'cash', valueDate: '2027-01-20' }],
    });
    await apply(server, borrower);
    const body = await borrower.listOwnLoans();
    const account = await borrower.readLoanAccount(loan.id);
    const { nextDueDate, nextDueAmount, dueNow, lateChargesOwed, refundToReturn } = account.account;
    expect(body.map((one) => one.account)).toEqual([
      null,
      {
        state: 'overdue',
        disbursedOn: '2026-11-20',
        dueSince: '2027-01-20',
        paid: '10000.00',
        nextDueDate,
        nextDueAmount,
        dueNow,
        lateChargesOwed,
        refundToReturn,
        leftToPay: pesosText(centavos(185_000_00 + Math.round(Number(lateChargesOwed) * 100))),
      },
    ]);
    expect(body[1]?.dueDates).toEqual(account.instalments.map(({ dueDate }) => dueDate));
    expect(account.servicing).toEqual({
      lateChargeRate: 2,
      graceDays: 10,
      lateChargeCapPercent: 24,
      coolingOffDays: 3,
    });
  });

  it('show the borrower’s default rate where none is stored', async () => {
    const borrower = await server.registerBorrower();
    await takeOverLoan(server, borrower.id);
    const body = await borrower.listOwnLoans();
    expect(body).toMatchObject([{ loanNumber: 'OLD-1', interestRate: 2.5, monthlyPayment: '10600.00' }]);
  });
});

describe('the schedule', () => {
  const scheduleOf = (token: string, id: number) => server.as(token).readLoanSchedule(id);

  it('has a row a month, the first two months after the loan', async () => {
    const { borrower, loan } = await applicant(server, { termMonths: 6 });
    expect(await scheduleOf(borrower.token, loan.id)).toEqual(
      ['2026-05-10', '2026-06-10', '2026-07-10', '2026-08-10', '2026-09-10', '2026-10-10'].map(
        (dueDate, index) => ({ number: index + 1, dueDate, amount: '28750.00', status: 'pending' }),
      ),
    );
  });

  it('clamps to the end of short months, and returns to the original day', async () => {
    server.clock.set('2026-12-31T04:00:00.000Z');
    const { borrower, loan } = await applicant(server);
    const dueDates = (await scheduleOf(borrower.token, loan.id)).map(({ dueDate }) => dueDate);
    expect(dueDates.slice(0, 5)).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
    ]);
    expect(dueDates.at(-1)).toBe('2028-01-31');
  });

  it('counts from the day in Manila, whatever the day elsewhere', async () => {
    server.clock.set('2026-01-30T16:30:00.000Z');
    const { borrower, loan } = await applicant(server);
    const dueDates = (await scheduleOf(borrower.token, loan.id)).map(({ dueDate }) => dueDate);
    expect(dueDates.slice(0, 2)).toEqual(['2026-03-31', '2026-04-30']);
  });

  it('uses the loan’s own figures where no quote was frozen', async () => {
    const borrower = await server.registerBorrower();
    const id = await takeOverLoan(server, borrower.id);
    const rows = await scheduleOf(borrower.token, id);
    expect(rows).toHaveLength(12);
    expect(rows[0]).toEqual({ number: 1, dueDate: '2026-05-10', amount: '10600.00', status: 'pending' });
  });

  it('can be read by its borrower and staff; for others it does not exist', async () => {
    const { borrower, loan } = await applicant(server);
    const stranger = await server.registerBorrower();
    const admin = await server.createAdmin();
    expect(await scheduleOf(admin.token, loan.id)).toHaveLength(12);

    const read = (token: string | undefined, id: string | number) => server.as(token).readLoanSchedule(id);
    await refused(read(undefined, loan.id), 401);
    const absent = await read(stranger.token, 999_999).answer();
    expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await read(stranger.token, loan.id).answer()).toMatchObject({ status: 404, text: absent.text });
    for (const id of ['0', '-1', '1.5', 'abc', '1e3', '99999999999999999999', `${loan.id}%00`]) {
      expect({ id, ...(await read(borrower.token, id).answer()) }).toMatchObject({ id, status: 404 });
    }

    await admin.deleteLoan(loan.id);
    expect(await read(borrower.token, loan.id).answer()).toMatchObject({ status: 404, text: absent.text });
    await refused(read(admin.token, loan.id), 404);
  });
});

describe('one borrower', () => {
  const oneKey = { 'idempotency-key': 'the-same-again' };

  it('has ten undecided applications at most, whatever arrives at once', async () => {
    const borrower = await server.verifiedBorrower();
    const ask = (headers?: Record<string, string>) => borrower.applyForLoan(application, { headers });
    expect((await ask(oneKey).answer()).status).toBe(201);
    const all = await atOnce(15, () => ask().answer());
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, 'code' in body && body.code])).toEqual(
      Array(6).fill([409, 'too_many_open']),
    );
    // A replay is the same application, not one more.
    expect((await ask(oneKey).answer()).status).toBe(201);
    expect(await countLoans(server)).toBe(limits.undecidedApplicationsMax);
  });

  it('applies twenty times a day', async () => {
    const borrower = await server.verifiedBorrower();
    const ask = () => borrower.applyForLoan(application);
    for (let times = 0; times < limits.applicationsPerDay; times += 1) {
      const { status, body } = await ask().answer();
      expect(status).toBe(201);
      await server.main.updateLoan(body.id, { status: 'denied' });
    }
    const refused = await ask().answer();
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests']);
    expect(Number(refused.headers['retry-after'])).toBe(24 * 3600);
    server.clock.advance({ hours: 24 });
    const again = server.as(await server.signIn({ phone: borrower.phone, password: borrower.password }));
    expect((await again.applyForLoan(application).answer()).status).toBe(201);
  });

  it('has a bounded number of writes in progress, and others do not wait for them', async () => {
    const [busy, calm] = [await server.registerBorrower(), await server.registerBorrower()];
    const write = ({ token }: { token: string }) =>
      server.as(token).updateProfile({ referenceName: 'Juan Cruz' });
    const waitingAndRunning = limits.callsAtOnce + limits.writesWaiting;
    // While the last of them come, the first are done and have made room.
    const tooMany = 200;
    const flood = atOnce(waitingAndRunning + tooMany, () => write(busy).answer());
    await write(calm);
    const refused = (await flood).filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThanOrEqual(tooMany);
    for (const { status, body, headers } of refused) {
      expect([status, 'code' in body && body.code]).toEqual([429, 'too_many_requests']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    await write(busy);
  });

  it('takes turns reading too, and lets others in between costly reads', async () => {
    const [busy, calm] = [await server.registerBorrower(), await server.registerBorrower()];
    const done: string[] = [];
    const read = async (who: string, { token }: { token: string }) => {
      const answer = await server.as(token).listOwnLoans().answer();
      done.push(who);
      return answer;
    };
    const flood = Array.from({ length: 200 }, () => read('busy', busy));
    await Promise.race(flood);
    // On a busy machine more than one is done before the other borrower's read even leaves.
    const doneBefore = done.length;
    await Promise.all([read('calm', calm), ...flood]);
    expect(done.indexOf('calm') - doneBefore).toBeLessThan(20);
  });

  it('is told to come back when too many reads wait', async () => {
    const bounds: { readsWaiting: number } = limits;
    const { readsWaiting } = limits;
    bounds.readsWaiting = 20;
    const { database, deps } = server;
    const full = await passingServer({ deps: { database, secrets: deps.secrets } });
    bounds.readsWaiting = readsWaiting;
    const borrower = await server.registerBorrower();
    const answers = await atOnce(60, () => full.as(borrower).listOwnLoans().answer());
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.length - refused.length).toBeGreaterThan(20);
    for (const { status, body } of refused)
      expect([status, 'code' in body && body.code]).toEqual([429, 'too_many_requests']);
  });

  it('staff’s writes are all done, however many arrive at once', async () => {
    const { id } = await server.registerBorrower();
    const answers = await atOnce(limits.callsAtOnce + limits.writesWaiting + 50, () =>
      server.main.updateMember(id, { creditScore: 600 }).answer(),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
