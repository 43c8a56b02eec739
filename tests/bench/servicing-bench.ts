import { sql } from 'drizzle-orm';
import * as api from '#contract/api.ts';
import { addDays, addMonths, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import { type LoanEvent, position } from '#domain/servicing.ts';
import { inOneLongTransaction, vacuumTables } from '#server/books/backup-rows.ts';
import { systemClock } from '#server/platform/clock.ts';
import { listCollections } from '#server/services/portfolio-service.ts';
import { termsFrom } from '#tests/domain/worked-cases.ts';
import { startTestServer, type TestServer } from '#tests/setup/test-server.ts';
import { inTurn, middle, type Row } from './figures.ts';
import { withInstallation } from './installation.ts';

const times = 40;

/** How long the account of a loan takes: to fold, to read, and to add up over all loans. */
export function measureServicing(loans: number): Promise<Row[]> {
  const counts = { members: loans, loans, withdrawals: 0 };
  return withInstallation('postgres', counts, ({ config, open }) =>
    open(async ({ database, secrets }) => {
      const server = await startTestServer({ config, deps: { database, secrets, clock: systemClock } });
      try {
        return [await measureFold(), await measureAccount(server), ...(await measurePortfolio(server))];
      } finally {
        await server.close();
      }
    }),
  );
}

/** The middle one of so many durations. */
async function middleMs(work: (number: number) => unknown, of = times): Promise<number> {
  const all: number[] = [];
  for (let number = 0; number < of; number += 1) {
    const startMs = performance.now();
    await work(number);
    all.push(performance.now() - startMs);
  }
  return middle(all);
}

async function measureFold(): Promise<Row> {
  const startDate = '2021-01-31' as ManilaDate;
  const amountCentavos = centavos(2_000_000_00);
  const terms = termsFrom({ amountCentavos, monthlyRate: basisPoints(250), termMonths: 60, startDate });
  const half = centavos(Math.floor(terms.monthlyPaymentCentavos / 2));
  const events: LoanEvent[] = [{ sequence: 1, date: startDate, kind: 'disbursement', channel: 'direct' }];
  // Each instalment in two halves, the first late and the second later.
  for (let sequence = 2; sequence <= 120; sequence += 1) {
    const due = addMonths(startDate, 2 + Math.floor((sequence - 2) / 2));
    const date = addDays(due, sequence % 2 === 0 ? 12 : 25);
    events.push({ sequence, date, kind: 'receipt', amountCentavos: half, channel: 'cash' });
  }
  return {
    what: 'fold of 60 instalments and 120 events',
    product: await middleMs(() => position(terms, events, addMonths(startDate, 62)), 200),
    unit: 'ms',
    goal: '< 1 ms',
  };
}

/** Called in this process, so without the way over the wire. */
async function measureAccount(server: TestServer): Promise<Row> {
  const borrower = await server.verifiedBorrower();

  const application = { amount: 2_000_000, purpose: 'Stock for a small store', termMonths: 48 };
  const loan = await borrower.applyForLoan(application);
  const params = { id: loan.id };
  await server.main.updateLoan(loan.id, { status: 'approved' });
  const date = addDays(manilaDate(systemClock.now()), -50);
  await server.main.disburseLoan(loan.id, { channel: 'recorded', date });
  for (let payment = 0; payment < times; payment += 1) {
    await server.main.recordPayment(loan.id, { amount: 1_000, channel: 'cash' });
  }
  return {
    what: `account of 48 instalments and ${times} payments, answered`,
    product: await middleMs(() => server.succeed(api.readLoanAccount, { token: borrower.token, params })),
    unit: 'ms',
    goal: '< 20 ms',
  };
}

/** Every loan of the sample as if it had been disbursed, a fifth of them behind. */
export async function disburseAll({ database }: Pick<TestServer, 'database'>): Promise<void> {
  await inOneLongTransaction(database, async (tx) => {
    await tx.execute(sql`
      insert into loan_positions (loan_id, terms_version, event_sequence, event_hash, state, disbursed_on,
                                  principal_left_centavos, credit_centavos, refund_to_return_centavos,
                                  late_charges_paid_centavos, late_charges_waived_centavos, written_off_centavos)
      select id, 1, 1, '', case when id % 20 = 0 then 'completed' else 'open' end, current_date - (id % 300)::int,
             case when id % 20 = 0 then 0 else amount_centavos / 2 end, 0, 0, 0, 0, 0
        from loans
      on conflict do nothing`);
    await tx.execute(sql`
      insert into instalments (loan_id, number, due_date, amount_centavos, interest_centavos, principal_centavos,
                               paid_centavos, left_centavos)
      select loan_id, number, due, 1000000, 300000, 700000, 1000000 - rest, rest
        from (select loan_id, number, due,
                     case when state = 'completed' or due < current_date - (loan_id % 5 = 1)::int * (loan_id % 120)::int
                          then 0 else 1000000 end as rest
                from loan_positions, generate_series(1, 12) number,
                     lateral (select disbursed_on + 30 * (number + 1) as due) dated) rows
      on conflict do nothing`);
    await tx.execute(sql`
      update loan_positions set oldest_due_on = oldest
        from (select loan_id, min(due_date) as oldest from instalments where left_centavos > 0 group by 1) unpaid
       where unpaid.loan_id = loan_positions.loan_id and state = 'open'`);
    await tx.execute(sql`
      insert into loan_events (loan_id, sequence, kind, value_date, channel, undoes, actor_id, created_at,
                               previous_hash, hash)
      select loan_id, 1, 'disbursement', disbursed_on, 'direct', 0, ${limits.mainAdminId}, disbursed_on, '', ''
        from loan_positions on conflict do nothing`);
    // A receipt every 25 days since the release, twelve at most.
    await tx.execute(sql`
      insert into loan_events (loan_id, sequence, kind, value_date, channel, amount_centavos, actor_id, created_at,
                               previous_hash, hash)
      select loan_id, number + 1, 'receipt', disbursed_on + 25 * number, 'cash', 1000000, ${limits.mainAdminId},
             disbursed_on + 25 * number, '', ''
        from loan_positions, generate_series(1, 12) number
       where disbursed_on + 25 * number < current_date on conflict do nothing`);
    // The changes that the fold would store for each of these events: a receipt pays 7,000 of principal.
    await tx.execute(sql`
      insert into journal_movements (loan_id, sequence, recorded_on, value_date, principal_centavos,
                                     interest_centavos, late_charges_centavos)
      select e.loan_id, sequence, value_date, value_date,
             case kind when 'disbursement' then l.amount_centavos else -700000 end,
             case kind when 'disbursement' then 0 else 300000 end, 0
        from loan_events e join loans l on l.id = loan_id on conflict do nothing`);
    await tx.execute(sql`
      insert into loan_movements (loan_id, number, value_date, until_date, kind, principal_centavos, loans,
                                  principal_left_centavos, oldest_due_on, received_centavos)
      select e.loan_id, sequence, value_date, lead(value_date) over life,
             case kind when 'disbursement' then 'released' else 'received' end,
             case kind when 'disbursement' then l.amount_centavos else -700000 end, (kind = 'disbursement')::int,
             l.amount_centavos - 700000 * (sequence - 1), value_date + case when e.loan_id % 5 = 1 then -40 else 30 end,
             coalesce(e.amount_centavos, 0)
        from loan_events e join loans l on l.id = loan_id
      window life as (partition by e.loan_id order by sequence) on conflict do nothing`);
    // Each overdue borrower was called three times, and one in four has broken a promise.
    await tx.execute(sql`
      insert into contacts (loan_id, account_id, channel, outcome, promise_date, promise_centavos, actor_id, created_at)
      select loan_id, account_id, 'call', 'reached', case when loan_id % 20 = 1 then current_date - 1 end,
             case when loan_id % 20 = 1 then 100000 end, ${limits.mainAdminId}, now() - n * interval '2 days'
        from loan_positions join loans on loans.id = loan_id, generate_series(3, 1, -1) n
       where state = 'open' and loan_id % 5 = 1`);
  });
  await vacuumTables(database);
}

async function measurePortfolio(server: TestServer): Promise<Row[]> {
  const { database, deps, main } = server;
  await disburseAll(server);
  const ask = (query: typeof portfolio) => database.read((reader) => reader.execute(query));
  const { rows } = await database.read((reader) =>
    reader.execute<{ count: string }>(sql`select count(*) from loan_positions`),
  );
  const loans = Number(rows[0]?.count).toLocaleString('en');
  // In turn, so that a machine that slows down slows all of them.
  const ms = (work: () => Promise<unknown>) => () => middleMs(work, 3);
  const of = await inTurn(5, {
    risk: ms(() => ask(portfolio)),
    report: ms(() => main.readPortfolio()),
    arrears: ms(() => ask(arrears)),
    collections: ms(() => listCollections(deps, {}).next()),
    today: ms(() => main.readToday()),
    month: ms(() => main.readMonth()),
    trend: ms(() => main.readTrend()),
    expected: ms(() => main.readExpected()),
  });
  return [
    {
      what: `the portfolio of ${loans} loans, answered`,
      product: of.report,
      limit: of.risk,
      limitIs: 'portfolio at risk alone, plain SQL',
      unit: 'ms',
      goal: '< 300 ms',
    },
    {
      what: 'first rows of the collections',
      product: of.collections,
      limit: of.arrears,
      limitIs: 'the first hundred in arrears, plain SQL',
      unit: 'ms',
      goal: '< 150 ms',
    },
    {
      what: 'Today, answered, with what the badges read',
      product: of.today,
      limit: of.risk,
      limitIs: 'portfolio at risk alone, plain SQL',
      unit: 'ms',
      goal: '< 200 ms',
    },
    {
      what: 'the month, answered',
      product: of.month,
      unit: 'ms',
      goal: '< 1,000 ms',
    },
    {
      what: 'twelve months of principal, risk, due and collected, answered',
      product: of.trend,
      unit: 'ms',
      goal: '< 2,000 ms',
    },
    {
      what: 'thirteen weeks of expected payments, answered',
      product: of.expected,
      unit: 'ms',
      goal: '< 2,000 ms',
    },
  ];
}

const overdue = sql`
  select loan_id, min(due_date) as oldest, sum(left_centavos) as overdue
    from instalments where left_centavos > 0 and due_date < current_date group by loan_id`;

/** Principal left by how long the oldest unpaid instalment has been due. */
const portfolio = sql`
  select width_bucket(coalesce(current_date - oldest, 0), array[1, 31, 61, 91]) as bucket, count(*),
         sum(principal_left_centavos) as principal
    from loan_positions left join (${overdue}) late using (loan_id)
   where state = 'open' group by 1 order by 1`;

/** The loans to call first. */
const arrears = sql`
  select loan_id, oldest, overdue, principal_left_centavos
    from (${overdue}) late join loan_positions using (loan_id)
   where state in ('open', 'written_off') order by oldest, overdue desc limit 100`;
