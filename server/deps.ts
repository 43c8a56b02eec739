import { manilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { Config } from './config.ts';
import { pictureForPaper } from './lender-file.ts';
import {
  type BoundedQueue,
  createBoundedQueue,
  createKeyedLimiter,
  type KeyedLimiter,
  signInKey,
} from './platform/bounded-queue.ts';
import { type Clock, clockFrom, systemClock } from './platform/clock.ts';
import { type Database, openDatabase, type Reader } from './platform/database/database.ts';
import { readReplicaLags } from './platform/database/replica-lag.ts';
import { createDiskRoom, type DiskRoom, freeBytesOf } from './platform/disk-room.ts';
import { createRateService, type RateService } from './platform/exchange-rates.ts';
import { bucketOrDisk, type FileStore, filesDirOf } from './platform/file-store.ts';
import { createGateways, type Gateways } from './platform/gateways/gateways.ts';
import { createImages, type Images } from './platform/images.ts';
import { lastBackupMs } from './platform/last-backup.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import { makeSecretBox, type SecretBox, withoutSecrets } from './platform/secret-box.ts';
import { readNewestSealTime } from './store/audit-store.ts';
import { countOverdueComplaints } from './store/complaint-store.ts';
import { countTextedCodes, countWaiting, readOldestWaiting } from './store/message-store.ts';
import { sealingRows } from './store/sealed-rows.ts';

/** A promise with what settles it from outside. */
export type Deferred = { promise: Promise<void>; resolve(): void; reject(error: unknown): void };

/** The parts that the services use, created at start and passed to every call. */
export type Deps = {
  config: Config;
  clock: Clock;
  log: Logger;
  database: Database;
  passwords: Passwords;
  secrets: SecretBox;
  files: FileStore;
  room: DiskRoom;
  images: Images;
  paperLogo?: Buffer;
  rates: RateService;
  metrics: Metrics;
  /** The ways out of messages, one for each channel that is set up. */
  gateways: Gateways;
  /** Has the sender of this process look at once; nothing where none runs. */
  wakeSender(): void;
  /** Limits concurrent password checks, per account and of all sign-ins. */
  limiter: KeyedLimiter;
  /** Slow reads and renderings, in pieces; accounts take turns. */
  costly: BoundedQueue;
  /** Networks and accounts over a quota, and until when: refused without asking the database. */
  overQuota: Map<string, Date>;
  /** Last use of staff sessions by token hash, where the stored one is less than a minute older. */
  unwrittenUses: Map<string, Date>;
  /** Requests of this process wait here for the number of a receipt, by its payment. */
  numbering: { waiting: Map<number, Deferred>; isRunning: boolean };
  /** Warnings for the operator. */
  met: { unnamedProxy: string | undefined; isErasingPaused: boolean };
};

export type OpenDeps = { deps: Deps; close(): Promise<void> };

/** Closes only what it opened. Throws a one-line message if another process uses the data directory. */
export async function createDeps(config: Config, overrides: Partial<Deps> = {}): Promise<OpenDeps> {
  const { dataDir } = config;
  const clock = overrides.clock ?? (config.demoDate ? clockFrom(config.demoDate) : systemClock);
  const log = overrides.log ?? createLogger({ level: config.logLevel });
  // Open the database first: it locks the directory, and nothing may be created in a directory that another process
  // uses.
  const database =
    overrides.database ??
    (await openDatabase({
      databaseUrl: config.databaseUrl,
      replicaUrl: config.databaseReplicaUrl,
      dataDir,
      log,
    }));
  try {
    const logo = config.lenderPictures?.find(({ path }) => path === config.lender.logo);
    const deps: Deps = {
      config,
      clock,
      log,
      database,
      passwords: createPasswords(),
      secrets: overrides.secrets ?? makeSecretBox(config),
      files: bucketOrDisk({ bucket: config.bucket, directory: filesDirOf(dataDir) }),
      room: createDiskRoom({
        // A bucket uses no disk space.
        freeBytes: async () => (config.bucket ? Number.POSITIVE_INFINITY : freeBytesOf(dataDir)),
        reserveBytes: limits.diskReserveBytes,
      }),
      images: createImages(),
      ...(logo && { paperLogo: await pictureForPaper(logo) }),
      rates: createRateService({ url: config.rateServiceUrl, clock, log }),
      metrics: createMetrics({
        passwords: { load: () => loadOf(deps) },
        database,
        books: {
          async sealAgeSeconds() {
            const sealedAt = await database.read(readNewestSealTime);
            return sealedAt ? (clock.now().getTime() - sealedAt.getTime()) / 1_000 : Number.NaN;
          },
          backupAgeSeconds: async () => (clock.now().getTime() - (await lastBackupMs(dataDir))) / 1_000,
          replicaLags: async () => (database.hasOneSession ? [] : database.read(readReplicaLags)),
        },
        ...(hasChannel(config) && {
          messages: {
            read: () => database.read((reader) => readMessageFigures(reader, clock.now())),
            codesDailyMax: config.messaging.smsDailyMax,
          },
        }),
        overdueComplaints: () =>
          database.read((reader) => countOverdueComplaints(reader, manilaDate(clock.now()))),
      }),
      gateways: createGateways({ settings: config.messaging, dataDir, clock }),
      wakeSender: () => {},
      limiter: createKeyedLimiter(passwordBounds),
      // Queued work has passed its account's limit, so it is bounded.
      costly: createBoundedQueue({
        maxRunning: limits.costlyReadsAtOnce,
        maxWaiting: Number.POSITIVE_INFINITY,
      }),
      overQuota: new Map(),
      unwrittenUses: new Map(),
      numbering: { waiting: new Map(), isRunning: false },
      met: { unnamedProxy: undefined, isErasingPaused: false },
      ...overrides,
    };
    // A database passed in without a key is sealed by the caller.
    if (!overrides.database || deps.secrets !== withoutSecrets) {
      database.aroundTransactions((tx, work) => sealingRows(tx, deps.secrets, work));
    }
    const close = async () => {
      if (!overrides.images) deps.images.close();
      if (!overrides.gateways) for (const gateway of Object.values(deps.gateways)) gateway.close();
      if (!overrides.database) await database.close();
    };
    return { deps, close };
  } catch (error) {
    if (!overrides.database) await database.close();
    throw error;
  }
}

const hasChannel = ({ messaging: { sms, email } }: Config) => sms !== undefined || email !== undefined;

async function readMessageFigures(reader: Reader, now: Date) {
  const { waiting } = await countWaiting(reader);
  const oldest = await readOldestWaiting(reader, now);
  return {
    waiting,
    oldestSeconds: oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1_000) : 0,
    codesToday: await countTextedCodes(reader, startOfManilaDay(manilaDate(now))),
  };
}

/** Queued sign-ins count as password work. */
const loadOf = ({ passwords, limiter }: Deps) => ({
  running: passwords.load().running,
  waiting: passwords.load().waiting + limiter.load(signInKey).waiting,
});

/** Concurrent password checks per account: fewer than the wrong tries allowed, so right passwords never block it. */
const passwordBounds = { maxRunning: 4, maxWaiting: 400 };
