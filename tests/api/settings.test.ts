import { afterEach, describe, expect, it } from 'vitest';
import { addMonths, manilaDate } from '#domain/calendar.ts';
import { type Config, readConfig } from '#server/config.ts';
import { openInstallation } from '#server/open-database.ts';
import { createLogger } from '#server/platform/logger.ts';
import { prepareDataDir } from '#tests/crash/prepared-data.ts';
import { refused } from '#tests/setup/caller.ts';
import { lastingDirectory } from '#tests/setup/temporary-directory.ts';
import { mainAdminPassword, startTestServer, type TestServer, testServer } from '#tests/setup/test-server.ts';
import { totp } from '#tests/setup/totp.ts';
import { apply } from './lending.ts';

/**
 * These tests try what a setting does to the server (§settings); the tests of
 * `config.ts` cover how each is read.
 */
const shared = await testServer();

let server: TestServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A server whose environment names these settings, on the shared database. */
async function serverWith(env: Record<string, string>): Promise<TestServer> {
  const plain = readConfig({});
  const named = readConfig(env);
  const changed = Object.entries(named).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(plain, name)),
  );
  const config: Partial<Config> = Object.fromEntries(changed);
  server = await startTestServer({ config, deps: { database: shared.database } });
  return server;
}

describe('PUBLIC_ORIGIN', () => {
  const origin = 'https://app.example.com';
  const preflight = (running: TestServer, from: string, method: string) =>
    running.app.inject({
      method: 'OPTIONS',
      url: '/api/user/profile',
      headers: {
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization, content-type, idempotency-key',
      },
    });

  it('lets the pages of that one origin call', async () => {
    const running = await serverWith({ PUBLIC_ORIGIN: origin });
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const { statusCode, headers } = await preflight(running, origin, method);
      expect(statusCode).toBeLessThan(300);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-allow-credentials']).toBe('true');
      expect(String(headers['access-control-allow-methods'])).toContain(method);
      expect(String(headers['access-control-allow-headers'])).toContain('idempotency-key');
    }
    const { headers } = await running.app.inject({ url: '/api/user/profile', headers: { origin } });
    expect(headers['access-control-allow-origin']).toBe(origin);
  });

  it('lets no other', async () => {
    const running = await serverWith({ PUBLIC_ORIGIN: origin });
    for (const other of ['https://evil.example.com', 'https://app.example.com.evil.example', 'null']) {
      const { headers } = await preflight(running, other, 'PUT');
      expect([undefined, origin]).toContain(headers['access-control-allow-origin']);
    }
  });

  it('allows no origin when unset', async () => {
    const { statusCode, headers } = await preflight(shared, origin, 'PUT');
    expect(statusCode).toBe(405);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('TRUST_PROXY', () => {
  /** The address that a failed sign-in was logged with. */
  async function seenAddress(running: TestServer, address: string, forwardedFor?: string) {
    const headers: Record<string, string> = forwardedFor ? { 'x-forwarded-for': forwardedFor } : {};
    const attempt = { phone: '09170000000', password: 'wrong word' };
    await refused(running.visitor.signIn(attempt, { headers, address }), 401);
    const body = await running.as(await shared.signInMainAdmin()).listAudit();
    return body.find(({ action }) => action === 'sign_in_failed')?.ipAddress;
  }

  it('trusts nobody when unset', async () => {
    expect(await seenAddress(shared, '10.0.0.1', '203.0.113.7')).toBe('10.0.0.1');
    expect(await seenAddress(shared, '127.0.0.1', '203.0.113.7')).toBe('127.0.0.1');
  });

  it('trusts the named proxies, and the address that they saw', async () => {
    const running = await serverWith({ TRUST_PROXY: '10.0.0.0/8, 2001:db8::1' });
    expect(await seenAddress(running, '10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
    expect(await seenAddress(running, '::ffff:10.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
    expect(await seenAddress(running, '2001:db8::1', '203.0.113.7')).toBe('203.0.113.7');
    expect(await seenAddress(running, '10.0.0.1')).toBe('10.0.0.1');
    // The client's own claim stands on the left, before the first proxy's word.
    expect(await seenAddress(running, '10.0.0.1', '127.0.0.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(await seenAddress(running, '10.0.0.1', '203.0.113.7, 10.0.0.2')).toBe('203.0.113.7');
    expect(await seenAddress(running, '192.0.2.1', '203.0.113.7')).toBe('192.0.2.1');
  });

  it('decides which address the allow-list checks', async () => {
    const running = await serverWith({ TRUST_PROXY: '10.0.0.1' });
    const from = (forwardedFor: string) => ({
      headers: { 'x-forwarded-for': forwardedFor },
      address: '10.0.0.1',
    });
    const main = running.as(await shared.signInMainAdmin());
    await main.addAllowedIp({ ipAddress: '203.0.113.0/24' }, from('203.0.113.7'));
    await main.listMembers(undefined, from('203.0.113.7'));
    for (const elsewhere of ['198.51.100.1', '203.0.113.7, 198.51.100.1'])
      await refused(main.listMembers(undefined, from(elsewhere)), 403, 'ip_not_allowed');
  });
});

it('LOAN_MONTHLY_RATE is the rate of new quotes', async () => {
  const running = await serverWith({ LOAN_MONTHLY_RATE: '1.5' });
  const body = await running.visitor.quoteLoan({ amount: 150_000, termMonths: 12 });
  expect([body.interestRate, body.monthlyPayment]).toEqual([1.5, '14750.00']);
});

it('OTP_TTL_HOURS is how long a code lasts', async () => {
  const running = await serverWith({ OTP_TTL_HOURS: '2' });
  const { id } = await running.registerBorrower();
  const body = await running.as(await shared.signInMainAdmin()).updateMember(id, { otpCode: '482913' });
  expect(body.otpExpiresAt).toBe('2026-03-10T06:00:00.000Z');
});

it('LOG_LEVEL info writes a line a request: what was asked and answered, and nothing else', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  server = await startTestServer({ deps: { database: shared.database, log } });
  const authorization = 'Bearer abc-token-abc-token-abc-token';
  await server.app.inject({ url: '/api/user/profile?search=Juan', headers: { authorization } });
  await server.app.inject({ method: 'POST', url: '/api/auth/login', payload: { phone: '+639171234567' } });
  const common = { level: 'info', time: expect.any(String), pid: process.pid, reqId: expect.any(String) };
  const completed = { responseTime: expect.any(Number), msg: 'request completed' };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...common,
      req: { method: 'GET', path: '/api/user/profile' },
      res: { statusCode: 401 },
      code: 'not_signed_in',
      ...completed,
    },
    {
      ...common,
      req: { method: 'POST', path: '/api/auth/login' },
      res: { statusCode: 400 },
      code: 'validation_failed',
      ...completed,
    },
  ]);
});

it('LOG_LEVEL info names the account and the reason where a request is refused', async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  server = await startTestServer({ deps: { database: shared.database, log } });
  const borrower = await server.verifiedBorrower();
  const otp = await server.setCode(borrower.id);
  lines.length = 0;
  const request = { amount: 5000, bankName: 'Bank A', bankAccountNumber: '1234567890', otp };
  await refused(borrower.requestWithdrawal(request), 400, 'insufficient_funds');
  expect(lines.map((line) => JSON.parse(line)).map(({ code, accountId }) => [code, accountId])).toEqual([
    ['insufficient_funds', borrower.id],
  ]);
});

it('METRICS_TOKEN opens the metrics from elsewhere', async () => {
  const running = await serverWith({ METRICS_TOKEN: 'a-token' });
  const response = await running.app.inject({
    url: '/metrics',
    remoteAddress: '198.51.100.1',
    headers: { authorization: 'Bearer a-token' },
  });
  expect(response.statusCode).toBe(200);
});

it('a given secret key opens what was sealed with it', async () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const sealed = (await serverWith({ SECRET_KEY: key })).deps.secrets.seal('482913', 'otp:1001');
  await server?.close();
  const again = await serverWith({ SECRET_KEY: key });
  expect(again.deps.secrets.open(sealed, 'otp:1001')).toBe('482913');
  expect(shared.deps.secrets.open(sealed, 'otp:1001')).toBeUndefined();
});

describe('DEMO_DATE', () => {
  const configOf = (env: Record<string, string>) =>
    readConfig({ DATA_DIR: dataDir, MAIN_ADMIN_PASSWORD: mainAdminPassword, LOG_LEVEL: 'error', ...env });
  const dataDir = lastingDirectory();

  it('is the day that everything starts on, and never one before what is stored', async () => {
    const config = configOf({ DEMO_DATE: '2027-02-01' });
    await prepareDataDir(dataDir);
    const { deps, close } = await openInstallation(config, () => {});
    const { database, secrets, clock } = deps;
    server = await startTestServer({ config, deps: { database, secrets, clock } });
    const today = manilaDate(clock.now());
    expect(['2027-02-01', '2027-02-02']).toContain(today);
    const loan = await apply(server, await server.verifiedBorrower());
    expect(manilaDate(new Date(loan.createdAt))).toBe(today);
    await server.main.updateLoan(loan.id, { status: 'approved' });
    const disbursed = await server.main.disburseLoan(loan.id, { channel: 'wallet' } as const);
    expect(disbursed).toMatchObject({
      disbursedOn: today,
      asOf: today,
      account: { nextDueDate: addMonths(today, 2) },
    });
    const contract = await server.main.readLoanContract(loan.id);
    expect(contract.startDate).toBe(today);
    // A phone's authenticator app knows nothing of the demo's day.
    const { secret } = await server.main.setUpSecondStep({ password: mainAdminPassword });
    const code = totp(secret, new Date());
    expect((await server.main.confirmSecondStep({ code })).recoveryCodes).toHaveLength(10);
    const before = clock.now().getTime();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(clock.now().getTime()).toBeGreaterThan(before);
    await server.close();
    server = undefined;
    await close();

    await expect(openInstallation(configOf({ DEMO_DATE: '2027-01-31' }), () => {})).rejects.toThrow(
      /^DEMO_DATE must be later than what is stored: the newest entry of the log is "\w+" of \d+ Feb 2027, /,
    );
    const later = await openInstallation(configOf({ DEMO_DATE: '2027-03-01' }), () => {});
    expect(manilaDate(later.deps.clock.now()) >= '2027-03-01').toBe(true);
    await later.close();
  });
});
