import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { limits } from '#domain/limits.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { tortureTimeoutMs } from '#tests/setup/torture.ts';
import { atOnce, type Field, type Member, race, racers, type Sent, type Told, tally } from './fleet.ts';

const slow = { timeout: tortureTimeoutMs(120_000) };

let field: Field;

/** Declares the races for one code, one balance, one withdrawal and one key. */
export function walletRaces(given: Field): void {
  field = given;
  describe('a code', slow, codeRaces);
  describe('a balance', slow, balanceRaces);
  describe('a withdrawal', slow, withdrawalRaces);
  describe('a key', slow, keyRaces);
}

const code = '123456';
const wrongCode = '654321';
const { bankName, bankAccountNumber } = fullProfile;

const memberOf = (round: number) => field.members[round % field.members.length] as Member;

const withdraw = ({ token }: Member, change: Record<string, unknown> = {}, how: Sent = {}) =>
  field.fleet.call(api.requestWithdrawal, {
    token,
    body: { amount: 1000, bankName, bankAccountNumber, otp: code, ...change },
    ...how,
  });

/** A member with so many pesos and a code. */
async function ready(round: number, balance: number): Promise<Member> {
  const member = memberOf(round);
  expect((await field.fleet.editMember(member, { balance, otpCode: code })).status).toBe(200);
  return member;
}

/** A withdrawal that nobody has decided on; the bank is not the profile's, so it is pending. */
async function pending(round: number): Promise<{ member: Member; id: number }> {
  const member = await ready(round, 5_000);
  const told = await withdraw(member, { bankName: 'Another bank' });
  expect(told.body.status).toBe('pending');
  return { member, id: Number(told.body.id) };
}

const decide = (id: number, status: string, via: number) =>
  field.fleet.call(api.updateWithdrawal, { params: { id }, token: field.fleet.staff, body: { status }, via });

const balanceOf = ({ id }: Member) =>
  field.fleet.ask('select balance_centavos as answer from accounts where id = $1', id);
const withdrawalsOf = ({ id }: Member) =>
  field.fleet.ask('select count(*) as answer from withdrawals where account_id = $1', id);
const entriesOf = ({ id }: Member) =>
  field.fleet.ask('select count(*) as answer from ledger_entries where account_id = $1', id);
const refundsOf = (id: number) =>
  field.fleet.ask(
    `select count(*) as answer from ledger_entries where withdrawal_id = $1 and type = 'withdrawal_refund'`,
    id,
  );
const refusalsOf = ({ id }: Member) =>
  field.fleet.ask(
    `select count(*) as answer from audit_entries where action = 'otp_refused' and target_id = $1`,
    id,
  );

const won = (answers: readonly Told[]) => answers.filter(({ status }) => status < 300);

function codeRaces(): void {
  it('is used once', () =>
    race(field.fleet, 'one code', async (round) => {
      const member = await ready(round, 50_000);
      const before = await withdrawalsOf(member);
      const answers = await atOnce((racer) => withdraw(member, {}, { via: racer }));
      expect(tally(answers)).toEqual({ '201': 1, '400 invalid_otp': racers - 1 });
      expect(await balanceOf(member)).toBe(49_000_00);
      return { acknowledged: 1, effects: (await withdrawalsOf(member)) - before };
    }));

  it('has five wrong tries, however they arrive', () =>
    race(field.fleet, 'wrong codes', async (round) => {
      const member = await ready(round, 50_000);
      const before = await refusalsOf(member);
      const answers = await atOnce((racer) => withdraw(member, { otp: wrongCode }, { via: racer }));
      expect(tally(answers)).toEqual({ '400 invalid_otp': racers });
      expect((await withdraw(member)).body.code).toBe('invalid_otp');
      expect(await balanceOf(member)).toBe(50_000_00);
      return { acknowledged: limits.otpMaxWrongTries, effects: (await refusalsOf(member)) - before };
    }));

  it('has one last try', () =>
    race(field.fleet, 'last allowed try of a code', async (round) => {
      const member = await ready(round, 50_000);
      const before = { refusals: await refusalsOf(member), withdrawals: await withdrawalsOf(member) };
      for (let tried = 1; tried < limits.otpMaxWrongTries; tried += 1)
        await withdraw(member, { otp: wrongCode });
      const answers = await atOnce((racer) =>
        withdraw(member, { otp: racer % 2 === round % 2 ? code : wrongCode }, { via: racer }),
      );
      const winners = won(answers).length;
      expect(tally(answers)['400 invalid_otp']).toBe(racers - winners);
      expect(winners).toBeLessThanOrEqual(1);
      // Either the right code came first and was used up, or the fifth wrong one did and took it away.
      const refusals = (await refusalsOf(member)) - before.refusals;
      expect(refusals).toBe(winners === 1 ? 4 : 5);
      expect(await balanceOf(member)).toBe(50_000_00 - winners * 1_000_00);
      return { acknowledged: winners, effects: (await withdrawalsOf(member)) - before.withdrawals };
    }));
}

