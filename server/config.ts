import path from 'node:path';
import type { Lender } from '#contract/lender.ts';
import { limits } from '#domain/limits.ts';
import { type BasisPoints, basisPoints, parsePercent, percentText } from '#domain/rates.ts';
import { type LenderPicture, readLender } from './lender-file.ts';
import type { BucketSettings } from './platform/file-store.ts';
import { canonicalIpRange } from './platform/ip-address.ts';
import { type LogLevel, logLevels } from './platform/logger.ts';
import { sampleLender } from './sample-lender.ts';
import { refuse, SettingError, type Settings, settingsOf } from './settings.ts';

/** Every setting (§settings), read and checked. `dataDir` is absolute. */
export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl?: string;
  /** Another role of the same database, which owns the tables: migrations run as it. */
  databaseOwnerUrl?: string;
  mainAdminPassword?: string;
  secretKey?: Buffer;
  /** Where the day's first seal of the books is noted. */
  sealFile?: string;
  /** Addresses and ranges of reverse proxies in canonical form. */
  trustProxy: readonly string[];
  publicOrigin?: string;
  loanMonthlyRate: BasisPoints;
  otpTtlHours: number;
  rateServiceUrl: string;
  bucket?: BucketSettings;
  lender: Lender;
  /** The logos that it names. */
  lenderPictures?: readonly LenderPicture[];
  rateLimitScale: number;
  metricsToken?: string;
  logLevel: LogLevel;
};

export { SettingError };

const DEFAULT_PORT = 3000;
const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_RATE_SERVICE_URL = 'https://open.er-api.com/v6/latest/PHP';
const DEFAULT_REGION = 'us-east-1';

/** Reads the environment. Throws a `SettingError` that names the setting, for the first that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const settings = settingsOf(env);
  return {
    port: settings.wholeNumber('PORT', { min: 0, max: 65_535, unset: DEFAULT_PORT }),
    host: readHost(settings),
    dataDir: path.resolve(settings.text('DATA_DIR') ?? 'data'),
    databaseUrl: readDatabaseUrl(settings, 'DATABASE_URL'),
    databaseOwnerUrl: readOwnerUrl(settings),
    mainAdminPassword: readMainAdminPassword(settings),
    secretKey: readSecretKey(settings),
    sealFile: readSealFile(settings),
    trustProxy: readTrustProxy(settings),
    publicOrigin: readPublicOrigin(settings),
    loanMonthlyRate: readLoanMonthlyRate(settings),
    otpTtlHours: settings.wholeNumber('OTP_TTL_HOURS', {
      min: 1,
      max: limits.otpTtlMaxHours,
      unset: limits.otpTtlDefaultHours,
    }),
    rateServiceUrl: settings.httpUrl('RATE_SERVICE_URL')?.href ?? DEFAULT_RATE_SERVICE_URL,
    bucket: readBucket(settings),
    ...readLenderSetting(settings),
    rateLimitScale: readRateLimitScale(settings),
    metricsToken: readMetricsToken(settings),
    logLevel: readLogLevel(settings),
  };
}

function readHost({ text }: Settings): string {
  const host = text('HOST') ?? DEFAULT_HOST;
  return /^[A-Za-z0-9._:%-]+$/.test(host)
    ? host
    : refuse('HOST', 'must be an address or the name of a host', host);
}

const DATABASE_URL_SHAPE =
  /^postgres(?:ql)?:\/\/(?:[^@/?#\s]*@)?(?<hosts>[^@/?#\s]*)(?:\/[^\s#]*)?(?:\?[^\s#]*)?$/;

/** Never shown in an error: it may carry a password. Several hosts (`a:5432,b:5432`) are no URL to `new URL`. */
function readDatabaseUrl({ secret }: Settings, name: string): string | undefined {
  const url = secret(name)?.trim();
  if (url === undefined) return undefined;
  const hosts = DATABASE_URL_SHAPE.exec(url)?.groups?.hosts;
  if (hosts === undefined || !hosts.split(',').every(hasUsablePort)) {
    refuse(name, 'must look like postgres://user:password@host:5432/database, hosts separated by commas');
  }
  return url;
}

function readOwnerUrl(settings: Settings): string | undefined {
  const url = readDatabaseUrl(settings, 'DATABASE_OWNER_URL');
  if (url !== undefined && settings.secret('DATABASE_URL') === undefined) {
    refuse('DATABASE_OWNER_URL', 'needs DATABASE_URL, for the role that the server works as');
  }
  return url;
}

function readSealFile({ text }: Settings): string | undefined {
  const file = text('SEAL_FILE');
  return file === undefined ? undefined : path.resolve(file);
}

function hasUsablePort(host: string): boolean {
  const port = /:(?<port>[^:\]]*)$/.exec(host)?.groups?.port;
  return port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

