import type { ConsoleCall } from './console-commands.ts';
import type { Deps } from './deps.ts';
import { counted, secondsSince } from './progress.ts';
import { Refusal } from './refusal.ts';
import { type SeedCounts, seed } from './services/seed-service.ts';

const usage =
  'npm run seed -- [--members <count>] [--loans <count>] [--withdrawals <count>], each at most 1,000,000 and 1,000 when left out';
const kinds = ['members', 'loans', 'withdrawals'] as const;
const countDefault = 1_000;
const countMax = 1_000_000;

/** Fills an empty installation of the sample lender with sample data, and tells the members' password. */
export async function seedAndTell(deps: Deps, { words, say }: ConsoleCall): Promise<boolean> {
  const startMs = performance.now();
  const counts = readCounts(words);
  const { password } = await seed(deps, counts, say);
  const parts = kinds.map((kind) => counted(counts[kind], kind.slice(0, -1)));
  say(`${parts.join(', ')} are there now (${secondsSince(startMs)}).`);
  if (counts.members > 0) {
    say(
      `Sample members sign in with 09000000001 and so on, and the password ${password} (shown only this once).`,
    );
  }
  return true;
}

function readCounts(words: readonly string[]): SeedCounts {
  const counts = { members: countDefault, loans: countDefault, withdrawals: countDefault };
  // `--loans 5` and `--loans=5` alike.
  const parts = words.flatMap((word) => word.split('='));
  for (let index = 0; index < parts.length; index += 2) {
    const kind = kinds.find((one) => `--${one}` === parts[index]);
    const count = parts[index + 1] ?? '';
    if (!kind || !/^\d{1,7}$/.test(count) || Number(count) > countMax) throw new Refusal(`Usage: ${usage}`);
    counts[kind] = Number(count);
  }
  return counts;
}
