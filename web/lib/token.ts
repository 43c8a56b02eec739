import { createSignal } from './signal.ts';
import { readStored, writeStored } from './stored-value.ts';

/** Where the session token is kept (spec sections 3 and 9). */
export const tokenKey = 'token';

export const readToken = (): string | undefined => readStored(tokenKey);
export const writeToken = (token: string): void => writeStored(tokenKey, token);
export const removeToken = (): void => writeStored(tokenKey, undefined);

/** Why the server no longer takes the token that this browser holds. */
export type TokenLoss = 'suspended' | 'expired';

/** Told by every call whose token was refused; the session decides what follows. */
export const tokenLost = createSignal<TokenLoss>();

/** Told whenever somebody's session ends here, so that nothing of theirs stays in memory. */
export const sessionEnded = createSignal<void>();
