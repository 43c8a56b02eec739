import { describe, expect, it } from 'vitest';
import { centavos } from '#domain/money.ts';
import { formatsOf, showPeso, typedAmount } from '#web/lib/format.ts';

const [en, fil] = [formatsOf('en'), formatsOf('fil')];

it('runs in a time zone whose day differs from Manila’s', () => {
  expect(process.env.TZ).toBe('America/St_Johns');
  expect(new Date('2026-11-19T16:30:00Z').getDate()).toBe(19);
});

describe('amounts', () => {
  it.each([
    { amount: '150000.00', full: '₱150,000.00' },
    { amount: '2000000.5', full: '₱2,000,000.50' },
    { amount: '0.00', full: '₱0.00' },
    { amount: '999.99', full: '₱999.99' },
    { amount: '90071992547409.91', full: '₱90,071,992,547,409.91' },
    { amount: centavos(1_625_000), full: '₱16,250.00' },
    { amount: centavos(-50_05), full: '-₱50.05' },
    { amount: '-5.00', full: '-₱5.00' },
  ])('$amount: $full', ({ amount, full }) => {
    expect(showPeso(amount)).toBe(full);
    for (const formats of [en, fil]) expect(formats.peso(amount)).toBe(full);
  });

  it.each(['', 'NaN', '1e5', '12.345', '--5.00', 'twelve'])(
    '"%s", which is none, is shown as it is',
    (text) => {
      expect(showPeso(text)).toBe(text);
    },
  );

  it.each([
    { typed: '₱12,500.00', amount: '12500.00' },
    { typed: ' 12 500 ', amount: '12500' },
    { typed: 12500.5, amount: '12500.5' },
    { typed: 'twelve', amount: 'twelve' },
    { typed: '-5', amount: '-5' },
    { typed: undefined, amount: '' },
    { typed: null, amount: '' },
  ])('$typed as typed is meant as $amount', ({ typed, amount }) => {
    expect(typedAmount(typed)).toBe(amount);
  });
});

describe('dates are Manila’s', () => {
  it.each([
    // Half an hour past midnight in Manila, and still the day before here and in UTC.
    { moment: '2026-11-19T16:30:00.000Z', date: '20 Nov 2026', dateFil: '20 Nob 2026', time: '00:30' },
    { moment: '2026-11-19T15:59:59.999Z', date: '19 Nov 2026', dateFil: '19 Nob 2026', time: '23:59' },
    { moment: '2026-12-31T16:00:00.000Z', date: '1 Jan 2027', dateFil: '1 Ene 2027', time: '00:00' },
    // The hour that summer time takes out here.
    { moment: '2026-03-08T05:45:00.000Z', date: '8 Mar 2026', dateFil: '8 Mar 2026', time: '13:45' },
  ])('$moment: $date, $time', ({ moment, date, dateFil, time }) => {
    expect([en.date(moment), fil.date(moment)]).toEqual([date, dateFil]);
    expect([en.dateTime(moment), fil.dateTime(moment)]).toEqual([`${date}, ${time}`, `${dateFil}, ${time}`]);
    expect(en.dayMonth(moment)).toBe(date.slice(0, -5));
  });

  it.each([
    { day: '2026-01-31', english: '31 Jan 2026', filipino: '31 Ene 2026' },
    { day: '2028-02-29', english: '29 Feb 2028', filipino: '29 Peb 2028' },
    { day: '2026-08-01', english: '1 Aug 2026', filipino: '1 Ago 2026' },
  ])('the day $day stays that day', ({ day, english, filipino }) => {
    expect([en.date(day), fil.date(day)]).toEqual([english, filipino]);
    expect([en.dayMonth(day), fil.dayMonth(day)]).toEqual([english.slice(0, -5), filipino.slice(0, -5)]);
  });
});
