import { and, eq, getTableColumns, isNull, lt, sql } from 'drizzle-orm';
import { limits } from '#domain/limits.ts';
import { loanStatusesWith } from '#domain/loan.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { eventColumns } from './loan-event-store.ts';
import { keptColumns } from './loan-store.ts';
import { hasUnagreedTerms } from './loan-terms-store.ts';
import { packed, packedRow, packedRows } from './packed-columns.ts';
import { loanEvents, loanPositions, loans, loanTerms, notifications, oneOf } from './schema.ts';

/** A frozen quote for lists: figures and due dates, without the schedule's amounts. */
const shortQuote = sql<Record<string, unknown>>`${loanTerms.quote} - 'schedule'`.mapWith(loanTerms.quote);
const dueDates = sql<unknown>`jsonb_path_query_array(${loanTerms.quote}, '$.schedule[*].dueDate')`.mapWith(
  loanTerms.quote,
);

const disbursedTermsOf = sql`from ${loanTerms} where ${loanTerms.loanId} = ${loans.id} and ${loanTerms.version} = ${loanPositions.termsVersion}`;

/** The newest notice to the borrower about the status of a loan that was turned down. */
const toldOf = sql`from ${notifications}
  where ${loans.status} in (${oneOf(loanStatusesWith('isTurnedDown'))}) and ${notifications.accountId} = ${loans.accountId}
    and ${notifications.type} = 'loan_status_changed' and ${notifications.details} ->> 'loanNumber' = ${loans.loanNumber}
  order by ${notifications.id} desc limit 1`;

const ownLoans = prepared((reader) =>
  reader
    .select({
      loan: packed(keptColumns),
      terms: { version: loanTerms.version, quote: shortQuote, dueDates },
      isUnagreed: hasUnagreedTerms,
      position: loanPositions,
      events: packedRows(
        eventColumns,
        sql`from ${loanEvents} where ${loanEvents.loanId} = ${loanPositions.loanId}`,
        sql`${loanEvents.sequence}`,
      ),
      disbursedTerms: packedRow(getTableColumns(loanTerms), disbursedTermsOf),
      told: packedRow({ details: notifications.details, createdAt: notifications.createdAt }, toldOf),
    })
    .from(loans)
    .leftJoin(loanPositions, eq(loanPositions.loanId, loans.id))
    .leftJoin(
      loanTerms,
      and(
        eq(loanTerms.loanId, loans.id),
        eq(loanTerms.version, sql`(select max(t.version) from ${loanTerms} t where t.loan_id = ${loans.id})`),
      ),
    )
    .where(
      and(
        eq(loans.accountId, sql.placeholder('accountId')),
        lt(loans.id, sql.placeholder('before')),
        isNull(loans.deletedAt),
      ),
    )
    // The index is declared `desc nulls last`; a plain `desc` means nulls first and would not use it.
    .orderBy(sql`${loans.id} desc nulls last`)
    .limit(limits.ownListMaxRows + 1),
);

/**
 * Reads an account's loans, newest first, without deleted ones. Each has its newest frozen quote in short, or null, and the rows
 * that its account is folded from, or null before a release. It is one statement, since Home asks for it at each visit.
 */
export const readOwnLoans = (reader: Reader, accountId: number, before = Number.MAX_SAFE_INTEGER) =>
  ownLoans(reader, { accountId, before });
