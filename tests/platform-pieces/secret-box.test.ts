import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, loadSecretKey } from '#server/platform/secret-box.ts';
import { temporaryDirectory } from '#tests/setup/temporary-directory.ts';

const box = createSecretBox(randomBytes(32));

describe('the secret box', () => {
  it('opens what it sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (plain, context) => {
        expect(box.open(box.seal(plain, context), context)).toBe(plain);
      }),
      { numRuns: 50 },
    );
  });

  it('seals the same text differently each time and does not show it', () => {
    const [first, second] = [box.seal('123456', 'otp:1005'), box.seal('123456', 'otp:1005')];
    expect(first).not.toBe(second);
    expect(first).toMatch(/^v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
    expect(first).not.toContain('123456');
  });

  it('stays shut in another context, so a row copied to another account opens nothing', () => {
    const sealed = box.seal('123456', 'otp:1005');
    for (const context of ['otp:1006', 'password:1005', 'otp:1005 ', '']) {
      expect(box.open(sealed, context)).toBeUndefined();
    }
  });

  it('stays shut with another key', () => {
    const other = createSecretBox(randomBytes(32));
    expect(other.open(box.seal('123456', 'otp:1005'), 'otp:1005')).toBeUndefined();
  });

  it('notices every single changed character', () => {
    const sealed = box.seal('123456', 'otp:1005');
    for (const [index, character] of [...sealed].entries()) {
      const changed = `${sealed.slice(0, index)}${character === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
      expect(box.open(changed, 'otp:1005')).toBeUndefined();
    }
  });

  it('notices every truncation, a shortened tag included', () => {
    const sealed = box.seal('123456', 'otp:1005');
    for (let length = 0; length < sealed.length; length += 1) {
      expect(box.open(sealed.slice(0, length), 'otp:1005')).toBeUndefined();
    }
    expect(box.open(`${sealed}AAAA`, 'otp:1005')).toBeUndefined();
    expect(box.open(sealed.replace('v1.', 'v2.'), 'otp:1005')).toBeUndefined();
  });

  it('recognises a text in its context, with its key, and in no other', () => {
    const fingerprint = box.fingerprint('token', 'session');
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(box.fingerprint('token', 'session')).toBe(fingerprint);
    const others = [
      box.fingerprint('tokem', 'session'),
      box.fingerprint('token', 'sessions'),
      box.fingerprint('n token', 'sessio'),
      box.fingerprint('', 'session token'),
      createSecretBox(randomBytes(32)).fingerprint('token', 'session'),
      createHash('sha256').update('token').digest('hex'),
    ];
    expect(others).not.toContain(fingerprint);
    expect(new Set(others).size).toBe(others.length);
  });

  it('refuses a key of another length', () => {
    expect(() => createSecretBox(randomBytes(16))).toThrow('32 bytes');
  });
});

describe('loadSecretKey', () => {
  it('prefers the setting and then leaves the directory alone', async () => {
    const dataDir = temporaryDirectory();
    const secretKey = randomBytes(32);
    expect(loadSecretKey({ secretKey, dataDir })).toBe(secretKey);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('makes a key readable by its owner only, in a directory that need not exist, and keeps it', async () => {
    const dataDir = path.join(temporaryDirectory(), 'new', 'data');
    const key = loadSecretKey({ dataDir });
    expect(key).toHaveLength(32);
    expect(loadSecretKey({ dataDir })).toEqual(key);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
    expect((await stat(path.join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect((await readFile(path.join(dataDir, 'secret.key'), 'utf8')).trim()).toBe(key.toString('base64'));
  });

  it.each([
    '',
    'too short',
    `${Buffer.alloc(31).toString('base64')}`,
    `${Buffer.alloc(33).toString('base64')}`,
  ])('refuses a damaged key file (%j) rather than replace it', async (content) => {
    const dataDir = temporaryDirectory();
    await writeFile(path.join(dataDir, 'secret.key'), content);
    expect(() => loadSecretKey({ dataDir })).toThrow(/secret\.key does not hold a key/);
    expect(await readFile(path.join(dataDir, 'secret.key'), 'utf8')).toBe(content);
  });

  it('gives every process that starts at the same moment the same key', async () => {
    const dataDir = path.join(temporaryDirectory(), 'data');
    await mkdir(dataDir);
    const startAt = String(Date.now() + 3_000);
    const script = path.join(import.meta.dirname, 'secret-key-process.ts');
    const runs = Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', script, dataDir, startAt]),
    );
    const keys = (await Promise.all(runs)).map(({ stdout }) => stdout);
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64')).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['secret.key']);
  }, 30_000);
});
