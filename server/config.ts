import path from 'node:path';
import type { Lender } from '#contract/lender.ts';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type BasisPoints, basisPoints, parsePercent, percentText } from '#domain/rates.ts';
import { messageFaultsOf, readLender } from './lender-file.ts';
import type { MessageSettings } from './platform/gateways/gateways.ts';
import { semaphoreUrl } from './platform/gateways/semaphore-gateway.ts';
import { isLoopback, type MailAddress } from './platform/gateways/smtp-gateway.ts';
import { canonicalIpRange } from './platform/ip-address.ts';
import { type LogLevel, logLevels } from './platform/logger.ts';
import { sampleLender } from './sample-lender.ts';
import { refuse } from './setting-error.ts';

/** Every setting (§settings), read and checked. `dataDir` is absolute. */
export type Config = ReturnType<typeof readConfig>;

/** Reads a setting, or refuses it with the rule that it breaks. The message shows the value unless it is a secret. */
type Reader<Value> = (
  text: string,
  refuse: (rule: string, shown?: string) => never,
  /** Untrimmed. */
  written: string,
) => Value;

/** Throws a `SettingError` that names the first wrong setting. */
export function readConfig(env: NodeJS.ProcessEnv) {
  /** An empty setting, or one of only spaces, counts as not set. */
  function read<Value>(name: string, reader: Reader<Value>): Value | undefined {
    const written = env[name] ?? '';
    const text = written.trim();
    return text === '' ? undefined : reader(text, (rule, shown) => refuse(name, rule, shown), written);
  }
  const databaseUrl = read('DATABASE_URL', asDatabaseUrl);
  const readBesideDatabase = (name: string, what: string) =>
    read(name, (text, refuse, written) =>
      databaseUrl === undefined
        ? refuse(`needs DATABASE_URL, for ${what}`)
        : asDatabaseUrl(text, refuse, written),
    );
  const lender = read('LENDER_CONFIG', readLender) ?? { lender: sampleLender };
  const messaging = readMessaging(read, lender.lender);
  const demoDate = read('DEMO_DATE', (text, refuse) =>
    lender.lender.isSample
      ? asDemoDate(text, refuse)
      : refuse('is for the sample lender only, and LENDER_CONFIG names a real one'),
  );
  if (demoDate) requireFilesOnly(messaging);
  return {
    port: read('PORT', wholeNumber(0, 65_535)) ?? 3000,
    host:
      read('HOST', matching(/^[A-Za-z0-9._:%-]+$/, 'must be an address or the name of a host')) ??
      '127.0.0.1',
    dataDir: read('DATA_DIR', asPath) ?? path.resolve('data'),
    databaseUrl,
    /** The database role that owns the tables; it runs the migrations. */
    databaseOwnerUrl: readBesideDatabase('DATABASE_OWNER_URL', 'the role that the server works as'),
    /** Replicas, for lists and reports. */
    databaseReplicaUrl: readBesideDatabase('DATABASE_REPLICA_URL', 'the server that it follows'),
    mainAdminPassword: read('MAIN_ADMIN_PASSWORD', asPassword),
    secretKey: read('SECRET_KEY', asSecretKey),
    /** The day's first seal of the books is also written here. */
    sealFile: read('SEAL_FILE', asPath),
    /** Addresses and ranges of reverse proxies, in canonical form. */
    trustProxy: read('TRUST_PROXY', asIpRanges) ?? [],
    publicOrigin: read('PUBLIC_ORIGIN', asOrigin),
    loanMonthlyRate:
      read('LOAN_MONTHLY_RATE', asMonthlyRate) ?? basisPoints(limits.loanRateBorrowerDefaultBasisPoints),
    otpTtlHours: read('OTP_TTL_HOURS', wholeNumber(1, limits.otpTtlMaxHours)) ?? limits.otpTtlDefaultHours,
    rateServiceUrl: read('RATE_SERVICE_URL', asHttpUrl)?.href ?? 'https://open.er-api.com/v6/latest/PHP',
    bucket: asBucket({
      S3_ENDPOINT: read('S3_ENDPOINT', asHttpUrl)?.href,
      S3_BUCKET: read('S3_BUCKET', matching(/^[A-Za-z0-9._-]+$/, 'must be the name of a bucket')),
      S3_ACCESS_KEY_ID: read('S3_ACCESS_KEY_ID', asWritten),
      S3_SECRET_ACCESS_KEY: read('S3_SECRET_ACCESS_KEY', asWritten),
      S3_REGION: read('S3_REGION', asWritten),
    }),
    ...lender,
    rateLimitScale: read('RATE_LIMIT_SCALE', asScale) ?? 1,
    // It is sent in a header.
    metricsToken: read('METRICS_TOKEN', (text, refuse) =>
      /^[\x21-\x7e]+$/.test(text) ? text : refuse('must consist of letters, digits and signs without spaces'),
    ),
    logLevel: read('LOG_LEVEL', asLogLevel) ?? 'info',
    /** Staff without a second step may only set one up. */
    isSecondStepRequired:
      read('STAFF_SECOND_STEP', matching(/^required$/, 'must be the word required, or not be set')) !==
      undefined,
    /** A staff session ends after so long without a request; 0: never. */
    staffIdleMinutes:
      read('STAFF_IDLE_MINUTES', wholeNumber(0, limits.staffIdleMaxMinutes)) ??
      limits.staffIdleDefaultMinutes,
    /** The product starts on this day, for training and demos. */
    demoDate,
    /** How messages leave the app; without settings none does. */
    messaging,
  };
}

