import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { denialReasons } from '#contract/wording/denial-reasons.ts';
import { noticesIn, wordNotice } from '#contract/wording/notices.ts';
import { limits } from '#domain/limits.ts';
import { odd, refused } from '#tests/setup/caller.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { auditOf, ledgerOf } from './books.ts';
import {
  applicant,
  apply,
  brokenBodies,
  jsonHeaders,
  recordOf,
  takeOverLoan,
  termsOf,
  tooFineAmounts,
  unreadableAmounts,
  unreadableTerms,
} from './lending.ts';

const server = await testServer({ engine: 'postgres' });

const lines = { accept: 'application/x-ndjson' };

const edit = (id: number, anyBody: unknown, headers: Record<string, string> = {}) =>
  server.main.updateLoan(id, odd(anyBody), { headers });

const listAll = (headers: Record<string, string> = {}) => server.main.listLoans(undefined, { headers });

const noticesOf = (token: string) => server.as(token).listNotifications();

/** Loans by the thousand, straight into the table. */
async function insertLoans(accountId: number, count: number): Promise<void> {
  await server.database.transaction((tx) =>
    tx.execute(sql`
      insert into loans (account_id, loan_number, amount_centavos, term_months, monthly_rate_basis_points,
                         monthly_payment_centavos, purpose, created_at, updated_at)
      select ${accountId}, 'MANY-' || n, 15000000, 12, 250, 1625000, 'A store', now(), now()
      from generate_series(1, ${count}::int) n`),
  );
}

