// Sends sign-ins without end, in a thread of its own so that whoever measures is not held up by it. Each comes from
// another address, as a proxy would tell it, unless one is given, and names a number that nobody has: every one costs a
// hash.
import { randomInt } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** @type {{ origin: string, atOnce: number, pauseMs: number, address?: string }} */
const { origin, atOnce, pauseMs, address } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });

/** @returns {Promise<string>} */
function signIn() {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': address ?? `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
    };
    const request = http.request(
      `${origin}/api/auth/login`,
      { agent, method: 'POST', headers },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => {
          const { code } = JSON.parse(text);
          const isTold = response.statusCode !== 503 || Number(response.headers['retry-after']) > 0;
          resolve(`${response.statusCode} ${code}${isTold ? '' : ' without Retry-After'}`);
        });
      },
    );
    request.on('error', (error) => resolve(`no answer: ${error.message}`));
    request.end(JSON.stringify({ phone: `0918${randomInt(10 ** 6, 10 ** 7)}`, password: 'any password' }));
  });
}

/** @type {Record<string, number>} */
const counts = {};
parentPort?.once('message', () => {
  parentPort?.postMessage(counts);
  // Those that still wait for their answer hang up.
  process.exit();
});
for (let number = 0; number < atOnce; number += 1) void signInForEver();

async function signInForEver() {
  for (;;) {
    const answer = await signIn();
    counts[answer] = (counts[answer] ?? 0) + 1;
    if (answer.startsWith('503') && counts[answer] === 1) parentPort?.postMessage('refused');
    if (!answer.startsWith('401')) await pause(pauseMs);
  }
}
