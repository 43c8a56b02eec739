import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { newPassword } from '#server/platform/randomness.ts';
import { audit } from '#server/services/audit-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import type { ConsoleCall } from './console-commands.ts';
import { counted, createProgress, Refusal, type Say, secondsSince } from './console-text.ts';
import {
  putLoans,
  putWithdrawals,
  sampleChance,
  sampleMember,
  sampleWithdrawalCentavos,
} from './seed-rows.ts';
import { drawNumbers, hasMembers, insertAccounts, moveMoneyOfMany } from './seed-store.ts';
import { vacuumTables } from './table-store.ts';

/** How much of each. */
type SeedCounts = { members: number; loans: number; withdrawals: number };

/**
 * Rows in one transaction. One of the embedded engine keeps everybody else waiting meanwhile. Each leaves sound books,
 * so what is broken off is a smaller sample.
 */
const rowsAtATime = { embedded: 500, postgres: 5_000 };

const dayMs = 24 * 60 * 60 * 1000;
/** How long before now the sample's things happened: first to last. Members join, then borrow, then withdraw. */
const days = { members: [700, 200], loans: [190, 0], funded: [110, 101], withdrawals: [100, 0] } as const;
const decidedWithinMs = 4 * 60 * 60 * 1000;

/**
 * Fills an installation that nobody uses yet with sample members, loans and withdrawals, for trying it out and for
 * measuring. The same counts give the same sample, ending at the present moment. Refuses where a real lender or
 * anybody's account stands. Answers the password that every sample member signs in with.
 */
export async function seed(deps: Deps, counts: SeedCounts, say: Say): Promise<{ password: string }> {
  const { members, loans, withdrawals } = counts;
  if (!deps.config.lender.isSample) {
    throw new Refusal('Sample data is for the sample lender only: LENDER_CONFIG names another one.');
  }
  if (await deps.database.read((reader) => hasMembers(reader))) {
    throw new Refusal('There are members already, and sample data is for an empty installation only.');
  }
  if (members === 0 && loans + withdrawals > 0) {
    throw new Refusal('Loans and withdrawals need at least one member.');
  }
  const password = newPassword(deps.random);
  const house = { deps, say: createProgress(say), now: deps.clock.now().getTime() };
  const ids = await putMembers(house, members, await deps.passwords.hash(password));
  await putAllLoans(house, ids, loans);
  await fundMembers(house, ids, withdrawals);
  await putAllWithdrawals(house, ids, withdrawals);
  await deps.database.transaction((tx) =>
    audit(deps, tx, serverConsole, { action: 'sample_data_added', after: counts }),
  );
  await vacuumTables(deps.database);
  return { password };
}

type House = { deps: Deps; say: Say; now: number };

/** The moment of row `number` of `of`, spread evenly from the first day to the last. */
function momentOf(
  { now }: House,
  [first, last]: readonly [number, number],
  number: number,
  of: number,
): Date {
  return new Date(Math.floor(now - (first - ((first - last) * (number + 1)) / of) * dayMs));
}

/** Calls `put` with the numbers 0, 1, 2 and so on, some thousand at a time, at most `atMost` of them. */
async function inBatches(
  { deps, say }: House,
  { of, what, atMost = of }: { of: number; what: string; atMost?: number },
  put: (numbers: number[]) => Promise<void>,
): Promise<void> {
  const size = Math.min(deps.database.hasOneSession ? rowsAtATime.embedded : rowsAtATime.postgres, atMost);
  for (let start = 0; start < of; start += size) {
    const count = Math.min(size, of - start);
    await put(Array.from({ length: count }, (_, index) => start + index));
    say(`${(start + count).toLocaleString('en')} of ${counted(of, what)} …`);
  }
}

async function putMembers(house: House, of: number, passwordHash: string): Promise<number[]> {
  const { deps } = house;
  const all: number[] = [];
  await inBatches(house, { of, what: 'member' }, async (numbers) => {
    await deps.database.transaction(async (tx) => {
      const ids = await drawNumbers(tx, 'account', numbers.length);
      const rows = numbers.map((number, index) =>
        sampleMember(deps, {
          number,
          id: ids[index] ?? 0,
          passwordHash,
          createdAt: momentOf(house, days.members, number, of),
        }),
      );
      await insertAccounts(tx, rows);
      all.splice(numbers[0] ?? 0, numbers.length, ...ids);
    });
  });
  return all;
}

/** Which member a loan or a withdrawal belongs to. As many in a row as there are members belong to different ones. */
function memberOf(ids: readonly number[], number: number): { number: number; id: number } {
  const member = (number * stride(ids.length)) % ids.length;
  return { number: member, id: ids[member] ?? 0 };
}

/** About two fifths of the way round, and without a divisor in common, so that every member has a turn. */
function stride(count: number): number {
  const divides = (a: number, b: number): number => (b === 0 ? a : divides(b, a % b));
  let step = Math.max(1, Math.floor(count * 0.382));
  while (divides(step, count) !== 1) step += 1;
  return step;
}

async function putAllLoans(house: House, ids: readonly number[], of: number): Promise<void> {
  await inBatches(house, { of, what: 'loan' }, (numbers) =>
    house.deps.database.transaction((tx) =>
      putLoans(
        house.deps,
        tx,
        numbers.map((number) => ({
          number,
          accountId: memberOf(ids, number).id,
          createdAt: momentOf(house, days.loans, number, of),
        })),
        of,
      ),
    ),
  );
}

/** Gives every member what their withdrawals take, and most of them something more. */
async function fundMembers(house: House, ids: readonly number[], withdrawals: number): Promise<void> {
  const { deps } = house;
  const needed = new Map<number, number>();
  for (let number = 0; number < withdrawals; number += 1) {
    const { id } = memberOf(ids, number);
    needed.set(id, (needed.get(id) ?? 0) + sampleWithdrawalCentavos(number));
  }
  await inBatches(house, { of: ids.length, what: 'wallet' }, async (numbers) => {
    const moves = numbers.flatMap((number) => {
      const id = ids[number] ?? 0;
      const rest = Math.floor(sampleChance(number, 'balance') * 80 - 20) * 1_250_25;
      const amountCentavos = (needed.get(id) ?? 0) + Math.max(0, rest);
      const at = momentOf(house, days.funded, number, ids.length);
      const actorId = limits.mainAdminId;
      return amountCentavos === 0
        ? []
        : [{ accountId: id, amountCentavos, actorId, withdrawalId: null, reason: 'disbursement', at }];
    });
    await deps.database.transaction((tx) => moveMoneyOfMany(tx, 'disbursement', moves));
  });
}

async function putAllWithdrawals(house: House, ids: readonly number[], of: number): Promise<void> {
  const { deps, now } = house;
  // A member's next withdrawal comes when the one before was decided.
  const [first, last] = days.withdrawals;
  const betweenMs = ((first - last) * dayMs * ids.length) / Math.max(of, 1);
  const decidedAfterMs = Math.min(decidedWithinMs, betweenMs / 2);
  await inBatches(house, { of, what: 'withdrawal', atMost: ids.length }, (numbers) =>
    deps.database.transaction((tx) =>
      putWithdrawals(
        deps,
        tx,
        numbers.map((number) => {
          const createdAt = momentOf(house, days.withdrawals, number, of);
          const decidedAt = new Date(Math.floor(Math.min(now, createdAt.getTime() + decidedAfterMs)));
          return { number, member: memberOf(ids, number), createdAt, decidedAt };
        }),
        of,
      ),
    ),
  );
}

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
