import { describe, expect, it } from 'vitest';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { journal, walletMovements } from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, centavos, parsePesos, pesosText } from '#domain/money.ts';
import { basisPoints } from '#domain/rates.ts';
import { type LoanEvent, position, settlementOn } from '#domain/servicing.ts';
import { refundOf, refusalOf } from './refusals.ts';
import { type CaseEvent, cases, termsFrom } from './worked-cases.ts';

function date(text: string): ManilaDate {
  const parsed = parseManilaDate(text);
  if (!parsed) throw new Error(`No such day: ${text}`);
  return parsed;
}

function pesos(text: string): Centavos {
  const amount = parsePesos(text);
  if (amount === undefined) throw new Error(`No such amount: ${text}`);
  return amount;
}

const termsOf = (amount: string, termMonths: number, startDate: string) =>
  termsFrom({
    amountCentavos: pesos(amount),
    monthlyRate: basisPoints(limits.loanRateBorrowerDefaultBasisPoints),
    termMonths,
    startDate: date(startDate),
  });

/** Events are numbered as they are recorded; the cases call one that the server makes itself `5a`. */
function eventsOf(recorded: readonly CaseEvent[]): LoanEvent[] {
  const sequenceOf = (label: number | undefined) => recorded.findIndex(({ seq }) => seq === label) + 1;
  return recorded.map(({ seq: _, amount, reverses, ...event }, index) => {
    const money = amount === undefined ? {} : { amountCentavos: pesos(amount) };
    const taken = reverses === undefined ? {} : { reverses: sequenceOf(reverses) };
    return { ...event, ...money, ...taken, sequence: index + 1 } as unknown as LoanEvent;
  });
}

/**
 * Writes a value as the wire does: every count of centavos is an amount of pesos, save the
 * few numbers that are none.
 */
function onTheWire(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => onTheWire(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, onTheWire(item, name)]));
  }
  const isMoney = typeof value === 'number' && !['number', 'ofEvent', 'daysPastDue'].includes(key);
  return isMoney ? pesosText(centavos(value)) : value;
}

describe.each(cases)('the worked loan $id: $title', ({ loan, policy, ...worked }) => {
  const { graceDays, coolingOffDays } = policy;
  const terms = termsFrom(
    {
      amountCentavos: pesos(loan.amount),
      monthlyRate: basisPoints(loan.monthlyRateBp),
      termMonths: loan.termMonths,
      startDate: date(loan.disbursedOn),
    },
    {
      graceDays,
      coolingOffDays,
      lateChargeRate: basisPoints(policy.lateChargeBp),
      lateChargeCap: basisPoints(policy.lateChargeCapBp),
    },
  );
  const events = eventsOf(worked.events);
  const labelled = <Item extends { ofEvent: number }>(item: Item) => ({
    ...item,
    ofEvent: worked.events[item.ofEvent - 1]?.seq,
  });

  it('is quoted as it was agreed', () => {
    expect(worked.terms).toMatchObject({
      monthlyPayment: pesosText(terms.monthlyPaymentCentavos),
      effectiveMonthlyRate: terms.effectiveMonthlyRate,
    });
  });

  it.each(worked.checkpoints)('stands as worked out on $asOf', (checkpoint) => {
    // The checkpoint shows what was known then: a receipt that is reversed later counted.
    const later = events.findIndex((event) => event.date > checkpoint.asOf);
    const known = later === -1 ? events : events.slice(0, later);
    const { receipts, ...figures } = position(terms, known, date(checkpoint.asOf));
    expect(onTheWire({ ...figures, receipts: receipts.map(labelled) })).toEqual(checkpoint);
  });

  it('has its credit refunded as worked out', () => {
    const refunds = events.flatMap((event, index) => {
      const over = refundOf(terms, events.slice(0, index + 1), event);
      return over ? [{ afterEvent: event.sequence, date: over.date, amountCentavos: over.amount }] : [];
    });
    const expected = events.flatMap((event) =>
      event.kind === 'refund' && event.auto
        ? [{ afterEvent: event.sequence - 1, date: event.date, amountCentavos: event.amountCentavos }]
        : [],
    );
    expect(refunds).toEqual(expected);
  });

  it('moves the wallet as worked out', () => {
    let balance = 0;
    const ledger = walletMovements(terms, events).map((movement) => {
      balance += movement.amount;
      return labelled({ ...movement, balanceAfter: balance });
    });
    expect(onTheWire(ledger)).toEqual(worked.walletLedger);
  });

  it('is booked as worked out', () => {
    expect(onTheWire(journal([terms], events).map(labelled))).toEqual(worked.journal);
  });
});

