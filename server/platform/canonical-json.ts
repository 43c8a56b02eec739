import { hash } from 'node:crypto';

/**
 * Writes JSON with the keys of every object in alphabetical order: the same text, however a client or
 * the database ordered it.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** SHA-256 of that text in hexadecimal, by which anybody can check what was agreed (see `ContractReply`). */
export const canonicalHash = (value: unknown): string => hash('sha256', canonicalJson(value));
