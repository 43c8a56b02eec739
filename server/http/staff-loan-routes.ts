import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { deleteLoan, listLoans, updateLoan } from '#server/services/staff-loan-service.ts';
import type { Bind } from './route.ts';

/** The borrowing list. */
export function bindStaffLoanRoutes(route: Bind): void {
  route(api.listLoans, async ({ deps, caller, address, query, asLines }) =>
    listLoans(deps, { id: caller.account.id, address }, query, !asLines),
  );

  route(api.updateLoan, ({ deps, caller, params, body, address, once }) =>
    once((tx) => updateLoan(deps, tx, { id: caller.account.id, address }, params.id, body)),
  );

  route(api.deleteLoan, async ({ deps, caller, params, address }) => {
    await deleteLoan(deps, { caller, address }, params.id);
    return { message: en.done.deleted };
  });
}
