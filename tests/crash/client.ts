import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { mainAdminPassword } from '#tests/setup/test-server.ts';

/** An answer as it came over the wire. */
export type Answer = { status: number; body: Record<string, unknown>; headers: Headers };

export type Request = {
  method?: string;
  path: string;
  token?: string | undefined;
  /** Where it comes from, as a proxy would tell it. */
  address?: string | undefined;
  body?: unknown;
  /** The `Idempotency-Key`. */
  key?: string;
  /** Instead of `body`. */
  form?: { payload: Buffer; headers: Record<string, string> };
};

/** No client waits any longer: a server that is silent for so long hangs. */
const answerWithinMs = 30_000;
const againAfterMs = 25;
/** So long may a server be away, with its restart on a busy machine. */
const patienceMs = 60_000;

/** Sends once. Throws when no whole answer came: the server is gone, or died over it. */
export async function send(origin: string, request: Request): Promise<Answer> {
  const { method, path, token, address, body, key, form } = request;
  const hasBody = body !== undefined || form !== undefined;
  const response = await fetch(`${origin}${path}`, {
    method: method ?? (hasBody ? 'POST' : 'GET'),
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(address ? { 'x-forwarded-for': address } : {}),
      ...(key ? { 'idempotency-key': key } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...form?.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form ? { body: new Uint8Array(form.payload) } : {}),
    signal: AbortSignal.timeout(answerWithinMs),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: isJson ? JSON.parse(text) : {}, headers: response.headers };
}

/**
 * Asks again with the same key until there is an answer that is about the request: what a careful client does while a
 * server or its database is away. Throws for an answer 500, which nobody may ever see.
 */
export async function sendUntilAnswered(origin: () => string, request: Request): Promise<Answer> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await send(origin(), request).catch((error) => {
      if (performance.now() - startedMs > patienceMs) throw error;
      return undefined;
    });
    if (answer && answer.status !== 503 && !isProxyOwn(answer)) {
      if (answer.status >= 500) throw new Error(`${request.path} answered ${JSON.stringify(answer.body)}`);
      return answer;
    }
    if (answer && performance.now() - startedMs > patienceMs) throw new Error(`${request.path} stays away`);
    await sleep(againAfterMs);
  }
}

/** A proxy's word that it got no answer from a server; a server's own refusals have a code. */
const isProxyOwn = ({ status, body }: Answer) =>
  (status === 502 || status === 504) && body.code === undefined;

/** Sends what must succeed at once. */
export async function succeed(origin: string, request: Request): Promise<Answer['body']> {
  const { status, body } = await send(origin, request);
  if (status >= 300) throw new Error(`${request.path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export const newKey = (): string => randomUUID();

export async function signInStaff(origin: string): Promise<string> {
  const form = { username: 'admin', password: mainAdminPassword };
  return String((await succeed(origin, { path: '/api/auth/login', body: form })).token);
}

export type Borrower = { id: number; token: string; phone: string };

let people = 0;

/** A phone that nobody has registered in this run. */
export function nextPhone(): string {
  people += 1;
  return `0917${String(1_000_000 + people)}`;
}

export const borrowerPassword = 'borrower password';

export const registrationOf = (phone: string) => ({
  phone,
  password: borrowerPassword,
  fullName: 'Maria Clara Santos',
});

export async function registerBorrower(origin: string, address?: string): Promise<Borrower> {
  const phone = nextPhone();
  const body = registrationOf(phone);
  const { token, user } = await succeed(origin, { path: '/api/auth/register', address, body });
  return { id: (user as { id: number }).id, token: String(token), phone };
}

/** Changes a member, as staff ask for it. */
export const memberEdit = (staff: string, { id }: { id: number }, body: object): Request => ({
  method: 'PUT',
  path: `/api/admin/users/${id}`,
  token: staff,
  body,
});

/** Sets a borrower's balance and one-time code, as staff do. */
export async function fund(
  origin: string,
  staff: string,
  borrower: Borrower,
  pesos: string,
  otpCode = '123456',
) {
  await succeed(origin, memberEdit(staff, borrower, { balance: pesos, otpCode }));
}

export const withdrawalBy = (
  { token }: Pick<Borrower, 'token'>,
  { amount = '1000.00', otp = '123456', key }: { amount?: string; otp?: string; key?: string } = {},
): Request => ({
  path: '/api/withdrawals',
  token,
  ...(key && { key }),
  body: { amount, otp, bankName: 'Bank A', bankAccountNumber: '1234567890123' },
});

export async function balanceOf(origin: string, { token }: Pick<Borrower, 'token'>): Promise<string> {
  return String((await succeed(origin, { path: '/api/user/profile', token })).balance);
}
