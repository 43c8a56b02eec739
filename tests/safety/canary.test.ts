import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { backUp } from '#server/books/backup.ts';
import { createLogger } from '#server/platform/logger.ts';
import { formWithFile, photo } from '#tests/setup/photo.ts';
import { mainAdminPassword, testServer } from '#tests/setup/test-server.ts';
import { totp } from '#tests/setup/totp.ts';
import { createListener } from './listener.ts';
import { marked, places, type Secret } from './marked-secrets.ts';

/**
 * The whole product, once through, with secrets that look like nothing else; then everything that came out of it is
 * searched for them: every reply to everybody, the log at its most talkative, the figures for monitoring, what the
 * console says, and a backup. Each may stand in the places that `places` names and nowhere else.
 */
const logged: string[] = [];
const log = createLogger({ level: 'trace', destination: { write: (line) => void logged.push(line) } });
const secretKey = randomBytes(32);
const server = await testServer({
  config: { secretKey, metricsToken: marked.metricsToken },
  deps: { log },
});

it('secrets and personal data appear where they may and nowhere else', async () => {
  const listener = createListener(server);
  const { as, replies, secrets } = listener;
  const add = (secret: Secret, text: string) => secrets.push({ secret, text });
  for (const form of ['base64', 'base64url', 'hex'] as const) add('secret key', secretKey.toString(form));
  add('main admin’s password', mainAdminPassword);
  add('metrics token', marked.metricsToken);

  await borrowing();
  await staffWork();
  await refusals();
  await watching();

  const misplaced = replies.flatMap(({ name, who, text }) =>
    secrets
      .filter(({ secret, text: words }) => text.includes(words) && !places[secret](name, who))
      .map(({ secret }) => `${secret} in the answer of ${name} to ${who}`),
  );
  expect([...new Set(misplaced)]).toEqual([]);
  expectNothingIn('the log', logged.join(''));
  expect(logged.length).toBeGreaterThan(100);
  // The search itself works: what staff are to see they did see.
  for (const secret of [
    'issued password',
    'one-time code',
    'second step',
    'personal data',
    'staff’s issued password',
  ] as const)
    expect(
      replies.some(({ text }) =>
        secrets.some(({ secret: kind, text: words }) => kind === secret && text.includes(words)),
      ),
      secret,
    ).toBe(true);

  function expectNothingIn(where: string, text: string, kinds?: (secret: Secret) => boolean) {
    const found = secrets
      .filter(({ secret }) => kinds?.(secret) ?? true)
      .filter(({ text: words }) => text.includes(words))
      .map(({ secret, text: words }) => `${secret} (${words})`);
    expect(found, where).toEqual([]);
  }

  async function borrowing(): Promise<void> {
    add('chosen password', marked.chosenPassword);
    add('chosen password', marked.secondPassword);
    const { fullName: name, ...ofPerson } = marked.person;
    add('name', name);
    for (const text of Object.values(ofPerson)) add('personal data', text);
    for (const text of Object.values(marked.reference)) add('reference’s data', text);
    const { fullName, phone, email } = marked.person;
    await as('visitor', 'register', {
      body: { fullName, phone, email, password: marked.chosenPassword },
    });
    await as('visitor', 'signIn', { body: { phone, password: marked.chosenPassword }, keepAs: 'borrower' });
    await as('visitor', 'register', {
      body: { fullName: 'Ana Reyes', phone: '09181112233', password: 'another secret' },
      keepAs: 'other borrower',
    });
    const documents: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { payload, headers } = formWithFile(await photo());
      const { body } = await as('borrower', 'uploadDocument', { rawBody: payload, headers });
      documents.push(body.url);
    }
    const [idFrontUrl, idBackUrl, selfieUrl] = documents;
    await as('borrower', 'updateProfile', {
      body: {
        ...marked.profile,
        ...marked.reference,
        address: marked.person.address,
        bankAccountNumber: marked.person.bankAccountNumber,
        idFrontUrl,
        idBackUrl,
        selfieUrl,
      },
    });
    await as('borrower', 'changePassword', {
      body: { currentPassword: marked.chosenPassword, newPassword: marked.secondPassword },
    });
    await as('borrower', 'applyForLoan', {
      body: { amount: 150_000, purpose: marked.purpose, termMonths: 12 },
    });
  }

  async function staffWork(): Promise<void> {
    await as('visitor', 'signIn', {
      body: { username: 'admin', password: mainAdminPassword },
      keepAs: 'main admin',
    });
    const staff = await as('main admin', 'createAdmin', {
      body: { email: marked.staff.email, password: marked.staff.password },
    });
    add('staff’s issued password', marked.staff.password);
    await as('visitor', 'signIn', {
      body: { username: marked.staff.email, password: marked.staff.password },
      keepAs: 'admin',
    });
    add('staff’s issued password', marked.staff.secondPassword);
    await as('main admin', 'updateAdmin', {
      params: { id: staff.body.user.id },
      body: { password: marked.staff.secondPassword },
    });
    await as('visitor', 'signIn', {
      body: { username: marked.staff.email, password: marked.staff.secondPassword },
      keepAs: 'admin',
    });

    await secondStep();

    const created = await as('admin', 'createMember', { body: { phone: '09183334455' } });
    add('issued password', created.body.user.plainPassword);
    const id = listener.idOf('borrower');
    await as('admin', 'updateMember', { params: { id }, body: { balance: 50_000 } });
    add('one-time code', marked.code);
    await as('admin', 'updateMember', { params: { id }, body: { otpCode: marked.code } });
    const { bankAccountNumber } = marked.person;
    const withdrawal = { amount: 1_000, bankName: 'Bank A', bankAccountNumber };
    await as('borrower', 'requestWithdrawal', { body: { ...withdrawal, otp: '000000' }, refused: true });
    await as('admin', 'listMembers', { query: { search: marked.person.fullName } });
    await as('borrower', 'requestWithdrawal', { body: { ...withdrawal, otp: marked.code } });
    add('one-time code', marked.secondCode);
    await as('admin', 'updateMember', { params: { id }, body: { otpCode: marked.secondCode } });
    await as('admin', 'updateLoan', { params: { id: 1 }, body: { status: 'approved' } });
    await as('admin', 'updateWithdrawal', { params: { id: 1 }, body: { status: 'completed' } });
    await as('admin', 'notifyMember', { body: { userId: id, title: 'A word', message: 'Please call us.' } });
    add('issued password', marked.issuedPassword);
    await as('admin', 'updateMember', {
      params: { id: created.body.user.id },
      body: { password: marked.issuedPassword },
    });
  }

  /** Set up, used in a sign-in with a code and with a recovery code, mistyped, and switched off. */
  async function secondStep(): Promise<void> {
    const { email: username, secondPassword: password } = marked.staff;
    const { body: begun } = await as('admin', 'setUpSecondStep', { body: { password } });
    add('second step', begun.secret);
    const code = () => totp(begun.secret, server.clock.now());
    add('second step', JSON.stringify(code()));
    const { body } = await as('admin', 'confirmSecondStep', {
      body: { code: code() },
      keepAs: 'admin',
    });
    for (const recoveryCode of body.recoveryCodes) {
      add('second step', recoveryCode);
      add('second step', recoveryCode.replaceAll('-', ''));
    }
    const signIn = (typed: string, refused = false) =>
      as('visitor', 'signIn', {
        body: { username, password, code: typed },
        ...(refused ? { refused } : { keepAs: 'admin' }),
      });
    await signIn(code(), true);
    server.clock.advance({ minutes: 1 });
    add('second step', JSON.stringify(code()));
    await signIn(code());
    const [one, two] = body.recoveryCodes;
    await signIn(one);
    await signIn(one, true);
    await as('admin', 'removeSecondStep', { body: { password, code: marked.code }, refused: true });
    await breakTable('notifications', () =>
      as('admin', 'removeSecondStep', { body: { password, code: two }, refused: true }),
    );
    await signIn(two);
  }

  /** Every row that reads, for everybody, and each way of being refused with a secret in the request. */
  async function refusals(): Promise<void> {
    await listener.readEverything();
    const { phone } = marked.person;
    const wrong = `${marked.chosenPassword} `;
    await as('visitor', 'signIn', { body: { phone, password: wrong }, refused: true });
    await as('visitor', 'register', {
      body: { fullName: marked.person.fullName, phone, password: marked.secondPassword },
      refused: true,
    });
    const headers = { 'content-type': 'application/json' };
    const broken = `{"phone":"${phone}","password":"${marked.secondPassword}" oops`;
    await as('visitor', 'signIn', { rawBody: broken, headers, refused: true });
    await as('visitor', 'signIn', {
      rawBody: broken,
      headers: { 'content-type': 'text/plain' },
      refused: true,
    });
    await as('borrower', 'updateProfile', {
      body: { address: marked.person.address, monthlySalary: marked.person.bankAccountNumber },
      refused: true,
    });
    // The database fails in the midst of it: its error holds the query with everything that was to be written.
    await breakTable('notifications', async () => {
      await as('admin', 'updateMember', {
        params: { id: listener.idOf('borrower') },
        body: { otpCode: marked.code, bankAccountNumber: marked.person.bankAccountNumber },
        refused: true,
      });
    });
    await breakTable('accounts', () =>
      as('visitor', 'register', {
        body: { ...marked.person, phone: '09185556677', password: marked.chosenPassword },
        refused: true,
      }),
    );
    expect(replies.filter(({ status }) => status === 500)).toHaveLength(3);
    await as('borrower', 'signOut', {});
  }

  async function breakTable(name: string, work: () => Promise<unknown>): Promise<void> {
    const rename = (from: string, to: string) =>
      server.database.transaction((tx) => tx.execute(sql.raw(`alter table ${from} rename to ${to}`)));
    await rename(name, 'elsewhere');
    await work();
    await rename('elsewhere', name);
  }

  /** Looks at what is there for whoever runs the server. */
  async function watching(): Promise<void> {
    for (const url of ['/metrics', '/healthz', '/readyz']) {
      const { body, headers } = await server.app.inject({ url, remoteAddress: '127.0.0.1' });
      expectNothingIn(url, body + JSON.stringify(headers));
    }
    const folder = path.join(server.dataDir, 'a backup');
    const said: string[] = [];
    await backUp(
      server.deps,
      { folder, withKey: false, migrations: path.resolve('server/store/migrations') },
      (line) => void said.push(line),
    );
    expectNothingIn('what the console says', said.join('\n'));
    const personal: Secret[] = ['name', 'personal data', 'reference’s data'];
    const isSecret = (secret: Secret) => !personal.includes(secret);
    for (const file of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const full = path.join(folder, file);
      if (fs.statSync(full).isFile()) expectNothingIn(file, fs.readFileSync(full, 'latin1'), isSecret);
    }
    // Members can be erased, the log cannot: so it never has a word of theirs.
    const [auditFile = expect.fail('no audit log in the backup')] = fs
      .readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.includes('audit_entries'));
    const entries = fs.readFileSync(path.join(folder, auditFile), 'utf8');
    expect(entries).toContain('"sign_in"');
    expectNothingIn('the audit log', entries);
  }
});
