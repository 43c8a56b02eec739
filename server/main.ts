import { type Config, readConfig } from './config.ts';
import { type RunningServer, startServer } from './start.ts';

/** Lines for the person at the console; everything else on standard output is the log, one JSON object a line. */
const say = (line: string) => void process.stdout.write(`${line}\n`);

function giveUp(error: unknown): never {
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
const starting = startServer(config, say);
stopWhenTold(starting);
const { origin } = await starting.catch(giveUp);
say(`Hiram listens on ${origin}`);
if (config.lender.isSample) say('It shows the sample lender; LENDER_CONFIG names your own.');
