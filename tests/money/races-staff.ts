import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { isTorture, tortureTimeoutMs } from '#tests/setup/torture.ts';
import { atOnce, type Field, type Member, race, type Told, tally } from './fleet.ts';

let field: Field;

/**
 * Declares the races between two of the staff whose steps lock the same loans, members, payments and requests: as many pairs at
 * once, each half on another server. Locks taken in two orders show as deadlocks of the database.
 */
export function staffRaces(given: Field): void {
  field = given;
  describe('two of the staff', { timeout: tortureTimeoutMs(240_000) }, pairs);
}

const pairsAtOnce = isTorture ? 50 : 9;

const colleague = { email: 'second-person@example.com', password: 'staff password' };

function pairs(): void {
  let second = '';
  let secondId = 0;

  const as = (token: string) => (row: Endpoint, id: number, body?: object, via?: number) =>
    field.fleet.call(row, {
      params: { id },
      token,
      ...(body && { body }),
      ...(via !== undefined && { via }),
    });
  const byFirst: ReturnType<typeof as> = (...call) => as(field.fleet.staff)(...call);
  const bySecond: ReturnType<typeof as> = (...call) => as(second)(...call);

  beforeAll(async () => {
    const body = { fullName: 'Second Person', ...colleague };
    const made = await field.fleet.succeed(api.createAdmin, { token: field.fleet.staff, body });
    secondId = (made.body.user as { id: number }).id;
    const { email: username, password } = colleague;
    second = String((await field.fleet.succeed(api.signIn, { body: { username, password } })).body.token);
    for (const borrower of field.members.slice(0, 5)) await field.fleet.verify(borrower);
  });
  // Leaves one approver for the races that follow.
  afterAll(() => byFirst(api.updateMember, secondId, { status: 'suspended' }));

  const apply = async ({ token }: Member, via: number) => {
    const body = { amount: 150_000, purpose: 'Stock for a small store', termMonths: 12 };
    const { body: loan } = await field.fleet.succeed(api.applyForLoan, { token, body, via });
    const id = Number(loan.id);
    expect((await byFirst(api.updateLoan, id, { status: 'approved' }, via)).status).toBe(200);
    return id;
  };
  const requestOf = ({ status, body, text }: Told) => {
    expect(status, text).toBe(202);
    return (body.approval as { id: number; payload: Record<string, number> }) ?? expect.unreachable();
  };
  const approve = { decision: 'approved' };
  const borrowerOf = (racer: number) => field.members[racer % 5] as Member;
  const deadlocks = () =>
    field.fleet.ask('select deadlocks as answer from pg_stat_database where datname = current_database()');

  /** Returns what each half was told. Fails if a pair locked each other out. */
  async function meet(one: (racer: number) => Promise<Told>, other: (racer: number) => Promise<Told>) {
    const before = await deadlocks();
    const [ones, others] = await Promise.all([atOnce(one, pairsAtOnce), atOnce(other, pairsAtOnce)]);
    // The database counts a deadlock when the session that met it next reports, at most a second later.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(await deadlocks()).toBe(before);
    return { ones: tally(ones), others: tally(others) };
  }

  it('decide a payment, one by its request, one by the payment itself: once', () =>
    race(field.fleet, 'deciding against rejecting', async () => {
      const cash = { amount: 60_000, channel: 'cash' };
      const waiting = await atOnce(async (racer) => {
        const loan = await apply(borrowerOf(racer), racer);
        const recorded = requestOf(await byFirst(api.disburseLoan, loan, { channel: 'recorded' }, racer));
        expect((await bySecond(api.decideApproval, recorded.id, approve, racer)).status).toBe(200);
        return requestOf(await byFirst(api.recordPayment, loan, cash, racer));
      }, pairsAtOnce);
      const rejection = { status: 'rejected', reason: 'Not the money' };
      const { ones, others } = await meet(
        (racer) => bySecond(api.decideApproval, waiting[racer]?.id ?? 0, approve, 0),
        (racer) => bySecond(api.updatePayment, waiting[racer]?.payload.paymentId ?? 0, rejection, 1),
      );
      const [given = 0, rejected = 0] = [ones['200'], others['200']];
      expect(ones).toEqual({
        ...(given && { '200': given }),
        ...(rejected && { '409 already_decided': rejected }),
      });
      expect(others).toEqual({
        ...(rejected && { '200': rejected }),
        ...(given && { '409 payment_final': given }),
      });
      const booked = `payments where id = any($1) and status = 'confirmed'`;
      const ids = waiting.map(({ payload }) => payload.paymentId);
      const effects = await field.fleet.ask(`select count(*) as answer from ${booked}`, ids);
      return { acknowledged: given, effects };
    }));

  it('release a loan and set the balance of its wallet, and both hold', () =>
    race(field.fleet, 'release against balance', async () => {
      const waiting = await atOnce(async (racer) => {
        const loan = await apply(borrowerOf(racer), racer);
        return { loan, ...requestOf(await byFirst(api.disburseLoan, loan, { channel: 'wallet' }, racer)) };
      }, pairsAtOnce);
      const { ones, others } = await meet(
        (racer) => bySecond(api.decideApproval, waiting[racer]?.id ?? 0, approve, 0),
        (racer) => byFirst(api.updateMember, borrowerOf(racer).id, { balance: 1_000 + racer }, 1),
      );
      expect([ones, others]).toEqual([{ '200': pairsAtOnce }, { '200': pairsAtOnce }]);
      const released = `loan_positions where loan_id = any($1) and state = 'open'`;
      const ids = waiting.map(({ loan }) => loan);
      const effects = await field.fleet.ask(`select count(*) as answer from ${released}`, ids);
      return { acknowledged: pairsAtOnce, effects };
    }));

  it('release a loan and delete its borrower: one of both', () =>
    race(field.fleet, 'release against deletion', async () => {
      const waiting = await atOnce(async (racer) => {
        const borrower = await field.fleet.register();
        await field.fleet.verify(borrower);
        const loan = await apply(borrower, racer);
        const request = requestOf(await byFirst(api.disburseLoan, loan, { channel: 'wallet' }, racer));
        return { borrower, loan, ...request };
      }, pairsAtOnce);
      const { ones, others } = await meet(
        (racer) => bySecond(api.decideApproval, waiting[racer]?.id ?? 0, approve, 0),
        (racer) => byFirst(api.deleteUser, waiting[racer]?.borrower.id ?? 0, undefined, 1),
      );
      const [released = 0, removed = 0] = [ones['200'], others['200']];
      expect(released + removed).toBe(pairsAtOnce);
      expect(ones).toEqual({
        ...(released && { '200': released }),
        ...(removed && { '409 already_decided': removed }),
      });
      expect(others).toEqual({
        ...(removed && { '200': removed }),
        ...(released && { '409 member_not_settled': released }),
      });
      const out = `loan_positions where loan_id = any($1) and state = 'open'`;
      const ids = waiting.map(({ loan }) => loan);
      const effects = await field.fleet.ask(`select count(*) as answer from ${out}`, ids);
      return { acknowledged: released, effects };
    }));
}
