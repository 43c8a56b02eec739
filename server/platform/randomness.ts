import { randomBytes, randomInt } from 'node:crypto';

const random = (bits: number): string => randomBytes(bits / 8).toString('base64url');

/** A session token (§tokens). */
export const newToken = () => random(256);

/** The id of a document, 32 characters. Knowing one cannot be a guess. */
export const newFileId = () => random(192);

/** Returns a salt, which keeps a hash from being guessed at. */
export const newSalt = () => random(128);

/** A password to be issued and typed off a screen, like `k7mx-29tr-hcqd-w5pn-8eza`: 99 bits. */
export const newPassword = () => inGroups(5);

/** Makes a code for staff who lost their phone, like `k7mx-29tr-hcqd`: 59 bits. */
export const newRecoveryCode = () => inGroups(3);

/** It lacks 0 o, 1 i l, which are mistaken when read out on the phone. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

function inGroups(count: number): string {
  const letter = () => alphabet.charAt(randomInt(alphabet.length));
  const group = () => Array.from({ length: 4 }, letter).join('');
  return Array.from({ length: count }, group).join('-');
}
