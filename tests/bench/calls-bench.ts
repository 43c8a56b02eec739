import { randomUUID } from 'node:crypto';
import os from 'node:os';
import { sql } from 'drizzle-orm';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { createPasswords } from '#server/platform/passwords.ts';
import type { BuiltServer } from '#tests/setup/built-server.ts';
import { mainAdminPassword } from '#tests/setup/test-server.ts';
import {
  addressOf,
  call,
  connections,
  type Person,
  readMembers,
  requestOf,
  signIn,
  signInAll,
  startLoad,
  startServer,
} from './callers.ts';
import { inTurn, type Row } from './figures.ts';
import { startHelper } from './helpers.ts';
import { borrowerPassword, type Installation, withInstallation } from './installation.ts';
import type { CannedAnswer, Limit } from './limit-process.ts';
import { tapStatements } from './statement-tap.ts';

/** The product has as many connections to PostgreSQL. */
const transactionsAtOnce = 10;

const reads = { 'my loans': api.listOwnLoans, 'own profile': api.readProfile };

export type Pace = {
  rounds: number;
  /** How long each measure of a round takes. */
  ms: number;
  members: number;
};

const startLimit = () => startHelper<Limit, number>('./limit-process.ts');

/**
 * Records what the server asks of its database for each of these people's reads, and what it answers them.
 */
async function recordReads(installation: Installation, people: readonly Person[]): Promise<CannedAnswer[]> {
  const tap = await tapStatements(installation.databaseUrl);
  const server = await startServer(installation, { DATABASE_URL: tap.url });
  const answers: CannedAnswer[] = [];
  for (const person of people) {
    for (const row of Object.values(reads)) {
      const url = row.path;
      const read = () => tap.record(() => call(server, person, row));
      let [before, last] = [await read(), await read()];
      // Work that the server did by itself meanwhile does not come a second time.
      while (textsOf(before) !== textsOf(last)) [before, last] = [last, await read()];
      const { body, text } = last.result;
      if (JSON.stringify(body) !== text) throw new Error(`${url} answers in another form of JSON`);
      answers.push({ url, authorization: person.authorization, trips: last.trips, body });
    }
  }
  await server.stop();
  tap.close();
  return answers;
}

const textsOf = ({ trips }: { trips: CannedAnswer['trips'] }) =>
  JSON.stringify(trips.map((trip) => trip.map(({ text }) => text)));

/** My loans and the profile, beside `node:http` and `pg` alone, and on both engines. */
export async function measureReads({ rounds, ms, members }: Pace): Promise<Row[]> {
  const counts = { members, loans: members * 2, withdrawals: 0 };
  const onBoth = <Result>(use: (postgres: Installation, embedded: Installation) => Promise<Result>) =>
    withInstallation('postgres', counts, (postgres) =>
      withInstallation('embedded', counts, (embedded) => use(postgres, embedded)),
    );
  return onBoth(async (postgres, embedded) => {
    const load = startLoad();
    const limit = startLimit();
    const stages = await Promise.all([
      readMembers(postgres, connections * 2),
      readMembers(embedded, connections * 2),
    ]);
    const [people, embeddedPeople] = stages;
    const first = await startServer(postgres);
    await signInAll(first, people);
    await first.stop();
    const answers = await recordReads(postgres, people);
    const server = await startServer(postgres);
    const embeddedServer = await startServer(embedded);
    await signInAll(embeddedServer, embeddedPeople);
    const limitPort = await limit.ask({ kind: 'server', databaseUrl: postgres.databaseUrl, answers });
    const rateOf = async (port: number, everybody: readonly Person[], row: Endpoint) => {
      const requests = everybody.map((person) => requestOf(person, row));
      return (await load.ask({ port, requests, connections, ms })).perSecond;
    };
    try {
      const rows: Row[] = [];
      for (const [what, row] of Object.entries(reads)) {
        const rates = await inTurn(rounds, {
          product: () => rateOf(server.port, people, row),
          limit: () => rateOf(limitPort, people, row),
          embedded: () => rateOf(embeddedServer.port, embeddedPeople, row),
        });
        const trips = answers.find(({ url }) => url === row.path)?.trips.length ?? 0;
        rows.push({
          what,
          product: rates.product,
          limit: rates.limit,
          limitIs: `\`node:http\` and \`pg\`, the same ${trips} round trips`,
          unit: '/s',
          goal: '≥ 0.8',
        });
        rows.push({
          what: `${what}, embedded engine`,
          product: rates.embedded,
          limit: rates.product,
          limitIs: 'on PostgreSQL',
          unit: '/s',
          goal: '≥ 0.5',
        });
      }
      return rows;
    } finally {
      await Promise.all([load.stop(), limit.stop(), server.stop(), embeddedServer.stop()]);
    }
  });
}

/** Sign-ins beside the bare hash, as many at once as the server looks at. */
export async function measureSignIn({ rounds, ms, members }: Pace): Promise<Row[]> {
  const hash = await createPasswords().hash(borrowerPassword);
  const counts = { members, loans: 0, withdrawals: 0, passwordHash: hash };
  return withInstallation('postgres', counts, async (installation) => {
    const people = await readMembers(installation, members);
    const load = startLoad();
    const limit = startLimit();
    const server = await startServer(installation);
    const requests = people.map((person) =>
      requestOf(person, api.signIn, {
        body: { phone: person.phone, password: borrowerPassword },
      }),
    );
    const atOnce = Math.min(os.availableParallelism(), 3);
    try {
      const { product, bare } = await inTurn(rounds, {
        product: async () => (await load.ask({ port: server.port, requests, connections, ms })).perSecond,
        bare: () => limit.ask({ kind: 'passwords', hash, password: borrowerPassword, atOnce, ms }),
      });
      return [
        {
          what: 'sign-ins',
          product,
          limit: bare,
          limitIs: `Argon2id alone, ${atOnce} at once`,
          unit: '/s',
          goal: '≥ 0.9',
        },
      ];
    } finally {
      await Promise.all([load.stop(), limit.stop(), server.stop()]);
    }
  });
}

