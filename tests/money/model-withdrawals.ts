import fc from 'fast-check';
import * as api from '#contract/api.ts';
import { type Deed, keyed, personOf, requirePerson, someKey, someone, withdrawalOf } from './model-deed.ts';
import { type Judge, type Model, malformed, type Request, refused } from './model-request.ts';
import {
  type Bank,
  centavosOf,
  firstStatus,
  manilaYear,
  missCode,
  momentText,
  move,
  type Person,
  pesos,
  readCode,
  staffId,
  type Withdrawal,
  type WithdrawalStatus,
  whyNotMoved,
} from './oracle.ts';

// The commands about withdrawals: ask for one, and decide on it.

const minimumCentavos = 100_000;

export const banks: Record<string, Bank> = {
  A: { is: 'A', bankName: 'Bank A', bankAccountNumber: '1234567890123' },
  'A otherwise': { is: 'A', bankName: 'bank  a', bankAccountNumber: '1234-567890-123' },
  B: { is: 'B', bankName: 'Bank B', bankAccountNumber: '9876543210987' },
};

/** Amounts by name, for a balance: what is not below is wrong in itself. */
const amounts: Record<string, (balanceCentavos: number) => string | number> = {
  'the least': () => 1000,
  some: () => '1234.56',
  all: (balance) => pesos(balance),
  'a centavo too much': (balance) => pesos(Math.max(balance, minimumCentavos) + 1),
};

/** One field each that no withdrawal may have. */
const badFields: Record<string, Record<string, unknown>> = {
  'too little': { amount: '999.99' },
  'a tenth of a centavo': { amount: '1000.001' },
  'less than nothing': { amount: -1000 },
  'no number': { amount: '1e5' },
  'no code': { otp: undefined },
  'five digits': { otp: '12345' },
  'no bank': { bankName: '  ' },
  'half an account': { bankAccountNumber: '12345' },
};

export const withdraw: fc.Arbitrary<Deed> = fc
  .record({
    who: someone,
    amount: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('the least', ...Object.keys(amounts)) },
      { weight: 1, arbitrary: fc.constant('bad') },
    ),
    bad: fc.constantFrom(...Object.keys(badFields)),
    code: fc.oneof(
      { weight: 4, arbitrary: fc.constant('the set' as const) },
      { weight: 1, arbitrary: fc.constant('a wrong' as const) },
    ),
    bank: fc.constantFrom(...Object.keys(banks)),
    key: someKey,
  })
  .map(({ who, amount, bad, code, bank, key }) => ({
    words: keyed(
      `withdraw ${amount === 'bad' ? bad : amount} of person ${who + 1} with ${code} code to bank ${bank}`,
      key,
    ),
    can: (model) => personOf(model, who) !== undefined,
    ask: (model) => {
      const person = requirePerson(model, who);
      const to = banks[bank] as Bank;
      const body: Record<string, unknown> = {
        amount: (amounts[amount] ?? (() => 1000))(person.balanceCentavos),
        bankName: to.bankName,
        bankAccountNumber: to.bankAccountNumber,
        otp: code === 'the set' ? person.lastCode : '999999',
        ...(amount === 'bad' ? badFields[bad] : {}),
      };
      const request: Request = { row: api.requestWithdrawal, by: person, body, key };
      return { request, judge: judgeWithdrawal(person, to, body, amount === 'bad') };
    },
  }));

