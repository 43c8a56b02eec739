import { describe, expect, it } from 'vitest';
import { allocationOf, isSameAllocation } from '#domain/allocation.ts';
import { centavos } from '#domain/money.ts';

const receipt = {
  interest: '0.00',
  principal: '0.00',
  lateCharges: '0.00',
  credit: '0.00',
  instalments: {},
  settles: false,
};

describe('what a receipt went to', () => {
  it('is named part by part, without what got nothing', () => {
    const instalments = { 2: '16250.00', 3: '3630.83' };
    expect(allocationOf({ ...receipt, instalments, lateCharges: '119.17' })).toMatchObject({
      toLoan: [
        { to: 'instalment', rows: '2', amount: 16_250_00 },
        { to: 'instalment', rows: '3', amount: 3_630_83 },
      ],
      toOther: [{ to: 'lateCharges', amount: 119_17 }],
    });
  });

  it('joins instalments that follow one another and got the same, and no others', () => {
    const instalments = { 1: '9.00', 8: '5.00', 9: '9.00', 10: '9.00', 12: '9.00' };
    expect(allocationOf({ ...receipt, instalments }).toLoan.map(({ rows }) => rows)).toEqual([
      '1',
      '8',
      '9–10',
      '12',
    ]);
  });

  it('is the whole loan when it settles it, apart from late charges and what is over', () => {
    const settling = { ...receipt, settles: true, interest: '-11201.69', principal: '144951.69' };
    expect(allocationOf({ ...settling, lateCharges: '100.00', credit: '500.00' })).toEqual({
      toLoan: [{ to: 'settlement', rows: '', amount: 133_750_00 }],
      toOther: [
        { to: 'lateCharges', amount: 100_00 },
        { to: 'credit', amount: 500_00 },
      ],
      interest: -11_201_69,
      principal: 144_951_69,
      lateCharges: 100_00,
      credit: 500_00,
    });
  });

  it('is the same in centavos as in pesos, and another when only interest differs', () => {
    const printed = { ...receipt, interest: '1.00', principal: '2.00', instalments: { 1: '3.00' } };
    const zero = centavos(0);
    const folded = {
      interest: centavos(100),
      principal: centavos(200),
      lateCharges: zero,
      credit: zero,
      instalments: { 1: centavos(300) },
      settles: false,
    };
    expect(isSameAllocation(printed, folded)).toBe(true);
    expect(isSameAllocation(printed, { ...folded, interest: centavos(99) })).toBe(false);
    expect(() => allocationOf({ ...receipt, interest: 'much' })).toThrow(RangeError);
  });
});
