import { and, asc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { limits } from '#domain/limits.ts';
import { factsOf, profileFieldNames } from '#domain/profile.ts';
import { hasLetterOrDigit, plainNumber, plainText } from '#domain/text.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { audit } from '#server/services/audit-service.ts';
import { serverConsole } from '#server/services/first-start-service.ts';
import {
  type Account,
  type AccountChange,
  changeAccount,
  derivedColumns,
  findAccountsByPhone,
  profileColumn,
} from '#server/store/account-store.ts';
import {
  eraseEventTexts,
  hashesOf,
  readLoanEvents,
  readLoanPositions,
  rehashEvents,
  wrongInChain,
} from '#server/store/loan-event-store.ts';
import { listOf } from '#server/store/many-rows.ts';
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
  withdrawals,
} from '#server/store/schema.ts';
import {
  noteNewRows,
  noteSeals,
  updateEachSealed,
  updateSealed,
  writtenAnew,
} from '#server/store/sealed-rows.ts';
import { entryLine } from './audit-seals.ts';

const rowsAtATime = 500;
const loansAtATime = 20;

/**
 * Hashes and seals again what an earlier version wrote. Each step is atomic, and the next start continues
 * an interrupted one. A row that did not fit its hash or seal stays as it is, for `verify` to name.
 */
export async function renewBooks(deps: Deps): Promise<void> {
  const parts = {
    accounts: renewAccounts,
    loans: renewLoans,
    payments: renewPayments,
    approvals: renewApprovals,
    files: sealFiles,
    withdrawals: noteCompletions,
    entries: renewEntries,
  };
  const after: Record<string, number> = {};
  for (const [name, renew] of Object.entries(parts)) after[name] = await eachPage(deps, renew);
  if (Object.values(after).every((count) => count === 0)) return;
  await deps.database.transaction((tx) =>
    audit({ deps, tx, actor: serverConsole }, 'books_renewed', {}, { after }),
  );
  deps.log.warn(after, 'rows of an earlier version were hashed and sealed anew');
}

type Page = { last: number | undefined; renewed: number };

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

/** Texts and numbers as they are kept now (§text), with what is compared and searched by them. */
async function renewAccounts(deps: Deps, tx: Tx, after: number): Promise<Page> {
  const page = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.format, 1), gt(accounts.id, after)))
    .orderBy(asc(accounts.id))
    .limit(rowsAtATime)
    .for('update');
  if (page.length === 0) return { last: undefined, renewed: 0 };
  for (const account of page) {
    const change = presentTexts(account);
    const key = phoneKey(account.phone);
    // Nobody becomes the main admin by how their number was written.
    if (account.phoneKey !== null && key !== account.phoneKey && key !== limits.mainAdminPhone)
      Object.assign(change, { phoneKey: key, phoneShare: await shareOf(deps, tx, account, key) });
    if (Object.keys(change).length > 0) await changeAccount(tx, account.id, change);
    Object.assign(account, change);
  }
  const searchTexts = page.map((account) =>
    account.erasedAt === null ? derivedColumns(account).searchText : account.searchText,
  );
  const ids = page.map(({ id }) => id);
  await tx.execute(sql`
    update accounts set format = ${presentFormat}::int, search_text = given.search_text
      from unnest(${listOf(ids, 'bigint')}, ${listOf(searchTexts, 'text')}) given (id, search_text)
     where accounts.id = given.id`);
  return { last: ids.at(-1), renewed: ids.length };
}

/** The texts of an account that change. A text that shows nothing becomes empty, so the app asks for it again. */
function presentTexts(account: Account): AccountChange {
  const change: Record<string, string | null> = {};
  if (account.erasedAt !== null) return change;
  for (const name of profileFieldNames) {
    const { kind } = factsOf(name);
    const stored = account[profileColumn[name]];
    if (typeof stored !== 'string' || stored === '' || kind === 'email') continue;
    const text =
      kind === 'phone' || kind === 'accountNumber' ? plainNumber(stored) : plainText(stored).trim();
    const kept = hasLetterOrDigit(text) ? text : name === 'fullName' ? '' : null;
    if (kept !== stored) change[profileColumn[name]] = kept;
  }
  const phone = plainNumber(account.phone);
  if (phone !== account.phone && hasLetterOrDigit(phone) && phone !== limits.mainAdminPhone)
    change.phone = phone;
  return change;
}

