import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { fillInBulk } from '#tests/bench/bulk-fill.ts';
import { rowsOf } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';

const server = await testServer();

const rowsEnough = 1_000;

/** How many rows of each table were read one after the other, of those tables that have many. */
async function rowsPassedOver(): Promise<Map<string, number>> {
  const rows = await rowsOf<{ name: string; read: string }>(
    server.database,
    sql`
      select stat.relname as name, stat.seq_tup_read as read
        from pg_stat_user_tables stat join pg_class on pg_class.oid = stat.relid
       where pg_class.reltuples >= ${rowsEnough}`,
  );
  return new Map(rows.map(({ name, read }) => [name, Number(read)]));
}

/** PostgreSQL counts what a session read when the session has been idle for a while, or when it is told to. */
const untilCounted = () =>
  server.database.read((reader) => reader.execute(sql`select pg_stat_force_next_flush()`));

it.skipIf(server.engine === 'postgres')(
  'what borrowers do most often finds its rows by index, however many there are',
  async () => {
    await fillInBulk(server.deps, { members: 2_000, loans: 2_000, withdrawals: 2_000 });
    await server.database.upkeep(async (session) => {
      await session.execute(sql`
        insert into audit_entries (action, target_type, target_id, created_at)
        select 'withdrawals_held', 'account', 1000000 + n, ${server.clock.now().toISOString()}::timestamptz
          from generate_series(1, 5000) n`);
      await session.execute(sql`vacuum (analyze) audit_entries`);
    });
    const bank = { bankName: 'Bank A', bankAccountNumber: '1234567890123' };
    const member = await server.registerBorrower();
    await member.updateProfile(bank);
    await server.fund(member.id, 50_000);
    await server.setCode(member.id);
    await untilCounted();
    const before = await rowsPassedOver();
    for (const table of [
      'accounts',
      'loans',
      'withdrawals',
      'ledger_entries',
      'audit_entries',
      'row_seals',
    ]) {
      expect([...before.keys()]).toContain(table);
    }

    const body = { ...bank, amount: '1000.00', otp: '123456' };
    const { token, phone, password } = member;
    await server.as(token).requestWithdrawal(body, { headers: { 'idempotency-key': 'one' } });
    await server.as(token).listOwnWithdrawals();
    await server.as(token).listOwnLoans();
    await server.as(token).readProfile();
    await server.as(token).listNotifications();
    await server.visitor.signIn({ phone, password });
    await untilCounted();
    expect(await rowsPassedOver()).toEqual(before);
  },
);
