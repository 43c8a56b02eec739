import { createSignal } from '#web/ui/signal.ts';
import { readStored, writeStored } from './stored-value.ts';

/** The session token's storage key (§tokens). */
export const tokenKey = 'token';

export const readToken = (): string | undefined => readStored(tokenKey);
/** Returns whether it outlasts this tab. */
export const writeToken = (token: string): boolean => writeStored(tokenKey, token);
export const removeToken = (): void => void writeStored(tokenKey, undefined);

/** `address`: staff whose address is not allowed. `idle`: staff who were away for too long. */
export type TokenLoss = 'suspended' | 'expired' | 'address' | 'idle';

export const tokenLost = createSignal<TokenLoss>();

/** Told whenever a session ends here, so that nothing personal stays in memory. */
export const sessionEnded = createSignal<void>();
