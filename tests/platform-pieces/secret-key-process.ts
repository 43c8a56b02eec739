import { loadSecretKey } from '#server/platform/secret-box.ts';

/** A process of its own for the race: waits for the moment named, then loads the key and prints it. */
const [, , dataDir = '', startAt = ''] = process.argv;
while (Date.now() < Number(startAt)) {
  // Busy on purpose: a timer would let the processes start milliseconds apart.
}
process.stdout.write(loadSecretKey({ dataDir }).toString('base64'));