describe('the borrowing list', () => {
  it('has every loan with its member, newest first', async () => {
    const maria = await server.verifiedBorrower();
    const juan = await server.verifiedBorrower({ fullName: 'Juan Dela Cruz' });
    const first = await apply(server, maria);
    const second = await apply(server, juan);
    await server.fund(maria.id, 500);
    await server.setCode(maria.id, '482913');
    const { body } = await listAll().answer();
    expect(body).toEqual([
      {
        ...recordOf(second),
        account: null,
        user: expect.objectContaining({ id: juan.id, fullName: 'Juan Dela Cruz', otpCode: null }),
      },
      {
        ...recordOf(first),
        account: null,
        user: {
          id: maria.id,
          fullName: 'Maria Clara Santos',
          email: 'maria@example.com',
          phone: maria.phone,
          balance: '500.00',
          otpCode: '482913',
          hasOtpCode: true,
          creditScore: 500,
          monthlySalary: '35000.00',
          isVerified: true,
        },
      },
    ]);
  });

  it('shows the staff’s default rate where none is stored', async () => {
    const { id } = await server.registerBorrower();
    await takeOverLoan(server, id);
    expect(await listAll()).toMatchObject([{ loanNumber: 'OLD-1', interestRate: 0.5, isRateAssumed: true }]);
  });

  it('is empty at first, also one row a line', async () => {
    expect(await listAll()).toEqual([]);
    const { text, headers } = await listAll(lines).answer();
    expect(text).toBe('');
    expect(headers['content-type']).toContain('application/x-ndjson');
  });

  it('has the same rows one a line, and codes in none of them', async () => {
    const borrower = await server.registerBorrower();
    await takeOverLoan(server, borrower.id);
    await server.setCode(borrower.id, '482913');
    const { text } = await listAll(lines).answer();
    const [row, ...more] = text.trimEnd().split('\n');
    expect(more).toEqual([]);
    expect(JSON.parse(row ?? '')).toMatchObject({
      loanNumber: 'OLD-1',
      user: { otpCode: null, hasOtpCode: true },
    });
  });

  it('shows codes in fifty rows and in no more', async () => {
    const borrower = await server.registerBorrower();
    await server.setCode(borrower.id, '482913');
    await insertLoans(borrower.id, 50);
    const codesIn = (rows: readonly StaffLoan[]) => new Set(rows.map(({ user }) => user.otpCode));
    expect(codesIn(await listAll())).toEqual(new Set(['482913']));
    await takeOverLoan(server, borrower.id);
    const { body } = await listAll().answer();
    expect(body).toHaveLength(51);
    expect(codesIn(body)).toEqual(new Set([null]));
  });

  it('shows no code that has expired', async () => {
    const borrower = await server.registerBorrower();
    await server.setCode(borrower.id, '482913');
    await takeOverLoan(server, borrower.id);
    server.clock.advance({ hours: 24 });
    const token = await server.signIn({ username: 'admin', password: 'a password for tests only' });
    expect((await server.as(token).listLoans())[0]?.user).toMatchObject({ otpCode: null, hasOtpCode: false });
  });

  it('is searched literally by number, purpose and member, and filtered by status', async () => {
    const maria = await server.verifiedBorrower();
    const juan = await server.verifiedBorrower({ fullName: 'Juan Dela Cruz' });
    const first = await apply(server, maria, { purpose: 'A 100% new Jeepney' });
    const second = await apply(server, juan);
    await edit(second.id, { status: 'Bank check' });
    const idsFor = async (query: Record<string, string>) => {
      return (await server.main.listLoans(query)).map(({ id }) => id);
    };
    const phone = maria.phone.replace(/^0/, '+63 ');
    for (const search of [first.loanNumber.toLowerCase(), '100% NEW', 'clara santos', phone])
      expect(await idsFor({ search }), search).toEqual([first.id]);
    expect(await idsFor({ search: 'dela cruz' })).toEqual([second.id]);
    for (const search of ['%%', 'a_j', 'zzz']) expect(await idsFor({ search })).toEqual([]);
    expect(await idsFor({ status: 'Bank check' })).toEqual([second.id]);
    expect(await idsFor({ status: 'bank_check', search: 'jeepney' })).toEqual([]);
    for (const all of ['', 'all'])
      expect(await idsFor({ status: all, search: '' })).toEqual([second.id, first.id]);
    for (const query of [{ status: '?' }, { search: 'x'.repeat(121) }, { search: 'a\u0000b' }])
      await refused(server.main.listLoans(query), 400);
  });

  it('is complete and in order when searched over many pages', async () => {
    const borrower = await server.registerBorrower();
    await insertLoans(borrower.id, limits.listPageRows * 2 + 1);
    await takeOverLoan(server, borrower.id);
    const { text } = await server.main.listLoans({ search: 'many-' }, { headers: lines }).success();
    const ids = text
      .trimEnd()
      .split('\n')
      .map((row) => JSON.parse(row).id);
    expect(ids).toHaveLength(limits.listPageRows * 2 + 1);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });

  it('is complete and in order over many pages', async () => {
    const borrower = await server.registerBorrower();
    await insertLoans(borrower.id, 1_000);
    await takeOverLoan(server, borrower.id);
    const { body } = await listAll().answer();
    expect(body).toHaveLength(1_001);
    const ids = body.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    const rows = (await listAll(lines).answer()).text.trimEnd().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual(body);
  });

  it('is complete when a page ends exactly with the list', async () => {
    const borrower = await server.registerBorrower();
    await insertLoans(borrower.id, 500);
    expect(await listAll()).toHaveLength(500);
    expect((await listAll(lines).answer()).text.trimEnd().split('\n')).toHaveLength(500);
  });

  it('is for staff', async () => {
    const borrower = await server.registerBorrower();
    await refused(server.visitor.listLoans(), 401);
    await refused(borrower.listLoans(), 403, { code: 'forbidden', message: 'Access denied' });
  });
});

