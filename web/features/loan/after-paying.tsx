import { useEffect } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import * as calls from '#contract/loan-account-endpoints.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useSession } from '#web/lib/session.tsx';

/** Reads again what shows a loan and what was paid on it. */
export function readAfterPaying(): void {
  const rows = [
    ...[api.listOwnLoans, api.listNotifications],
    ...[calls.readLoanAccount, calls.readSettlement],
  ];
  for (const row of rows) void refreshReads(row);
}

/** Reads the loan again on leaving the dialog: once nothing is due, the button that opened it may unmount, and it with the button. */
export function useReadAfterPaying(isPaid: boolean): void {
  const { refresh } = useSession();
  useEffect(() => {
    if (!isPaid) return;
    return () => {
      readAfterPaying();
      void refresh();
    };
  }, [isPaid, refresh]);
}
