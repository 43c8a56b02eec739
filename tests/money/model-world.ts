import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import pg from 'pg';
import * as api from '#contract/api.ts';
import { sealAuditLog } from '#server/books/audit-seals.ts';
import { holdBooksToKey } from '#server/books/book-key.ts';
import { type Database, openDatabase } from '#server/platform/database/database.ts';
import type { Passwords } from '#server/platform/passwords.ts';
import { ensureMainAdmin } from '#server/services/first-start-service.ts';
import { migrateDatabase } from '#server/store/migrate.ts';
import { photo } from '#tests/setup/photo.ts';
import type { PostgresServer } from '#tests/setup/postgres-server.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { createTestClock } from '#tests/setup/test-clock.ts';
import { silentLog, truncateAll } from '#tests/setup/test-database.ts';
import { mainAdminPassword, startTestServer } from '#tests/setup/test-server.ts';
import { hourMs } from './oracle.ts';

/** A database that outlives the server in front of it. */
export type House = {
  open(): Promise<Database>;
  /**
   * Lets so much happen, then ends the database's part abruptly: the next `open` finds what a crash leaves. Where the
   * database lives in this process, nothing said after `atTheEnd` was heard by anybody.
   */
  strike(afterTicks: number, atTheEnd: () => void): Promise<void>;
  close(): Promise<void>;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** A database of its own on a PostgreSQL server. Its end is what the server's other end sees: every connection cut. */
export async function postgresHouse(server: PostgresServer): Promise<House> {
  const admin = new pg.Client({ connectionString: server.url });
  // An `error` event that nobody listens to would end the process, when the server goes first.
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query(`create database model template template0 encoding 'UTF8' locale 'C.UTF-8'`);
  const url = new URL(server.url);
  url.pathname = '/model';
  return {
    open: () => openDatabase({ databaseUrl: url.href, dataDir: '', log: silentLog }),
    async strike(afterTicks) {
      // A request is over within some milliseconds, and the order to end it takes its own time.
      for (let tick = 0; tick < afterTicks; tick += 1) await nextTick();
      await admin.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'model'`,
      );
    },
    close: () => admin.end(),
  };
}

/**
 * The embedded engine in a directory. It writes its files while nothing else runs in this process, so a copy made
 * between two of its steps is the very image that kill -9 would leave at that moment.
 */
export function embeddedHouse(): House {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-model-'));
  let lives = 0;
  const dirOf = (life: number) => path.join(home, String(life));
  const filesIn = (life: number) => path.join(dirOf(life), 'database');
  return {
    async open() {
      for (let old = 0; old < lives; old += 1) fs.rmSync(dirOf(old), { recursive: true, force: true });
      return openDatabase({ dataDir: dirOf(lives), log: silentLog });
    },
    async strike(afterTicks, atTheEnd) {
      for (let tick = 0; tick < afterTicks; tick += 1) await nextTick();
      atTheEnd();
      fs.mkdirSync(dirOf(lives + 1));
      fs.cpSync(filesIn(lives), filesIn(lives + 1), { recursive: true });
      fs.rmSync(path.join(filesIn(lives + 1), 'postmaster.pid'), { force: true });
      lives += 1;
    },
    close: async () => fs.rmSync(home, { recursive: true, force: true }),
  };
}

/** Hashing is tested elsewhere, and would take half of the time here. */
const quickPasswords: Passwords = {
  hash: async (plain) => `quick ${plain}`,
  verify: async (hash, plain) => hash === `quick ${plain}`,
  verifyNothing: async () => false,
  renewed: async () => undefined,
  load: () => ({ running: 0, waiting: 0 }),
};

const staffSessionMs = 0.9 * hourMs;

/** The real server on a real database, which can be closed, killed and opened again in the middle of a run. */
export async function openWorld(house: House) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'hiram-model-data-'));
  const clock = createTestClock();
  const image = await photo();
  let staff: { token: string; sinceMs: number } | undefined;
  let people = 0;

  const openServer = (database: Database) =>
    startTestServer({
      config: { dataDir },
      deps: { database, clock, passwords: quickPasswords },
    });
  let database = await house.open();
  await migrateDatabase(database, path.resolve('server/store/migrations'));
  let server = await openServer(database);

  async function shut(): Promise<void> {
    try {
      await server.close();
    } finally {
      await database.close();
    }
  }

  async function openAgain(): Promise<void> {
    database = await house.open();
    server = await openServer(database);
    // A server does this when it starts.
    await keepSteadyHouse(server.deps);
    await sealAuditLog(server.deps);
  }

  return {
    clock,
    call: ((row, options) => server.call(row, options)) as typeof server.call,
    database: () => database,
    deps: () => server.deps,

    /** Empty books, the main admin, the clock where it stands first: every run begins alike. */
    async begin(): Promise<void> {
      // These errors are of a run that failed: it has told of them, and the shorter ones
      // after it are not to blame.
      server.takeErrors();
      clock.reset();
      staff = undefined;
      people = 0;
      await truncateAll(database);
      await holdBooksToKey(server.deps);
      await ensureMainAdmin(server.deps);
    },

    /** The main admin's token, signed in anew when the clock has been turned past the session. */
    async staffToken(): Promise<string> {
      const nowMs = clock.now().getTime();
      if (!staff || nowMs - staff.sinceMs > staffSessionMs) {
        const token = await server.signIn({ username: 'admin', password: mainAdminPassword });
        staff = { token, sinceMs: nowMs };
      }
      return staff.token;
    },

    /** An address that nobody has come from: the limits for one address are tested elsewhere. */
    nextAddress(): string {
      people += 1;
      return `10.${people >> 16}.${(people >> 8) & 255}.${people & 255}`;
    },

    upload: async (token: string) => (await server.upload(token, image)).url,

    async restart(): Promise<void> {
      await shut();
      await openAgain();
    },

    /** Ends everything while `request` is under way. Answers what the caller had been told by then, if anything. */
    async killDuring<T>(afterTicks: number, request: () => Promise<T>): Promise<T | undefined> {
      const caller: { told?: T; heardLast?: boolean } = {};
      const underWay = request().then((answer) => {
        if (!caller.heardLast) caller.told = answer;
      });
      const settled = Promise.allSettled([underWay]);
      await house.strike(afterTicks, () => {
        caller.heardLast = true;
      });
      await settled;
      server.takeErrors();
      await shut();
      await openAgain();
      await underWay;
      return caller.told;
    },

    async close(): Promise<void> {
      try {
        await shut();
      } finally {
        await house.close();
        fs.rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** Where a session of staff would be checked: the endpoint table has it under this name. */
export const endpointNames = new Map(Object.entries(api).map(([name, row]) => [row as object, name]));