type Read = <Value>(name: string, reader: Reader<Value>) => Value | undefined;

/** The gateways of text messages and e-mail (§settings). No value of these settings is shown, since some hold a key. */
function readMessaging(read: Read, lender: Lender): MessageSettings {
  const gateway = read('SMS_GATEWAY', oneOf('file', 'semaphore'));
  const smtpUrl = read('SMTP_URL', asSmtpUrl);
  const apiKey = read(
    'SMS_API_KEY',
    matching(/^[\x21-\x7e]+$/, 'must consist of letters, digits and signs', true),
  );
  const sender = read('SMS_SENDER', asSender);
  const url = read('SMS_URL', asGatewayUrl);
  const from = read('MAIL_FROM', asMailAddress);
  const smsPerMinute = read('SMS_PER_MINUTE', wholeNumber(1, 1_000_000)) ?? limits.smsPerMinuteDefault;
  const smsDailyMax = read('SMS_DAILY_MAX', wholeNumber(1, 1_000_000_000)) ?? limits.smsDailyMaxDefault;
  const forSamples = (name: string) =>
    lender.isSample ? undefined : refuse(name, 'is for the sample lender only where it names a file');
  if (gateway === 'file') forSamples('SMS_GATEWAY');
  if (smtpUrl === 'file:') forSamples('SMTP_URL');
  if (gateway === 'semaphore' && apiKey === undefined)
    refuse('SMS_API_KEY', 'must be set for this SMS_GATEWAY');
  if (gateway === 'semaphore' && sender === undefined)
    refuse('SMS_SENDER', 'must be set for this SMS_GATEWAY');
  if (smtpUrl !== undefined && from === undefined) refuse('MAIL_FROM', 'must be set too when SMTP_URL is');
  if (gateway !== undefined) {
    const faults = messageFaultsOf(lender);
    if (faults.length > 0)
      refuse('LENDER_CONFIG', `names a lender whose texts would not fit: ${faults.join('; ')}`);
  } else if (lender.messages?.codes === 'sms') {
    refuse('SMS_GATEWAY', 'must be set, because the lender’s file has "codes": "sms"');
  }
  return {
    smsPerMinute,
    smsDailyMax,
    ...(gateway === 'file' && { sms: { gateway } }),
    ...(gateway === 'semaphore' &&
      apiKey !== undefined &&
      sender !== undefined && { sms: { gateway, apiKey, sender, url: url ?? semaphoreUrl } }),
    ...(smtpUrl !== undefined &&
      from && { email: smtpUrl === 'file:' ? { gateway: 'file' } : { gateway: 'smtp', url: smtpUrl, from } }),
  };
}

/** A demo has another calendar, and its people are made up: nothing of it reaches a real phone. */
function requireFilesOnly({ sms, email }: MessageSettings): void {
  if (sms && sms.gateway !== 'file') refuse('SMS_GATEWAY', 'must be file with DEMO_DATE');
  if (email && email.gateway !== 'file') refuse('SMTP_URL', 'must be file: with DEMO_DATE');
}

const oneOf =
  <const Word extends string>(...words: Word[]): Reader<Word> =>
  (text, refuse) =>
    words.find((word) => word === text) ?? refuse(`must be ${words.join(' or ')}`);

const asSender: Reader<string> = (text, refuse) =>
  /^[A-Za-z0-9]{1,11}$/.test(text)
    ? text
    : refuse(`must have at most ${limits.smsSenderMaxLength} letters and digits`);

/** https, or on this machine http: the key and the texts are in what is sent there. */
const asGatewayUrl: Reader<string> = (text, refuse) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isFit =
    url &&
    url.username === '' &&
    url.password === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)));
  return isFit && url.search === '' && url.hash === ''
    ? url.href
    : refuse('must be an address that begins with https:// and has neither a password nor a query in it');
};

const asSmtpUrl: Reader<string> = (text, refuse) => {
  if (text === 'file:') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    canDecode(url.username + url.password)
    ? url.href
    : refuse('must be file:, or look like smtps://user:password@host:port');
};

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const asMailAddress: Reader<MailAddress> = (text, refuse) => {
  const [, name = '', address = ''] = /^(?:"?([^"<>\r\n]*?)"?\s*)<([^<>\s]+@[^<>\s@]+)>$/.exec(text) ?? [];
  return name.trim() !== '' && address !== ''
    ? { name: name.trim(), address }
    : refuse('must look like Name <address@example.com>');
};

