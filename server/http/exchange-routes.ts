import * as api from '#contract/api.ts';
import { readExchangeRates } from '#server/services/exchange-service.ts';
import type { Bind } from './route.ts';

/** Exchange rates (contract section 8). */
export function bindExchangeRoutes(route: Bind): void {
  route(api.readExchangeRates, ({ deps }) => readExchangeRates(deps));
}
