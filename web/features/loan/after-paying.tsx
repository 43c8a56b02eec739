import * as api from '#contract/borrower-endpoints.ts';
import * as servicing from '#contract/servicing-endpoints.ts';
import { refreshReads } from '#web/lib/query.tsx';

/** Reads again what shows a loan and what was paid on it. */
export function readAfterPaying(): void {
  const rows = [
    ...[api.listOwnLoans, api.listNotifications],
    ...[servicing.readLoanAccount, servicing.readSettlement],
  ];
  for (const row of rows) void refreshReads(row);
}
