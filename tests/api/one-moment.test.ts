import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bothEngines } from '#tests/setup/test-database.ts';
import { testServer } from '#tests/setup/test-server.ts';
import { approvedApplication, disbursedLoan } from './lending.ts';

describe.each(bothEngines)('on %s', async (engine) => {
  const server = await testServer({ engine });

  type Query = (...asked: unknown[]) => Promise<unknown>;

  /** Has every statement of a read of one moment go through `through`. */
  function interceptStatements(through: (query: Query) => Query): void {
    const { snapshot } = server.database;
    const spy = vi.spyOn(server.database, 'snapshot').mockImplementation((read) =>
      snapshot((reader) => {
        const { $client } = reader as unknown as { $client: { query: Query } };
        $client.query = through($client.query);
        return read(reader);
      }),
    );
    onTestFinished(() => spy.mockRestore());
  }

  it('a borrower’s loans are as many statements for one as for several', async () => {
    const borrower = await server.verifiedBorrower();
    async function statementsOfList(): Promise<number> {
      const { statements } = server.database.load();
      await borrower.listOwnLoans();
      return server.database.load().statements - statements;
    }
    await disbursedLoan(server, borrower, { date: '2026-03-10' });
    const ofOne = await statementsOfList();
    expect(ofOne).toBeGreaterThan(1);
    for (let more = 0; more < 3; more += 1) await disbursedLoan(server, borrower, { date: '2026-03-10' });
    expect(await statementsOfList()).toBe(ofOne);
  });

  it('a loan’s account is of one moment, though it is paid out just before that is read', async () => {
    const { id } = await approvedApplication(server);
    const { snapshot } = server.database;
    const spy = vi.spyOn(server.database, 'snapshot').mockImplementationOnce(async (read) => {
      await server.main.disburseLoan(id, { channel: 'wallet' });
      return snapshot(read);
    });
    onTestFinished(() => spy.mockRestore());
    const { account, loan } = await server.main.readLoanAccount(id);
    expect([account.state, loan?.status]).toEqual(['open', 'active']);
  });

  // The embedded engine has one session: nothing can come between.
  it.skipIf(engine === 'embedded')(
    'a loan’s account is of one moment, though it is paid out between two statements',
    async () => {
      const { id } = await approvedApplication(server);
      let paidOut: Promise<unknown> | undefined;
      interceptStatements((query) => {
        let release: (() => void) | undefined;
        const held = new Promise<void>((resolve) => {
          release = resolve;
        });
        let sent = 0;
        return async (...asked) => {
          sent += 1;
          // The first of the reads sent after the loan's own is answered last. It then finds a position whose
          // terms another read did not find.
          if (sent === 2) {
            await held;
            await paidOut;
            return query(...asked);
          }
          const answer = await query(...asked);
          release?.();
          return answer;
        };
      });
      const reading = server.main.readLoanAccount(id).success();
      paidOut = server.main.disburseLoan(id, { channel: 'wallet' }).success();
      const { body } = await reading;
      expect(body.disbursedOn).toBeNull();
    },
  );
});
