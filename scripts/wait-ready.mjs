// Waits until the server answers that it is ready: `ExecStartPost` of deploy/hiram.service, so that `systemctl restart`
// ends when the server serves, and its proxies have noticed. Ends with 1 if the server has ended; the unit limits how long it may take.
import { setTimeout as sleep } from 'node:timers/promises';

const { HOST = '127.0.0.1', PORT = '3000', MAINPID } = process.env;
/** Nobody can be asked at "every address". */
const address = { '0.0.0.0': '127.0.0.1', '::': '::1' }[HOST] ?? HOST;
const readyz = `http://${address.includes(':') ? `[${address}]` : address}:${PORT}/readyz`;

const isReady = async () => {
  try {
    return (await fetch(readyz, { signal: AbortSignal.timeout(5_000) })).ok;
  } catch {
    return false;
  }
};

function hasEnded() {
  try {
    if (MAINPID) process.kill(Number(MAINPID), 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}

/** A proxy that looks every second or two, or passes over for a second what had refused it. */
const noticedMs = 3_000;

while (!(await isReady())) {
  if (hasEnded()) process.exit(1);
  await sleep(100);
}
await sleep(noticedMs);
