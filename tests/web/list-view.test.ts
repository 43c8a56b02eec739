import { describe, expect, it } from 'vitest';
import { applicant, apply, takeOverLoan, withdraw } from '#tests/api/lending.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditList } from '#web/panel/audit-page.tsx';
import { loanList, statusChoices } from '#web/panel/borrowing-page.tsx';
import { shownRows } from '#web/panel/lib/list-view.ts';
import { memberList } from '#web/panel/members-page.tsx';
import { withdrawalList } from '#web/panel/withdrawals-page.tsx';

const server = await testServer();
const anything = { search: '', status: '', sort: undefined };

async function members() {
  await server.registerBorrower({
    fullName: 'Ana Peña',
    phone: '+63 917 123 4567',
    email: 'ana@example.com',
  });
  await server.registerBorrower({ fullName: 'Bea Cruz', phone: '0918-765-4321' });
  return await server.main.listMembers();
}

const searches: Record<string, string[]> = {
  PEÑA: ['Ana Peña'],
  'ana@ex': ['Ana Peña'],
  '09171234567': ['Ana Peña'],
  '0917 123 4567': ['Ana Peña'],
  '+639187654321': ['Bea Cruz'],
  '918-765': ['Bea Cruz'],
  a: ['Bea Cruz', 'Ana Peña'],
  '%': [],
};

it('members are found by name, email, and phone however it is written', async () => {
  const list = await members();
  for (const [search, found] of Object.entries(searches)) {
    const rows = shownRows(list, memberList, { ...anything, search });
    expect(
      rows.map(({ fullName }) => fullName),
      search,
    ).toEqual(found);
  }
});

describe('the loans that are shown', () => {
  it('are found by number, purpose and status word, and sorted by amount and rate as numbers', async () => {
    const { borrower, loan: first } = await applicant(server, { amount: 1_000_000, purpose: 'A jeepney' });
    const second = await apply(server, borrower, { amount: 200_000 });
    await takeOverLoan(server, borrower.id);
    await server.main.updateLoan(second.id, { status: 'Bank check' });
    const loans = await server.main.listLoans();
    const numbers = (state: Partial<Parameters<typeof shownRows>[2]>) =>
      shownRows(loans, loanList, { ...anything, ...state }).map(({ loanNumber }) => loanNumber);
    expect(numbers({ search: first.loanNumber.toLowerCase() })).toEqual([first.loanNumber]);
    expect(numbers({ search: 'jeepney' })).toEqual([first.loanNumber]);
    expect(numbers({ search: 'bank check' })).toEqual([second.loanNumber]);
    expect(numbers({ status: 'bank_check' })).toEqual([second.loanNumber]);
    expect(numbers({ sort: { by: 'amount', descending: false } })).toEqual([
      'OLD-1',
      second.loanNumber,
      first.loanNumber,
    ]);
    // Without a stored rate it is the staff's 0.5 %.
    expect(numbers({ sort: { by: 'rate', descending: false } })[0]).toBe('OLD-1');
    expect(statusChoices(loans).slice(-2)).toEqual([
      { value: 'bank_check', label: 'Bank check' },
      { value: '!unagreed', label: 'Terms not agreed' },
    ]);
  });
});

describe('the entries of the log that are shown', () => {
  it('are found by actor, action, target and amount', async () => {
    const { id } = await server.registerBorrower();
    await server.fund(id, 50_000);
    const entries = await server.main.listAudit();
    const actions = (state: Partial<Parameters<typeof shownRows>[2]>) =>
      shownRows(entries, auditList, { ...anything, ...state }).map(({ action }) => action);
    expect(actions({ status: 'balance_changed' })).toEqual(['balance_changed']);
    expect(actions({ search: '₱50,000.00' })).toEqual(['balance_changed']);
    expect(actions({ search: 'balance changed' })).toEqual(['balance_changed']);
    expect(actions({ search: `account ${id}`, status: 'register' })).toEqual(['register']);
    expect(actions({ search: 'nobody did this' })).toEqual([]);
  });
});

describe('what the page keeps of the rows that it has, the server finds too', () => {
  const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

  const words = [
    'PEÑA',
    'pena',
    'ana  peña',
    '0917 123 4567',
    '+639187654321',
    '918-765',
    'D’Angelo',
    '%',
    '_',
  ];

  it.each(words)('of members, by %s', async (search) => {
    const list = await members();
    await server.registerBorrower({ fullName: "Carlo D'Angelo", phone: '0919 111 2222' });
    const all = await server.main.listMembers();
    expect(all.length).toBe(list.length + 1);
    const kept = shownRows(all, memberList, { ...anything, search });
    expect(idsOf(kept)).toEqual(idsOf(await server.main.listMembers({ search })));
  });

  it.each(['pending', 'active', 'suspended'])('of members, as %s', async (status) => {
    const [first] = await members();
    await server.main.updateMember(first?.id ?? 0, { status: 'suspended' });
    const kept = shownRows(await server.main.listMembers(), memberList, { ...anything, status });
    expect(idsOf(kept)).toEqual(idsOf(await server.main.listMembers({ status })));
  });

  it('of loans and withdrawals, by each status and by words of each column', async () => {
    const { borrower } = await applicant(server, { amount: 1_000_000, purpose: 'Isang dyípni' });
    const decided = await apply(server, borrower, { amount: 200_000 });
    await server.main.updateLoan(decided.id, { status: 'Bank check' });
    await takeOverLoan(server, borrower.id);
    await server.fund(borrower.id, 50_000);
    await withdraw(server, borrower, 5_000);
    const loans = await server.main.listLoans();
    const withdrawals = await server.main.listWithdrawals();
    const member = loans[0]?.user.fullName ?? '';
    for (const search of ['dyipni', 'DYÍPNI', 'old-1', decided.loanNumber, member.toLowerCase()]) {
      const kept = idsOf(shownRows(loans, loanList, { ...anything, search }));
      expect(kept, search).not.toEqual([]);
      expect(kept, search).toEqual(idsOf(await server.main.listLoans({ search })));
    }
    for (const status of ['pending', 'bank_check', 'active', 'completed']) {
      const kept = idsOf(shownRows(loans, loanList, { ...anything, status }));
      expect(kept, status).toEqual(idsOf(await server.main.listLoans({ status })));
    }
    for (const search of ['wd-', 'bank a', member]) {
      const kept = idsOf(shownRows(withdrawals, withdrawalList, { ...anything, search }));
      expect(kept, search).not.toEqual([]);
      expect(kept, search).toEqual(idsOf(await server.main.listWithdrawals({ search })));
    }
  });
});
