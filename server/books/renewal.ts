import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { audit } from '#server/services/audit-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import {
  eraseEventTexts,
  hashesOf,
  type LoanEventRow,
  readLoanEventsOfAll,
  readLoanPositions,
  rehashEvents,
} from '#server/store/loan-event-store.ts';
import {
  noteNewRows,
  noteSeals,
  sealFields,
  updateEachSealed,
  updateSealed,
} from '#server/store/row-seal-store.ts';
import {
  accounts,
  approvals,
  auditEntries,
  files,
  loanEvents,
  loanPositions,
  loans,
  payments,
  presentFormat,
  rowSeals,
} from '#server/store/schema.ts';
import { entryLine } from './audit-seals.ts';
import { wrongInChain } from './verify-store.ts';

const rowsAtATime = 500;
const loansAtATime = 20;

/**
 * Hashes and seals anew what an earlier version wrote in format 1. Each step is whole, and a start that was cut short is
 * taken up by the next one. What did not fit its hash or its seal stays as it is, for `verify` to name.
 */
export async function renewBooks(deps: Deps): Promise<void> {
  const ofLoans = await eachPage(deps, renewLoans);
  const ofPayments = await eachPage(deps, renewRowsOf(payments));
  const ofApprovals = await eachPage(deps, renewRowsOf(approvals));
  const ofFiles = await eachPage(deps, sealFiles);
  const ofEntries = await eachPage(deps, renewEntries);
  if (ofLoans + ofPayments + ofApprovals + ofFiles + ofEntries === 0) return;
  const after = {
    ...{ loans: ofLoans, payments: ofPayments, approvals: ofApprovals },
    ...{ files: ofFiles, entries: ofEntries },
  };
  await deps.database.transaction((tx) => audit(deps, tx, serverConsole, { action: 'books_renewed', after }));
  deps.log.warn(after, 'rows of an earlier version were hashed and sealed anew');
}

type Page = { last: number | undefined; renewed: number };

/** Answers how many rows were made anew. */
async function eachPage(deps: Deps, renew: (deps: Deps, tx: Tx, after: number) => Promise<Page>) {
  let total = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after;
    const { last, renewed } = await deps.database.transaction((tx) => renew(deps, tx, from));
    total += renewed;
    after = last;
  }
  return total;
}

async function renewLoans(deps: Deps, tx: Tx, after: number): Promise<Page> {
  const isOld = and(eq(loanEvents.format, 1), gt(loanEvents.loanId, after));
  const page = await tx
    .selectDistinct({ id: loanEvents.loanId })
    .from(loanEvents)
    .where(isOld)
    .orderBy(asc(loanEvents.loanId))
    .limit(loansAtATime);
  const ids = page.map(({ id }) => id);
  if (ids.length === 0) return { last: undefined, renewed: 0 };
  await tx.select({ id: loans.id }).from(loans).where(inArray(loans.id, ids)).orderBy(loans.id).for('update');
  const events = await readLoanEventsOfAll(tx, ids);
  const rehashed: LoanEventRow[] = [];
  let renewed = 0;
  for (const { loanId, eventHash } of await readLoanPositions(tx, ids)) {
    const own = events.filter((event) => event.loanId === loanId);
    const isSound =
      own.at(-1)?.hash === eventHash && own.every((event, at) => !wrongInChain(event, own[at - 1]));
    if (!isSound) {
      deps.log.warn({ loanId }, 'the events of a loan are not as they were written: npm run verify');
      continue;
    }
    let hash = '';
    for (const event of own) {
      const made = { ...event, ...hashesOf(event, hash) };
      rehashed.push(made);
      hash = made.hash;
    }
    await updateSealed(tx, loanPositions, loanId, { eventHash: hash });
    await audit(deps, tx, serverConsole, {
      action: 'events_rehashed',
      on: { loan: loanId },
      before: { hash: eventHash },
      after: { hash, events: own.length },
    });
    renewed += 1;
  }
  await rehashEvents(tx, rehashed);
  const ofErased = await tx
    .select({ id: loans.id })
    .from(loans)
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .where(and(inArray(loans.id, ids), isNotNull(accounts.erasedAt)));
  await eraseEventTexts(
    tx,
    ofErased.map(({ id }) => id),
  );
  return { last: ids.at(-1), renewed };
}

/** One that does not fit its seal is left with it (`sealingRows`). */
const renewRowsOf =
  (table: typeof payments | typeof approvals) =>
  async (_: Deps, tx: Tx, after: number): Promise<Page> => {
    const page = await tx
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.format, 1), gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(rowsAtATime)
      .for('update');
    const ids = page.map(({ id }) => id);
    await updateEachSealed(tx, table, inArray(table.id, ids), { format: presentFormat });
    return { last: ids.at(-1), renewed: ids.length };
  };

/** Files were not sealed in format 1: they are taken as they are. */
async function sealFiles(_: Deps, tx: Tx, after: number): Promise<Page> {
  const { number, format } = files;
  const page = await tx
    .select({ number, sealed: rowSeals.id })
    .from(files)
    .leftJoin(rowSeals, and(eq(rowSeals.tableName, 'files'), eq(rowSeals.rowId, number)))
    .where(and(eq(format, 1), gt(number, after)))
    .orderBy(asc(number))
    .limit(rowsAtATime);
  const unsealed = page.filter(({ sealed }) => sealed === null).map((file) => file.number);
  await tx.update(files).set({ format: presentFormat }).where(inArray(number, unsealed));
  noteNewRows(tx, 'files', unsealed);
  return { last: page.at(-1)?.number, renewed: unsealed.length };
}

/**
 * Takes the references out of the log that an earlier version wrote into it: the payment and the event keep them, and they go
 * with the person from there. One that does not fit its seal is left as it is.
 */
async function renewEntries(_: Deps, tx: Tx, after: number): Promise<Page> {
  const { rows } = await tx.execute<{ id: string; fits: boolean }>(sql`
    with old as (
      select * from audit_entries
       where after ? 'reference' and id > ${after}::bigint
       order by id
       limit ${rowsAtATime}::int
    ), covering as materialized (
      select last_id, chr(10) || entry_hashes || chr(10) as lines
        from audit_seals
       where last_id >= (select min(id) from old) and first_id <= (select max(id) from old)
    )
    select id, coalesce(strpos(lines, chr(10) || ${entryLine} || chr(10)) > 0, true) as fits
      from old
      left join lateral (select lines from covering where last_id >= old.id order by last_id limit 1) seal on true
     order by id`);
  const fitting = rows.filter(({ fits }) => fits).map(({ id }) => Number(id));
  const renewed = await tx
    .update(auditEntries)
    .set({ after: sql`${auditEntries.after} - 'reference'` })
    .where(and(inArray(auditEntries.id, fitting), sql`${auditEntries.after} ? 'reference'`))
    .returning({
      ...sealFields('audit_entries'),
      sealBefore: sql<null>`null`,
      sealFound: sql<null>`null`,
    });
  noteSeals(tx, 'audit_entries', renewed);
  const last = rows.at(-1);
  return { last: last && Number(last.id), renewed: renewed.length };
}
