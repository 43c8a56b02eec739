import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  addWorkingDays,
  daysBetween,
  formatManilaDate,
  formatManilaDayMonth,
  formatManilaInstant,
  type ManilaDate,
  manilaDate,
  manilaTime,
  manilaYear,
  monthsBetween,
  parseManilaDate,
} from '#domain/calendar.ts';

function date(text: string): ManilaDate {
  const parsed = parseManilaDate(text);
  if (!parsed) throw new Error(`No such day: ${text}`);
  return parsed;
}

const yearMs = 31_556_952_000;
const anyInstant = fc.date({
  min: new Date('1995-01-01T00:00:00Z'),
  max: new Date('2199-12-31T23:59:59Z'),
  noInvalidDate: true,
});
const anyDate = anyInstant.map(manilaDate);

/** The days of a month by the platform's own calendar, to check ours against. */
function lastDayOf(text: string): number {
  return new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
}

describe('manilaDate', () => {
  it.each([
    ['2026-11-20T15:59:59.999Z', '2026-11-20', '23:59'],
    ['2026-11-20T16:00:00.000Z', '2026-11-21', '00:00'],
    ['2026-12-31T15:59:59.999Z', '2026-12-31', '23:59'],
    ['2026-12-31T16:00:00.000Z', '2027-01-01', '00:00'],
    ['2028-02-28T16:00:00.000Z', '2028-02-29', '00:00'],
    ['2027-02-28T16:00:00.000Z', '2027-03-01', '00:00'],
    ['2026-11-20T02:42:00.000Z', '2026-11-20', '10:42'],
  ])('%s is %s %s in Manila', (instant, day, time) => {
    expect(manilaDate(new Date(instant))).toBe(day);
    expect(manilaTime(new Date(instant))).toBe(time);
    expect(manilaYear(new Date(instant))).toBe(Number(day.slice(0, 4)));
  });

  it.each([Number.NaN, 8.64e15, -8.64e15])('refuses the instant %d', (ms) => {
    expect(() => manilaDate(new Date(ms))).toThrow(RangeError);
  });

  describe('under a hostile time zone', () => {
    const ownZone = process.env.TZ;
    afterEach(() => {
      if (ownZone === undefined) delete process.env.TZ;
      else process.env.TZ = ownZone;
    });

    it.each([
      ['Pacific/Kiritimati', -840],
      ['Pacific/Pago_Pago', 660],
      ['America/St_Johns', 210],
      ['Asia/Kathmandu', -345],
      ['UTC', 0],
    ])('%s changes nothing', (zone, offsetMinutes) => {
      process.env.TZ = zone;
      // The zone did take effect, so the rest of this test means something.
      expect(new Date('2026-01-15T00:00:00Z').getTimezoneOffset()).toBe(offsetMinutes);
      const oracle = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Manila', dateStyle: 'short' });
      fc.assert(
        fc.property(anyInstant, (instant) => {
          expect(manilaDate(instant)).toBe(oracle.format(instant));
        }),
      );
      expect(addMonths(date('2026-01-31'), 1)).toBe('2026-02-28');
      expect(daysBetween(date('2026-03-01'), date('2026-04-01'))).toBe(31);
      expect(formatManilaInstant(new Date('2026-11-20T16:05:00Z'))).toBe('21 Nov 2026, 00:05');
    });
  });
});

describe('parseManilaDate', () => {
  it.each(['2026-02-28', '2028-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31'])(
    'reads %s',
    (text) => {
      expect(parseManilaDate(text)).toBe(text);
    },
  );

  it.each([
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '0000-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '',
  ])('refuses %j', (text) => {
    expect(parseManilaDate(text)).toBeUndefined();
  });
});

