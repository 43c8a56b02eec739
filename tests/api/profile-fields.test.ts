import { eq, getTableColumns, inArray, is, sql } from 'drizzle-orm';
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { fieldsWith } from '#domain/profile.ts';
import * as schema from '#server/store/schema.ts';
import { confirmAll, messaging } from '#tests/setup/outbox.ts';
import { columns } from '#tests/setup/personal-columns.ts';
import { sampleProfile } from '#tests/setup/sample-profile.ts';
import { keepSteadyHouse } from '#tests/setup/steady-house.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { typedProfile } from '#web/lib/profile-fields.ts';
import { typedMember } from '#web/panel/member/member-form.ts';
import { apply } from './lending.ts';

// These rules hold for every field of the profile, those included that are added later.

const server = await testServer({ config: messaging() });

async function changesNoted() {
  const body = await server.main.listAudit();
  return body.filter(({ action }) => action === 'profile_updated' || action === 'member_updated');
}

describe('saving a form as it was opened', () => {
  it('changes nothing as the borrower', async () => {
    const borrower = await server.registerBorrower();
    const before = await borrower.updateProfile(sampleProfile);
    expect(before).toMatchObject(sampleProfile);
    const noted = await changesNoted();
    const after = await borrower.updateProfile(typedProfile(before));
    expect(after).toEqual(before);
    expect(await changesNoted()).toEqual(noted);
  });

  it('changes nothing as staff', async () => {
    const { id } = await server.registerBorrower();
    const before = await server.main.updateMember(id, sampleProfile);
    const noted = await changesNoted();
    const typed = typedMember(before);
    const after = await server.main.updateMember(id, { ...typed, expected: typed });
    expect(after).toEqual(before);
    expect(await changesNoted()).toEqual(noted);
  });
});

it('staff find a member by every field that is searched', async () => {
  const borrower = await server.registerBorrower();
  await borrower.updateProfile(sampleProfile);
  for (const name of fieldsWith('isSearched')) {
    const query = { search: sampleProfile[name].toUpperCase() };
    expect(
      (await server.main.listMembers(query)).map((member) => member.id),
      name,
    ).toEqual([borrower.id]);
  }
});