const start = date('2025-09-15');
const terms = termsOf('150000', 12, start);
const disbursed: LoanEvent = { sequence: 1, date: start, kind: 'disbursement', channel: 'wallet' };

const event = (sequence: number, day: string, facts: object) =>
  ({ sequence, date: date(day), ...facts }) as LoanEvent;
const receipt = (sequence: number, day: string, amount: string, settlement = false) =>
  event(sequence, day, { kind: 'receipt', amountCentavos: pesos(amount), channel: 'cash', settlement });
const refundBy = (sequence: number, day: string, amount: string, auto = true) =>
  event(sequence, day, { kind: 'refund', amountCentavos: pesos(amount), auto });
const reversal = (sequence: number, day: string, reverses: number) =>
  event(sequence, day, { kind: 'reversal', reverses });

function accountOn(events: LoanEvent[], day: string) {
  return onTheWire(position(terms, events, date(day)).account);
}

/** Events up to the payment of so many rows, each whole and on its due date. */
function paidRows(ofTerms: ServicingTerms, rows: number): LoanEvent[] {
  const { instalments } = position(ofTerms, [disbursed], start);
  return [
    disbursed,
    ...instalments
      .slice(0, rows)
      .map(({ number, dueDate, amount }) => receipt(number + 1, dueDate, pesosText(amount))),
  ];
}

describe('the worked figures', () => {
  it('splits rows into interest and principal', () => {
    const { instalments } = position(termsOf('150000', 12, start), [disbursed], start);
    expect(onTheWire(instalments.at(0))).toMatchObject({ interest: '11201.69', principal: '5048.31' });
    expect(onTheWire(instalments.at(-1))).toMatchObject({ interest: '574.76', principal: '15675.24' });
  });

  it.each([
    ['150000', 12, 3, '122680.54'],
    ['150000', 12, 6, '86116.93'],
    ['2000000', 48, 1, '2055798.53'],
    ['2000000', 48, 24, '1453474.55'],
  ])('settles %s over %s months after row %s for %s', (amount, months, rows, settlement) => {
    const ofTerms = termsOf(amount, months, start);
    const events = paidRows(ofTerms, rows);
    const { date: day } = events.at(-1) ?? disbursed;
    expect(onTheWire(settlementOn(ofTerms, events, day))).toMatchObject({ amount: settlement });
  });
});

describe('money over', () => {
  const almost = paidRows(terms, 11);
  const last = receipt(13, '2026-10-15', '17250');
  const refunded = [...almost, last, refundBy(14, '2026-10-15', '1000')];
  const bounced = [...refunded, reversal(15, '2026-10-20', 13)];

  it('is refunded on the day of its receipt', () => {
    expect(refundOf(terms, [...almost, last], last)).toEqual({ date: '2026-10-15', amount: pesos('1000') });
    expect(refundOf(terms, almost, almost[11] as LoanEvent)).toBeUndefined();
    expect(accountOn([...almost, last], '2026-10-15')).toMatchObject({
      state: 'completed',
      credit: '1000.00',
    });
    expect(accountOn(refunded, '2026-10-15')).toMatchObject({ credit: '0.00', refundToReturn: '0.00' });
  });

  it('is refunded from the day on which a payment found late leaves it over', () => {
    const found = receipt(15, '2026-10-01', '250');
    expect(refundOf(terms, [...refunded, found], found)).toEqual({
      date: '2026-10-15',
      amount: pesos('250'),
    });
  });

  it('is refunded so late that nothing is to be returned on any later day', () => {
    const events: LoanEvent[] = [
      ...almost,
      receipt(13, '2026-10-10', '16250'),
      receipt(14, '2026-10-20', '100'),
      refundBy(15, '2026-10-20', '100'),
      reversal(16, '2026-10-21', 14),
      receipt(17, '2026-10-30', '100'),
    ];
    const found = receipt(18, '2026-10-05', '100');
    // The credit is there from the 10th on, but until the 30th it stands in for what was refunded on the 20th.
    expect(refundOf(terms, [...events, found], found)).toEqual({ date: '2026-10-30', amount: pesos('100') });
  });

  it('is to be returned when its receipt turns out not to have been one', () => {
    expect(accountOn(bounced, '2026-10-20')).toMatchObject({
      state: 'overdue',
      due: '16250.00',
      refundToReturn: '1000.00',
      dueNow: '17250.00',
    });
    const again = receipt(16, '2026-10-21', '17250');
    expect(accountOn([...bounced, again], '2026-10-21')).toMatchObject({
      state: 'completed',
      refundToReturn: '0.00',
    });
    expect(refundOf(terms, [...bounced, again], again)).toBeUndefined();
  });

  it('is asked for when settling too, without counting as saved or not saved', () => {
    const day = date('2026-10-20');
    const without = settlementOn(terms, almost, day);
    expect(settlementOn(terms, bounced, day)).toEqual({
      ...without,
      amount: (without?.amount ?? 0) + pesos('1000'),
    });
  });
});

