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
import { type Database, openDatabase } from './platform/database/database.ts';
import { createDiskRoom, type DiskRoom, freeBytesOf } from './platform/disk-room.ts';
import { createRateService, type RateService } from './platform/exchange-rates.ts';
import { bucketOrDisk, type FileStore, filesDirOf } from './platform/file-store.ts';
import { createImages, type Images } from './platform/images.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createMetrics, type Metrics } from './platform/metrics.ts';
import { createPasswords, type Passwords } from './platform/passwords.ts';
import { type Randomness, systemRandomness } from './platform/randomness.ts';
import { createSecretBox, loadSecretKey, type SecretBox, withoutSecrets } from './platform/secret-box.ts';
import { sealingRows } from './store/row-seal-store.ts';

/** What the services work with, built once at start and handed to every call. */
export type Deps = {
  config: Config;
  clock: Clock;
  random: Randomness;
  log: Logger;
  database: Database;
  passwords: Passwords;
  secrets: SecretBox;
  files: FileStore;
  room: DiskRoom;
  images: Images;
  /** The lender's logo as papers show it. */
  paperLogo?: Buffer;
  rates: RateService;
  metrics: Metrics;
  /** Limits concurrent password checks, per account and of all sign-ins. */
  limiter: KeyedLimiter;
  /** What takes long to read or to make, a piece at a time; accounts take turns. */
  costly: BoundedQueue;
  /** Networks and accounts that have had their share, and until when: refused here without asking the database. */
  overQuota: Map<string, Date>;
  /** Warnings for the operator. */
  met: { unnamedProxy: string | undefined; isErasingPaused: boolean };
};

export type OpenDeps = { deps: Deps; close(): Promise<void> };

/** Closes only what it opened. Throws a one-line message when another process uses the data directory. */
export async function createDeps(config: Config, overrides: Partial<Deps> = {}): Promise<OpenDeps> {
  const { dataDir } = config;
  const clock = overrides.clock ?? (config.demoDate ? clockFrom(config.demoDate) : systemClock);
  const random = overrides.random ?? systemRandomness;
  const log = overrides.log ?? createLogger({ level: config.logLevel });
  // Open the database first: it locks the directory, and nothing may be made in one that another process uses.
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
      ...{ config, clock, random, log, database },
      passwords: createPasswords(),
      secrets: overrides.secrets ?? makeSecretBox({ config, random }),
      files: bucketOrDisk({ bucket: config.bucket, directory: filesDirOf(dataDir) }),
      room: createDiskRoom({
        // A bucket takes nothing from the disk.
        freeBytes: async () => (config.bucket ? Number.POSITIVE_INFINITY : freeBytesOf(dataDir)),
        reserveBytes: limits.diskReserveBytes,
      }),
      images: createImages(),
      ...(logo && { paperLogo: await pictureForPaper(logo) }),
      rates: createRateService({ url: config.rateServiceUrl, clock, log }),
      metrics: createMetrics({
        passwords: { load: () => loadOf(deps) },
        replicaReads: database.replicaReads,
      }),
      limiter: createKeyedLimiter(passwordBounds),
      // What waits has passed its account's limit, which is bounded.
      costly: createBoundedQueue({
        maxRunning: limits.costlyReadsAtOnce,
        maxWaiting: Number.POSITIVE_INFINITY,
      }),
      overQuota: new Map(),
      met: { unnamedProxy: undefined, isErasingPaused: false },
      ...overrides,
    };
    // A database handed in without a key is sealed by its owner.
    if (!overrides.database || deps.secrets !== withoutSecrets) {
      database.aroundTransactions((tx, work) => sealingRows(tx, deps.secrets, work));
    }
    const close = async () => {
      if (!overrides.images) deps.images.close();
      if (!overrides.database) await database.close();
    };
    return { deps, close };
  } catch (error) {
    if (!overrides.database) await database.close();
    throw error;
  }
}

/** Sign-ins that wait for their turn wait for a password to be hashed. */
const loadOf = ({ passwords, limiter }: Deps) => ({
  running: passwords.load().running,
  waiting: passwords.load().waiting + limiter.load(signInKey).waiting,
});

/** Passwords of one account looked at at once: fewer than the wrong ones it may have, so right ones never block it. */
const passwordBounds = { maxRunning: 4, maxWaiting: 400 };

/** With the key that is here, or a new one. */
export const makeSecretBox = ({ config, random }: Pick<Deps, 'config' | 'random'>): SecretBox =>
  createSecretBox(loadSecretKey({ ...config, random }), random);