/** Withdrawals and payments beside a bare transaction that is as durable. */
export async function measureMoney({ rounds, ms, members }: Pace): Promise<Row[]> {
  return withInstallation('postgres', { members, loans: members, withdrawals: 0 }, async (installation) => {
    const load = startLoad();
    const limit = startLimit();
    const server = await startServer(installation);
    const money = await prepareMoney(installation, server);
    const rateOf = async (requests: string[], atOnce = connections) =>
      (await load.ask({ port: server.port, requests, connections: atOnce })).perSecond;
    const withdraw = async (named: { key?: string }) => {
      await rateOf(money.codes());
      return rateOf(money.withdrawals(named));
    };
    const few = (requests: string[]) => requests.slice(0, oneByOne);
    const { databaseUrl } = installation;
    try {
      const rates = await inTurn(rounds, {
        withdrawal: () => withdraw({}),
        keyed: () => withdraw({ key: randomUUID() }),
        payment: () => rateOf(money.payments()),
        withdrawalAlone: async () => {
          await rateOf(few(money.codes()));
          return rateOf(few(money.withdrawals({})), 1);
        },
        paymentAlone: () => rateOf(few(money.payments()), 1),
        bare: () => limit.ask({ kind: 'transactions', databaseUrl, atOnce: transactionsAtOnce, ms }),
      });
      const bare = {
        limit: rates.bare,
        limitIs: 'one update and three inserts, committed',
        unit: '/s',
        goal: '≥ 0.4',
      } as const;
      return [
        { what: 'withdrawals', product: rates.withdrawal, ...bare },
        {
          what: 'withdrawals with an `Idempotency-Key`, as the app sends them',
          product: rates.keyed,
          ...bare,
        },
        { what: 'payments recorded', product: rates.payment, ...bare, goal: '' },
        {
          what: 'payments recorded',
          product: rates.payment,
          limit: rates.withdrawal,
          limitIs: 'withdrawals',
          unit: '/s',
          goal: '≥ 0.5',
        },
        {
          what: 'payments recorded, one by one',
          product: rates.paymentAlone,
          limit: rates.withdrawalAlone,
          limitIs: 'withdrawals, one by one',
          unit: '/s',
          goal: '≥ 0.5',
        },
      ];
    } finally {
      await Promise.all([load.stop(), limit.stop(), server.stop()]);
    }
  });
}

const withdrawnPesos = 1_000;
/** How many are sent where nobody else sends anything. */
const oneByOne = 500;
const otp = '123456';
/**
 * Members with money, loans that were paid out, staff to record payments; and what everybody will send. One of the staff
 * has only a few calls answered at a time.
 */
export async function prepareMoney(installation: Installation, server: BuiltServer, cashiers = 8) {
  const people = await readMembers(installation, 10_000);
  await signInAll(server, people);
  const admin = {
    address: addressOf(1),
    authorization: await signIn(server, 1, { username: 'admin', password: mainAdminPassword }),
  };
  for (const { id } of people) {
    const body = { balance: 900_000_000 } as const;
    await call(server, admin, api.updateMember, { id, body });
  }
  const approved = await readApprovedLoans(installation, 1_000);
  // A whole number for each cashier, so that no two of them ever take payments on the same loan.
  const loanIds = approved.slice(0, approved.length - (approved.length % cashiers));
  for (const id of loanIds) {
    await call(server, admin, api.disburseLoan, { id, body: { channel: 'recorded' } });
  }
  const staff = await Promise.all(
    Array.from({ length: cashiers }, async (_, number) => {
      const form = {
        fullName: 'A Cashier',
        email: `cashier-${number}@example.com`,
        password: borrowerPassword,
      };
      const { body } = await call(server, admin, api.createAdmin, { body: form });
      const { email: username, password } = form;
      const { id } = body.user;
      return { address: addressOf(id), authorization: await signIn(server, id, { username, password }) };
    }),
  );
  const cashier = (number: number) => staff[number % cashiers] ?? admin;
  return {
    codes: () =>
      people.map(({ id }, number) =>
        requestOf(cashier(number), api.updateMember, { id, body: { otpCode: otp } }),
      ),
    withdrawals: (named: { key?: string }) =>
      people.map((person) => {
        const body = { amount: withdrawnPesos, bankName: 'BDO', bankAccountNumber: '1234567890', otp };
        return requestOf(person, api.requestWithdrawal, { body, ...named });
      }),
    payments: () =>
      people.map((_, number) =>
        requestOf(cashier(number), api.recordPayment, {
          id: loanIds[number % loanIds.length] ?? 0,
          body: { amount: 100, channel: 'cash' },
        }),
      ),
  };
}

async function readApprovedLoans({ open }: Installation, count: number): Promise<number[]> {
  const { rows } = await open(({ database }) =>
    database.read((reader) =>
      reader.execute<{ id: string }>(sql`
        select loans.id from loans join accounts on accounts.id = account_id
         where loans.status = 'approved' and accounts.status = 'active' order by id limit ${count}::int`),
    ),
  );
  return rows.map(({ id }) => Number(id));
}
