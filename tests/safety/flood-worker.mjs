// Sends requests without end, in a thread of its own so that whoever measures is not held up by it: those it is given,
// one after the other, or else sign-ins. Each sign-in comes from another address, as a proxy would tell it, unless one is
// given, and names a number that nobody has unless one is given: every one costs a hash.
import { randomInt } from 'node:crypto';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** @typedef {{ method: string, path: string, headers: Record<string, string>, body?: string | Uint8Array }} Sent */
/** @type {{ origin: string, atOnce: number, pauseMs: number, address?: string, phone?: string, requests?: Sent[] }} */
const { origin, atOnce, pauseMs, address, phone, requests } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });

let sent = 0;
/** @returns {Sent} */
function nextRequest() {
  sent += 1;
  return requests?.[sent % requests.length] ?? signIn();
}

/** @returns {Sent} */
const signIn = () => ({
  method: 'POST',
  path: '/api/auth/login',
  headers: {
    'content-type': 'application/json',
    'x-forwarded-for': address ?? `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
  },
  body: JSON.stringify({
    phone: phone ?? `0918${randomInt(10 ** 6, 10 ** 7)}`,
    password: 'any password',
  }),
});

/** @returns {Promise<string>} */
function ask() {
  const { method, path, headers, body } = nextRequest();
  return new Promise((resolve) => {
    const request = http.request(`${origin}${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('latin1').on('data', (part) => {
        if (response.statusCode !== 200) text += part;
      });
      response.on('close', () => {
        const code = response.statusCode !== undefined && response.statusCode >= 400 ? codeIn(text) : '';
        const isTold = response.statusCode !== 503 || Number(response.headers['retry-after']) > 0;
        resolve(`${response.statusCode}${code}${isTold ? '' : ' without Retry-After'}`);
      });
    });
    request.on('error', (error) => resolve(`no answer: ${error.message}`));
    request.end(body);
  });
}

/** @param {string} text */
function codeIn(text) {
  try {
    return ` ${JSON.parse(text).code}`;
  } catch {
    return ' cut off';
  }
}

/** @type {Record<string, number>} */
const counts = {};
parentPort?.once('message', () => {
  parentPort?.postMessage(counts);
  // Requests that still wait for their answer hang up.
  process.exit();
});
for (let number = 0; number < atOnce; number += 1) void askForEver();

async function askForEver() {
  for (;;) {
    const answer = await ask();
    counts[answer] = (counts[answer] ?? 0) + 1;
    if (answer.startsWith('503') && counts[answer] === 1) parentPort?.postMessage('refused');
    if (!/^(?:2|401|409)/.test(answer)) await pause(pauseMs);
  }
}
