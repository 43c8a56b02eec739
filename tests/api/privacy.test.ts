import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { limits } from '#domain/limits.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { gate } from '#tests/setup/gate.ts';
import { storedAccount } from '#tests/setup/test-database.ts';
import { mainAdminPassword, passingServer, type TestBorrower, testServer } from '#tests/setup/test-server.ts';
import { readZip } from '#tests/setup/zip.ts';
import { application, apply, approvedApplication } from './lending.ts';

const server = await testServer({ engine: 'postgres' });
const lenderName = server.deps.config.lender.name;

type Stored = Record<string, unknown>;
type OwnData = Record<string, Stored[]> & { about: Stored; profile: Stored };

async function dataOf({ token, password }: TestBorrower): Promise<{ data: OwnData; text: string }> {
  const { text, headers } = await server.as(token).downloadOwnData({ password }).success();
  expect(headers['content-disposition']).toMatch(/^attachment; filename="hiram-\d+-\d{4}-\d\d-\d\d\.json"$/);
  return { data: JSON.parse(text), text };
}

/** Somebody with something in every part of what is kept. */
async function livedIn() {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, 10_000);
  await server.setCode(borrower.id, '482913');
  const body = { amount: 2_500, bankName: 'Bank X', bankAccountNumber: '9900990099' };
  await borrower.requestWithdrawal({ ...body, otp: '482913' });
  const loan = await apply(server, borrower);
  await server.main.updateLoan(loan.id, { termMonths: 24 });
  return { borrower, loan };
}

describe('a phone found open', () => {
  it('gives neither a copy of the data nor a request for deletion without the password, whose tries are counted', async () => {
    const borrower = await server.registerBorrower();
    const calls = ['downloadOwnData', 'downloadOwnArchive', 'requestDeletion'] as const;
    for (const name of calls) await refused(borrower[name](odd({})), 400, 'validation_failed');
    for (let tries = 0; tries < limits.wrongPasswordsPerAccount; tries += 1)
      await refused(
        borrower[calls[tries % 3] ?? 'requestDeletion']({ password: 'a guess' }),
        400,
        'wrong_password',
      );
    for (const name of calls)
      await refused(borrower[name]({ password: borrower.password }), 429, 'too_many_tries');
    expect(await borrower.readDeletionRequest()).toEqual({ requestedAt: null });
    for (const path of ['/api/user/data', '/api/user/data.zip']) {
      const headers = { authorization: `Bearer ${borrower.token}` };
      expect((await server.app.inject({ url: path, headers })).statusCode).toBe(405);
    }
    server.clock.advance({ minutes: 15 });
    for (const name of calls) await borrower[name]({ password: borrower.password });
  });
});