function balanceRaces(): void {
  it('pays out no more than there is, while codes are set as fast as they are used', () =>
    race(field.fleet, 'one balance', async (round) => {
      const member = await ready(round, 3_500);
      const before = await withdrawalsOf(member);
      const answers = await atOnce((racer) =>
        racer % 2 === 0
          ? withdraw(member, {}, { via: racer })
          : field.fleet.editMember(member, { otpCode: code }, { via: racer }),
      );
      expect(answers.filter((_, racer) => racer % 2 === 1).map(({ status }) => status)).toEqual(
        Array(racers / 2).fill(200),
      );
      let paid = won(answers.filter((_, racer) => racer % 2 === 0)).length;
      // One at a time until the wallet says no: whatever order they came in, three thousand pesos fit and no more.
      for (;;) {
        await field.fleet.editMember(member, { otpCode: code });
        const told = await withdraw(member);
        if (told.body.code === 'insufficient_funds') break;
        expect(told.status).toBe(201);
        paid += 1;
      }
      expect(paid).toBe(3);
      expect(await balanceOf(member)).toBe(500_00);
      return { acknowledged: paid, effects: (await withdrawalsOf(member)) - before };
    }));

  it('is edited by the one who expected it as it was', () =>
    race(field.fleet, 'edits of one expected balance', async (round) => {
      const member = await ready(round, 5_000);
      const before = await entriesOf(member);
      const answers = await atOnce((racer) =>
        field.fleet.editMember(
          member,
          { balance: 6_000 + racer, expectedBalance: '5000.00' },
          { via: racer },
        ),
      );
      expect(tally(answers)).toEqual({ '200': 1, '409 balance_changed': racers - 1 });
      const winner = answers.findIndex(({ status }) => status === 200);
      expect(await balanceOf(member)).toBe((6_000 + winner) * 100);
      return { acknowledged: 1, effects: (await entriesOf(member)) - before };
    }));

  it('keeps every edit apart from the others', () =>
    race(field.fleet, 'edits of one balance', async (round) => {
      const member = await ready(round, 5_000);
      const before = await entriesOf(member);
      const answers = await atOnce((racer) =>
        field.fleet.editMember(member, { balance: 6_000 + racer }, { via: racer }),
      );
      expect(tally(answers)).toEqual({ '200': racers });
      return { acknowledged: racers, effects: (await entriesOf(member)) - before };
    }));

  it('keeps its member from being deleted, at the same moment too', () =>
    race(field.fleet, 'withdrawal against deletion', async () => {
      const member = await field.fleet.register();
      await field.fleet.editMember(member, { balance: 5_000, otpCode: code });
      const answers = await atOnce((racer) =>
        racer % 2 === 0
          ? withdraw(member, {}, { via: racer, key: randomUUID() })
          : field.fleet.call(api.deleteUser, {
              params: { id: member.id },
              token: field.fleet.staff,
              via: racer,
            }),
      );
      const deletions = answers.filter((_, racer) => racer % 2 === 1);
      expect(tally(deletions)).toEqual({ '409 member_not_settled': racers / 2 });
      const paid = won(answers).length;
      expect(paid).toBe(1);
      expect(await balanceOf(member)).toBe(5_000_00 - paid * 1_000_00);
      return { acknowledged: paid, effects: await withdrawalsOf(member) };
    }));
}

