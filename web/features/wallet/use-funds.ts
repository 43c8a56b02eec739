import * as api from '#contract/session-endpoints.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';

/**
 * Asks whether the wallet holds an amount, and says in a toast when it does not (spec section 5). A balance that seems
 * too small is read again first: the money may have been released since this page was opened. Where that cannot be
 * done soon, the balance at hand decides; the server has the last word anyway.
 */
export function useFunds(): (neededCentavos: Centavos) => Promise<boolean> {
  const { errors, withdrawal } = useAccountWords();
  const { accept } = useSession();
  const user = useUser();

  return async (neededCentavos) => {
    const covers = (balance: string) => (parsePesos(balance) ?? 0) >= neededCentavos;
    if (covers(user.balance)) return true;
    const signal = AbortSignal.timeout(limits.balanceReadTimeoutMs);
    const fresh = await accept(call(api.readProfile, { fresh: true, signal })).catch(() => undefined);
    if (fresh && covers(fresh.balance)) return true;
    toast({ tone: 'bad', title: errors.insufficient_funds, description: withdrawal.unavailable });
    return false;
  };
}
