import { expect } from 'vitest';
import * as api from '#contract/api.ts';
import type { Model } from './model-request.ts';
import { dayOf, livedThrough } from './model-servicing.ts';
import type { World } from './model-world.ts';
import { type Loan, momentText, type Person, pesos, whyKeptOut } from './oracle.ts';

/** Checks the lists that whoever asked is shown: a person their own, staff everything. */
export async function inspectLists(model: Model, world: World, person: Person | undefined): Promise<void> {
  if (person) return inspectOwnLists(model, world, person);
  const withdrawals = await world.call(api.listWithdrawals, { token: await world.staffToken() });
  expect(withdrawals.body.map(({ id, status, user }) => [id, status, user.id, user.balance])).toEqual(
    model.withdrawals
      .toReversed()
      .map(({ id, status, owner }) => [id, status, owner.id, pesos(owner.balanceCentavos)]),
  );
}

async function inspectOwnLists(model: Model, world: World, person: Person): Promise<void> {
  const keptOut = whyKeptOut(person, model.nowMs);
  const token = person.session?.token;
  const [profile, withdrawals] = await Promise.all([
    world.call(api.readProfile, { token }),
    world.call(api.listOwnWithdrawals, { token }),
  ]);
  if (keptOut) {
    for (const { status, body } of [profile, withdrawals])
      expect({ status, code: body.code }).toEqual(keptOut);
    return;
  }
  expect([profile.status, profile.body.balance]).toEqual([200, pesos(person.balanceCentavos)]);
  expect(
    withdrawals.body.map(({ id, amount, status, processedAt }) => [id, amount, status, processedAt]),
  ).toEqual(
    model.withdrawals
      .filter(({ owner }) => owner === person)
      .toReversed()
      .map(({ id, amountCentavos, status, processedAtMs }) => [
        id,
        pesos(amountCentavos),
        status,
        processedAtMs === null ? null : momentText(processedAtMs),
      ]),
  );
}

/** Where a loan stands today, by every figure of the days lived through. */
async function inspectAccount(model: Model, world: World, loan: Loan): Promise<void> {
  if (!loan.account || loan.isDeleted) return;
  const asOf = dayOf(model.nowMs);
  const { body } = await world.call(api.readLoanAccount, {
    token: await world.staffToken(),
    params: { id: loan.id },
  });
  const { account, instalments, receipts, settlement } = body;
  expect({ asOf: body.asOf, account, instalments, receipts, ...(settlement && { settlement }) }).toEqual(
    onTheWire(livedThrough(loan.account, asOf)),
  );
}

/** Amounts are the bigints. */
const onTheWire = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, figure) =>
      typeof figure === 'bigint'
        ? (figure < 0n ? '-' : '') + pesos(Number(figure < 0n ? -figure : figure))
        : figure,
    ),
  );

/** At the end of a run: every list there is, of everybody. */
export async function inspectAllLists(model: Model, world: World): Promise<void> {
  for (const person of model.people) await inspectOwnLists(model, world, person);
  const token = await world.staffToken();
  for (const status of ['pending', 'approved', 'completed', 'rejected'] as const) {
    const { body } = await world.call(api.listWithdrawals, { token, query: { status } });
    const expected = model.withdrawals.filter((one) => one.status === status).map(({ id }) => id);
    expect(body.map(({ id }) => id)).toEqual(expected.toReversed());
  }
  const members = await world.call(api.listMembers, { token });
  expect(members.body.map(({ id, balance, status }) => [id, balance, status])).toEqual(
    model.people
      .filter(({ isDeleted }) => !isDeleted)
      .toSorted((a, b) => b.id - a.id)
      .map(({ id, balanceCentavos, status }) => [id, pesos(balanceCentavos), status]),
  );
  for (const loan of model.loans) await inspectAccount(model, world, loan);
  const loans = await world.call(api.listLoans, { token });
  expect(loans.body.map(({ id, amount, status, userId }) => [id, amount, status, userId])).toEqual(
    model.loans
      .filter(({ isDeleted }) => !isDeleted)
      .toReversed()
      .map(({ id, amountCentavos, status, owner }) => [id, pesos(amountCentavos), status, owner.id]),
  );
}
