import { randomBytes, randomInt } from 'node:crypto';

/** Tests can replace it. */
export type Randomness = {
  bytes(count: number): Buffer;
  /** 0 up to, not including, `below`; every number equally likely. */
  wholeNumber(below: number): number;
};

export const systemRandomness: Randomness = {
  bytes: (count) => randomBytes(count),
  wholeNumber: (below) => randomInt(below),
};

const TOKEN_BYTES = 32;
const FILE_ID_BYTES = 24;
const SALT_BYTES = 16;

/** Without 0 o, 1 i l, which are mistaken when read out on the phone. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_GROUPS = 5;
const PASSWORD_GROUP_LENGTH = 4;

/** A session token: 256 bits, base64url (§tokens). */
export function newToken(random: Randomness): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** The id of a document: 192 bits, base64url, 32 characters, so it cannot be guessed. */
export function newFileId(random: Randomness): string {
  return random.bytes(FILE_ID_BYTES).toString('base64url');
}

/** Prevents guessing a hash's text: 128 bits, base64url. */
export const newSalt = (random: Randomness): string => random.bytes(SALT_BYTES).toString('base64url');

/** A password to be issued and typed off a screen, like `k7mx-29tr-hcqd-w5pn-8eza`: 99 bits. */
export function newPassword(random: Randomness): string {
  const letter = () => PASSWORD_ALPHABET.charAt(random.wholeNumber(PASSWORD_ALPHABET.length));
  const group = () => Array.from({ length: PASSWORD_GROUP_LENGTH }, letter).join('');
  return Array.from({ length: PASSWORD_GROUPS }, group).join('-');
}
