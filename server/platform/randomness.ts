import { randomBytes, randomInt } from 'node:crypto';

const TOKEN_BYTES = 32;
const FILE_ID_BYTES = 24;
const SALT_BYTES = 16;

/** Without 0 o, 1 i l, which are mistaken when read out on the phone. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const PASSWORD_GROUPS = 5;
const PASSWORD_GROUP_LENGTH = 4;
const RECOVERY_CODE_GROUPS = 3;

/** A session token: 256 bits, base64url (§tokens). */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** The id of a document: 192 bits, base64url, 32 characters. Knowing one cannot be a guess. */
export function newFileId(): string {
  return randomBytes(FILE_ID_BYTES).toString('base64url');
}

/** What keeps a hash from being guessed at: 128 bits, base64url. */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString('base64url');

/** A password to be issued and typed off a screen, like `k7mx-29tr-hcqd-w5pn-8eza`: 99 bits. */
export function newPassword(): string {
  return inGroups(PASSWORD_GROUPS);
}

/** For whoever lost their phone, like `k7mx-29tr-hcqd`: 59 bits. */
export const newRecoveryCode = (): string => inGroups(RECOVERY_CODE_GROUPS);

function inGroups(count: number): string {
  const letter = () => PASSWORD_ALPHABET.charAt(randomInt(PASSWORD_ALPHABET.length));
  const group = () => Array.from({ length: PASSWORD_GROUP_LENGTH }, letter).join('');
  return Array.from({ length: count }, group).join('-');
}
