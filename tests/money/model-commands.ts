import fc, { type AsyncCommand } from 'fast-check';
import { fund } from './model-balance.ts';
import { inspectBooks, type Wrongs } from './model-books.ts';
import type { Asked, Deed } from './model-deed.ts';
import { inspectLists } from './model-lists.ts';
import { apply, approve, deleteLoan, editLoan } from './model-loans.ts';
import {
  changeAccess,
  completeProfile,
  giveCode,
  makeReady,
  reactivate,
  register,
  remove,
  signIn,
  suspend,
} from './model-people.ts';
import { count, exchange, type Model, refused } from './model-request.ts';
import { cancel, decidePayment, disburse, payOwn, receive, service, withdrawOwn } from './model-servicing.ts';
import { decide, withdraw } from './model-withdrawals.ts';
import type { World } from './model-world.ts';
import { forgetOldKeys, hourMs } from './oracle.ts';

/** The server that the commands run against, and the count of the wrongs. */
export type Real = { world: World; wrongs: Wrongs };

export type Command = AsyncCommand<Model, Real>;

/** Makes a deed a command: after it, whatever it was, the books and the lists are looked at. */
function command(deed: Deed, killAfter?: number): Command {
  return {
    check: (model) => deed.can(model),
    run: async (model, { world, wrongs }) => {
      const asked = await deed.ask(model, world);
      const { request, judge } = killAfter === undefined ? asked : withFreshKey(asked, model);
      await exchange(model, world, request, judge, killAfter);
      if (killAfter !== undefined) forgetOldKeys(model);
      const person = typeof request.by === 'object' ? request.by : undefined;
      await Promise.all([inspectBooks(model, world, wrongs), inspectLists(model, world, person)]);
    },
    toString: () => (killAfter === undefined ? deed.words : `killed after ${killAfter}: ${deed.words}`),
  };
}

const withFreshKey = ({ request, judge }: Asked, model: Model): Asked => ({
  request: { ...request, key: `killed-${model.sent}` },
  judge,
});

const plainly = (deeds: fc.Arbitrary<Deed>) => deeds.map((deed) => command(deed));

/** The server and its database die while the request is under way. */
const killed = fc
  .record({
    deed: fc.oneof(withdraw, withdraw, decide, fund, apply, disburse, receive, payOwn, decidePayment),
    killAfter: fc.nat(30),
  })
  .map(({ deed, killAfter }) => command(deed, killAfter));

/** An earlier request once more, word for word or with another body under its key; money's more often than others. */
const replayed = fc
  .record({ which: fc.nat(11), isSame: fc.boolean(), isMoney: fc.boolean() })
  .map(({ which, isSame, isMoney }) =>
    command({
      words: `send ${isMoney ? 'withdrawal' : 'request'} ${which} from the last again${isSame ? '' : ' with another body'}`,
      can: (model) => keptOnes(model, isMoney).length > 0,
      ask: (model) => {
        const kept = keptOnes(model, isMoney);
        const { request } = kept[kept.length - 1 - (which % kept.length)] ?? {};
        if (!request) throw new Error('nothing was kept yet');
        // The same fields in another order are the same body; one that nobody reads makes it another one.
        const fields = Object.entries(request.body ?? {}).reverse();
        const body = Object.fromEntries(isSame ? fields : [...fields, ['note', 'another body']]);
        return { request: { ...request, body }, judge: () => refused(409, 'idempotency_key_reused') };
      },
    }),
  );

const keptOnes = ({ kept }: Model, isMoney: boolean) =>
  isMoney ? kept.filter(({ endpoint, status }) => endpoint === 'requestWithdrawal' && status === 201) : kept;

/** The hours meet the ends of a code (24), of the hold (48), of a kept key (168) and of the moment before. */
const clockTurned = fc.constantFrom(1, 23, 24, 25, 48, 48, 169).map(
  (hours): Command => ({
    check: () => true,
    run: async (model, { world }) => {
      world.clock.advance({ hours });
      model.nowMs += hours * hourMs;
    },
    toString: () => `turn the clock by ${hours} hours`,
  }),
);

const restarted = fc.constant(null).map(
  (): Command => ({
    check: () => true,
    run: async (model, { world, wrongs }) => {
      await world.restart();
      forgetOldKeys(model);
      count(model, 'restarted');
      await inspectBooks(model, world, wrongs);
    },
    toString: () => 'restart',
  }),
);

/** How often each kind comes: what leads somewhere more often than what leads out. */
const kinds: [weight: number, kind: fc.Arbitrary<Command>][] = [
  [3, plainly(register)],
  [3, plainly(signIn)],
  [3, plainly(completeProfile)],
  [5, plainly(fund)],
  [5, plainly(makeReady)],
  [5, plainly(giveCode)],
  [9, plainly(withdraw)],
  [6, plainly(decide)],
  [5, replayed],
  [2, plainly(changeAccess)],
  [1, plainly(suspend)],
  [3, plainly(reactivate)],
  [1, plainly(remove)],
  [2, plainly(apply)],
  [2, plainly(editLoan)],
  [1, plainly(deleteLoan)],
  [4, plainly(approve)],
  [6, plainly(disburse)],
  [9, plainly(receive)],
  [6, plainly(payOwn)],
  [3, plainly(withdrawOwn)],
  [4, plainly(decidePayment)],
  [4, plainly(service)],
  [1, plainly(cancel)],
  [2, clockTurned],
];

/** Opening the database again takes long on the embedded engine, so how often it happens is for the caller to say. */
export function commandsOf({ endings, steps }: { endings: number; steps: number }) {
  const all: typeof kinds = [...kinds, [endings, restarted], [endings, killed]];
  const weighted = fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  // Without the bias towards small values half of the runs would be a few steps long.
  return fc.noBias(fc.commands([weighted], { maxCommands: steps, size: 'max' }));
}