describe('a status set by staff', () => {
  it('is stored, told to the borrower and logged', async () => {
    const { borrower, loan } = await applicant(server);
    server.clock.advance({ hours: 1 });
    const body = await edit(loan.id, { status: 'approved' });
    expect(body).toMatchObject({
      ...recordOf(loan),
      status: 'approved',
      updatedAt: '2026-03-10T05:00:00.000Z',
      user: { id: borrower.id },
    });
    expect(await borrower.listOwnLoans()).toMatchObject([{ id: loan.id, status: 'approved' }]);
    expect(await noticesOf(borrower.token)).toMatchObject([
      {
        type: 'loan_status_changed',
        title: 'Your loan is approved',
        message: 'Loan LN-2026-000001: Approved.\nNext, our staff will release the money.',
        details: { loanNumber: 'LN-2026-000001', status: 'Approved', statusCode: 'approved' },
      },
    ]);
    expect(await auditOf(server.database, 'loan_status_changed')).toMatchObject([
      {
        actorId: 3,
        ipAddress: '127.0.0.1',
        targetType: 'loan',
        targetId: loan.id,
        before: { status: 'pending' },
        after: { status: 'approved' },
      },
    ]);
    expect(await termsOf(server, loan.id)).toHaveLength(1);
  });

  it('carries a reason, which the borrower reads and the log does not hold', async () => {
    const { borrower, loan } = await applicant(server);
    const reason = 'Your payslip is older than three months';
    await edit(loan.id, { status: 'denied', reason: `  ${reason} ` });
    expect(await noticesOf(borrower.token)).toMatchObject([
      {
        title: 'Your loan was not approved',
        message: `Loan ${loan.loanNumber}: Denied.\nReason: ${reason}\nYou may apply again, or ask our staff about it.`,
        details: { statusCode: 'denied', reason },
      },
    ]);
    // To a status it has already, only the reason is new.
    await edit(loan.id, { status: 'denied', reason: 'Please bring a new one' });
    expect(await noticesOf(borrower.token)).toMatchObject([
      { details: { reason: 'Please bring a new one' } },
      {},
    ]);
    expect(await auditOf(server.database, 'loan_status_changed')).toMatchObject([
      { before: { status: 'pending' }, after: { status: 'denied', changed: ['reason'] } },
      { before: { status: 'denied' }, after: { status: 'denied', changed: ['reason'] } },
    ]);
    for (const empty of ['', '  ', null]) {
      await edit(loan.id, { status: 'account_issue', reason: empty });
    }
    expect((await noticesOf(borrower.token))[0]?.message).not.toContain('Reason');
    expect((await auditOf(server.database, 'loan_status_changed')).at(-1)?.after).toEqual({
      status: 'account_issue',
    });
  });

  it('stays a denial with its reason, for staff whatever follows and for the borrower while it stands', async () => {
    const { borrower, loan } = await applicant(server);
    const clerk = await server.createAdmin({ fullName: 'Ligaya Dizon' });
    const account = async () => (await server.main.readLoanAccount(loan.id)).loan;
    const own = async () => (await borrower.listOwnLoans())[0]?.denied;
    expect((await account())?.denials).toEqual([]);
    expect(await own()).toBeUndefined();
    await clerk.updateLoan(loan.id, { status: 'denied', reason: 'Your payslip is too old' });
    await edit(loan.id, { status: 'pending' });
    const first = { by: 'Ligaya Dizon', at: expect.any(String), reason: 'Your payslip is too old' };
    expect((await account())?.denials).toEqual([first]);
    expect(await own()).toBeUndefined();
    // The call takes none, as before.
    await edit(loan.id, { status: 'denied' });
    const second = { by: 'Main Admin', at: expect.any(String), reason: null };
    expect(await account()).toMatchObject({ reason: null, denials: [second, first] });
    expect(await own()).toEqual({ at: expect.any(String), reason: null });
    await edit(loan.id, { status: 'denied', reason: 'The salary is not confirmed' });
    // A later message about the loan does not hide it.
    await server.main.notifyMember({
      userId: borrower.id,
      title: 'About your loan',
      message: 'Call us.',
      type: 'loan_update',
    });
    expect(await own()).toEqual({ at: expect.any(String), reason: 'The salary is not confirmed' });
    await edit(loan.id, { status: 'approved' });
    expect((await account())?.denials.map(({ reason }) => reason)).toEqual([
      'The salary is not confirmed',
      null,
      'Your payslip is too old',
    ]);
  });

  it('is counted among what waits for those who may decide it', async () => {
    const counted = async (who: Pick<typeof server.main, 'readToday'>) =>
      (await who.readToday()).waiting.toDecide;
    const before = await counted(server.main);
    const { borrower } = await applicant(server);
    const clerk = await server.createAdmin();
    const owner = await server.createAdmin({ email: 'own.account@example.com' });
    await server.main.updateMember(borrower.id, { email: 'own.account+loan@example.com' });
    expect([await counted(server.main), await counted(clerk), await counted(owner)]).toEqual([
      before + 1,
      before + 1,
      before,
    ]);
  });

  it('chosen from the list is read in Filipino too', () => {
    const [english = '', filipino = ''] = Object.entries(denialReasons)[0] ?? [];
    const details = { loanNumber: 'LN-1', status: 'Denied', statusCode: 'denied' };
    const told = (reason: string) =>
      wordNotice(noticesIn('fil'), 'loan_status_changed', { ...details, reason }).message;
    expect(told(english)).toContain(`Dahilan: ${filipino}`);
    expect(told('Other words')).toContain('Dahilan: Other words');
  });

  it.each([
    ['too long', { status: 'denied', reason: 'x'.repeat(1001) }],
    ['no text', { status: 'denied', reason: 7 }],
    ['nothing that can be stored', { status: 'denied', reason: 'a\u0000b' }],
    ['without a status', { amount: 200_000, reason: 'As you asked' }],
  ])('is refused with a reason that is %s', async (_, body) => {
    const { id } = await server.registerBorrower();
    const loanId = await takeOverLoan(server, id);
    await refused(edit(loanId, body), 400, { errors: { reason: expect.any(String) } });
  });

  it('may be any word, in any order, stored in one form', async () => {
    const { id } = await server.registerBorrower();
    const loanId = await takeOverLoan(server, id);
    const words = [
      ['Account issue', 'account_issue'],
      ['  On HOLD ', 'on_hold'],
      ['completed', 'completed'],
      ['pending', 'pending'],
      ['Kumpleto-2', 'kumpleto-2'],
      ['ab', 'ab'],
      ['x'.repeat(40), 'x'.repeat(40)],
    ] as const;
    for (const [word, stored] of words) {
      expect((await edit(loanId, { status: word })).status).toBe(stored);
    }
  });

  it('is refused when it is not such a word', async () => {
    const { id } = await server.registerBorrower();
    const loanId = await takeOverLoan(server, id);
    const wrong = [
      '',
      ' ',
      'a',
      'x'.repeat(41),
      'a;b',
      'a/b',
      '<b>',
      'a\u0000b',
      '__',
      'ап',
      7,
      null,
      [],
      {},
      true,
    ];
    for (const status of wrong) {
      const { status: code, body } = await edit(loanId, { status }).answer();
      expect({ status, code, field: body.errors?.status }).toEqual({
        status,
        code: 400,
        field: 'A status has 2 to 40 letters, digits, spaces, dashes or underscores',
      });
    }
  });

  it('moves no money', async () => {
    const { borrower, loan } = await applicant(server);
    for (const status of ['approved', 'active', 'completed', 'denied']) await edit(loan.id, { status });
    expect((await borrower.readProfile()).balance).toBe('0.00');
    expect(await ledgerOf(server.database, borrower.id)).toEqual([]);
  });
});

