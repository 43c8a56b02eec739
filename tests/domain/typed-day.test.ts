import { describe, expect, it } from 'vitest';
import { manilaDate } from '#domain/calendar.ts';
import { readTypedDay } from '#domain/typed-day.ts';

const today = manilaDate(new Date('2026-11-29T04:00:00Z'));

describe('a typed day', () => {
  it.each([
    '2026-11-28',
    '28/11/2026',
    '28.11.2026',
    '28-11-2026',
    '11/28/2026',
    '28 Nov 2026',
    ' 28  november 2026 ',
    '28Nov2026',
    'Nov 28, 2026',
    'November 28 2026',
    '28 Nov',
    'nov 28',
    '28/11',
  ])('%s is 28 November 2026', (typed) => {
    expect(readTypedDay(typed, { today })).toBe('2026-11-28');
  });

  it('has its day first where both are possible', () => {
    expect(readTypedDay('3/4/2026', { today })).toBe('2026-04-03');
    expect(readTypedDay('Sept 5', { today })).toBe('2026-09-05');
  });

  it('may still get its year', () => {
    expect(readTypedDay('2/11', { today, needsYear: true })).toBeUndefined();
    expect(readTypedDay('2 Nov', { today, needsYear: true })).toBeUndefined();
    expect(readTypedDay('2/11/2025', { today, needsYear: true })).toBe('2025-11-02');
  });

  it.each(['', '28', 'Nov', '31/4/2026', '13/13/2026', '28 Foo 2026', '28/11/26', '2026-11-28x', 'tomorrow'])(
    '%s is none',
    (typed) => {
      expect(readTypedDay(typed, { today })).toBeUndefined();
    },
  );
});