describe('addMonths', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-01-31', 3, '2026-04-30'],
    ['2026-11-20', 2, '2027-01-20'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2027-12-31', 2, '2028-02-29'],
    ['2026-10-31', 1, '2026-11-30'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-01-15', 0, '2026-01-15'],
    ['2026-01-31', -2, '2025-11-30'],
    ['2026-01-15', -1, '2025-12-15'],
  ])('%s and %i months is %s', (from, months, expected) => {
    expect(addMonths(date(from), months)).toBe(expected);
  });

  it('lands in the target month, on the same day or that month’s last', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -600, max: 600 }), (from, months) => {
        const to = addMonths(from, months);
        expect(parseManilaDate(to)).toBe(to);
        const monthIndex = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
        expect(monthIndex(to) - monthIndex(from)).toBe(months);
        expect(Number(to.slice(8))).toBe(Math.min(Number(from.slice(8)), lastDayOf(to)));
      }),
    );
  });

  it.each([
    ['9999-12-01', 1],
    ['0001-01-01', -1],
    ['2026-01-01', 0.5],
    ['2026-01-01', Number.NaN],
  ])('refuses to leave the calendar: %s and %d', (from, months) => {
    expect(() => addMonths(date(from), months)).toThrow(RangeError);
  });
});

describe('days', () => {
  it.each([
    ['2026-11-20', '2026-11-20', 0],
    ['2026-11-20', '2026-11-21', 1],
    ['2026-11-21', '2026-11-20', -1],
    ['2026-01-01', '2027-01-01', 365],
    ['2028-01-01', '2029-01-01', 366],
    ['2026-11-20', '2027-01-20', 61],
    ['0099-12-31', '0100-01-01', 1],
  ])('from %s to %s: %i', (from, to, days) => {
    expect(daysBetween(date(from), date(to))).toBe(days);
    expect(addDays(date(from), days)).toBe(to);
  });

  it('adds and counts alike, and dates sort as text', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -20_000, max: 20_000 }), (from, days) => {
        const to = addDays(from, days);
        expect(daysBetween(from, to)).toBe(days);
        expect(Math.sign(days)).toBe(to === from ? 0 : to > from ? 1 : -1);
      }),
    );
  });

  it('never goes back as time goes on', () => {
    fc.assert(
      fc.property(anyInstant, fc.nat(yearMs), (instant, laterMs) => {
        expect(manilaDate(new Date(instant.getTime() + laterMs)) >= manilaDate(instant)).toBe(true);
      }),
    );
  });
});

describe('dates in words', () => {
  it.each([
    ['2026-11-20', '20 Nov 2026', '20 Nob 2026'],
    ['2014-11-14', '14 Nov 2014', '14 Nob 2014'],
    ['2027-01-05', '5 Jan 2027', '5 Ene 2027'],
    ['2027-08-31', '31 Aug 2027', '31 Ago 2027'],
    ['2027-12-01', '1 Dec 2027', '1 Dis 2027'],
  ])('%s is %s, in Filipino %s', (text, english, filipino) => {
    expect(formatManilaDate(date(text))).toBe(english);
    expect(formatManilaDate(date(text), 'fil')).toBe(filipino);
    expect(formatManilaDayMonth(date(text))).toBe(english.slice(0, -5));
  });

  it('shows an instant in Manila time', () => {
    const instant = new Date('2026-11-20T02:42:59Z');
    expect(formatManilaInstant(instant)).toBe('20 Nov 2026, 10:42');
    expect(formatManilaInstant(instant, 'fil')).toBe('20 Nob 2026, 10:42');
  });
});

describe('monthsBetween', () => {
  it.each([
    ['2025-11-15', '2025-11-26', { months: 0, days: 11, monthDays: 30 }],
    ['2025-11-15', '2025-12-15', { months: 1, days: 0, monthDays: 31 }],
    ['2025-12-20', '2026-01-05', { months: 0, days: 16, monthDays: 31 }],
    ['2026-01-31', '2026-02-28', { months: 1, days: 0, monthDays: 31 }],
    ['2026-01-31', '2026-03-30', { months: 1, days: 30, monthDays: 31 }],
    ['2024-02-29', '2025-02-28', { months: 12, days: 0, monthDays: 29 }],
  ])('counts from %s to %s', (from, to, expected) => {
    expect(monthsBetween(from as ManilaDate, to as ManilaDate)).toEqual(expected);
  });
});

it.each([
  ['2026-11-20', 1, '2026-11-23'],
  ['2026-11-21', 1, '2026-11-23'],
  ['2026-11-22', 1, '2026-11-23'],
  ['2026-11-23', 1, '2026-11-24'],
  ['2026-11-19', 2, '2026-11-23'],
  ['2026-12-30', 5, '2027-01-06'],
  ['2026-11-21', 0, '2026-11-21'],
])('%s and %i working days are %s', (from, days, to) => {
  expect(addWorkingDays(date(from), days)).toBe(to);
});
