import * as api from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { addAllowedIp, listAllowedIps, removeAllowedIp } from '#server/services/allowed-ip-service.ts';
import { hidesItsSender } from './forwarded.ts';
import type { Bind } from './route.ts';

/** The addresses that staff may come from (§allow-list). */
export function bindAllowedIpRoutes(route: Bind): void {
  route(api.listAllowedIps, ({ deps, address }) => listAllowedIps(deps, address));

  route(api.addAllowedIp, ({ deps, caller, body, address, request }) => {
    const asker = { id: caller.account.id, address, isAddressHidden: hidesItsSender(deps, request) };
    return addAllowedIp(deps, asker, body);
  });

  route(api.readInstallation, async ({ deps: { met } }) => ({
    unnamedProxy: met.unnamedProxy ?? null,
    ...(met.isErasingPaused && { isErasingPaused: true as const }),
  }));

  route(api.removeAllowedIp, async ({ deps, caller, params, address }) => {
    await removeAllowedIp(deps, { id: caller.account.id, address }, params.id);
    return { message: en.done.deleted };
  });
}
