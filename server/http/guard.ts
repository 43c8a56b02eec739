import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { isMainAdmin } from '#domain/member.ts';
import type { Deps } from '#server/deps.ts';
import { fail } from '#server/failure.ts';
import { requireAllowedAddress } from '#server/services/allowed-ip-service.ts';
import { type Caller, findCaller } from '#server/services/session-service.ts';

export type { Caller };

/**
 * Who is calling, from the bearer token. No header is a visitor; a token that is sent but not valid is a 401
 * everywhere, and a suspended account's token a 403 (§tokens, §suspension).
 */
export async function authenticate(deps: Deps, request: FastifyRequest): Promise<Caller | undefined> {
  const header = request.headers.authorization;
  if (header === undefined) return undefined;
  const token = /^Bearer ([A-Za-z0-9_-]{20,200})$/i.exec(header)?.[1];
  if (!token) fail('not_signed_in');
  return findCaller(deps, token);
}

type WithRow = { row: Endpoint };

/** Of two rows on one path the staff one serves an admin, the other everybody else. */
export function chooseRow<Bound extends WithRow>(rows: readonly Bound[], caller: Caller | undefined): Bound {
  const isStaffRow = ({ row }: Bound) => row.access === 'admin' || row.access === 'mainAdmin';
  const isStaff = caller?.account.isAdmin === true;
  const chosen = rows.length === 1 ? rows[0] : rows.find((bound) => isStaffRow(bound) === isStaff);
  if (!chosen) throw new Error('a path has rows for staff only twice');
  return chosen;
}

/** Lets the call through or fails as this row's access demands (§panel-guard). */
export async function admit(deps: Deps, row: Endpoint, caller: Caller | undefined, address: string) {
  if (row.access === 'anyone') return;
  if (!caller) fail('not_signed_in');
  const { account } = caller;
  const isStaffRow = row.access === 'admin' || row.access === 'mainAdmin';
  if (isStaffRow && !account.isAdmin) fail('forbidden');
  if (row.access === 'borrower' && account.isAdmin) fail('forbidden');
  if (account.isAdmin && !row.fromAnyAddress) await requireAllowedAddress(deps, address);
  if (row.access === 'mainAdmin' && !isMainAdmin(account)) fail('main_admin_only');
}