describe('the books', () => {
  /** Returns the lines as `account debit` or `account -credit`. */
  const booked = (events: LoanEvent[], ofEvent: number) =>
    journal([terms], events)
      .find((entry) => entry.ofEvent === ofEvent)
      ?.lines.map(({ account, debit, credit }) => `${account} ${pesosText(centavos(debit - credit))}`);
  const writtenOff: LoanEvent = { sequence: 3, date: date('2026-01-01'), kind: 'write_off' };
  const paidOnce = paidRows(terms, 1);

  it('take what is written off as lost, and what comes in after all as recovered', () => {
    const events = [...paidOnce, writtenOff, receipt(4, '2026-03-01', '6314.90')];
    expect(booked(events, 3)).toEqual(['loans_principal -144951.69', 'bad_debt 144951.69']);
    expect(booked(events, 4)).toEqual([
      'received_cash 6314.90',
      'interest_income -5314.90',
      'bad_debt_recovered -1000.00',
    ]);
    expect(accountOn(events, '2026-03-01')).toMatchObject({
      state: 'written_off',
      principalLeft: '143951.69',
      writeOffAmount: '144951.69',
      // 16,250 for 17 days of December; row 3 was not late yet.
      lateChargesAccrued: '178.23',
    });
  });

  it('lower the loss by a payment found late', () => {
    const events = [...paidOnce, writtenOff, receipt(4, '2025-12-20', '6314.90')];
    expect(booked(events, 4)).toEqual([
      'received_cash 6314.90',
      'interest_income -5314.90',
      'bad_debt -1000.00',
    ]);
  });

  it('keep each life of a loan on the terms that it was released on', () => {
    const larger = termsOf('500000', 24, '2025-10-01');
    const events: LoanEvent[] = [
      disbursed,
      { sequence: 2, date: date('2025-09-16'), kind: 'cancellation' },
      { sequence: 3, date: larger.startDate, kind: 'disbursement', channel: 'recorded' },
      receipt(4, '2025-12-01', '20000'),
    ];
    const entries = journal([terms, larger], events).map(({ ofEvent, lines }) => [
      ofEvent,
      lines.map(({ account, debit, credit }) => `${account} ${pesosText(centavos(debit - credit))}`),
    ]);
    expect(entries.slice(0, 3)).toEqual([
      [1, ['loans_principal 150000.00', 'wallet_payable -150000.00']],
      [2, ['loans_principal -150000.00', 'wallet_payable 150000.00']],
      [3, ['loans_principal 500000.00', 'opening_balance -500000.00']],
    ]);
    expect(entries[3]?.[1]).toContain('received_cash 20000.00');
    expect(() => journal([terms], events)).toThrow(RangeError);
  });

  it('take back a loss when the release is cancelled', () => {
    const lost: LoanEvent = { sequence: 2, date: start, kind: 'write_off' };
    const cancelled: LoanEvent = { sequence: 3, date: start, kind: 'cancellation' };
    const events = [disbursed, lost, cancelled];
    expect(booked(events, 2)).toEqual(['loans_principal -150000.00', 'bad_debt 150000.00']);
    expect(booked(events, 3)).toEqual(['wallet_payable 150000.00', 'bad_debt -150000.00']);
  });

  it('take a payment out of the wallet, and put it back when it is reversed', () => {
    const fromWallet = { ...receipt(2, '2025-11-15', '8000'), channel: 'wallet' } as LoanEvent;
    const events = [disbursed, fromWallet, reversal(3, '2025-11-16', 2)];
    expect(booked(events, 2)).toEqual(['interest_income -8000.00', 'wallet_payable 8000.00']);
    expect(booked(events, 3)).toEqual(['interest_income 8000.00', 'wallet_payable -8000.00']);
    expect(onTheWire(walletMovements(terms, events))).toEqual([
      { type: 'disbursement', amount: '150000.00', ofEvent: 1 },
      { type: 'loan_payment', amount: '-8000.00', ofEvent: 2 },
      { type: 'loan_payment_reversal', amount: '8000.00', ofEvent: 3 },
    ]);
  });

  it('put what is over into the wallet', () => {
    const day = '2026-11-01';
    const events = [...paidRows(terms, 12), receipt(14, day, '50'), refundBy(15, day, '50')];
    expect(booked(events, 14)).toEqual(['received_cash 50.00', 'borrower_credit -50.00']);
    expect(booked(events, 15)).toEqual(['borrower_credit 50.00', 'wallet_payable -50.00']);
    expect(onTheWire(walletMovements(terms, events).at(-1))).toEqual({
      type: 'loan_refund',
      amount: '50.00',
      ofEvent: 15,
    });
  });
});

