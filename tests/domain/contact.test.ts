import { describe, expect, it } from 'vitest';
import type { ManilaDate } from '#domain/calendar.ts';
import { silentDays } from '#domain/complaint.ts';
import { mayContact, promiseState } from '#domain/contact.ts';
import { centavos } from '#domain/money.ts';

const at = (text: string) => new Date(`${text}+08:00`);
const none: Date[] = [];

describe('the contact guard', () => {
  it.each([
    ['2026-03-10T07:59:59', 'hours', '2026-03-10T08:00:00'],
    ['2026-03-10T20:00:00', 'hours', '2026-03-11T08:00:00'],
    ['2026-03-10T23:59:59', 'hours', '2026-03-11T08:00:00'],
  ])('forbids %s, for the %s', (now, reason, next) => {
    expect(mayContact({ now: at(now), attempts: none })).toEqual({ may: false, reason, next: at(next) });
  });

  it.each(['2026-03-10T08:00:00', '2026-03-10T19:59:59'])('allows %s', (now) => {
    expect(mayContact({ now: at(now), attempts: none })).toEqual({ may: true });
  });

  it('keeps to narrower hours of the lender', () => {
    const hours = { from: '09:30', to: '17:00' };
    const ask = (now: string) => mayContact({ now: at(now), attempts: none, hours });
    expect(ask('2026-03-10T09:29:00')).toMatchObject({ reason: 'hours', next: at('2026-03-10T09:30:00') });
    expect(ask('2026-03-10T09:30:00')).toEqual({ may: true });
    expect(ask('2026-03-10T17:00:00')).toMatchObject({ next: at('2026-03-11T09:30:00') });
  });

  it('allows one attempt a calendar day, whenever in it', () => {
    const attempts = [at('2026-03-10T08:00:00')];
    expect(mayContact({ now: at('2026-03-10T19:00:00'), attempts })).toEqual({
      may: false,
      reason: 'today',
      next: at('2026-03-11T08:00:00'),
    });
    expect(mayContact({ now: at('2026-03-11T08:00:00'), attempts })).toEqual({ may: true });
  });

  it('allows three in seven days', () => {
    const attempts = ['2026-03-10', '2026-03-12', '2026-03-14'].map((day) => at(`${day}T10:00:00`));
    expect(mayContact({ now: at('2026-03-16T10:00:00'), attempts })).toEqual({
      may: false,
      reason: 'week',
      next: at('2026-03-17T08:00:00'),
    });
    expect(mayContact({ now: at('2026-03-17T08:00:00'), attempts })).toEqual({ may: true });
  });

  it('is silent for the first thirty days of a complaint, and says when it ends', () => {
    const silent = silentDays([{ createdAt: at('2026-03-10T23:00:00'), withdrawnAt: null }]);
    const ask = (now: string) => mayContact({ now: at(now), attempts: none, silent });
    expect(ask('2026-03-11T10:00:00')).toEqual({
      may: false,
      reason: 'complaint',
      next: at('2026-04-09T08:00:00'),
    });
    expect(ask('2026-04-08T19:00:00')).toMatchObject({ reason: 'complaint' });
    expect(ask('2026-04-09T08:00:00')).toEqual({ may: true });
  });
});

describe('a promise', () => {
  const promise = {
    madeOn: '2026-03-10' as ManilaDate,
    date: '2026-03-15' as ManilaDate,
    amountCentavos: centavos(5_000_00),
  };
  const stateOn = (asOf: string, ...paid: [date: string, pesos: number][]) =>
    promiseState(
      promise,
      paid.map(([date, pesos]) => ({ date: date as ManilaDate, amount: pesos * 100 })),
      asOf as ManilaDate,
    );

  it('is open to the end of its date, and broken the day after', () => {
    expect(stateOn('2026-03-15')).toBe('open');
    expect(stateOn('2026-03-16')).toBe('broken');
  });

  it('is kept as soon as what was paid from the day it was made reaches it', () => {
    expect(stateOn('2026-03-12', ['2026-03-10', 3_000], ['2026-03-12', 2_000])).toBe('kept');
    expect(stateOn('2026-03-16', ['2026-03-09', 5_000])).toBe('broken');
    expect(stateOn('2026-03-20', ['2026-03-16', 5_000])).toBe('broken');
    expect(stateOn('2026-03-16', ['2026-03-15', 4_999.99])).toBe('broken');
  });
});
