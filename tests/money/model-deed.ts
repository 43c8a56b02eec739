import fc from 'fast-check';
import type { Judge, Model, Request } from './model-request.ts';
import type { World } from './model-world.ts';
import type { Loan, Payment, Person, Withdrawal } from './oracle.ts';

/** One request in words, whether it can be made now, and what it asks and should be told. */
export type Deed = {
  words: string;
  can: (model: Model) => boolean;
  ask: (model: Model, world: World) => Asked | Promise<Asked>;
};

export type Asked = { request: Request; judge: Judge };

/** Whom a command is about: the first one more often than the others, so that something comes of them. */
export const someone = fc.constantFrom(0, 0, 0, 0, 1, 1, 2);

/** Keys are few, so that they meet each other's by themselves. */
export const someKey = fc
  .option(fc.nat(11), { freq: 2 })
  .map((key) => (key === null ? undefined : `key-${key}`));

/** A deed in words, with the key it is sent under. */
export const keyed = (words: string, key: string | undefined) =>
  key === undefined ? words : `${words} (${key})`;

const pick = <Item>(items: readonly Item[], which: number): Item | undefined =>
  items[items.length === 0 ? 0 : which % items.length];

/** Persons are named by their place among those who are there; the deleted ones come last. */
export const personOf = ({ people }: Model, who: number): Person | undefined =>
  pick([...people.filter((one) => !one.isDeleted), ...people.filter((one) => one.isDeleted)], who);

export function requirePerson(model: Model, who: number): Person {
  const person = personOf(model, who);
  if (!person) throw new Error('nobody is there yet');
  return person;
}

/** Counted from the newest, which has more to come. */
export const withdrawalOf = (model: Model, which: number): Withdrawal | undefined =>
  pick(model.withdrawals.toReversed(), which);

export const paymentOf = (model: Model, which: number): Payment | undefined =>
  pick(model.payments.toReversed(), which);

export const loanOf = (model: Model, which: number): Loan | undefined =>
  pick(model.loans.toReversed(), which);