describe('one’s own data', () => {
  it('is everything: identity, loans with every version, money, messages, sessions and events', async () => {
    const { borrower, loan } = await livedIn();
    const deleted = await apply(server, borrower, { purpose: 'Taken out of the lists' });
    await server.main.deleteLoan(deleted.id);
    const { data } = await dataOf(borrower);

    expect(data.about).toEqual({
      lender: lenderName,
      accountId: borrower.id,
      exportedAt: server.clock.now().toISOString(),
    });
    expect(data.profile).toMatchObject({
      fullName: 'Maria Clara Santos',
      referenceName: 'Juan Santos',
      bankAccountNumber: '1234567890123',
      monthlySalary: '35000.00',
      balance: '7500.00',
    });
    expect(data.documents).toHaveLength(3);
    expect(data.loans?.map(({ loanNumber }) => loanNumber)).toEqual([loan.loanNumber, deleted.loanNumber]);
    const [first, second] = data.loans ?? [];
    const terms = first?.terms as { version: number; quote: { schedule: unknown[] } }[];
    for (const version of terms) {
      expect(version).toMatchObject({
        lender: { name: lenderName },
        agreement: { servicing: { graceDays: 10 } },
        borrower: { fullName: 'Maria Clara Santos', phone: borrower.phone },
      });
    }
    expect(terms.map(({ version, quote }) => [version, quote.schedule.length])).toEqual([
      [1, 12],
      [2, 24],
    ]);
    expect(second?.deletedAt).not.toBeNull();
    expect(data.withdrawals).toMatchObject([{ amount: '2500.00', bankName: 'Bank X' }]);
    expect(data.ledgerEntries?.map(({ amount, balanceAfter }) => [amount, balanceAfter])).toEqual([
      ['10000.00', '10000.00'],
      ['-2500.00', '7500.00'],
    ]);
    expect(data.notifications?.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['balance_changed', 'otp_set', 'loan_terms_changed']),
    );
    expect(data.consents?.map(({ purpose }) => purpose)).toEqual(
      expect.arrayContaining(['register', 'profile', 'documents', 'application']),
    );
    expect(data.sessions).toHaveLength(1);
    expect(Object.keys(data.sessions?.[0] ?? {}).sort()).toEqual(['createdAt', 'endedAt', 'expiresAt']);
    const events = data.events?.map(({ action, by }) => `${action} by ${by}`);
    expect(events).toEqual(
      expect.arrayContaining([
        'register by you',
        'withdrawal_requested by you',
        'balance_changed by staff',
        'loan_terms_changed by staff',
        'loan_deleted by staff',
        'data_downloaded by you',
      ]),
    );
  });

  it('has what was paid and what happened to a loan, but not who of the staff wrote it down', async () => {
    const { borrower, id } = await approvedApplication(server);
    await server.main.disburseLoan(id, { channel: 'direct', reference: 'TRANSFER 1' });
    const paid = { amount: '500.00', channel: 'cash' } as const;
    await server.main.recordPayment(id, paid);
    const { data } = await dataOf(borrower);
    const receipt = 'AR-2026-000001';
    expect(data.payments).toMatchObject([
      { ...paid, status: 'confirmed', receiptNumber: receipt, application: { instalments: { 1: '500.00' } } },
    ]);
    expect(Object.keys(data.payments?.[0] ?? {})).not.toContain('recordedBy');
    expect(data.loans?.[0]?.history).toMatchObject([
      { sequence: 1, kind: 'disbursement', channel: 'direct', reference: 'TRANSFER 1' },
      { sequence: 2, kind: 'receipt', amount: '500.00', paymentId: data.payments?.[0]?.id },
    ]);
    const { bytes } = await borrower.downloadOwnArchive({ password: borrower.password });
    const readme = String(readZip(bytes).get('README.txt'));
    for (const part of Object.keys(data).filter((name) => name !== 'about')) expect(readme).toContain(part);
  });

  it('contains no secret in any form', async () => {
    const { borrower } = await livedIn();
    await server.setCode(borrower.id, '739155');
    await server.main.updateMember(borrower.id, { password: 'issued word' });
    const token = await server.signIn({ phone: borrower.phone, password: 'issued word' });
    const { text } = await dataOf({ ...borrower, token, password: 'issued word' });
    const row = await storedAccount(server.database, borrower.id);
    const secrets = [
      '739155',
      '482913',
      'issued word',
      token,
      borrower.token,
      row?.passwordHash,
      row?.otpCodeSealed,
      row?.issuedPasswordSealed,
      row?.ledgerHash,
    ];
    for (const secret of secrets) {
      expect(secret).toEqual(expect.any(String));
      expect(text).not.toContain(secret);
    }
    expect(text).not.toMatch(/argon2|tokenHash|passwordHash|Sealed/);
  });

  it('contains nothing about anybody else, staff included', async () => {
    const { borrower } = await livedIn();
    const other = await server.verifiedBorrower({
      fullName: 'Somebody Else',
      referenceName: 'Maria Clara Santos',
      referencePhone: borrower.phone,
      bankAccountNumber: '5555000055550000',
    });
    await apply(server, other, { purpose: 'Another purpose' });
    const staffAddress = '203.0.113.77';
    const staff = await server.createAdmin({ fullName: 'Nosy Clerk' });
    const { token } = staff;
    for (const id of [borrower.id, other.id]) {
      await server.as(token).updateMember(id, { password: 'issued word' }, { address: staffAddress });
    }
    await server.as(token).listMembers(undefined, { address: staffAddress });

    const own = await server.signIn({ phone: borrower.phone, password: 'issued word' });
    const { text, data } = await dataOf({ ...borrower, token: own, password: 'issued word' });
    for (const foreign of ['Somebody Else', '5555000055550000', other.phone, 'Another purpose']) {
      expect(text).not.toContain(foreign);
    }
    // Only a whole number counts: the digits may be part of a hash.
    expect(text).not.toMatch(new RegExp(`(?<!\\w)${other.id}(?!\\w)`));
    for (const foreign of ['Nosy Clerk', staff.email, staffAddress, 'actorId'])
      expect(text).not.toContain(foreign);
    // That staff looked at the password in a list of several is told all the same.
    const looks = data.events?.filter(({ action }) => action === 'password_revealed') ?? [];
    expect(looks).toContainEqual(expect.objectContaining({ by: 'staff', targetId: null, after: null }));
  });

  it('is complete even when it is long', async () => {
    const borrower = await server.registerBorrower();
    const count = limits.dataDownloadPageRows * 2 + 1;
    await server.database.transaction((tx) =>
      tx.execute(sql`
        insert into notifications (account_id, type, title, message, created_at)
        select ${borrower.id}::bigint, 'loan_update', 'Message ' || number, 'text', now()
          from generate_series(1, ${count}::int) number`),
    );
    const { data } = await dataOf(borrower);
    expect(data.notifications?.map(({ title }) => title)).toEqual(
      Array.from({ length: count }, (_, index) => `Message ${index + 1}`),
    );
  });

  it('comes with the pictures as one archive, in either language', async () => {
    const { borrower } = await livedIn();
    const left = await server.upload(borrower.token);
    const { bytes, headers } = await borrower.downloadOwnArchive({ password: borrower.password });
    expect(headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(/^attachment; filename="hiram-\d+-[\d-]+\.zip"$/),
      'cache-control': 'no-store',
    });
    // 10 March 2026, 12:00 in Manila, as ZIP writes it.
    expect([bytes.readUInt16LE(12), bytes.readUInt16LE(10)]).toEqual([(46 << 9) | (3 << 5) | 10, 12 << 11]);
    const files = readZip(bytes);
    expect([...files.keys()].sort()).toEqual([
      'README.txt',
      'data.json',
      'documents/id-back.jpg',
      'documents/id-front.jpg',
      'documents/selfie.jpg',
      `documents/unused-${left.id}.jpg`,
    ]);
    for (const [name, content] of files) {
      if (name.endsWith('.jpg')) expect(content.subarray(0, 3).toString('hex'), name).toBe('ffd8ff');
    }
    expect(String(files.get('README.txt'))).toContain(lenderName);
    const data: OwnData = JSON.parse(String(files.get('data.json')));
    expect(data.documents?.map(({ file }) => file).sort()).toEqual(
      [...files.keys()].filter((name) => name.startsWith('documents/')).sort(),
    );

    const { token, password } = borrower;
    const inFilipino = await server.as(token).downloadOwnArchive({ password }, { query: { lang: 'fil' } });
    expect(String(readZip(inFilipino.bytes).get('README.txt'))).toContain('Ang itinatago ng');
  });

  it('says which picture is missing instead of failing', async () => {
    const { borrower } = await livedIn();
    const body = await borrower.readProfile();
    await server.deps.files.remove(String(body.selfieUrl).replace('/api/files/', ''));
    const { bytes } = await borrower.downloadOwnArchive({ password: borrower.password });
    const files = readZip(bytes);
    expect(files.has('documents/selfie.jpg')).toBe(false);
    const data: OwnData = JSON.parse(String(files.get('data.json')));
    expect(data.documents?.filter(({ file }) => file === null)).toHaveLength(1);
  });

  it('is made one at a time per person, further ones wait, and there is an overall bound', async () => {
    const bounds: { dataDownloadsAtOnce: number } = limits;
    const { dataDownloadsAtOnce } = limits;
    bounds.dataDownloadsAtOnce = 3;
    // Each says so in the log before it sends anything: there they wait.
    const { open: goOn, passed: held } = gate();
    let begun = 0;
    const { database } = server;
    const holding = await passingServer({
      deps: {
        database: {
          ...database,
          transaction(work) {
            begun += 1;
            return held.then(() => database.transaction(work));
          },
        },
        secrets: server.deps.secrets,
      },
    });
    bounds.dataDownloadsAtOnce = dataDownloadsAtOnce;
    const people = await Promise.all(Array.from({ length: 7 }, () => server.registerBorrower()));
    const ask = ({ token, password }: TestBorrower) =>
      holding.as(token).downloadOwnData({ password }).answer();
    const [first, second, third, ...others] = people as [TestBorrower, TestBorrower, TestBorrower];

    const running = [first, second, third].map(ask);
    await expect.poll(() => begun).toBe(3);
    // One more than may wait: whichever comes last is refused, and the rest stay in line.
    const again = Array.from({ length: limits.dataDownloadsWaiting + 1 }, () => ask(first));
    expect(await Promise.race(again)).toMatchObject({
      status: 429,
      body: { code: 'too_many_tries' },
      headers: { 'retry-after': expect.any(String) },
    });
    const further = others.map(ask);
    expect(await Promise.race(further)).toMatchObject({ status: 503, body: { code: 'overloaded' } });
    expect(begun).toBe(3);
    goOn();
    const statuses = async (answers: typeof running) =>
      (await Promise.all(answers)).map(({ status }) => status).sort();
    expect(await statuses(running)).toEqual([200, 200, 200]);
    expect(await statuses(again)).toEqual([200, 200, 429]);
    expect(await statuses(further)).toEqual([200, 200, 200, 503]);
    expect((await ask(first)).status).toBe(200);
  });

  it('can be downloaded fifty times a day', async () => {
    const borrower = await server.registerBorrower();
    for (let times = 0; times < limits.dataDownloadsPerDay; times += 1)
      await borrower.downloadOwnData({ password: borrower.password });
    await refused(borrower.downloadOwnData({ password: borrower.password }), 429, 'too_many_requests');
    server.clock.advance({ hours: 24 });
    await borrower.downloadOwnData({ password: borrower.password });
  });
});

