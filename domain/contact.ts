import { addDays, type ManilaDate, manilaDate, manilaTime, startOfManilaDay } from './calendar.ts';
import { limits } from './limits.ts';
import { type Centavos, sum } from './money.ts';

/** The ways in which staff and a borrower in arrears talk to each other, as staff write them down. */
export const contactChannels = ['call', 'sms', 'visit', 'letter'] as const;

/** `message`: one in the app, which the server writes down itself. */
export const keptContactChannels = [...contactChannels, 'message'] as const;

/** `incoming`: the borrower came by themselves, which counts as no attempt. */
export const contactOutcomes = [
  'reached',
  'no_answer',
  'wrong_number',
  'refused',
  'incoming',
  'other',
] as const;

export const contactRefusals = ['complaint', 'week', 'today', 'hours'] as const;

export type ContactRefusal = (typeof contactRefusals)[number];

/** Manila's time of day, as `08:00`: from the first, before the second. */
export type ContactHours = { from: string; to: string };

export type MayContact = { may: true } | { may: false; reason: ContactRefusal; next: Date };

/**
 * Tells whether staff may try to reach a borrower now, and if not, when. SEC MC 18 s. 2019 forbids 22:00 to
 * 06:00. Our rule is stricter: within its hours, once a calendar day, three times in seven, and not while a
 * complaint silences staff (`silentDays`). `attempts` are those of the last week, whatever came of them,
 * without those that came from the borrower.
 */
export function mayContact(asked: {
  now: Date;
  attempts: readonly Date[];
  silent?: ReadonlySet<ManilaDate> | undefined;
  hours?: ContactHours | undefined;
}): MayContact {
  const { now, attempts, silent, hours = limits.contactHours } = asked;
  const days = attempts.map(manilaDate);
  const whyNotOn = (day: ManilaDate): ContactRefusal | undefined => {
    if (silent?.has(day)) return 'complaint';
    const from = addDays(day, 1 - limits.contactWindowDays);
    if (days.filter((one) => one >= from && one <= day).length >= limits.contactsInWindow) return 'week';
    return days.includes(day) ? 'today' : undefined;
  };
  const today = manilaDate(now);
  const time = manilaTime(now);
  const reason = whyNotOn(today) ?? (time < hours.from || time >= hours.to ? 'hours' : undefined);
  if (!reason) return { may: true };
  let day = reason === 'hours' && time < hours.from ? today : addDays(today, 1);
  while (whyNotOn(day)) day = addDays(day, 1);
  return { may: false, reason, next: atTimeOf(day, hours.from) };
}

const atTimeOf = (day: ManilaDate, time: string): Date => {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return new Date(startOfManilaDay(day).getTime() + (hour * 60 + minute) * 60_000);
};

/** A sum that a borrower in arrears promised, and its day. */
export type PaymentPromise = { madeOn: ManilaDate; date: ManilaDate; amountCentavos: Centavos };

export const promiseStates = ['open', 'kept', 'broken'] as const;

export type PromiseState = (typeof promiseStates)[number];

/**
 * Tells a promise's state. It is kept as soon as the receipts from the day it was made to its date, by their
 * value dates, reach its amount, and open to the end of its date. `receipts` are those that count.
 */
export function promiseState(
  { madeOn, date, amountCentavos }: PaymentPromise,
  receipts: readonly { date: ManilaDate; amount: number }[],
  asOf: ManilaDate,
): PromiseState {
  const paid = receipts.filter(
    (receipt) => receipt.date >= madeOn && receipt.date <= date && receipt.date <= asOf,
  );
  if (sum(paid.map(({ amount }) => amount)) >= amountCentavos) return 'kept';
  return asOf > date ? 'broken' : 'open';
}

/**
 * Counts the promises of a loan, oldest first, that were broken, or replaced on or before their day without
 * having been kept. A new promise each day would otherwise hide that none is kept.
 */
export function brokenPromises(
  promises: readonly PaymentPromise[],
  receipts: readonly { date: ManilaDate; amount: number }[],
  asOf: ManilaDate,
): number {
  return promises.filter((promise, index) => {
    const next = promises[index + 1];
    const state = promiseState(promise, receipts, next ? next.madeOn : asOf);
    return state === 'broken' || (next !== undefined && state === 'open');
  }).length;
}
