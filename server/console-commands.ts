import type { Deps } from './deps.ts';
import { mainAdminPasswordLine } from './open-house.ts';
import { clearAllowedIps } from './services/allowed-ip-service.ts';
import { resetMainAdmin, serverConsole } from './services/first-start-service.ts';

/** What can be asked for on the server's own console, by the name of its npm script. Each answers a line to show. */
export const consoleCommands = {
  /** A new password for the main admin, from MAIN_ADMIN_PASSWORD or generated. */
  'admin-reset': async (deps: Deps) => {
    const { generatedPassword } = await resetMainAdmin(deps);
    return generatedPassword === undefined
      ? 'The main admin’s password is now the one in MAIN_ADMIN_PASSWORD. Every session of the account has ended.'
      : mainAdminPasswordLine(generatedPassword);
  },

  /** For staff who are shut out by the allow-list. */
  'admin-clear-ips': async (deps: Deps) => {
    const count = await clearAllowedIps(deps, serverConsole);
    const entries = count === 1 ? '1 entry' : `${count} entries`;
    return `The allow-list had ${entries} and is empty now: staff may come from any address.`;
  },
};

export type ConsoleCommand = keyof typeof consoleCommands;

export const isConsoleCommand = (name: unknown): name is ConsoleCommand =>
  typeof name === 'string' && Object.hasOwn(consoleCommands, name);
