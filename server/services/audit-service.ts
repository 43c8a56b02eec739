import { hash } from 'node:crypto';
import type { output } from 'zod/mini';
import type { AuditQuery } from '#contract/staff.ts';
import type * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import type { Deps } from '#server/deps.ts';
import { minuteMs } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { countTry } from '#server/store/access-store.ts';
import { insertAuditEntry, readAuditPage } from '#server/store/audit-store.ts';

/** The actor, and the address used. The server's console has neither. */
export type Actor = { id: number | null; address: string | null };

type AuditWords = typeof panel.audit;

/**
 * The person who does something, and the transaction. With `isAlone` the log marks that they did it alone, because nobody
 * else may.
 */
export type ActBy<By extends Actor> = { deps: Deps; tx: Tx; actor: By; isAlone?: boolean };

export type AuditAction = keyof AuditWords['actions'];

/** The id of the account, loan … acted upon. */
type Target = { [Type in keyof AuditWords['targets']]?: number };

/**
 * `before` and `after` hold values of money, statuses and terms. Secrets and personal fields are only named, under
 * `changed`, so that a person can be erased without changing the log.
 */
type Values = { before?: Record<string, unknown>; after?: Record<string, unknown> };

/** Writes one entry in the transaction that it is about, so that neither exists without the other. */
export async function audit(
  { deps, tx, actor, isAlone }: ActBy<Actor>,
  action: AuditAction,
  on: Target = {},
  { before, after }: Values = {},
): Promise<void> {
  const [[targetType, targetId] = [null, null]] = Object.entries(on);
  const noted = isAlone ? { ...after, ...aloneMark } : after;
  await insertAuditEntry(tx, {
    action,
    before,
    targetType,
    targetId,
    actorId: actor.id,
    ipAddress: actor.address,
    // A reference names an account elsewhere: it is stored with the payment or the event, and erased with the person.
    after: noted && withoutReference(noted),
    createdAt: deps.clock.now(),
  });
}

/** The mark in the log if one person did what takes two, or what another person should. */
export const aloneMark = { onePerson: true };

const withoutReference = ({ reference: _, ...rest }: Record<string, unknown>) => rest;

export type AuditEntry = { action: AuditAction; on?: Target; after?: Values['after'] };

/** One entry per view, which may include three photos and a contract, on screen and as a file. */
export async function auditLook(deps: Deps, actor: Actor, { action, on, after }: AuditEntry): Promise<void> {
  const look = hash('sha256', JSON.stringify([actor.id, on, after]), 'base64url');
  const windowMs = limits.oneLookMinutes * minuteMs;
  await deps.database.transaction(async (tx) => {
    const now = deps.clock.now();
    const { count } = await countTry(tx, { scope: `look ${action}`, key: look, now, windowMs });
    if (count === 1) await audit({ deps, tx, actor }, action, on, { after });
  });
}

/** One entry for a list or report that leaves as a file: which one and of when, but not who was searched for. */
export async function auditFile(deps: Deps, actor: Actor, path: string, query: object): Promise<void> {
  const { search: _, ...after } = { list: path.slice(path.lastIndexOf('/') + 1), search: '', ...query };
  await deps.database.transaction((tx) => audit({ deps, tx, actor }, 'list_exported', {}, { after }));
}

export async function readAudit(deps: Deps, query: output<typeof AuditQuery>) {
  const limit = query.limit ?? limits.auditPageDefaultRows;
  const rows = await deps.database.readOnReplica((reader) =>
    readAuditPage(reader, { ...query, limit: limit + 1 }),
  );
  return rows.map(({ entry, ...names }) => ({ ...entry, ...names }));
}
