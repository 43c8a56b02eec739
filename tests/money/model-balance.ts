import fc from 'fast-check';
import * as api from '#contract/api.ts';
import { type Deed, keyed, personOf, requirePerson, someKey, someone } from './model-deed.ts';
import { type Judge, type Model, malformed, type Request, refused } from './model-request.ts';
import { centavosOf, move, type Person, pesos, staffId } from './oracle.ts';

const balances = [50_000, '12345.67', 250_000.5, '5000.00', 1000, '0', '-1', '0.001'] as const;

/** A balance edit by staff: with a reason or without, and with an expected balance, right or stale. */
export const fund: fc.Arbitrary<Deed> = fc
  .record({
    who: someone,
    balance: fc.constantFrom(...balances),
    reason: fc.option(fc.constantFrom('admin_adjustment', 'disbursement', 'correction')),
    expected: fc.constantFrom('none', 'none', 'right', 'stale'),
    key: someKey,
  })
  .map(({ who, balance, reason, expected, key }) => ({
    words: keyed(
      `set balance of person ${who + 1} to ${balance}${reason ? ` as ${reason}` : ''}${expected === 'none' ? '' : ` expecting the ${expected} one`}`,
      key,
    ),
    can: (model) => personOf(model, who) !== undefined,
    ask: (model) => {
      const person = requirePerson(model, who);
      const expectedCentavos = person.balanceCentavos + (expected === 'stale' ? 1 : 0);
      const body: Record<string, unknown> = {
        balance,
        ...(reason ? { reason } : {}),
        ...(expected === 'none' ? {} : { expectedBalance: pesos(expectedCentavos) }),
      };
      const params = { id: person.id };
      const request: Request = { row: api.updateMember, by: 'staff', params, body, key };
      return { request, judge: judgeFunding(person, String(balance), reason, expected === 'stale') };
    },
  }));

function judgeFunding(person: Person, balance: string, reason: string | null, isStale: boolean): Judge {
  return (model) => {
    if (!/^\d+(\.\d{1,2})?$/.test(balance) || reason === 'disbursement') return malformed;
    if (person.isDeleted) return refused(404, 'not_found');
    if (isStale) return refused(409, 'balance_changed');
    const target = centavosOf(balance);
    return {
      status: 200,
      reply: { id: person.id, balance: pesos(target) },
      happened: () => setBalance(model, person, target, reason ?? 'admin_adjustment'),
    };
  };
}

/** Edits the balance: the difference is one entry, and none when there is none. */
export function setBalance(model: Model, person: Person, targetCentavos: number, type: string): void {
  const amountCentavos = targetCentavos - person.balanceCentavos;
  if (amountCentavos === 0) return;
  move(person, { type, amountCentavos, actorId: staffId, withdrawalId: null }, model.nowMs);
  person.notices += 1;
  model.audited.balance_changed += 1;
}
