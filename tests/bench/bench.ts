// `npm run bench`: where the product stands beside what its parts can do alone, on servers that it starts itself. It
// reports, and fails nobody: figures depend on the machine. `npm run bench -- reads money` measures these parts only,
// `--write` puts their tables into docs/speed.md.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installPostgres } from '#tests/setup/postgres-server.ts';
import { measureMoney, measureReads, measureSignIn } from './calls-bench.ts';
import { table } from './figures.ts';
import { measureFirstPaint } from './first-paint.ts';
import { measureGrowth, measureMemory, measureStarts } from './growth-bench.ts';
import { measureMessages } from './messages-bench.ts';
import { measurePanel } from './panel-bench.ts';
import { measureReceipts } from './receipts-bench.ts';
import { measureServicing } from './servicing-bench.ts';
import { measureVerify } from './verify-bench.ts';

const setting = (name: string, otherwise: number) => Number(process.env[`BENCH_${name}`] ?? otherwise);

const pace = {
  rounds: setting('ROUNDS', 5),
  ms: setting('ROUND_MS', 2_000),
  members: setting('MEMBERS', 600),
};
const rows = setting('ROWS', 100_000);

/** Each writes its table or tables between marks of its name in docs/speed.md. */
const parts: Record<string, () => Promise<string>> = {
  reads: async () => table(await measureReads(pace)),
  'sign-in': async () => table(await measureSignIn(pace)),
  money: async () => table(await measureMoney(pace)),
  receipts: async () => table(await measureReceipts(pace, process.env.BENCH_BEFORE)),
  growth: async () => table(await measureGrowth(pace, setting('ENTRIES', 1_000_000))),
  verify: async () => table(await measureVerify(setting('ENTRIES', 1_000_000))),
  memory: async () => table(await measureMemory(setting('REQUESTS', 200_000))),
  starts: async () => table(await measureStarts(pace.rounds)),
  'first-paint': async () => table(await measureFirstPaint(pace.rounds)),
  servicing: async () => table(await measureServicing(rows)),
  messages: async () => table(await measureMessages(rows)),
  panel: async () =>
    [await measurePanel('postgres', rows), await measurePanel('embedded', rows / 10)].join('\n\n'),
};

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' } },
  allowPositionals: true,
});
const wrong = positionals.filter((name) => !Object.hasOwn(parts, name));
if (wrong.length > 0)
  throw new Error(`no such part: ${wrong.join(', ')}. There are ${Object.keys(parts).join(', ')}`);

for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  const measured = `${await parts[name]?.()}\n\n${machine()}`;
  console.log(`\n## ${name}\n\n${measured}`);
  if (values.write) write(name, measured);
}

function machine(): string {
  const cpus = os.cpus();
  const postgres = execFileSync(path.join(installPostgres(), 'postgres'), ['--version'], {
    encoding: 'utf8',
  });
  const [version] = /\d+\.\d+/.exec(postgres) ?? [];
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB`;
  const day = new Date().toISOString().slice(0, 10);
  return `${day}: ${cpus.length} × ${cpus[0]?.model}, ${memory}, Node ${process.versions.node}, PostgreSQL ${version}.`;
}

function write(name: string, measured: string): void {
  const file = 'docs/speed.md';
  const text = fs.readFileSync(file, 'utf8');
  const [start, end] = [`<!-- bench ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for ${name}`);
  fs.writeFileSync(file, `${text.slice(0, from)}${start}\n\n${measured}\n\n${text.slice(to)}`);
}
