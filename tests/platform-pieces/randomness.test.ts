import { describe, expect, it } from 'vitest';
import {
  newFileId,
  newPassword,
  newToken,
  type Randomness,
  systemRandomness,
} from '#server/platform/randomness.ts';

const many = <Item>(make: () => Item) => Array.from({ length: 2_000 }, make);

/** Dice that always show the same side. */
const loaded: Randomness = {
  bytes: (count) => Buffer.alloc(count, 7),
  wholeNumber: () => 0,
};

describe('tokens and ids', () => {
  it('makes distinct tokens of 256 bits in base64url', () => {
    const tokens = many(() => newToken(systemRandomness));
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('makes file ids that the address of a document accepts', () => {
    const ids = many(() => newFileId(systemRandomness));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  it('takes its randomness from the source it is given', () => {
    expect(newToken(loaded)).toBe(Buffer.alloc(32, 7).toString('base64url'));
    expect(newPassword(loaded)).toBe('aaaa-aaaa-aaaa-aaaa-aaaa');
  });
});

describe('newPassword', () => {
  it('is readable, without look-alikes, and carries more than 80 bits', () => {
    const passwords = many(() => newPassword(systemRandomness));
    expect(new Set(passwords).size).toBe(passwords.length);
    for (const password of passwords) {
      expect(password).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){4}$/);
      expect(password).not.toMatch(/[ilo01]/);
    }
    const letters = new Set(passwords.join('').replaceAll('-', ''));
    expect(20 * Math.log2(letters.size)).toBeGreaterThan(80);
  });
});

describe('systemRandomness', () => {
  it('gives whole numbers below the bound, every one of them', () => {
    expect(new Set(many(() => systemRandomness.wholeNumber(5)))).toEqual(new Set([0, 1, 2, 3, 4]));
  });
});
