import { describe, expect, it } from 'vitest';
import { newFileId, newPassword, newToken } from '#server/platform/randomness.ts';

const many = <Item>(make: () => Item) => Array.from({ length: 2_000 }, make);

describe('tokens and ids', () => {
  it('makes distinct tokens of 256 bits in base64url', () => {
    const tokens = many(() => newToken());
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('makes file ids that the address of a document accepts', () => {
    const ids = many(() => newFileId());
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });
});

describe('newPassword', () => {
  it('is readable, without look-alikes, and carries 99 bits', () => {
    const passwords = many(() => newPassword());
    expect(new Set(passwords).size).toBe(passwords.length);
    for (const password of passwords) {
      expect(password).toMatch(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){4}$/);
      expect(password).not.toMatch(/[ilo01]/);
    }
    const letters = new Set(passwords.join('').replaceAll('-', ''));
    expect(Math.floor(20 * Math.log2(letters.size))).toBe(99);
  });
});