function judgeWithdrawal(person: Person, to: Bank, body: Record<string, unknown>, isBad: boolean): Judge {
  return (model) => {
    const amountCentavos = isBad ? 0 : centavosOf(String(body.amount));
    if (amountCentavos < minimumCentavos) return malformed;
    if (amountCentavos > person.balanceCentavos) return refused(400, 'insufficient_funds');
    const code = readCode(person, String(body.otp), model.nowMs);
    if (code !== 'right') {
      const happened = () => {
        if (code === 'none') return;
        missCode(person);
        model.audited.otp_refused += 1;
      };
      return { ...refused(400, 'invalid_otp'), happened };
    }
    const status = firstStatus(person, to, model.nowMs);
    return {
      status: 201,
      reply: {
        userId: person.id,
        amount: pesos(amountCentavos),
        bankName: to.bankName,
        bankAccountNumber: to.bankAccountNumber,
        status,
        createdAt: momentText(model.nowMs),
        processedAt: null,
      },
      happened: ({ id, withdrawalNumber }) => {
        const number = String(withdrawalNumber);
        requireNewNumber(model, number);
        person.code = undefined;
        move(
          person,
          {
            type: 'withdrawal',
            amountCentavos: -amountCentavos,
            actorId: person.id,
            withdrawalId: Number(id),
          },
          model.nowMs,
        );
        model.withdrawals.push({
          id: Number(id),
          number,
          owner: person,
          amountCentavos,
          bank: to,
          status,
          createdAtMs: model.nowMs,
          processedAtMs: null,
        });
        model.audited.withdrawal_requested += 1;
      },
    };
  };
}

/**
 * Fails unless the number is new. A request that dies takes its number along, so there may be gaps, but
 * never the same number again.
 */
function requireNewNumber(model: Model, number: string): void {
  const [, year, sequence] = /^WD-(\d{4})-(\d{6})$/.exec(number) ?? [];
  const last = Number(model.withdrawals.at(-1)?.number.slice(-6) ?? 0);
  if (Number(year) === manilaYear(model.nowMs) && Number(sequence) > last) return;
  throw new Error(`${number} does not follow ${last} in ${manilaYear(model.nowMs)}`);
}

/** Staff move a withdrawal on, or try to. */
export const decide: fc.Arbitrary<Deed> = fc
  .record({
    which: fc.nat(5),
    to: fc.constantFrom('approved', 'rejected', 'rejected', 'completed', 'pending'),
    time: fc.constantFrom('none', 'none', 'now', 'too early'),
    key: someKey,
  })
  .map(({ which, to, time, key }) => ({
    words: keyed(`move withdrawal ${which} from the last to ${to}, with the time ${time}`, key),
    can: (model) => withdrawalOf(model, which) !== undefined,
    ask: (model) => {
      const withdrawal = withdrawalOf(model, which);
      if (!withdrawal) throw new Error('no withdrawal yet');
      const moments = { 'too early': '2026-03-09T08:00:00.000Z', now: momentText(model.nowMs) };
      const body = { status: to, ...(time !== 'none' && { processedAt: moments[time] }) };
      const params = { id: withdrawal.id };
      const request: Request = { row: api.updateWithdrawal, by: 'staff', params, body, key };
      return { request, judge: judgeDecision(withdrawal, to, body.processedAt) };
    },
  }));

function judgeDecision(withdrawal: Withdrawal, to: WithdrawalStatus, processedAt: string | undefined): Judge {
  return (model) => {
    if (processedAt !== undefined && to !== 'completed') return malformed;
    const reason = whyNotMoved(withdrawal.status, to);
    if (reason) return refused(409, reason);
    if (processedAt !== undefined && Date.parse(processedAt) < withdrawal.createdAtMs - 60_000) {
      return refused(400, 'validation_failed');
    }
    const { owner, amountCentavos, id } = withdrawal;
    const completedMs = processedAt === undefined ? model.nowMs : Date.parse(processedAt);
    const processedAtMs = to === 'completed' ? completedMs : null;
    const refundedCentavos = to === 'rejected' ? amountCentavos : 0;
    return {
      status: 200,
      reply: {
        id,
        status: to,
        processedAt: processedAtMs === null ? null : momentText(processedAtMs),
        user: { id: owner.id, balance: pesos(owner.balanceCentavos + refundedCentavos) },
      },
      happened: () => {
        withdrawal.status = to;
        withdrawal.processedAtMs = processedAtMs;
        if (to === 'completed') withdrawal.completedAtMs = model.nowMs;
        owner.notices += 1;
        model.audited.withdrawal_status_changed += 1;
        if (to !== 'rejected') return;
        move(
          owner,
          { type: 'withdrawal_refund', amountCentavos, actorId: staffId, withdrawalId: id },
          model.nowMs,
        );
      },
    };
  };
}