const asWritten: Reader<string> = (text) => text;
const asPath: Reader<string> = (text) => path.resolve(text);

const matching =
  (pattern: RegExp, rule: string, isSecret = false): Reader<string> =>
  (text, refuse) =>
    pattern.test(text) ? text : refuse(rule, isSecret ? undefined : text);

const wholeNumber =
  (min: number, max: number): Reader<number> =>
  (text, refuse) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? value
      : refuse(`must be a whole number from ${min} to ${max}`, text);
  };

/** An http or https address without credentials. */
const asHttpUrl: Reader<URL> = (text, refuse) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.username !== '' || url.password !== '')) {
    refuse('must be an address without a user name or password in it');
  }
  return url && /^https?:$/.test(url.protocol) && url.hostname !== ''
    ? url
    : refuse('must be an address that begins with http:// or https://', text);
};

const asOrigin: Reader<string> = (text, refuse, written) => {
  const url = asHttpUrl(text, refuse, written);
  return url.href === `${url.origin}/`
    ? url.origin
    : refuse('must be an origin without a path, such as https://app.example.com', text);
};

const databaseUrlShape =
  /^postgres(?:ql)?:\/\/(?:(?:[^@/?#\s%]|%[\dA-F]{2})*@)?(?<hosts>[^@/?#\s]*)(?:\/[^\s#]*)?(?:\?[^\s#]*)?$/i;

/** Never shown, because it may contain a password. `new URL` cannot parse several hosts (`a:5432,b:5432`). */
const asDatabaseUrl: Reader<string> = (text, refuse) => {
  const hosts = databaseUrlShape.exec(text)?.groups?.hosts;
  return hosts?.split(',').every(hasUsablePort)
    ? text
    : refuse(
        'must look like postgres://user:password@host:5432/database, hosts separated by commas, and in the password %40 for @, %23 for #, %25 for %, %2F for /',
      );
};

function hasUsablePort(host: string): boolean {
  const port = /:(?<port>[^:\]]*)$/.exec(host)?.groups?.port;
  return port === undefined || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

const asPassword: Reader<string> = (_text, refuse, written) => {
  const { passwordMinLength: min, passwordMaxLength: max } = limits;
  return written.length >= min && written.length <= max
    ? written
    : refuse(`must have ${min} to ${max} characters`);
};

const secretKeyBytes = 32;

const asSecretKey: Reader<Buffer> = (text, refuse) => {
  const key = Buffer.from(text, 'base64');
  // Node skips characters that are not base64; a mistyped key must not become another key.
  const isExact = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isExact && key.length === secretKeyBytes
    ? key
    : refuse(`must be ${secretKeyBytes} bytes in base64 (openssl rand -base64 ${secretKeyBytes})`);
};

const asIpRanges: Reader<string[]> = (text, refuse) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(
      (entry) =>
        canonicalIpRange(entry) ?? refuse('must list addresses or CIDR ranges separated by commas', entry),
    );

const asMonthlyRate: Reader<BasisPoints> = (text, refuse) => {
  const lowest = basisPoints(limits.loanRateSettingMinBasisPoints);
  const highest = basisPoints(limits.loanRateSettingMaxBasisPoints);
  const rate = parsePercent(text);
  if (rate !== undefined && rate >= lowest && rate <= highest) return rate;
  const range = `${percentText(lowest)} to ${percentText(highest)}`;
  return refuse(`must be a percentage from ${range} with at most two decimals`, text);
};

const asScale: Reader<number> = (text, refuse) => {
  const scale = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  return scale > 0 ? scale : refuse('must be a number above 0', text);
};

const asDemoDate = (text: string, refuse: Parameters<Reader<never>>[1]): ManilaDate => {
  const date = parseManilaDate(text);
  return date && date >= '2000-01-01' && date <= '2099-12-31'
    ? date
    : refuse('must be a day from 2000-01-01 to 2099-12-31', text);
};

const asLogLevel: Reader<LogLevel> = (text, refuse) =>
  logLevels.find((level) => level === text) ?? refuse(`must be one of ${logLevels.join(', ')}`, text);

/** All of the bucket's settings or none: with half of them documents would silently go to the disk. */
function asBucket({ S3_REGION: region, ...required }: Record<string, string | undefined>) {
  if (![region, ...Object.values(required)].some((value) => value !== undefined)) return undefined;
  const need = (name: string) => required[name] ?? refuse(name, 'must be set too when any S3_ setting is');
  return {
    endpoint: need('S3_ENDPOINT'),
    name: need('S3_BUCKET'),
    accessKeyId: need('S3_ACCESS_KEY_ID'),
    secretAccessKey: need('S3_SECRET_ACCESS_KEY'),
    region: region ?? 'us-east-1',
  };
}
