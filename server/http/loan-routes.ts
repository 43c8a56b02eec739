import * as api from '#contract/api.ts';
import { acceptContract, readContract, readContractPdf } from '#server/services/contract-service.ts';
import { applyForLoan, listOwnLoans } from '#server/services/loan-service.ts';
import { quoteToday } from '#server/services/quote-service.ts';
import { readSchedule, readScheduleCalendar, readScheduleTable } from '#server/services/schedule-service.ts';
import { formLanguage } from './form-language.ts';
import type { Bind } from './route.ts';

/** A borrower's loans, what they cost and what was agreed. */
export function bindLoanRoutes(route: Bind): void {
  route(api.applyForLoan, ({ deps, caller, body, address, once, request }) =>
    once((tx) => applyForLoan(deps, tx, caller, body, { address, language: formLanguage(request) })),
  );

  route(api.listOwnLoans, ({ deps, caller }) => listOwnLoans(deps, caller.account.id));

  route(api.quoteLoan, ({ deps, body }) => quoteToday(deps, body));

  route(api.readLoanSchedule, ({ deps, caller, params }) => readSchedule(deps, caller.account, params.id));

  route(api.readLoanCalendar, ({ deps, caller, params, query }) =>
    readScheduleCalendar(deps, caller.account, params.id, query.lang ?? 'en'),
  );

  route(api.readLoanTable, ({ deps, caller, params, query }) =>
    readScheduleTable(deps, caller.account, params.id, query.lang ?? 'en'),
  );

  route(api.readLoanContract, ({ deps, caller, params, query, address }) =>
    readContract(deps, { ...caller.account, address }, params.id, query),
  );

  route(api.acceptContract, ({ deps, caller, params, body, address }) =>
    acceptContract(deps, caller, params.id, body.version, address),
  );

  route(api.readLoanContractPdf, ({ deps, caller, params, query, address }) =>
    readContractPdf(deps, { ...caller.account, address }, params.id, query),
  );
}