function readMainAdminPassword({ secret }: Settings): string | undefined {
  const password = secret('MAIN_ADMIN_PASSWORD');
  const length = password?.length ?? limits.passwordMinLength;
  if (length < limits.passwordMinLength || length > limits.passwordMaxLength) {
    refuse(
      'MAIN_ADMIN_PASSWORD',
      `must have ${limits.passwordMinLength} to ${limits.passwordMaxLength} characters`,
    );
  }
  return password;
}

const SECRET_KEY_BYTES = 32;

function readSecretKey({ secret }: Settings): Buffer | undefined {
  const text = secret('SECRET_KEY')?.trim();
  if (text === undefined) return undefined;
  const key = Buffer.from(text, 'base64');
  // Node skips over what is not base64; a mistyped key must not become another one.
  const isExact = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (key.length !== SECRET_KEY_BYTES || !isExact) {
    refuse(
      'SECRET_KEY',
      `must be ${SECRET_KEY_BYTES} bytes in base64 (openssl rand -base64 ${SECRET_KEY_BYTES})`,
    );
  }
  return key;
}

function readTrustProxy({ text }: Settings): string[] {
  const entries = (text('TRUST_PROXY') ?? '').split(',').map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== '')
    .map(
      (entry) =>
        canonicalIpRange(entry) ??
        refuse('TRUST_PROXY', 'must list addresses or CIDR ranges separated by commas', entry),
    );
}

function readPublicOrigin({ text, httpUrl }: Settings): string | undefined {
  const url = httpUrl('PUBLIC_ORIGIN');
  if (!url) return undefined;
  if (url.href !== `${url.origin}/`) {
    refuse(
      'PUBLIC_ORIGIN',
      'must be an origin without a path, such as https://app.example.com',
      text('PUBLIC_ORIGIN'),
    );
  }
  return url.origin;
}

function readLoanMonthlyRate({ text }: Settings): BasisPoints {
  const written = text('LOAN_MONTHLY_RATE');
  if (written === undefined) return basisPoints(limits.loanRateBorrowerDefaultBasisPoints);
  const lowest = basisPoints(limits.loanRateSettingMinBasisPoints);
  const highest = basisPoints(limits.loanRateSettingMaxBasisPoints);
  const rate = parsePercent(written);
  if (rate === undefined || rate < lowest || rate > highest) {
    const range = `${percentText(lowest)} to ${percentText(highest)}`;
    refuse('LOAN_MONTHLY_RATE', `must be a percentage from ${range} with at most two decimals`, written);
  }
  return rate;
}

/** All of the bucket's settings or none: half a bucket would quietly put documents on the disk. */
function readBucket({ text, secret, httpUrl }: Settings): BucketSettings | undefined {
  const endpoint = httpUrl('S3_ENDPOINT');
  const name = text('S3_BUCKET');
  const accessKeyId = secret('S3_ACCESS_KEY_ID')?.trim();
  const secretAccessKey = secret('S3_SECRET_ACCESS_KEY')?.trim();
  const region = text('S3_REGION');
  if (!endpoint && !name && !accessKeyId && !secretAccessKey && !region) return undefined;
  if (!endpoint) return refuse('S3_ENDPOINT', 'must be set too when any S3_ setting is');
  if (!name) return refuse('S3_BUCKET', 'must be set too when any S3_ setting is');
  if (!accessKeyId) return refuse('S3_ACCESS_KEY_ID', 'must be set too when any S3_ setting is');
  if (!secretAccessKey) return refuse('S3_SECRET_ACCESS_KEY', 'must be set too when any S3_ setting is');
  if (!/^[A-Za-z0-9._-]+$/.test(name)) return refuse('S3_BUCKET', 'must be the name of a bucket', name);
  return { endpoint: endpoint.href, name, accessKeyId, secretAccessKey, region: region ?? DEFAULT_REGION };
}

function readLenderSetting({ text }: Settings): Pick<Config, 'lender' | 'lenderPictures'> {
  const file = text('LENDER_CONFIG');
  if (file === undefined) return { lender: sampleLender };
  const { lender, pictures } = readLender(file);
  return { lender, lenderPictures: pictures };
}

function readRateLimitScale({ text }: Settings): number {
  const written = text('RATE_LIMIT_SCALE');
  if (written === undefined) return 1;
  const scale = /^\d{1,9}(?:\.\d{1,9})?$/.test(written) ? Number(written) : 0;
  return scale > 0 ? scale : refuse('RATE_LIMIT_SCALE', 'must be a number above 0', written);
}

/** It travels in a header, so only what a header can carry. */
function readMetricsToken({ secret }: Settings): string | undefined {
  const token = secret('METRICS_TOKEN')?.trim();
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    refuse('METRICS_TOKEN', 'must consist of letters, digits and signs without spaces');
  }
  return token;
}

function readLogLevel({ text }: Settings): LogLevel {
  const written = text('LOG_LEVEL') ?? 'info';
  return (
    logLevels.find((level) => level === written) ??
    refuse('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`, written)
  );
}
