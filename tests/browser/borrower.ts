import type * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { TestBorrower, TestServer } from '#tests/setup/test-server.ts';

type Change = Sent<typeof api.updateMember, 'body'>;

/** Changes a member as staff do it. */
export async function changeMember(server: TestServer, { id }: { id: number }, body: Change): Promise<void> {
  await server.main.updateMember(id, body);
}

export async function setLoanStatus(server: TestServer, loanId: number, status: string): Promise<void> {
  await server.main.updateLoan(loanId, { status });
}

/** A borrower with money in the wallet and a code to withdraw it with. */
export async function fundedBorrower(server: TestServer, pesos = 20_000): Promise<TestBorrower> {
  const borrower = await server.verifiedBorrower();
  await server.fund(borrower.id, pesos);
  await server.setCode(borrower.id, '482913');
  return borrower;
}

/** Withdraws to the bank account of the profile, with a code made for it. */
export async function withdraw(server: TestServer, borrower: TestBorrower, amount = 1_000): Promise<void> {
  const otp = await server.setCode(borrower.id, '482913');
  await borrower.requestWithdrawal({ amount, bankName: 'Bank A', bankAccountNumber: '1234567890123', otp });
}

/** A message from staff, as they wrote it. */
export async function notify(
  server: TestServer,
  { id }: TestBorrower,
  { title, message }: { title: string; message: string },
): Promise<void> {
  await server.main.notifyMember({ userId: id, title, message, type: 'loan_update' });
}
