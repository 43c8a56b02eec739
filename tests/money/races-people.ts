import { beforeAll, describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { manilaDate } from '#domain/calendar.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { tortureTimeoutMs } from '#tests/setup/torture.ts';
import { atOnce, type Field, type Member, race, racers, tally } from './fleet.ts';

const slow = { timeout: tortureTimeoutMs(120_000) };

let field: Field;

/** Declares the races for one phone number, for the numbers of loans and for what is done to one loan. */
export function peopleRaces(given: Field): void {
  field = given;
  describe('a phone number', slow, phoneRaces);
  describe('a loan', slow, loanRaces);
  describe('a loan once approved', slow, servicingRaces);
}

const memberOf = (racer: number) => field.members[racer % field.members.length] as Member;

function phoneRaces(): void {
  /** The same number as people write it. */
  const forms = (digits: string) => [`0${digits}`, `+63${digits}`, `63 ${digits}`] as const;

  it('is registered once, however it is written', () =>
    race(field.fleet, 'one registration', async (round) => {
      const digits = String(9_200_000_000 + round);
      const answers = await atOnce((racer) =>
        field.fleet.call(api.register, {
          body: {
            fullName: fullProfile.fullName,
            phone: forms(digits)[racer % 3],
            password: 'borrower password',
          },
          via: racer,
        }),
      );
      expect(tally(answers)).toEqual({ '201': 1, '409 already_registered': racers - 1 });
      const holders = 'select count(*) as answer from accounts where phone_key = $1';
      return { acknowledged: 1, effects: await field.fleet.ask(holders, `+63${digits}`) };
    }));

  it('is given to one of many members', () =>
    race(field.fleet, 'one phone for many members', async (round) => {
      const digits = String(9_300_000_000 + round);
      const answers = await atOnce((racer) =>
        field.fleet.editMember(memberOf(racer), { phone: forms(digits)[racer % 3] }, { via: racer }),
      );
      expect(tally(answers)).toEqual({ '200': 1, '409 phone_taken': racers - 1 });
      const holders = 'select count(*) as answer from accounts where phone_key = $1';
      return { acknowledged: 1, effects: await field.fleet.ask(holders, `+63${digits}`) };
    }));
}

function loanRaces(): void {
  it('has a number of its own', async () => {
    const borrowers = field.members.slice(0, 5);
    for (const borrower of borrowers) await field.fleet.verify(borrower);
    await race(field.fleet, 'numbers of loans', async () => {
      const answers = await atOnce((racer) =>
        field.fleet.call(api.applyForLoan, {
          token: (borrowers[racer % borrowers.length] as Member).token,
          body: { amount: 150_000, purpose: 'Stock for a small store', termMonths: 12 },
          via: racer,
        }),
      );
      expect(tally(answers)).toEqual({ '201': racers });
      expect(new Set(answers.map(({ body }) => body.loanNumber)).size).toBe(racers);
      const ids = answers.map(({ body }) => body.id);
      const stored = 'select count(distinct loan_number) as answer from loans where id = any($1)';
      return { acknowledged: racers, effects: await field.fleet.ask(stored, ids) };
    });
  });
}

/** An approved loan of ₱150,000 over twelve months, with its member. */
async function approvedLoan(round: number): Promise<number> {
  const { token } = memberOf(round % 5);
  const body = { amount: 150_000, purpose: 'Stock for a small store', termMonths: 12 };
  const id = Number((await field.fleet.succeed(api.applyForLoan, { token, body })).body.id);
  await staffDo(api.updateLoan, id, { status: 'approved' });
  return id;
}

const staffDo = (row: Endpoint, id: number, body: object, via = 0) =>
  field.fleet.call(row, { params: { id }, token: field.fleet.staff, body, via });

const count = (what: string, id: number) => field.fleet.ask(`select count(*) as answer from ${what}`, id);

/** A second employee, until they leave. */
async function hire(email: string) {
  const password = 'staff password';
  const body = { fullName: 'A Second Person', email, password };
  const made = await field.fleet.succeed(api.createAdmin, { token: field.fleet.staff, body });
  const { id } = made.body.user as { id: number };
  const signedIn = await field.fleet.succeed(api.signIn, { body: { username: email, password } });
  const leave = async () =>
    expect((await staffDo(api.updateMember, id, { status: 'suspended' })).status).toBe(200);
  return { token: String(signedIn.body.token), leave };
}

function servicingRaces(): void {
  beforeAll(async () => {
    for (const borrower of field.members.slice(0, 5)) await field.fleet.verify(borrower);
  });

  it('is disbursed once', () =>
    race(field.fleet, 'one disbursement', async (round) => {
      const id = await approvedLoan(round);
      const answers = await atOnce((racer) => staffDo(api.disburseLoan, id, { channel: 'wallet' }, racer));
      expect(tally(answers)).toEqual({ '201': 1, '409 already_disbursed': racers - 1 });
      const paid = `ledger_entries l join loan_events e on e.id = l.loan_event_id where loan_id = $1 and l.amount_centavos = 15000000`;
      return { acknowledged: 1, effects: await count(paid, id) };
    }));

  const disbursed = async (round: number) => {
    const id = await approvedLoan(round);
    expect((await staffDo(api.disburseLoan, id, { channel: 'recorded' })).status).toBe(201);
    return id;
  };
  const live = `loan_events e where loan_id = $1 and kind = 'receipt'
    and not exists (select from loan_events r where r.loan_id = e.loan_id and r.kind = 'reversal' and r.undoes = e.sequence)`;

  it('has every receipt booked, and one of one reference', () =>
    race(field.fleet, 'receipts of one loan', async (round) => {
      const id = await disbursed(round);
      const reference = `OR ${1000 + round}`;
      const [each, same] = await Promise.all([
        atOnce((racer) => staffDo(api.recordPayment, id, { amount: 100 + racer, channel: 'cash' }, racer)),
        atOnce((racer) => staffDo(api.recordPayment, id, { amount: 1, channel: 'cash', reference }, racer)),
      ]);
      expect(tally(each)).toEqual({ '201': racers });
      expect(tally(same)).toEqual({ '201': 1, '409 payment_known': racers - 1 });
      const paid = `instalments where loan_id = $1`;
      expect(await field.fleet.ask(`select sum(paid_centavos) as answer from ${paid}`, id)).toBe(
        100 * (racers * 100 + (racers * (racers - 1)) / 2 + 1),
      );
      return { acknowledged: racers + 1, effects: await count(live, id) };
    }));

  it('has receipts of several servers numbered without a gap, later ones higher', () =>
    race(field.fleet, 'receipt numbers', async (round) => {
      const loans = await Promise.all([0, 1, 2, 3, 4].map(() => disbursed(round)));
      const lastOf = () =>
        field.fleet.ask('select coalesce(max(last_serial), 0) as answer from receipt_numbers');
      const before = await lastOf();
      const paid = await atOnce(async (racer) => {
        const own: { serial: number; askedMs: number; toldMs: number }[] = [];
        for (const turn of [0, 1, 2]) {
          const askedMs = performance.now();
          const loan = loans[(racer + turn) % loans.length] ?? 0;
          const { body } = await staffDo(api.recordPayment, loan, { amount: 100, channel: 'cash' }, racer);
          const [, serial] = /^AR-\d{4}-(\d{6})$/.exec(String(body.receiptNumber)) ?? [];
          own.push({ serial: Number(serial), askedMs, toldMs: performance.now() });
        }
        return own;
      });
      const receipts = paid.flat().toSorted((one, other) => one.serial - other.serial);
      expect(receipts.map(({ serial }) => serial - before)).toEqual(receipts.map((_, index) => index + 1));
      expect(await lastOf()).toBe(before + receipts.length);
      // A payment that was asked for when another had been answered has the higher number.
      const early = receipts.filter(({ toldMs }, index) =>
        receipts.slice(0, index).some(({ askedMs }) => askedMs > toldMs),
      );
      expect(early).toEqual([]);
      const counted = await Promise.all(loans.map((id) => count(live, id)));
      return { acknowledged: receipts.length, effects: counted.reduce((sum, one) => sum + one, 0) };
    }));

  it('is paid from wallets that one person raised, of all friends together up to the limit', () =>
    race(field.fleet, 'friends’ loans from raised wallets', async (round) => {
      const friends = await Promise.all(
        [0, 1, 2, 3, 4].map(async (number) => ({ member: memberOf(number), loan: await disbursed(number) })),
      );
      const { token, leave } = await hire(`raiser-${round}@example.com`);
      for (const { member } of friends) {
        const { balance } = (await field.fleet.succeed(api.readProfile, { token: member.token })).body;
        const raised = { balance: Number(balance) + 20_000 };
        expect((await field.fleet.editMember(member, raised, { token })).status).toBe(200);
      }
      const answers = await atOnce(
        (racer) =>
          field.fleet.call(api.payOwnLoan, {
            params: { id: friends[racer]?.loan ?? 0 },
            token: friends[racer]?.member.token ?? '',
            body: { channel: 'wallet', amount: 20_000 },
            via: racer,
          }),
        friends.length,
      );
      expect(tally(answers)).toEqual({ '201': friends.length });
      const booked = answers.filter(({ body }) => body.status === 'confirmed');
      // In a later round the sums that left in the rounds before count too.
      expect(booked.length).toBe(round === 0 ? 2 : 0);
      await leave();
      const paid = `select count(*) as answer from payments where loan_id = any($1) and status = 'confirmed'`;
      const loans = friends.map(({ loan }) => loan);
      return { acknowledged: booked.length, effects: await field.fleet.ask(paid, loans) };
    }));

  it('confirmed by one person at once on many loans stays within the day’s limit', () =>
    race(field.fleet, 'one person’s day', async (round) => {
      const loans = await Promise.all([0, 1, 2, 3, 4, 5].map((number) => disbursed(number)));
      const { token, leave } = await hire(`confirms-${round}@example.com`);
      const today = manilaDate(new Date());
      const sent = await atOnce(async (racer) => {
        const form = { amount: 50_000, paidOn: today, channel: 'gcash', reference: `DAY ${round} ${racer}` };
        const params = { id: loans[racer] ?? 0 };
        const { body } = await field.fleet.succeed(api.payOwnLoan, {
          params,
          token: memberOf(racer % 5).token,
          body: form,
        });
        return Number(body.id);
      }, loans.length);
      const answers = await atOnce(
        (racer) =>
          field.fleet.call(api.updatePayment, {
            params: { id: sent[racer] ?? 0 },
            token,
            body: { status: 'confirmed' },
            via: racer,
          }),
        loans.length,
      );
      expect(tally(answers)).toEqual({ '200': 4, '202': 2 });
      await leave();
      const paid = `select count(*) as answer from payments where id = any($1) and status = 'confirmed'`;
      return { acknowledged: 4, effects: await field.fleet.ask(paid, sent) };
    }));

  it('is settled or has a receipt reversed first, and ends the same', () =>
    race(field.fleet, 'settlement against reversal', async (round) => {
      const id = await disbursed(round);
      const { body: first } = await staffDo(api.recordPayment, id, { amount: 16_250, channel: 'cash' });
      const reference = `SET ${1000 + round}`;
      const [paying, taking] = await Promise.all([
        // In the days to cool off the amount received is all that is owed.
        atOnce(
          (racer) => staffDo(api.recordPayment, id, { amount: 133_750, channel: 'cash', reference }, racer),
          racers / 2,
        ),
        atOnce(
          (racer) =>
            staffDo(api.updatePayment, Number(first.id), { status: 'reversed', reason: 'Bounced' }, racer),
          racers / 2,
        ),
      ]);
      expect(tally(paying)).toEqual({ '201': 1, '409 payment_known': racers / 2 - 1 });
      expect(tally(taking)).toEqual({ '200': 1, '409 already_reversed': racers / 2 - 1 });
      const stands = `loan_positions join loans on loans.id = loan_id where loan_id = $1 and state = 'open' and status = 'active'`;
      expect(await count(stands, id)).toBe(1);
      return { acknowledged: 1, effects: await count(live, id) };
    }));
}
