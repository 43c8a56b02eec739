import { asc, eq } from 'drizzle-orm';
import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { Loan } from '#contract/loan.ts';
import { centavos } from '#domain/money.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { loans, loanTerms } from '#server/store/schema.ts';
import { fullProfile, type TestBorrower, type TestServer } from '#tests/setup/test-server.ts';

/** An application that fulfils every rule. */
export const application = { amount: 150_000, purpose: 'Stock for a small store', termMonths: 12 };

/** Applies as this borrower and answers the loan. */
export async function apply(
  server: TestServer,
  { token }: TestBorrower,
  fields: Partial<typeof application> = {},
) {
  return await server.as(token).applyForLoan({ ...application, ...fields });
}

/** A borrower with everything that a loan asks for, who has applied for one. */
export async function applicant(
  server: TestServer,
  fields?: Partial<typeof application>,
  profile?: Parameters<TestServer['verifiedBorrower']>[0],
) {
  const borrower = await server.verifiedBorrower(profile);
  const loan = await apply(server, borrower, fields);
  return { borrower, loan, id: loan.id, loanNumber: loan.loanNumber };
}

/** The same, approved. */
export async function approvedApplication(server: TestServer, fields?: Partial<typeof application>) {
  const applied = await applicant(server, fields);
  await server.main.updateLoan(applied.id, { status: 'approved' });
  return applied;
}

/** Approves a loan and releases it, into the wallet unless told otherwise. */
export async function releaseLoan(
  server: TestServer,
  { id }: { id: number },
  body: { channel: 'wallet' | 'recorded' | 'direct'; date?: string; reference?: string } = {
    channel: 'wallet',
  },
): Promise<void> {
  await server.main.updateLoan(id, { status: 'approved' });
  await server.main.disburseLoan(id, body);
}

type Paid = Sent<typeof api.recordPayment, 'body'>;

/** A loan that was disbursed on a day, with what was paid on it since. Counted at once: one person keeps the books. */
export async function disbursedLoan(
  server: TestServer,
  borrower: TestBorrower,
  {
    date,
    payments = [],
    ...terms
  }: { date: string; payments?: Paid[]; amount?: number; termMonths?: number },
) {
  const loan = await apply(server, borrower, terms);

  await releaseLoan(server, loan, { channel: 'recorded', date });
  for (const body of payments) await server.main.recordPayment(loan.id, body);
  return loan;
}

/** A borrower with money in the wallet and a code to withdraw it with. */
export async function fundedBorrower(server: TestServer, pesos = 20_000): Promise<TestBorrower> {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, pesos);
  await server.setCode(borrower.id, '482913');
  return borrower;
}

/** Asks for a withdrawal, to the bank account of the profile unless told otherwise, with a code made for it. */
export async function withdraw(
  server: TestServer,
  borrower: TestBorrower,
  amount = 1_000,
  { bankName = fullProfile.bankName, bankAccountNumber = fullProfile.bankAccountNumber } = {},
) {
  const otp = await server.setCode(borrower.id);
  return borrower.requestWithdrawal({ amount, bankName, bankAccountNumber, otp });
}

/** A message from staff, as they wrote it. */
export async function notify(
  server: TestServer,
  { id }: TestBorrower,
  { title, message }: { title: string; message: string },
): Promise<void> {
  await server.main.notifyMember({ userId: id, title, message, type: 'loan_update' });
}

/** A borrower with such a loan. */
export async function borrowerWithLoan(server: TestServer, loan: Parameters<typeof disbursedLoan>[2]) {
  const borrower = await server.verifiedBorrower();
  const disbursed = await disbursedLoan(server, borrower, loan);
  return { borrower, loan: disbursed, id: disbursed.id, loanNumber: disbursed.loanNumber };
}

