import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newPassword, newRecoveryCode, newToken } from '#server/platform/randomness.ts';

/**
 * The shapes of what gives access: our own tokens, keys, issued passwords and recovery codes, and two that others print. A
 * random text of that length practically never does without a digit, a small and a capital letter; long names do.
 */
const shapes: Record<string, RegExp> = {
  'session token': /(?<![\w+/-])(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w+/=-])/g,
  'key of 32 bytes': /(?<![\w+/-])[\w+/-]{43}=(?![\w+/=-])/g,
  'issued password or recovery code':
    /(?<![\w-])(?=[a-z-]*\d)[a-hjkmnp-z2-9]{4}(?:-[a-hjkmnp-z2-9]{4}){2,4}(?![\w-])/g,
  'private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  'access key of a bucket': /(?<!\w)A(?:KIA|SIA)[A-Z0-9]{16}(?!\w)/g,
};

/** Comments show what a password and a code look like. */
const examples = ['k7mx-29tr-hcqd-w5pn-8eza', 'k7mx-29tr-hcqd'];

const secretsIn = (text: string) =>
  Object.entries(shapes).flatMap(([name, shape]) =>
    [...text.matchAll(shape)].filter(([found]) => !examples.includes(found)).map(() => name),
  );

/** Untracked files too, so that a secret is found before it is committed. */
const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
});
const isCheckout = listed.status === 0;
const files = isCheckout ? listed.stdout.split('\0').filter(Boolean) : [];

function withDigit(make: () => string): string {
  const text = make();
  return /\d/.test(text) ? text : withDigit(make);
}

it('the shapes are those of the secrets that the product makes', () => {
  for (let round = 0; round < 20; round++) {
    expect(secretsIn(`"token": "${newToken()}",`)).toEqual(['session token']);
    expect(secretsIn(`Password: ${withDigit(newPassword)}`)).toEqual(['issued password or recovery code']);
    expect(secretsIn(`- ${withDigit(newRecoveryCode)}\n`)).toEqual(['issued password or recovery code']);
  }
  const key = Buffer.alloc(32, 'a key in a settings file').toString('base64');
  expect(secretsIn(`SECRET_KEY=${key}`)).toEqual(['key of 32 bytes']);
});

it.skipIf(!isCheckout)('no file of the repository holds a token, a key or a password', () => {
  expect(files.length).toBeGreaterThan(500);
  const found = files
    // The lock names each package by its hash, which has the shape of a key.
    .filter((file) => file !== 'package-lock.json')
    .flatMap((file) => {
      let text: string;
      try {
        text = readFileSync(file, 'utf8');
      } catch (error) {
        // Deleted, but not yet from the index.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
      return secretsIn(text).map((name) => `${file}: ${name}`);
    });
  expect([...new Set(found)]).toEqual([]);
});
