import * as api from '#contract/borrower-endpoints.ts';
import { readProfile } from '#contract/session-endpoints.ts';
import { limits } from '#domain/limits.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call } from '#web/lib/call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';

/** Refetches what is shown beside the balance, so that nothing on the page is older than it. */
export function readBesideBalance(): void {
  for (const row of [api.listOwnLoans, api.listOwnWithdrawals, api.listNotifications]) void refreshReads(row);
}

/** The wallet's balance, read on demand, and the toast for insufficient funds (§withdrawing). */
export function useFunds() {
  const { errors, withdrawal } = useAccountWords();
  const { accept } = useSession();
  const user = useUser();

  /** Undefined if it cannot be read in time. The cached balance then decides; the server has the last word anyway. */
  async function readBalance(): Promise<string | undefined> {
    const signal = AbortSignal.timeout(limits.balanceReadTimeoutMs);
    const fresh = await accept(call(readProfile, { fresh: true, signal })).catch(() => undefined);
    if (fresh && fresh.balance !== user.balance) readBesideBalance();
    return fresh?.balance;
  }

  function tellTooLittle() {
    toast({ tone: 'bad', title: errors.insufficient_funds, description: withdrawal.unavailable });
  }

  return { balance: user.balance, readBalance, tellTooLittle };
}
