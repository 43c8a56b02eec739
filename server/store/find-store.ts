import { and, eq, inArray, isNull, not, or, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Reader } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { accounts, loans } from './schema.ts';

/** The members and loans that somebody named by a whole number. */
export type Named = { accountIds: number[]; loanIds: number[] };

const ownNumber = /^(?:LN)?[\s-]*(\d{4})[\s-]+(\d{1,9})$|^LN[\s-]*(\d{4})(\d{6,9})$/i;
const serialAlone = /^LN[\s-]*(\d{1,6})$/i;
const padded = (serial: string) => serial.padStart(6, '0');

/** Writes a loan's number as it is kept, where somebody typed it without its letters, dashes or zeros; else as it is typed. */
export function loanNumberOf(typed: string): string {
  const [, year, serial, yearJoined, serialJoined] = ownNumber.exec(typed) ?? [];
  if (year && serial) return `LN-${year}-${padded(serial)}`;
  if (yearJoined && serialJoined) return `LN-${yearJoined}-${serialJoined}`;
  const [, alone] = serialAlone.exec(typed) ?? [];
  return alone ? `-${padded(alone)}` : typed;
}

/**
 * Members by their phone in any spelling or their old number, loans by their number, new or old. Undefined if there are none:
 * what was typed is then searched for. Indexes alone are read, so that a counter finds at once.
 */
export async function readNamed(reader: Reader, typed: string): Promise<Named | undefined> {
  const people = await reader
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        or(eq(accounts.phoneKey, phoneKey(typed)), eq(accounts.oldNumber, typed)),
        not(accounts.isAdmin),
        isNull(accounts.deletedAt),
      ),
    );
  const found = await reader
    .select({ id: loans.id })
    .from(loans)
    .where(
      and(
        or(eq(loans.loanNumber, loanNumberOf(typed).toUpperCase()), eq(loans.oldNumber, typed)),
        isNull(loans.deletedAt),
      ),
    );
  const [accountIds, loanIds] = [people, found].map((rows) => rows.map(({ id }) => id));
  return accountIds && loanIds && accountIds.length + loanIds.length > 0
    ? { accountIds, loanIds }
    : undefined;
}

/** True for rows of a member or of a loan that was named. */
export const isOfNamed = (
  named: Named | undefined,
  { accountId, loanId }: { accountId: PgColumn; loanId: PgColumn },
): SQL | undefined => named && or(inArray(accountId, named.accountIds), inArray(loanId, named.loanIds));