describe('what somebody agrees to by sending a form', () => {
  it('is kept with the sentence that was shown and the date', async () => {
    const borrower = await server.registerBorrower();
    const { token } = borrower;
    const filipino = { 'content-language': 'fil' };
    const profile = { fullName: 'Maria Clara', address: '12 Mabini Street, Cabanatuan City' };
    server.clock.advance({ minutes: 1 });
    await server.as(token).updateProfile(profile, { headers: filipino });
    const { url } = await server.upload(token);
    await server.as(token).updateProfile({ selfieUrl: url }, { headers: { 'content-language': 'en' } });
    const { data } = await dataOf(borrower);
    expect(data.consents).toEqual([
      {
        purpose: 'register',
        language: null,
        wording: en.session.agree(lenderName),
        createdAt: '2026-03-10T04:00:00.000Z',
      },
      {
        purpose: 'profile',
        language: 'fil',
        wording: fil.consents.profile(lenderName),
        createdAt: '2026-03-10T04:01:00.000Z',
      },
      {
        purpose: 'documents',
        language: 'en',
        wording: en.consents.documents(lenderName),
        createdAt: '2026-03-10T04:01:00.000Z',
      },
    ]);
  });

  it('is kept once for an application that is sent twice, and not for one that is refused', async () => {
    const borrower = await server.verifiedBorrower();
    const headers = { 'idempotency-key': 'one', 'content-language': 'fil' };
    for (const _ of [1, 2]) await borrower.applyForLoan(application, { headers });
    await refused(borrower.applyForLoan({ ...application, termMonths: 99 }), 400);
    const { data } = await dataOf(borrower);
    expect(data.consents?.filter(({ purpose }) => purpose === 'application')).toMatchObject([
      { language: 'fil', wording: fil.consents.application(lenderName) },
    ]);
  });

  it('is not invented for people who did not send it: a member created at the desk, a profile that staff changed', async () => {
    const body = await server.main.createMember({
      phone: '09175550001',
      fullName: 'Ana Reyes',
      password: 'desk password',
    });
    await server.main.updateMember(body.user.id, { countryOfWork: 'Philippines' });
    const member = await server.signIn({ phone: '09175550001', password: 'desk password' });
    const text = (await server.as(member).downloadOwnData({ password: 'desk password' }).success()).text;
    expect(JSON.parse(text).consents).toEqual([]);
  });

  it('ignores a language that it does not know, and never fails because of one', async () => {
    for (const language of ['xx', 'en-PH, fil;q=0.5', '']) {
      const borrower = await server.registerBorrower();
      const headers = { 'content-language': language };
      await borrower.updateProfile({ countryOfWork: 'Japan' }, { headers });
      const { data } = await dataOf(borrower);
      expect(data.consents?.at(-1)).toMatchObject({ purpose: 'profile', language: null });
    }
  });

  it('cannot be changed by anybody', async () => {
    await server.registerBorrower();
    for (const change of [
      sql`update consents set wording = 'anything'`,
      sql`delete from consents`,
      sql`truncate consents`,
    ]) {
      await expect(server.database.transaction((tx) => tx.execute(change))).rejects.toThrow();
    }
  });
});

it('no form needs an extra field or header for it', async () => {
  const body = { fullName: 'Maria Clara', phone: '09175550002', password: 'borrower password' };
  expect((await server.visitor.register(body).answer()).status).toBe(201);
  expect((await server.signIn({ username: 'admin', password: mainAdminPassword })).length).toBeGreaterThan(
    20,
  );
});
