import { setTimeout as sleep } from 'node:timers/promises';
import { counted, Refusal, type Say } from '#server/platform/console-text.ts';
import { booksEdition } from '#server/platform/database/books-edition.ts';
import type { Database } from '#server/platform/database/database.ts';
import { countOthers, readEdition } from '#server/store/edition-store.ts';

const othersStopWithinMs = 30_000;
const betweenLooksMs = 500;

/**
 * Makes sure that no server of another version writes the books while this one raises their edition. Returns at once if they
 * already have this version's edition; otherwise waits half a minute for other connections to end. Throws a `Refusal` if they do
 * not end, or if the books have a later edition.
 */
export async function holdToEdition(
  database: Database,
  say: Say,
  withinMs: number = othersStopWithinMs,
): Promise<void> {
  const stored = await database.read(readEdition);
  if (stored !== undefined && stored > booksEdition) {
    throw new Refusal(
      `The books are of edition ${stored}, and this version of Hiram writes edition ${booksEdition}: start the newer version, or restore the backup that you made before the upgrade.`,
    );
  }
  if (stored === booksEdition || database.hasOneSession) return;
  const startedMs = performance.now();
  for (let hasSaid = false; ; hasSaid = true) {
    const others = await database.read(countOthers);
    if (others === 0) return;
    const are = `${counted(others, 'connection')} of another version of Hiram`;
    if (performance.now() - startedMs > withinMs) {
      throw new Refusal(
        `The books get a new edition with this version, and ${are} would write them as before. Stop those servers, then start this one.`,
      );
    }
    if (!hasSaid) say(`Waiting for ${are} to end …`);
    await sleep(betweenLooksMs);
  }
}
