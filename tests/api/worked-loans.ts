import type { Payment } from '#contract/servicing.ts';
import { type CaseEvent, cases, type WorkedCase } from '#tests/domain/worked-cases.ts';
import { odd } from '#tests/setup/caller.ts';
import type { TestBorrower, TestServer } from '#tests/setup/test-server.ts';
import { apply } from './lending.ts';

// The worked loans, played through the API.

export type Played = {
  worked: WorkedCase;
  id: number;
  loanNumber: string;
  borrower: TestBorrower;
  done: number;
};

/** The worked loans, approved on the day of their release. What happens to them is played by `playUntil`. */
export async function workedLoans(server: TestServer): Promise<Played[]> {
  server.clock.set('2025-09-15T04:00:00.000Z');
  const played: Played[] = [];
  for (const worked of cases) {
    const borrower = await server.verifiedBorrower();
    const { amount, termMonths } = worked.loan;
    const { id, loanNumber } = await apply(server, borrower, { amount: Number(amount), termMonths });
    await server.main.updateLoan(id, { status: 'approved' });
    played.push({ worked, id, loanNumber, borrower, done: 0 });
  }
  return played;
}

const paymentIds = new Map<string, number>();

/** Records, day after day and each on its own, everything that happened to the loans up to a day. */
export async function playUntil(server: TestServer, played: Played[], day: string): Promise<void> {
  const days = new Set(played.flatMap(({ worked }) => worked.events.map(({ date }) => date)));
  for (const date of [...days].toSorted()) {
    if (date > day) break;
    server.clock.set(`${date}T04:00:00.000Z`);
    for (const one of played) {
      for (const event of one.worked.events.slice(one.done)) {
        // Found late: it is recorded in its turn, behind what was recorded before.
        if (event.date > date) break;
        one.done += 1;
        if (!event.auto) await happen(server, one, event);
      }
    }
  }
  server.clock.set(`${day}T04:00:00.000Z`);
}

async function happen(server: TestServer, { id }: Played, event: CaseEvent): Promise<void> {
  const { seq, kind, date: valueDate, amount, channel, settlement, months, reverses } = event;
  const { main } = server;
  const reason = 'As the worked loan has it';
  if (kind === 'disbursement') {
    await main.disburseLoan(id, odd({ channel, date: channel === 'wallet' ? undefined : valueDate }));
  } else if (kind === 'receipt') {
    const reference = channel === 'cash' ? undefined : `Loan ${id} no ${seq}`;
    const paid = await main.recordPayment(id, odd({ amount, channel, valueDate, settlement, reference }));
    const payment = paid as Payment;
    paymentIds.set(`${id} ${seq}`, payment.id);
    if (payment.status === 'submitted') await main.updatePayment(payment.id, { status: 'confirmed' });
  } else if (kind === 'reversal') {
    await main.updatePayment(
      paymentIds.get(`${id} ${reverses}`) ?? 0,
      odd({ status: 'reversed', valueDate, reason }),
    );
  } else if (kind === 'cancellation') {
    await main.cancelDisbursement(id, { reason });
  } else {
    await main.actOnLoan(id, odd({ kind, valueDate, months, amount, reason }));
  }
}
