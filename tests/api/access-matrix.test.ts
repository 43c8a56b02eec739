import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { type Access, anyone, type Endpoint } from '#contract/endpoint.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { type Handlers, serveEndpoints } from '#server/http/route.ts';
import { mainAdminPassword, startTestServer, type TestServer } from '#tests/setup/test-server.ts';

/**
 * Tries every row of the endpoint table as every kind of caller (§panel-guard). The answer to expect is
 * worked out here from the row's `access` alone, so a row that is added is tested without a line here, and a
 * guard that forgets a case is found out.
 */
const rows = Object.entries(api as unknown as Record<string, Endpoint>);

const people = ['visitor', 'borrower', 'other borrower', 'suspended', 'admin', 'main admin'] as const;
type Person = (typeof people)[number];

/** `undefined`: let through. */
const expected: Record<Access, Record<Person, ErrorCode | undefined>> = {
  anyone: {
    visitor: undefined,
    borrower: undefined,
    'other borrower': undefined,
    suspended: 'account_suspended',
    admin: undefined,
    'main admin': undefined,
  },
  signedIn: {
    visitor: 'not_signed_in',
    borrower: undefined,
    'other borrower': undefined,
    suspended: 'account_suspended',
    admin: undefined,
    'main admin': undefined,
  },
  borrower: {
    visitor: 'not_signed_in',
    borrower: undefined,
    'other borrower': undefined,
    suspended: 'account_suspended',
    admin: 'forbidden',
    'main admin': 'forbidden',
  },
  admin: {
    visitor: 'not_signed_in',
    borrower: 'forbidden',
    'other borrower': 'forbidden',
    suspended: 'account_suspended',
    admin: undefined,
    'main admin': undefined,
  },
  mainAdmin: {
    visitor: 'not_signed_in',
    borrower: 'forbidden',
    'other borrower': 'forbidden',
    suspended: 'account_suspended',
    admin: 'main_admin_only',
    'main admin': undefined,
  },
};

const refusals = new Set<unknown>([
  'not_signed_in',
  'forbidden',
  'account_suspended',
  'main_admin_only',
  'ip_not_allowed',
]);

/** The endpoints that read what a borrower owns and another one must not find, and whose id they take. */
const owned: Partial<Record<string, 'loan' | 'file'>> = {
  readLoanSchedule: 'loan',
  readLoanCalendar: 'loan',
  readLoanTable: 'loan',
  readLoanContract: 'loan',
  readLoanContractPdf: 'loan',
  readFile: 'file',
};

const isStaff = (person: Person) => person === 'admin' || person === 'main admin';
const isStaffRow = ({ access }: Endpoint) => access === 'admin' || access === 'mainAdmin';

/** If two rows share a path, the staff's serves staff and the other one everybody else. */
function servingRow(row: Endpoint, person: Person): Endpoint {
  const sharing = rows
    .map(([, other]) => other)
    .filter((other) => other.method === row.method && other.path === row.path);
  if (sharing.length === 1) return row;
  return sharing.find((other) => isStaffRow(other) === isStaff(person)) ?? row;
}

let server: TestServer;
let ids: { loan: number; file: string };
const tokens: Partial<Record<Person, string>> = {};
const spares: Partial<Record<Person, string[]>> = {};

beforeAll(async () => {
  server = await startTestServer();
  const borrower = await server.verifiedBorrower();
  const other = await server.registerBorrower();
  const suspended = await server.registerBorrower();
  const loan = await borrower.applyForLoan({ amount: 150_000, purpose: 'a sewing machine', termMonths: 12 });
  const file = await server.upload(borrower.token);
  ids = { loan: loan.id, file: file.id };
  tokens.borrower = borrower.token;
  tokens['other borrower'] = other.token;
  tokens.suspended = suspended.token;
  tokens['main admin'] = await server.signInMainAdmin();
  const admin = await server.createAdmin();
  tokens.admin = admin.token;
  const signInTwice = async (form: Parameters<typeof server.signIn>[0]) => [
    await server.signIn(form),
    await server.signIn(form),
  ];
  spares.borrower = await signInTwice({ phone: borrower.phone, password: borrower.password });
  spares['other borrower'] = await signInTwice({ phone: other.phone, password: other.password });
  spares.admin = await signInTwice({ username: admin.email, password: admin.password });
  spares['main admin'] = await signInTwice({ username: 'admin', password: mainAdminPassword });
  await server.as(tokens['main admin']).updateMember(suspended.id, { status: 'suspended' });
});

