import { paths } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { type Config, readConfig } from './config.ts';
import { mainAdminPasswordLine } from './open-database.ts';
import { sampleLender } from './sample-lender.ts';
import { type RunningServer, startServer } from './start.ts';

/** Lines for the person at the console; everything else on standard output is the log. */
const say = (line: string) => void process.stdout.write(`${line}\n`);

/** What nobody can read again, so it is shown last, where no line of the log comes between, and also when starting fails. */
let firstPassword: string | undefined;

function passwordBox(password: string, origin = ''): string {
  if (!process.stdout.isTTY) {
    const line = mainAdminPasswordLine(password);
    const rule = '─'.repeat(line.length);
    return `\n${rule}\n${line}\n${rule}\n`;
  }
  const lines = [
    'Sign in for the first time',
    '',
    `Address    ${origin}${paths.adminLogin}`,
    `Username   ${limits.mainAdminPhone}`,
    `Password   ${password}`,
    '',
    'Shown only this once. Lost it? npm run admin:reset',
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 4);
  const rows = lines.map((line) => `│  ${line.padEnd(width)}  │`);
  return ['', `┌${rule}┐`, ...rows, `└${rule}┘`, ''].join('\n');
}

function giveUp(error: unknown): never {
  if (firstPassword !== undefined) say(passwordBox(firstPassword));
  process.stderr.write(`Hiram cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    giveUp(error);
  }
}

/**
 * The first signal lets requests under way end; who sends a second one does not want to wait. When the embedded database
 * has stopped for good, the process ends with code 1: a service manager then starts a new one, which can serve again.
 */
function stopWhenTold(starting: Promise<RunningServer>): void {
  let isStopping = false;
  const stop = async (exitCode: number) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const server = await starting;
    await server.stop().catch((err) => {
      server.log.error({ err }, 'stopping went wrong');
      process.exit(1);
    });
    process.exit(exitCode);
  };
  process.on('SIGTERM', () => void stop(0));
  process.on('SIGINT', () => void stop(0));
  void starting
    .then(({ stopped }) => stopped)
    .then((reason) => {
      process.stderr.write(
        `Hiram stops, because its database has: ${reason}. What was acknowledged is safe; start it again.\n`,
      );
      return stop(1);
    })
    // Starting failed, which is told elsewhere.
    .catch(() => undefined);
  process.on('uncaughtException', async (err) => {
    const server = await starting;
    server.log.fatal({ err }, 'an error that nobody caught');
    void stop(1);
  });
  process.on('unhandledRejection', async (err) => {
    const server = await starting;
    server.log.error({ err }, 'a rejection that nobody handled');
  });
}

const config = settings();
const starting = startServer(config, say, (password) => {
  firstPassword = password;
});
stopWhenTold(starting);
const { origin } = await starting.catch(giveUp);
// At one stroke: whoever waits for the first line has the last one too.
const lines = [`Hiram listens on ${origin}`];
if (config.lender === sampleLender) lines.push('It shows the sample lender; LENDER_CONFIG names your own.');
else if (config.lender.isSample)
  lines.push(
    `It shows ${config.lender.tradeName ?? config.lender.name} as a sample: "isSample" is true in the lender’s file.`,
  );
else if (config.lender.certificateOfAuthorityNumber === undefined)
  lines.push('The lender’s file lacks what SEC MC 19, s. 2019 asks for: npm run lender:check -- <file>');
if (firstPassword !== undefined) lines.push(passwordBox(firstPassword, origin));
say(lines.join('\n'));