describe('an amount or a term set by staff', () => {
  it('recomputes the instalment at the loan’s own rate, as a new version that the borrower is told about', async () => {
    const { borrower, loan } = await applicant(server);
    const { body } = await edit(loan.id, { amount: '200000.50', termMonths: 60 }).answer();
    expect(body).toMatchObject({
      amount: '200000.50',
      termMonths: 60,
      monthlyPayment: '8333.35',
      interestRate: 2.5,
      status: 'pending',
    });
    expect(await noticesOf(borrower.token)).toMatchObject([
      {
        type: 'loan_terms_changed',
        message:
          'Loan LN-2026-000001: ₱200,000.50 over 60 months, ₱8,333.35 a month. Please read the new version of your contract and accept it: we can release the money only after that.',
      },
    ]);
    expect(await auditOf(server.database, 'loan_terms_changed')).toMatchObject([
      {
        actorId: 3,
        targetId: loan.id,
        before: { amount: '150000.00', termMonths: 12, monthlyPayment: '16250.00', version: 1 },
        after: { amount: '200000.50', termMonths: 60, monthlyPayment: '8333.35', version: 2 },
      },
    ]);
    expect(await termsOf(server, loan.id)).toHaveLength(2);
  });

  it('makes no more versions of one contract than are kept', async () => {
    const { loan } = await applicant(server);
    for (let version = 2; version <= limits.contractVersionsMax; version += 1)
      await edit(loan.id, { amount: 100_000 + version });
    await refused(edit(loan.id, { termMonths: 7, status: 'active' }), 409, 'too_many_versions');
    expect(await termsOf(server, loan.id)).toHaveLength(limits.contractVersionsMax);
    expect(await edit(loan.id, { status: 'active' })).toMatchObject({
      status: 'active',
      termMonths: 12,
      amount: '100050.00',
    });
  });

  it('can be changed alone, or with the status', async () => {
    const { borrower, loan } = await applicant(server);
    expect(await edit(loan.id, { termMonths: 6 })).toMatchObject({
      amount: '150000.00',
      termMonths: 6,
      monthlyPayment: '28750.00',
    });
    expect(await edit(loan.id, { amount: 10_000_000 })).toMatchObject({
      amount: '10000000.00',
      termMonths: 6,
    });
    expect(await edit(loan.id, { amount: 0.03, termMonths: 7, status: 'active' })).toMatchObject({
      amount: '0.03',
      termMonths: 7,
      monthlyPayment: '0.01',
      status: 'active',
    });
    expect(await termsOf(server, loan.id)).toHaveLength(4);
    const types = (await noticesOf(borrower.token)).map(({ type }) => type);
    expect(types).toEqual([
      'loan_terms_changed',
      'loan_status_changed',
      'loan_terms_changed',
      'loan_terms_changed',
    ]);
  });

  it('uses the borrower’s default rate where none is stored, and starts with version 1', async () => {
    const borrower = await server.registerBorrower();
    const id = await takeOverLoan(server, borrower.id);
    expect(await edit(id, { termMonths: 24 })).toMatchObject({ monthlyPayment: '8000.00' });
    expect(await termsOf(server, id)).toMatchObject([{ version: 1, quote: { interestRate: 2.5 } }]);
    const contract = await borrower.readLoanContract(id);
    expect(contract.documentNumber).toBe('OLD-1-v1');
    const [listed] = await listAll();
    expect(listed).toMatchObject({ interestRate: 2.5, monthlyPayment: contract.quote.monthlyPayment });
    expect(listed?.isRateAssumed).toBeUndefined();
  });

  it('leaves no trace when nothing changes', async () => {
    const { borrower, loan } = await applicant(server);
    server.clock.advance({ hours: 1 });
    const same = { status: 'Pending', amount: '150000.00', termMonths: 12 };
    expect(await edit(loan.id, same)).toMatchObject({ id: loan.id, updatedAt: loan.updatedAt });
    expect(await borrower.listOwnLoans()).toEqual([loan]);
    expect(await termsOf(server, loan.id)).toHaveLength(1);
    expect(await noticesOf(borrower.token)).toEqual([]);
    expect(await auditOf(server.database, 'loan_terms_changed')).toEqual([]);
    expect(await auditOf(server.database, 'loan_status_changed')).toEqual([]);
  });

  it('is refused outside its range', async () => {
    const { borrower, loan } = await applicant(server);
    const amountMessage = 'Amount must be above zero and at most ₱10,000,000';
    const termMessage = 'Term must be 6 to 60 months';
    const wrong: [Record<string, unknown>, string][] = [
      [{ amount: 0 }, amountMessage],
      [{ amount: '0.00' }, amountMessage],
      [{ amount: 10_000_000.01 }, amountMessage],
      ...unreadableAmounts
        .filter(([, amount]) => amount !== undefined)
        .map(([, amount]) => [{ amount }, amountMessage] as [Record<string, unknown>, string]),
      ...tooFineAmounts.map(
        ([, amount]) => [{ amount }, 'Please give at most two decimals'] as [Record<string, unknown>, string],
      ),
      [{ termMonths: 5 }, termMessage],
      [{ termMonths: 61 }, termMessage],
      ...unreadableTerms
        .filter(([, termMonths]) => termMonths !== undefined)
        .map(
          ([, termMonths]) =>
            [{ termMonths }, 'Please give the term in whole months'] as [Record<string, unknown>, string],
        ),
      [{}, 'There is nothing to change in this request'],
      [{ interestRate: 1, userId: 5 }, 'There is nothing to change in this request'],
    ];
    for (const [body, message] of wrong) {
      const answer = await edit(loan.id, body).answer();
      expect({ body, status: answer.status, message: answer.body.message }).toEqual({
        body,
        status: 400,
        message,
      });
    }
    for (const [name, rawBody] of brokenBodies.filter(
      ([name]) => name !== 'a number that JSON does not have',
    )) {
      const answer = await server.main
        .updateLoan(loan.id, undefined, { rawBody, headers: jsonHeaders })
        .answer();
      expect({ name, status: answer.status }).toEqual({ name, status: 400 });
    }
    expect(await borrower.listOwnLoans()).toEqual([loan]);
  });

  it('keeps every version when edits come at once', async () => {
    const { borrower, loan } = await applicant(server);
    const terms = [7, 8, 9, 10, 11, 13, 14, 15];
    const answers = await Promise.all(terms.map((termMonths) => edit(loan.id, { termMonths }).answer()));
    expect(answers.map(({ status }) => status)).toEqual(terms.map(() => 200));
    const versions = await termsOf(server, loan.id);
    expect(versions.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const [current] = await borrower.listOwnLoans();
    expect(versions.at(-1)?.quote).toMatchObject({
      termMonths: current?.termMonths,
      monthlyPayment: current?.monthlyPayment,
    });
    expect(await auditOf(server.database, 'loan_terms_changed')).toHaveLength(terms.length);
  });

  it('happens once for one key, and the answer kept for it holds no code', async () => {
    const { borrower, loan } = await applicant(server);
    await server.setCode(borrower.id, '482913');
    const key = { 'idempotency-key': 'edit-1' };
    const first = await edit(loan.id, { termMonths: 24 }, key).answer();
    const second = await edit(loan.id, { termMonths: 24 }, key).answer();
    expect(second).toMatchObject({ status: 200, text: first.text });
    expect(first.body.user).toMatchObject({ otpCode: null, hasOtpCode: true });
    expect(await termsOf(server, loan.id)).toHaveLength(2);
    await refused(edit(loan.id, { termMonths: 25 }, key), 409, 'idempotency_key_reused');
  });

  it('is refused for an unknown loan, and for anybody but staff', async () => {
    const { borrower, loan } = await applicant(server);
    await refused(edit(999_999, { termMonths: 24 }), 404, 'not_found');
    await refused(borrower.updateLoan(loan.id, { status: 'approved' }), 403);
  });
});

describe('a deleted loan', () => {
  it('leaves every list and stays in the log; a second time it is not there', async () => {
    const { borrower, loan } = await applicant(server);
    const remove = () => server.main.deleteLoan(loan.id);
    expect(await remove()).toMatchObject({ message: 'Deleted' });
    await refused(remove(), 404);
    expect(await listAll()).toEqual([]);
    expect(await borrower.listOwnLoans()).toEqual([]);
    await refused(edit(loan.id, { status: 'approved' }), 404);
    expect(await auditOf(server.database, 'loan_deleted')).toMatchObject([
      {
        actorId: 3,
        targetId: loan.id,
        before: { loanNumber: 'LN-2026-000001', status: 'pending', amount: '150000.00', termMonths: 12 },
      },
    ]);
    expect(await termsOf(server, loan.id)).toHaveLength(1);
  });

  it('is deleted once when two delete it at once', async () => {
    const { loan } = await applicant(server);
    const answers = await Promise.all([1, 2, 3].map(() => server.main.deleteLoan(loan.id).answer()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await auditOf(server.database, 'loan_deleted')).toHaveLength(1);
  });
});

describe('what staff read of an application in its account', () => {
  const accountOf = (id: number) => server.main.readLoanAccount(id);

  it('is what an approval depends on', async () => {
    const borrower = await server.verifiedBorrower();
    const first = await apply(server, borrower);
    const second = await apply(server, borrower);
    await server.main.updateMember(borrower.id, {
      referencePhone: `${borrower.phone.slice(0, 4)} ${borrower.phone.slice(4)}`,
    });
    expect((await accountOf(second.id)).loan?.checks).toEqual({
      isActivated: false,
      isVerified: true,
      isOwnReference: true,
      undecided: [first.loanNumber],
      overdue: [],
    });
    await server.main.updateMember(borrower.id, { status: 'active', referencePhone: '09181234567' });
    await server.main.updateLoan(first.id, { status: 'approved' });
    await server.main.disburseLoan(first.id, { channel: 'recorded', date: '2025-08-01' });
    expect((await accountOf(second.id)).loan?.checks).toEqual({
      isActivated: true,
      isVerified: true,
      isOwnReference: false,
      undecided: [],
      overdue: [first.loanNumber],
    });
    expect((await borrower.readLoanAccount(second.id)).loan).toBeUndefined();
  });

  it('is who decided it, when and why', async () => {
    const borrower = await server.verifiedBorrower();
    const loan = await apply(server, borrower);
    expect((await accountOf(loan.id)).loan).toMatchObject({ decided: null, reason: null });
    const admin = await server.createAdmin();
    await admin.updateLoan(loan.id, { status: 'denied', reason: 'The payslip is too old' });
    const { loan: denied } = await accountOf(loan.id);
    expect(denied).toMatchObject({ reason: 'The payslip is too old' });
    expect(denied?.decided?.by).toBe('Ordinary Admin');
    expect(denied?.decided?.at).toBe(server.clock.now().toISOString());
    expect(denied?.checks).toBeUndefined();
    await admin.updateLoan(loan.id, { status: 'account_issue' });
    expect((await accountOf(loan.id)).loan).toMatchObject({
      reason: null,
      decided: { by: denied?.decided?.by },
    });
  });
});
