import { describe, expect, it } from 'vitest';
import { type CsvColumn, csvPieces } from '#contract/csv.ts';
import { applicant, withdraw } from '#tests/api/lending.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditCsv } from '#web/panel/audit-page.tsx';
import { loanCsv } from '#web/panel/borrowing-page.tsx';
import { memberCsv } from '#web/panel/members-page.tsx';
import { withdrawalCsv } from '#web/panel/withdrawals-page.tsx';

const server = await testServer();

const code = '731209';
const issued = 'issued-by-staff';
const account = '1234567890123';

/** The lists as the server has them for staff: a member with every secret, a loan, a withdrawal. */
async function books() {
  const { borrower } = await applicant(server);
  await server.fund(borrower.id, 5_000);
  await withdraw(server, borrower);
  await server.main.updateMember(borrower.id, { password: issued, otpCode: code });
  return {
    members: await server.main.listMembers(),
    loans: await server.main.listLoans(),
    withdrawals: await server.main.listWithdrawals(),
    audit: await server.main.listAudit(),
  };
}

const fileOf = <Item>(columns: readonly CsvColumn<Item>[], items: readonly Item[]) =>
  [...csvPieces(columns, items)].join('');

describe('an export of the panel', () => {
  it('never carries a code, a password, a bank account or a photo’s address', async () => {
    const { members, loans, withdrawals, audit } = await books();
    // They are in what the file is made of: leaving them out is the columns' doing.
    for (const secret of [account, issued, code]) expect(JSON.stringify(members)).toContain(secret);
    const files = [
      fileOf(memberCsv, members),
      fileOf(loanCsv, loans),
      fileOf(withdrawalCsv, withdrawals),
      fileOf(auditCsv, audit),
    ];
    for (const file of files) {
      expect(file.split('\r\n').length).toBeGreaterThan(2);
      expect(file).not.toMatch(new RegExp(`${code}|482913|${issued}|${account}|/api/files/`));
    }
    expect(files[2]).toContain('"···· 0123"');
  });

  it('writes times as the panel does, in Manila', async () => {
    // 03:30 of the eleventh there.
    server.clock.advance({ hours: 15, minutes: 30 });
    const { members, loans, withdrawals, audit } = await books();
    const [params] = withdrawals;
    const sent = await server.main.updateWithdrawal(params?.id ?? 0, { status: 'completed' });
    const files = [
      fileOf(memberCsv, members),
      fileOf(loanCsv, loans),
      fileOf(withdrawalCsv, [sent]),
      fileOf(auditCsv, audit),
    ];
    for (const file of files) {
      expect(file).toContain('"11 Mar 2026, 03:30"');
      expect(file).not.toMatch(/\d{4}-\d\d-\d\d|Z"/);
    }
    expect(files[2]).toContain('"Completed","11 Mar 2026, 03:30","11 Mar 2026, 03:30"');
  });

  it('names the status as the panel does, and leaves amounts as numbers', async () => {
    const { members, loans, withdrawals, audit } = await books();
    expect(fileOf(memberCsv, members)).toContain('"Pending","yes","4000.00","500"');
    expect(fileOf(loanCsv, loans)).toContain('"150000.00","12","2.5","16250.00","Pending"');
    expect(fileOf(withdrawalCsv, withdrawals)).toContain('"1000.00","Bank A"');
    expect(fileOf(auditCsv, audit)).toContain('balance: ₱0.00 → ₱5,000.00');
  });
});
