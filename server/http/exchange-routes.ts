import * as api from '#contract/api.ts';
import { readExchangeRates } from '#server/services/exchange-service.ts';
import type { Bind } from './route.ts';

/** Exchange rates (§exchange-rates). */
export function bindExchangeRoutes(route: Bind): void {
  route(api.readExchangeRates, ({ deps }) => readExchangeRates(deps));
}
