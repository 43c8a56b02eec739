import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueueLoad } from './bounded-queue.ts';
import type { Database } from './database/database.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** From a cached answer to the request timeout. */
const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Per app, so that several can run in one process. */
export function createMetrics(parts: {
  passwords: { load(): QueueLoad };
  database: Pick<Database, 'load' | 'replicaReads'>;
  books: BookFigures;
  overdueComplaints?: () => Promise<number>;
  /** Where a channel is set up. */
  messages?: MessageFigures | undefined;
}) {
  const registry = new Registry();
  const registers = [registry];
  /** Sets gauges that are read together: the library asks each for its value alone. */
  const readings: (() => Promise<void>)[] = [];
  const common = { labelNames: ['method', 'route', 'status'] as const, registers };
  const requests = new Counter({ ...common, name: 'http_requests_total', help: 'Requests answered.' });
  const durations = new Histogram({
    ...common,
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    buckets: DURATION_BUCKETS_SECONDS,
  });
  new Gauge({
    name: 'password_queue',
    help: 'Passwords being hashed, and those waiting for it.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = parts.passwords.load();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const sent = parts.messages && countMessages(registers, readings, parts.messages);
  const { overdueComplaints, database } = parts;
  const { replicaReads } = database;
  countStatements(registers, database);
  measureBooks(registers, readings, parts.books);
  if (overdueComplaints) {
    new Gauge({
      name: 'complaints_overdue',
      help: 'Complaints past their legal deadline; NaN if the database is unavailable.',
      registers,
      async collect() {
        this.set(await overdueComplaints().catch(() => Number.NaN));
      },
    });
  }
  if (replicaReads) {
    new Counter({
      name: 'replica_reads_total',
      help: 'Reads of lists and reports, by the server that answered.',
      labelNames: ['server'],
      registers,
      collect() {
        this.reset();
        for (const [server, count] of Object.entries(replicaReads)) this.inc({ server }, count);
      },
    });
  }

  return {
    /** `route` is the pattern, never the path, or every id would be a series. */
    countRequest(request: { method: string; route: string; status: number; seconds: number }): void {
      const { method, route, status, seconds } = request;
      const labels = { method, route, status: String(status) };
      requests.inc(labels);
      durations.observe(labels, seconds);
    },
    countMessage(labels: { channel: string; state: string }): void {
      sent?.inc(labels);
    },
    async text(): Promise<string> {
      await Promise.all(readings.map((read) => read()));
      return `${await registry.metrics()}\n${await processMetrics().metrics()}`;
    },
    contentType: registry.contentType,
  };
}

/** How far each standby that the primary knows is behind it. */
export type ReplicaLag = { replica: string; bytes: number; seconds: number };

type BookFigures = {
  /** NaN without a seal. */
  sealAgeSeconds(): Promise<number>;
  /** NaN without a backup by `npm run backup`. */
  backupAgeSeconds(): Promise<number>;
  replicaLags(): Promise<ReplicaLag[]>;
};

function measureBooks(
  registers: Registry[],
  readings: (() => Promise<void>)[],
  { sealAgeSeconds, backupAgeSeconds, replicaLags }: BookFigures,
) {
  new Gauge({
    name: 'newest_seal_age_seconds',
    help: 'Age of the newest seal of the log; NaN if there is none or the database is unavailable.',
    registers,
    async collect() {
      this.set(await sealAgeSeconds().catch(() => Number.NaN));
    },
  });
  new Gauge({
    name: 'last_backup_age_seconds',
    help: 'Age of the last backup by npm run backup; NaN if there is none.',
    registers,
    async collect() {
      this.set(await backupAgeSeconds());
    },
  });
  const lagSeconds = new Gauge({
    name: 'replica_lag_seconds',
    help: 'How long ago the primary wrote what the standby has applied last; 0 if it has everything.',
    labelNames: ['replica'],
    registers,
  });
  const lagBytes = new Gauge({
    name: 'replica_lag_bytes',
    help: 'How much of the primary’s log the standby has not applied.',
    labelNames: ['replica'],
    registers,
  });
  readings.push(async () => {
    const lags = await replicaLags().catch(() => []);
    lagBytes.reset();
    lagSeconds.reset();
    for (const { replica, bytes, seconds } of lags) {
      lagBytes.set({ replica }, bytes);
      lagSeconds.set({ replica }, seconds);
    }
  });
}

function countStatements(registers: Registry[], database: Pick<Database, 'load'>) {
  new Gauge({
    name: 'database_connections',
    help: 'Connections in use, and callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { inUse, waiting } = database.load();
      this.set({ state: 'in_use' }, inUse);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Counter({
    name: 'database_statement_seconds_total',
    help: 'Time from sending statements to their answers, summed over connections.',
    registers,
    collect() {
      this.reset();
      this.inc(database.load().statementMs / 1_000);
    },
  });
  new Counter({
    name: 'database_statements_total',
    help: 'Statements answered, with begin and commit.',
    registers,
    collect() {
      this.reset();
      this.inc(database.load().statements);
    },
  });
}

type MessageFigures = {
  /**
   * Reads how many messages wait, since how many seconds the oldest could have been sent, and how many
   * codes were texted today.
   */
  read(): Promise<{ waiting: number; oldestSeconds: number; codesToday: number }>;
  codesDailyMax: number;
};

function countMessages(registers: Registry[], readings: (() => Promise<void>)[], figures: MessageFigures) {
  const oldest = new Gauge({
    name: 'messages_oldest_seconds',
    help: 'How long the oldest code, access or money message could have been sent; NaN if the database is unavailable.',
    registers,
  });
  const codes = new Gauge({
    name: 'messages_codes_today',
    help: 'Codes texted today.',
    registers,
  });
  new Gauge({
    name: 'messages_codes_daily_max',
    help: 'How many codes may be texted a day (SMS_DAILY_MAX).',
    registers,
  }).set(figures.codesDailyMax);
  const queued = new Gauge({
    name: 'messages_waiting',
    help: 'Messages queued or being sent; NaN if the database is unavailable.',
    registers,
  });
  readings.push(async () => {
    const lost = { waiting: Number.NaN, oldestSeconds: Number.NaN, codesToday: Number.NaN };
    const { waiting, oldestSeconds, codesToday } = await figures.read().catch(() => lost);
    queued.set(waiting);
    oldest.set(oldestSeconds);
    codes.set(codesToday);
  });
  return new Counter({
    name: 'messages_sent_total',
    help: 'Messages of this process by what became of them.',
    labelNames: ['channel', 'state'] as const,
    registers,
  });
}

let processRegistry: Registry | undefined;

/** Their observers cannot be stopped: one set for all apps, created at the first request. */
function processMetrics(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