afterAll(() => server.close());

/** Nothing here has an effect: what would change something is sent without a body, or for an id that is not there. */
async function ask(name: string, row: Endpoint, person: Person, address?: string) {
  const params = {
    id: owned[name] ? ids[owned[name]] : row.path.includes('/files/') ? 'x'.repeat(32) : 999_999_999,
  };
  // Signing out ends the session; the one that the other tests use must go on.
  const token = name === 'signOut' ? (spares[person]?.pop() ?? tokens[person]) : tokens[person];
  return server.call(row, {
    params,
    token,
    ...(address ? { address } : {}),
    ...(row.body ? { anyBody: {} } : {}),
  });
}

describe('the access matrix', () => {
  it('knows the access of every row', () => {
    for (const [name, row] of rows) expect(Object.keys(expected), name).toContain(row.access);
  });

  for (const [name, row] of rows) {
    for (const person of people) {
      it(`${row.method} ${row.path} (${name}) for ${person}`, async () => {
        const { status, body } = await ask(name, row, person);
        expect(status).toBeLessThan(500);
        const refusal = expected[servingRow(row, person).access][person];
        if (refusal)
          expect({ status, code: body.code }).toEqual({
            status: refusal === 'not_signed_in' ? 401 : 403,
            code: refusal,
          });
        else expect(refusals.has(body?.code)).toBe(false);

        const kind = owned[name];
        if (!kind || refusal) return;
        // Absent or not yours: the two are indistinguishable.
        if (person === 'other borrower')
          expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
        else expect(status).toBe(200);
      });
    }
  }
});

describe('the address rule for staff', () => {
  /** Whatever asks who is calling, but for ending the session; a sign-in has its own test in `allowed-ips.test.ts`. */
  const underRule = (row: Endpoint) =>
    row.path === '/api/auth/register' || (row.access !== 'anyone' && row.path !== '/api/auth/logout');

  beforeAll(async () => {
    await server
      .as(tokens['main admin'] ?? '')
      .addAllowedIp({ ipAddress: '203.0.113.0/24' }, { address: '203.0.113.9' });
  });

  for (const [name, row] of rows) {
    for (const person of ['admin', 'main admin'] as const) {
      it(`${row.method} ${row.path} (${name}) for ${person} from elsewhere`, async () => {
        const { status, body } = await ask(name, row, person, '198.51.100.1');
        if (row.access === 'borrower') expect(body.code).toBe('forbidden');
        else if (underRule(row))
          expect({ status, code: body.code }).toEqual({ status: 403, code: 'ip_not_allowed' });
        else expect(body?.code).not.toBe('ip_not_allowed');
      });
    }

    it(`${row.method} ${row.path} (${name}) for a borrower from anywhere`, async () => {
      const { body } = await ask(name, row, 'borrower', '198.51.100.1');
      expect(body?.code).not.toBe('ip_not_allowed');
    });
  }
});

describe('a table with a gap', () => {
  const extra = anyone('GET /api/extra', { summary: 'Nobody serves it.' });

  it('does not start, and names the rows without a handler', () => {
    const table = { extra, another: extra };
    // @ts-expect-error: the compiler says so first
    const handlers: Handlers<typeof table> = {};
    expect(() => serveEndpoints(server.app, server.deps, table, handlers)).toThrow('extra, another');
  });

  it('takes no handler for a row that is not in the table', () => {
    // @ts-expect-error
    const handlers: Handlers<{ extra: typeof extra }> = { extra: () => undefined, other: () => undefined };
    expect(Object.keys(handlers)).toContain('other');
  });
});
