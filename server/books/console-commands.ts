import type { Deps } from '#server/deps.ts';
import { mainAdminPasswordLine } from '#server/open-database.ts';
import { type ConsoleCall, counted, Refusal, readWords } from '#server/platform/console-text.ts';
import { codeOf } from '#server/platform/file-system.ts';
import { clearAllowedIps } from '#server/services/allowed-ip-service.ts';
import { resetMainAdmin, serverConsole } from '#server/services/first-start-service.ts';
import { findLogGap } from '#server/services/housekeeping-service.ts';
import { type NotedSeal, readNotedSeals } from './audit-seals.ts';
import { backUpAndTell } from './backup.ts';
import { importBook } from './book-import.ts';
import { adoptKey } from './book-key.ts';
import { markExported } from './export-mark.ts';
import { seedAndTell } from './seed.ts';
import { checkBooks, type Extent } from './verify.ts';

/** True if all is well: exit code 0, otherwise 1. */
type Command = (deps: Deps, call: ConsoleCall) => Promise<boolean>;

/**
 * The commands, by their npm script. On the embedded engine a running server executes them: nobody
 * else can open its database.
 */
export const consoleCommands = {
  /** A new main admin password, from MAIN_ADMIN_PASSWORD or generated, and no second step. */
  'admin-reset': async (deps, { words, say }) => {
    readWords(words, 'npm run admin:reset');
    const { generatedPassword } = await resetMainAdmin(deps);
    say(
      generatedPassword === undefined
        ? 'The main admin’s password is now the one in MAIN_ADMIN_PASSWORD. Every session of the account has ended.'
        : mainAdminPasswordLine(generatedPassword),
    );
    return true;
  },

  /** Lets staff in again after the allow-list locked them out. */
  'admin-clear-ips': async (deps, { words, say }) => {
    readWords(words, 'npm run admin:clear-ips');
    const count = await clearAllowedIps(deps, serverConsole);
    const entries = counted(count, 'entry', 'entries');
    say(`The allow-list had ${entries} and is empty now: staff may come from any address.`);
    return true;
  },

  seed: seedAndTell,

  verify: async (deps, { words, say, stopping }) => {
    const { extent, typed } = readVerifyWords(words);
    const kept = await readNotedSeals(deps).catch((error) => {
      const file = `SEAL_FILE ${deps.config.sealFile} cannot be read (${codeOf(error)})`;
      say(`${file}: the books are compared with no seal kept there.`);
    });
    const gap = await findLogGap(deps, deps.clock.now());
    if (gap) {
      const [from, to] = [gap.from.toISOString(), gap.to.toISOString()];
      say(
        `Erasing is paused: the log has nothing between ${from} and ${to}. Was the server off, or is its clock wrong?`,
      );
    }
    const isSound = await checkBooks(deps, { extent, noted: [...typed, ...(kept ?? [])], say, stopping });
    return isSound && kept !== undefined;
  },

  'key-adopt': async (deps, { words, say }) => {
    readWords(words, 'npm run key:adopt');
    const { before, sessions, passwords, codes, secondSteps } = await adoptKey(deps);
    const ended = [
      counted(sessions, 'session'),
      counted(passwords, 'issued password'),
      counted(codes, 'one-time code'),
    ];
    say(
      before === undefined
        ? 'THE BOOKS ARE SEALED ANEW with the key that is here. There was no record of an older one.'
        : `THE BOOKS ARE SEALED ANEW with the key that is here, instead of the one of ${before.sealedAt.toISOString()}.`,
    );
    say(
      'What stands in them now is taken as true: whatever was changed before today is not found out any more.',
    );
    say(`${ended.join(', ')} are void. Issue new ones, and start every server again.`);
    if (secondSteps > 0)
      say(`Switched off: ${counted(secondSteps, 'second step')} of staff. They have to be set up again.`);
    return true;
  },

  backup: (deps, call) => backUpAndTell(deps, call, 'backup'),

  'books-import': importBook,

  /** Exports the embedded database, whatever DATABASE_URL says: the first half of moving to PostgreSQL. */
  'db-export': async (deps, call) => {
    const isWhole = await backUpAndTell(deps, call, 'db:export');
    const { folder } = readWords(call.words, 'npm run db:export -- <folder> [--with-key]');
    const mark = markExported(deps.config.dataDir, folder, deps.clock.now());
    call.say(
      'From the next start on these books are closed: set DATABASE_URL, and import what was exported.',
    );
    call.say(`Was it only a trial? Then remove ${mark}.`);
    return isWhole;
  },
} satisfies Record<string, Command>;

export type ConsoleCommand = keyof typeof consoleCommands;

export const isConsoleCommand = (name: unknown): name is ConsoleCommand =>
  typeof name === 'string' && Object.hasOwn(consoleCommands, name);

const extents: readonly Extent[] = ['continue', 'daily'];

/** `--continue` or `--daily`, and `--seal N HASH`, each at most once. */
function readVerifyWords(words: readonly string[]): { extent: Extent; typed: NotedSeal[] } {
  const extent = extents.find((one) => words[0] === `--${one}`);
  const [option, number = '', hash = '', ...more] = extent ? words.slice(1) : words;
  if (option === undefined) return { extent: extent ?? 'full', typed: [] };
  const isUnderstood =
    more.length === 0 && option === '--seal' && /^[1-9]\d{0,8}$/.test(number) && /^[0-9a-f]{64}$/i.test(hash);
  if (!isUnderstood)
    throw new Refusal('Usage: npm run verify [-- [--continue | --daily] [--seal <number> <hash>]]');
  return { extent: extent ?? 'full', typed: [{ number: Number(number), hash: hash.toLowerCase() }] };
}