describe('an erasure', () => {
  const loansOf = (accountId: number) =>
    sql`(select ${schema.loans.id} from ${schema.loans} where ${schema.loans.accountId} = ${accountId})`;

  const complaintsOf = (accountId: number) =>
    sql`(select id from ${schema.complaints} where account_id = ${accountId})`;

  /** Reads what an account's personal columns store, as `table.column`. */
  async function personalValues(accountId: number): Promise<Map<string, unknown[]>> {
    const found = new Map<string, unknown[]>();
    for (const [name, table] of Object.entries(schema)) {
      const personal = columns[name]?.personal;
      if (!personal || !is(table, PgTable)) continue;
      const all: Record<string, PgColumn | undefined> = getTableColumns(table);
      const owner = name === 'accounts' ? all.id : all.accountId;
      const ofLoan = all.loanId && inArray(all.loanId, loansOf(accountId));
      const ofComplaint = all.complaintId && inArray(all.complaintId, complaintsOf(accountId));
      const ofAccount = owner ? eq(owner, accountId) : (ofLoan ?? ofComplaint);
      if (!ofAccount) throw new Error(`${name} does not say whose its rows are`);
      const rows: Record<string, unknown>[] = await server.database.read((reader) =>
        reader.select().from(table).where(ofAccount),
      );
      for (const column of personal) {
        const values = rows.map((row) => row[column]);
        const told = values.filter((value) => ![null, '', 'Erased member'].includes(value as string | null));
        found.set(`${name}.${column}`, told);
      }
    }
    return found;
  }

  /** A loan taken over and paid back with a transfer that has a proof, which another person confirms; one was refused. */
  /** Keeps the reference of a line that is the loan's next instalment, and not recorded yet. */
  async function readStatementOf(loanId: number): Promise<void> {
    const { loanNumber, account } = await server.main.readLoanAccount(loanId);
    const date = manilaDate(server.clock.now());
    const line = { date, amount: account.nextDueAmount, reference: 'S 0001', text: `Loan ${loanNumber}` };
    const { lines } = await server.main.readStatement({ channel: 'gcash', account: 'Main', lines: [line] });
    expect(lines).toMatchObject([{ match: 'matched', loanId }]);
  }

  async function payOff(loanId: number): Promise<void> {
    const token = await server.signInMainAdmin();
    await server.main.updateLoan(loanId, { status: 'approved' });
    await server.main.disburseLoan(loanId, { channel: 'recorded', reference: 'Cheque 0001' });
    await readStatementOf(loanId);
    const helper = await server.createAdmin();
    const { url } = await server.upload(token);
    const reason = 'At the counter';
    const cash = { amount: 100_000, channel: 'cash' as const, reason };
    await server.main.recordPayment(loanId, cash);
    const [waiting] = await server.main.listApprovals();
    await helper.decideApproval(waiting?.id ?? 0, { decision: 'rejected', reason });
    const body = await server.main.recordPayment(loanId, {
      amount: 150_000,
      channel: 'gcash',
      reference: 'G 0001',
      reason,
      proofUrl: url,
      settlement: true,
    });
    const id = 'id' in body ? body.id : 0;
    await helper.updatePayment(id, { status: 'confirmed', note: 'Seen on our statement' });
  }

  it('reaches every personal column', async () => {
    const borrower = await server.verifiedBorrower();
    const { id, token } = borrower;
    await server.as(token).updateProfile(sampleProfile);
    await confirmAll(server, borrower);
    const loan = await apply(server, borrower);
    await server.fund(id, 5_000);
    const otp = await server.setCode(id);
    const { bankName, bankAccountNumber } = sampleProfile;
    const withdrawal = await borrower.requestWithdrawal(
      { amount: 5_000, bankName, bankAccountNumber, otp },
      { headers: { 'idempotency-key': 'all-of-it' } },
    );
    await server.main.updateWithdrawal(withdrawal.id, { status: 'completed', bankReference: 'B 0001' });
    await payOff(loan.id);
    await server.main.recordContact(loan.id, { channel: 'call', outcome: 'incoming', note: 'Asked when' });
    await server.as(token).complain({ category: 'other', message: 'A question' });
    await server.main.updateMember(id, { password: 'issued word' });
    await server.signIn({ phone: borrower.phone, password: 'issued word' });
    await server.setCode(id);
    // The old address is told of the new one, and a code to confirm that is on its way.
    server.clock.set(new Date(server.clock.now().getTime() + 61_000));
    await server.main.updateMember(id, { email: 'new@example.com' });
    const again = await server.signIn({ phone: borrower.phone, password: 'issued word' });
    await server.as(again).sendEmailCode();
    // These are a staff member's columns, and one of somebody taken over from older books, as if
    // this account had been both.
    const secondStep = { secondStepSealed: 'sealed', recoveryCodes: ['hash'] };
    await server.database.transaction((tx) =>
      tx
        .update(schema.accounts)
        .set({ ...secondStep, oldNumber: 'M-1' })
        .where(eq(schema.accounts.id, id)),
    );

    const unfilled = [...(await personalValues(id))].filter(([, values]) => values.length === 0);
    expect(unfilled, 'so that the test proves something of each').toEqual([]);

    await server.main.deleteUser(id);
    const closed = await personalValues(id);
    for (const name of fieldsWith('isErasedAtClosing')) expect(closed.get(`accounts.${name}`)).toEqual([]);

    const end = new Date(server.clock.now());
    end.setUTCFullYear(end.getUTCFullYear() + limits.closedAccountKeptYears);
    server.clock.set(end);
    await keepSteadyHouse(server.deps);
    const left = [...(await personalValues(id))].filter(([, values]) => values.length > 0);
    expect(left).toEqual([]);
  });
});