function withdrawalRaces(): void {
  it('is refunded once', () =>
    race(field.fleet, 'one rejection', async (round) => {
      const { member, id } = await pending(round);
      const answers = await atOnce((racer) => decide(id, 'rejected', racer));
      expect(tally(answers)).toEqual({ '200': 1, '409 withdrawal_final': racers - 1 });
      expect(await balanceOf(member)).toBe(5_000_00);
      return { acknowledged: 1, effects: await refundsOf(id) };
    }));

  it('ends rejected and refunded once when it is approved and rejected at once', () =>
    race(field.fleet, 'approval against rejection', async (round) => {
      const { member, id } = await pending(round);
      const answers = await atOnce((racer) => decide(id, racer % 2 === 0 ? 'approved' : 'rejected', racer));
      expect(won(answers.filter((_, racer) => racer % 2 === 1))).toHaveLength(1);
      expect(won(answers.filter((_, racer) => racer % 2 === 0)).length).toBeLessThanOrEqual(1);
      expect(await balanceOf(member)).toBe(5_000_00);
      return { acknowledged: 1, effects: await refundsOf(id) };
    }));

  it('is either paid out or refunded when both are said at once', () =>
    race(field.fleet, 'completion against rejection', async (round) => {
      const { member, id } = await pending(round);
      const answers = await atOnce((racer) => decide(id, racer % 2 === 0 ? 'completed' : 'rejected', racer));
      expect(tally(answers)).toEqual({ '200': 1, '409 withdrawal_final': racers - 1 });
      const isRejected = won(answers)[0]?.body.status === 'rejected';
      expect(await balanceOf(member)).toBe(isRejected ? 5_000_00 : 4_000_00);
      return { acknowledged: isRejected ? 1 : 0, effects: await refundsOf(id) };
    }));

  it('has a number of its own', () =>
    race(field.fleet, 'numbers of withdrawals', async () => {
      await atOnce((racer) => ready(racer, 5_000));
      const answers = await atOnce((racer) => withdraw(memberOf(racer), {}, { via: racer }));
      expect(tally(answers)).toEqual({ '201': racers });
      const numbers = new Set(answers.map(({ body }) => body.withdrawalNumber));
      const ids = answers.map(({ body }) => body.id);
      const stored = 'select count(distinct withdrawal_number) as answer from withdrawals where id = any($1)';
      expect(numbers.size).toBe(racers);
      return { acknowledged: racers, effects: await field.fleet.ask(stored, ids) };
    }));
}

function keyRaces(): void {
  it('gives every retry of a withdrawal the first answer', () =>
    race(field.fleet, 'one idempotency key', async (round) => {
      const member = await ready(round, 50_000);
      const before = await withdrawalsOf(member);
      const key = randomUUID();
      const answers = await atOnce((racer) => withdraw(member, {}, { via: racer, key }));
      expect(tally(answers)).toEqual({ '201': racers });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      return { acknowledged: 1, effects: (await withdrawalsOf(member)) - before };
    }));

  it('belongs to the body that came first', () =>
    race(field.fleet, 'one key, two bodies', async (round) => {
      const member = await ready(round, 50_000);
      const before = await withdrawalsOf(member);
      const key = randomUUID();
      const answers = await atOnce((racer) =>
        withdraw(member, { amount: racer % 2 === 0 ? 1_000 : 2_000 }, { via: racer, key }),
      );
      expect(tally(answers)).toEqual({ '201': racers / 2, '409 idempotency_key_reused': racers / 2 });
      expect(new Set(won(answers).map(({ text }) => text)).size).toBe(1);
      return { acknowledged: 1, effects: (await withdrawalsOf(member)) - before };
    }));

  it('gives every retry of a balance edit the first answer', () =>
    race(field.fleet, 'one key of a balance edit', async (round) => {
      const member = await ready(round, 5_000);
      const before = await entriesOf(member);
      const key = randomUUID();
      const edit = { balance: 7_000, expectedBalance: 5_000 };
      const answers = await atOnce((racer) => field.fleet.editMember(member, edit, { via: racer, key }));
      expect(tally(answers)).toEqual({ '200': racers });
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      return { acknowledged: 1, effects: (await entriesOf(member)) - before };
    }));
}
