import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { requestOtp } from '#server/services/otp-service.ts';
import {
  listWithdrawals,
  readWithdrawalHold,
  updateWithdrawal,
} from '#server/services/staff-withdrawal-service.ts';
import { listOwnWithdrawals, requestWithdrawal } from '#server/services/withdrawal-service.ts';
import type { Bind } from './route.ts';

/** Withdrawals, as borrowers ask for them and staff decide them. */
export function bindWithdrawalRoutes(route: Bind): void {
  route(api.listOwnWithdrawals, ({ deps, caller }) => listOwnWithdrawals(deps, caller.account.id));

  route(api.requestWithdrawal, ({ deps, caller, body, address, once }) =>
    once((tx) => requestWithdrawal(deps, tx, caller, body, address)),
  );

  route(api.requestCode, async ({ deps, caller, address }) => {
    await requestOtp(deps, caller, address);
    return { message: en.done.codeRequested };
  });

  route(api.listWithdrawals, async ({ deps, caller, address, query, asLines }) =>
    listWithdrawals(deps, { id: caller.account.id, address }, query, !asLines),
  );

  route(api.readWithdrawalHold, ({ deps, caller, params }) =>
    readWithdrawalHold(deps, caller.account.id, params.id),
  );

  route(api.updateWithdrawal, ({ deps, caller, address, params, body, once }) =>
    once((tx) => updateWithdrawal(deps, tx, { id: caller.account.id, address }, params.id, body)),
  );
}
