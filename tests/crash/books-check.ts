import { askServer } from '#server/books/console-socket.ts';
import { verifyAndTell } from '#server/books/verify.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { findSecretBox } from '#server/platform/secret-box.ts';
import { silentLog } from '#tests/setup/test-database.ts';
import { succeed } from './client.ts';
import type { Customer, Load } from './load.ts';

/** The verdict of `verify`: its lines, and what it counted. */
export type Verdict = { isClean: boolean; lines: string[]; ledgerEntries: number; withdrawals: number };

/** Asks for the books to be checked. */
export type VerifyBooks = () => Promise<Verdict>;

/** `verify` on a connection of its own, as the command does on PostgreSQL. */
export const verifyOnPostgres =
  (databaseUrl: string, dataDir: string): VerifyBooks =>
  async () => {
    const secrets = findSecretBox(readConfig({ DATA_DIR: dataDir }));
    const database = await openDatabase({ databaseUrl, dataDir: '', log: silentLog });
    try {
      return await verdictOf((say) => verifyAndTell({ database, secrets }, say));
    } finally {
      await database.close();
    }
  };

/** `verify` through the running server, as the command does on the embedded engine. */
export const verifyThroughServer =
  (dataDir: string): VerifyBooks =>
  () =>
    verdictOf(async (say) => {
      const config = readConfig({ DATA_DIR: dataDir });
      return (await askServer(config, 'verify', { words: [], say })) ?? false;
    });

async function verdictOf(work: (say: (line: string) => void) => Promise<boolean>): Promise<Verdict> {
  const lines: string[] = [];
  const isClean = await work((line) => lines.push(line));
  const numberBefore = (words: RegExp) =>
    Number(words.exec(lines.at(-1) ?? '')?.[1]?.replaceAll(',', '') ?? -1);
  return {
    isClean,
    lines,
    ledgerEntries: numberBefore(/([\d,]+) ledger entr/),
    withdrawals: numberBefore(/([\d,]+) withdrawals?/),
  };
}

/**
 * The books have effects that nobody was told of (`doubled`), or lack some that somebody was told of
 * (`lost`); and their other faults.
 */
export type Reckoning = { lost: string[]; doubled: string[]; negative: string[]; wrong: string[] };

export const sound: Reckoning = { lost: [], doubled: [], negative: [], wrong: [] };

type Reckon = {
  origin: string;
  staff: string;
  load: Load;
  verify: VerifyBooks;
  /** Members beside the load's customers. */
  others?: number;
};

/** Compares everything that was acknowledged with the books, through the front door, while the clients rest. */
export async function reckon({ origin, staff, load, verify, others = 0 }: Reckon): Promise<Reckoning> {
  const found: Reckoning = { lost: [], doubled: [], negative: [], wrong: [...load.problems] };
  for (const customer of load.customers) await compare(origin, customer, found);

  const stats = await succeed(origin, { path: '/api/admin/stats', token: staff });
  const members = (stats.members as { total: number }).total - others;
  if (members < load.customers.length) found.lost.push(`${load.customers.length - members} registrations`);
  if (members > load.customers.length) found.doubled.push(`${members - load.customers.length} registrations`);

  const verdict = await verify();
  if (!verdict.isClean) found.wrong.push(...verdict.lines);
  const entries = load.customers.reduce((sum, customer) => sum + customer.entries, 0);
  if (verdict.ledgerEntries < entries) found.lost.push(`${entries - verdict.ledgerEntries} ledger entries`);
  if (verdict.ledgerEntries > entries)
    found.doubled.push(`${verdict.ledgerEntries - entries} ledger entries`);
  return found;
}

async function compare(origin: string, customer: Customer, found: Reckoning): Promise<void> {
  const { id, token } = customer;
  const read = (path: string) => succeed(origin, { path, token });
  const profile = await read('/api/user/profile');
  const withdrawals = (await read('/api/withdrawals')) as unknown as Record<string, unknown>[];
  const loans = (await read('/api/loans/user')) as unknown as Record<string, unknown>[];

  const acknowledged = new Map<string, string>([
    ...[...customer.withdrawals].map(
      ([key, { withdrawalNumber, amountCentavos, status }]): [string, string] => [
        `withdrawal ${key}`,
        `${withdrawalNumber} ${(amountCentavos / 100).toFixed(2)} ${status}`,
      ],
    ),
    ...[...customer.loans].map(([key, loanNumber]): [string, string] => [`loan ${key}`, loanNumber]),
  ]);
  const stored = new Map<string, string>([
    ...withdrawals.map((one): [string, string] => [
      `withdrawal ${one.id}`,
      `${one.withdrawalNumber} ${one.amount} ${one.status}`,
    ]),
    ...loans.map((one): [string, string] => [`loan ${one.id}`, String(one.loanNumber)]),
  ]);
  for (const [name, facts] of acknowledged) {
    if (stored.get(name) !== facts) found.lost.push(`${name} of ${id}: ${facts}, stored ${stored.get(name)}`);
  }
  for (const [name, facts] of stored) {
    if (!acknowledged.has(name)) found.doubled.push(`${name} of ${id}: ${facts}, never acknowledged`);
  }
  if (withdrawals.length + loans.length > stored.size) found.doubled.push(`rows of ${id}`);

  const balance = Math.round(Number(profile.balance) * 100);
  if (balance < 0) found.negative.push(`${id}: ${profile.balance}`);
  if (balance !== customer.balanceCentavos) {
    found.wrong.push(`the balance of ${id} is ${balance} and not ${customer.balanceCentavos}`);
  }
  await requireDocuments(origin, customer, found);
}

/** Every acknowledged upload can be read, whole. */
async function requireDocuments(origin: string, customer: Customer, found: Reckoning): Promise<void> {
  for (const url of customer.documents) {
    const response = await fetch(`${origin}${url}`, {
      headers: { authorization: `Bearer ${customer.token}` },
    });
    const bytes = await response.arrayBuffer().catch(() => new ArrayBuffer(0));
    if (response.status !== 200 || bytes.byteLength === 0) found.lost.push(`${url}: ${response.status}`);
  }
}
