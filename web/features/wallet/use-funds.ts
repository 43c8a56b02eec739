import * as api from '#contract/session-endpoints.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, parsePesos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';

/** Whether the wallet's balance covers an amount. */
export const covers = (balance: string, neededCentavos: Centavos): boolean =>
  (parsePesos(balance) ?? 0) >= neededCentavos;

/** What the wallet holds, read anew, and how it is told that this is not enough (spec section 5). */
export function useFunds() {
  const { errors, withdrawal } = useAccountWords();
  const { accept } = useSession();
  const user = useUser();

  /** Undefined where the balance cannot be read soon. Then the one at hand decides; the server has the last word anyway. */
  async function readBalance(): Promise<string | undefined> {
    const signal = AbortSignal.timeout(limits.balanceReadTimeoutMs);
    const fresh = await accept(call(api.readProfile, { fresh: true, signal })).catch(() => undefined);
    return fresh?.balance;
  }

  function tellTooLittle() {
    toast({ tone: 'bad', title: errors.insufficient_funds, description: withdrawal.unavailable });
  }

  return { balance: user.balance, readBalance, tellTooLittle };
}