describe('an event is refused', () => {
  const late = [disbursed, receipt(2, '2025-11-25', '10000')];
  const deferral = (sequence: number, day: string, months: number) =>
    event(sequence, day, { kind: 'deferral', months });
  const waiver = (amount: string) =>
    event(9, '2025-11-26', { kind: 'waiver', amountCentavos: pesos(amount) });
  const cancelled: LoanEvent = { sequence: 2, date: start, kind: 'cancellation' };
  const writtenOff: LoanEvent = { sequence: 3, date: date('2026-01-01'), kind: 'write_off' };
  const completed = paidRows(terms, 12);

  it.each<[string, LoanEvent[], LoanEvent, string | undefined]>([
    ['a receipt before any disbursement', [], receipt(1, start, '1'), 'not_disbursed'],
    ['a second disbursement', [disbursed], { ...disbursed, sequence: 2 }, 'already_disbursed'],
    ['a receipt on a cancelled loan', [disbursed, cancelled], receipt(3, start, '1'), 'not_disbursed'],
    ['a receipt of the day before', [disbursed], receipt(2, '2025-09-14', '1'), 'before_disbursement'],
    ['no receipt on a completed loan', completed, receipt(14, '2026-12-01', '1'), undefined],
    ['a write-off of a completed loan', completed, { ...writtenOff, sequence: 14 }, 'loan_closed'],
    ['a second write-off', [...late, writtenOff], { ...writtenOff, sequence: 4 }, 'already_written_off'],
    ['a waiver above what is owed', late, waiver('112.51'), 'above_late_charges_owed'],
    ['no waiver of what is owed', late, waiver('112.50'), undefined],
    ['a deferral that leaves a row behind', late, deferral(3, '2025-12-16', 1), 'deferral_not_possible'],
    ['no deferral to the day itself', late, deferral(3, '2025-12-15', 1), undefined],
    ['a deferral of seven months', late, deferral(3, '2025-12-15', 7), 'deferral_not_possible'],
    [
      'a third deferral',
      [...late, deferral(3, '2025-12-01', 1), deferral(4, '2025-12-01', 1)],
      deferral(5, '2025-12-01', 1),
      'deferral_not_possible',
    ],
    [
      'no third deferral after one was reversed',
      [...late, deferral(3, '2025-12-01', 1), deferral(4, '2025-12-01', 1), reversal(5, '2025-12-01', 3)],
      deferral(6, '2025-12-01', 1),
      undefined,
    ],
    [
      'a waiver on a completed loan',
      completed,
      { ...waiver('0.01'), sequence: 14 },
      'above_late_charges_owed',
    ],
    ['a deferral after a write-off', [...late, writtenOff], deferral(4, '2025-12-01', 6), 'loan_closed'],
    [
      'no deferral once the write-off is reversed',
      [...late, writtenOff, reversal(4, '2025-12-01', 3)],
      deferral(5, '2025-12-01', 6),
      undefined,
    ],
    ['the reversal of nothing', late, reversal(3, '2025-12-01', 7), 'no_such_event'],
    ['the reversal of a disbursement', late, reversal(3, '2025-12-01', 1), 'not_reversible'],
    [
      'a second reversal',
      [...late, reversal(3, '2025-12-01', 2)],
      reversal(4, '2025-12-01', 2),
      'already_reversed',
    ],
    [
      'a refund of more than the credit',
      [...completed, receipt(14, '2026-11-16', '1')],
      refundBy(15, '2026-11-17', '1.01', false),
      'above_credit',
    ],
    [
      'the cancellation of money paid out elsewhere',
      [{ ...disbursed, channel: 'direct' } as LoanEvent],
      cancelled,
      'not_in_wallet',
    ],
    [
      'a cancellation while something is to be returned',
      [disbursed, refundBy(2, start, '1')],
      { ...cancelled, sequence: 3 },
      'refund_to_return',
    ],
    ['no cancellation of money in the wallet', [disbursed], cancelled, undefined],
  ])('%s', (_, events, wanted, refusal) => {
    expect(refusalOf(terms, events, wanted, wanted.date)).toBe(refusal);
  });

  it('a deferral that leaves a row before the day of recording', () => {
    const deferred = deferral(3, '2025-12-15', 1);
    expect(refusalOf(terms, late, deferred, date('2025-12-15'))).toBeUndefined();
    expect(refusalOf(terms, late, deferred, date('2025-12-16'))).toBe('deferral_not_possible');
  });
});
