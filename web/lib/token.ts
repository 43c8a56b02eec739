import { createSignal } from '#web/ui/signal.ts';
import { readStored, writeStored } from './stored-value.ts';

/** The session token's storage key (§tokens). */
export const tokenKey = 'token';

export const readToken = (): string | undefined => readStored(tokenKey) || undefined;
/** Returns whether it outlasts this tab. */
export const writeToken = (token: string): boolean => writeStored(tokenKey, token);
/** False if the token lives in the tab only. */
export const isTokenKept = (): boolean => {
  try {
    return localStorage.getItem(tokenKey) !== null;
  } catch {
    return false;
  }
};
export function removeToken(): void {
  writeStored(tokenKey, undefined);
  forgetKnown();
}

/** The cache of what the page without a network shows; `web/public/sw.js` reads it. */
export const keptStore = 'known';

/** It belongs to the token. A browser without caches, or that denies them, has kept nothing. */
function forgetKnown(): void {
  try {
    void globalThis.caches?.delete(keptStore).catch(() => undefined);
  } catch {}
}

/** Unsent typed values of this tab: the account's id, a space, and the rest (§typed-values). */
export const typedKey = 'typed';

/** The newest message that was listed on this phone, and how much of which loan was paid when its mat was seen. */
export const seenKeys = ['messages', 'woven'] as const;

/** Drops what was typed, unless it is this account's; without one, what was seen on this phone too. */
export function forgetTyped(exceptOf?: number): void {
  if (!readStored(typedKey, 'sessionStorage')?.startsWith(`${exceptOf} `))
    writeStored(typedKey, undefined, 'sessionStorage');
  if (exceptOf === undefined) for (const key of seenKeys) writeStored(key, undefined);
}

/** `address`: staff whose address is not allowed. `idle`: staff who were away for too long. */
export type TokenLoss = 'suspended' | 'expired' | 'address' | 'idle';

export const tokenLost = createSignal<TokenLoss>();

/** Fires whenever a session ends here, so that nothing personal stays in memory. */
export const sessionEnded = createSignal<void>();
