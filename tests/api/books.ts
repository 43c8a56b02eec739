import { createHash } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { verifyBooks } from '#server/books/verify-run.ts';
import type { Deps } from '#server/deps.ts';
import type { Database } from '#server/platform/database/database.ts';
import type { LedgerEntry } from '#server/store/ledger-store.ts';
import { accounts, auditEntries, ledgerEntries, withdrawals } from '#server/store/schema.ts';

/** An account's ledger, oldest entry first. */
export function ledgerOf(database: Database, accountId: number): Promise<LedgerEntry[]> {
  return database.read((reader) =>
    reader
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.accountId, accountId))
      .orderBy(asc(ledgerEntries.sequence)),
  );
}

/** The audit log's entries of one action, oldest first. */
export function auditOf(database: Database, action: string) {
  return database.read((reader) =>
    reader.select().from(auditEntries).where(eq(auditEntries.action, action)).orderBy(asc(auditEntries.id)),
  );
}

/**
 * Expects every balance to be the sum of its ledger, every entry to continue the one before, and the chain of hashes
 * to be what the entries themselves give; and every withdrawal to have been debited once and, if rejected, refunded
 * once.
 */
export async function expectSoundBooks(database: Database): Promise<void> {
  const people = await database.read((reader) => reader.select().from(accounts));
  const movements: LedgerEntry[] = [];
  for (const account of people) {
    const entries = await ledgerOf(database, account.id);
    movements.push(...entries);
    let balance = 0;
    let hash = '';
    entries.forEach((entry, index) => {
      balance += entry.amountCentavos;
      expect(entry).toMatchObject({
        sequence: index + 1,
        balanceAfterCentavos: balance,
        previousHash: hash,
      });
      hash = hashOf(entry);
      expect(entry.hash).toBe(hash);
    });
    expect(account).toMatchObject({
      balanceCentavos: balance,
      ledgerSequence: entries.length,
      ledgerHash: hash,
    });
  }

  const requests = await database.read((reader) => reader.select().from(withdrawals));
  for (const { id, accountId, amountCentavos, status } of requests) {
    const own = movements.filter(({ withdrawalId }) => withdrawalId === id);
    const debit = { accountId, type: 'withdrawal', amountCentavos: -amountCentavos };
    const refund = { accountId, type: 'withdrawal_refund', amountCentavos };
    expect(own).toMatchObject(status === 'rejected' ? [debit, refund] : [debit]);
  }
}

/** The same, and `verify` finds nothing wrong. */
export async function expectBooksVerified(deps: Pick<Deps, 'database' | 'secrets'>): Promise<void> {
  await expectSoundBooks(deps.database);
  const { faults } = await verifyBooks(deps, () => undefined);
  expect(faults).toEqual([]);
}

/** The hash of an entry as `ledger-store.ts` describes it, computed by other means. */
export function hashOf(entry: LedgerEntry): string {
  const canonical = [
    entry.previousHash,
    entry.accountId,
    entry.sequence,
    entry.type,
    entry.amountCentavos,
    entry.balanceAfterCentavos,
    entry.actorId,
    entry.withdrawalId ?? '',
    entry.createdAt.toISOString(),
    entry.reason,
    ...(entry.loanEventId === null ? [] : [entry.loanEventId]),
  ].join('\n');
  return createHash('sha256').update(canonical).digest('hex');
}