/** Releases a loan as earlier versions did: staff put the money into the wallet by hand. */
export const creditAsEarlierVersions = (server: TestServer, accountId: number) =>
  server.database.transaction((tx) =>
    moveMoney(tx, {
      accountId,
      amountCentavos: 150_000_00,
      type: 'disbursement',
      actorId: accountId,
      reason: 'disbursement',
      at: server.clock.now(),
    }),
  );

/** A loan as staff have it in their list, without the member. */
export function recordOf({
  quote: _quote,
  dueDates: _dueDates,
  account: _account,
  ...record
}: Loan): Omit<Loan, 'quote' | 'dueDates' | 'account'> {
  return record;
}

/** A loan as books taken over from elsewhere hold it: without a rate and without a frozen quote. Answers its id. */
export async function takeOverLoan(
  server: TestServer,
  accountId: number,
  fields: Partial<typeof loans.$inferInsert> = {},
): Promise<number> {
  const now = server.clock.now();
  const [row] = await server.database.transaction((tx) =>
    tx
      .insert(loans)
      .values({
        accountId,
        loanNumber: 'OLD-1',
        amountCentavos: centavos(120_000_00),
        termMonths: 12,
        monthlyRateBasisPoints: null,
        monthlyPaymentCentavos: centavos(10_600_00),
        purpose: 'Taken over',
        createdAt: now,
        updatedAt: now,
        ...fields,
      })
      .returning({ id: loans.id }),
  );
  if (!row) throw new Error('an inserted loan was not returned');
  return row.id;
}

/** Every version of what was agreed to, oldest first. */
export function termsOf(server: TestServer, loanId: number) {
  return server.database.read((reader) =>
    reader.select().from(loanTerms).where(eq(loanTerms.loanId, loanId)).orderBy(asc(loanTerms.version)),
  );
}

export function countLoans(server: TestServer): Promise<number> {
  return server.database.read(async (reader) => (await reader.select({ id: loans.id }).from(loans)).length);
}

/** JSON bodies of the wrong kind altogether, for any endpoint that takes an object. */
export const brokenBodies: readonly [name: string, rawBody: string][] = [
  ['nothing', ''],
  ['half an object', '{"amount": 150000,'],
  ['a word', 'hello'],
  ['an array', '[]'],
  ['an array of the right object', '[{"amount":150000,"purpose":"A store","termMonths":12}]'],
  ['null', 'null'],
  ['a number', '150000'],
  ['a text', '"amount"'],
  ['a number that JSON does not have', '{"amount": NaN, "purpose": "A store", "termMonths": 12}'],
  ['a prototype', '{"__proto__": {"amount": 150000}, "purpose": "A store", "termMonths": 12}'],
];

export const jsonHeaders = { 'content-type': 'application/json' };

/** Amounts that are no amount of money. */
export const unreadableAmounts: readonly [name: string, amount: unknown][] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['a word', 'many'],
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['beyond every number', '1e400'],
  ['an exponent', '2e5'],
  ['hexadecimal', '0x30d40'],
  ['negative', -150_000],
  ['negative text', '-150000'],
  ['a plus sign', '+150000'],
  ['grouped', '150,000'],
  ['with the currency', '₱150000'],
  ['spaces around', ' 150000 '],
  ['Arabic digits', '١٥٠٠٠٠'],
  ['a NUL character', '150000\u0000'],
  ['an array', [150_000]],
  ['an object', { pesos: 150_000 }],
  ['true', true],
  ['longer than any amount', '9'.repeat(5_000)],
];

/** Amounts finer than a centavo: what is wrong with them is their decimals. */
export const tooFineAmounts: readonly [name: string, amount: unknown][] = [
  ['three decimals', '150000.005'],
  ['three decimals as a number', 150000.005],
  ['a float that is not what it looks like', 150000.1 + 0.2],
];

/** Terms that are no number of whole months. */
export const unreadableTerms: readonly [name: string, termMonths: unknown][] = [
  ['missing', undefined],
  ['null', null],
  ['a text', '12'],
  ['a fraction', 12.5],
  ['an array', [12]],
  ['an object', {}],
  ['true', true],
];