/** Other accounts may have this number already: all of them keep it, and staff are told (§shared-numbers). */
async function shareOf(deps: Deps, tx: Tx, account: Account, key: string): Promise<number> {
  const others = await findAccountsByPhone(tx, key);
  if (others.length === 0) return 0;
  const alone = others.filter(({ phoneShare }) => phoneShare === 0);
  for (const other of alone) await changeAccount(tx, other.id, { phoneShare: other.id });
  const act = { deps, tx, actor: serverConsole };
  for (const one of [...alone, account]) {
    const sharedWith = [...others, account].map(({ id }) => id).filter((id) => id !== one.id);
    await audit(act, 'phone_shared', { account: one.id }, { after: { sharedWith } });
  }
  return account.id;
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
  const events = await readLoanEvents(tx, ids);
  const rehashed: Parameters<typeof rehashEvents>[1][number][] = [];
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
      const hashes = hashesOf(event, hash);
      // The statement gets no texts: a database may log what a failed one was sent.
      rehashed.push({ loanId, sequence: event.sequence, ...hashes });
      hash = hashes.hash;
    }
    await updateSealed(tx, loanPositions, loanId, { eventHash: hash });
    const act = { deps, tx, actor: serverConsole };
    const rehashedTo = { hash, events: own.length };
    await audit(act, 'events_rehashed', { loan: loanId }, { before: { hash: eventHash }, after: rehashedTo });
    renewed += 1;
  }
  await rehashEvents(tx, rehashed);
  const ofErased = await tx
    .select({ id: loans.id })
    .from(loans)
    .innerJoin(accounts, eq(accounts.id, loans.accountId))
    .where(and(inArray(loans.id, ids), isNotNull(accounts.erasedAt)));
  const erased = ofErased.map(({ id }) => id);
  await eraseEventTexts(tx, erased);
  return { last: ids.at(-1), renewed };
}

/** A row that does not fit its seal keeps it (`sealingRows`). */
const renewRowsOf =
  <Table extends typeof payments | typeof approvals | typeof withdrawals>(
    table: Table,
    isOld: SQL | undefined,
    change: PgUpdateSetSource<Table>,
  ) =>
  async (_: Deps, tx: Tx, after: number): Promise<Page> => {
    const page = await tx
      .select({ id: table.id })
      .from<PgTable>(table)
      .where(and(isOld, gt(table.id, after)))
      .orderBy(asc(table.id))
      .limit(rowsAtATime)
      .for('update');
    const ids = page.map(({ id }) => Number(id));
    await updateEachSealed(tx, table, inArray(table.id, ids), change);
    return { last: ids.at(-1), renewed: ids.length };
  };

const renewPayments = renewRowsOf(payments, eq(payments.format, 1), { format: presentFormat });
const renewApprovals = renewRowsOf(approvals, eq(approvals.format, 1), { format: presentFormat });

/** Nothing but the bank's reference was written to a sent one since, and that moved no moment. */
const noteCompletions = renewRowsOf(
  withdrawals,
  and(eq(withdrawals.status, 'completed'), isNull(withdrawals.completedAt)),
  { completedAt: sql`${withdrawals.updatedAt}` },
);

/** Files had no seal in format 1: they are taken as they are. */
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
 * Removes the references that an earlier version wrote to the log: payment and event have them, and lose them with the
 * person. An entry that does not fit its seal is left as it is.
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
    .returning(writtenAnew(auditEntries));
  noteSeals(tx, 'audit_entries', renewed);
  const last = rows.at(-1);
  return { last: last && Number(last.id), renewed: renewed.length };
}
