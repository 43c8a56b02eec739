import { describe, expect, it } from 'vitest';
import * as api from '#contract/api.ts';
import { fullProfile } from '#tests/setup/test-server.ts';
import { tortureTimeoutMs } from '#tests/setup/torture.ts';
import { atOnce, type Field, type Member, race, tally } from './fleet.ts';

const slow = { timeout: tortureTimeoutMs(120_000) };

let field: Field;

/** Declares the races for one phone number and for the numbers of loans. */
export function peopleRaces(given: Field): void {
  field = given;
  describe('a phone number', slow, phoneRaces);
  describe('a loan', slow, loanRaces);
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
      expect(tally(answers)).toEqual({ '201': 1, '409 already_registered': 49 });
      const holders = 'select count(*) as answer from accounts where phone_key = $1';
      return { acknowledged: 1, effects: await field.fleet.ask(holders, `+63${digits}`) };
    }));

  it('is given to one of many members', () =>
    race(field.fleet, 'one phone for many members', async (round) => {
      const digits = String(9_300_000_000 + round);
      const answers = await atOnce((racer) =>
        field.fleet.editMember(memberOf(racer), { phone: forms(digits)[racer % 3] }, { via: racer }),
      );
      expect(tally(answers)).toEqual({ '200': 1, '409 phone_taken': 49 });
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
      expect(tally(answers)).toEqual({ '201': 50 });
      expect(new Set(answers.map(({ body }) => body.loanNumber)).size).toBe(50);
      const ids = answers.map(({ body }) => body.id);
      const stored = 'select count(distinct loan_number) as answer from loans where id = any($1)';
      return { acknowledged: 50, effects: await field.fleet.ask(stored, ids) };
    });
  });
}
