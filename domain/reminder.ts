import { addDays, daysBetween, type ManilaDate, manilaDate } from './calendar.ts';
import { mayContact } from './contact.ts';
import type { MessageReason } from './message.ts';
import { type Centavos, centavos, sum } from './money.ts';
import type { StoredLoanState } from './servicing.ts';

/** From the strongest to the mildest: of one day the strongest is sent. */
export const reminderKinds = ['overdue', 'due_today', 'due_in'] as const;

export type ReminderKind = (typeof reminderKinds)[number];

/** A released loan on a day, as far as a reminder needs it. `unpaid`: instalments with something left, the oldest first. */
export type LoanToRemind = {
  loanId: number;
  state: StoredLoanState;
  unpaid: readonly { number: number; dueDate: ManilaDate; left: Centavos }[];
  dueNow: Centavos;
  /** The borrower reported a payment that nobody has decided yet. */
  isPaymentWaiting: boolean;
  /** The day of the newest promise, if there is one. */
  promisedFor: ManilaDate | undefined;
};

/** `instalment` and `offset` say what it is about; none is made twice. `due`: by when `amount` is or was due. */
export type Reminder = {
  kind: ReminderKind;
  loanId: number;
  instalment: number;
  offset: number;
  amount: Centavos;
  due: ManilaDate;
};

const kindOf = (offset: number): ReminderKind =>
  offset > 0 ? 'overdue' : offset === 0 ? 'due_today' : 'due_in';

/**
 * Returns the reminder of one loan that its borrower gets on a day (§reminders): of arrears by the days of
 * the oldest unpaid instalment, with everything due now; else of an instalment that is due that day or will
 * be, with what is left of it.
 */
export function reminderOf(
  loan: LoanToRemind,
  today: ManilaDate,
  offsets: readonly number[],
): Reminder | undefined {
  if (loan.state !== 'open' || whyNotOf(loan, today)) return undefined;
  const [oldest] = loan.unpaid;
  const pastDue = oldest ? daysBetween(oldest.dueDate, today) : 0;
  if (oldest && pastDue > 0 && offsets.includes(pastDue)) {
    const due = loan.unpaid.findLast(({ dueDate }) => dueDate <= today) ?? oldest;
    return {
      kind: 'overdue',
      loanId: loan.loanId,
      instalment: oldest.number,
      offset: pastDue,
      amount: loan.dueNow,
      due: due.dueDate,
    };
  }
  for (const offset of offsets.filter((one) => one <= 0).toSorted((one, other) => other - one)) {
    const coming = loan.unpaid.find(({ dueDate }) => dueDate === addDays(today, -offset));
    if (!coming) continue;
    const { number: instalment, left: amount, dueDate: due } = coming;
    return { kind: kindOf(offset), loanId: loan.loanId, instalment, offset, amount, due };
  }
  return undefined;
}

function whyNotOf(
  { isPaymentWaiting, promisedFor }: LoanToRemind,
  today: ManilaDate,
): MessageReason | undefined {
  if (isPaymentWaiting) return 'payment_waiting';
  return promisedFor !== undefined && today <= promisedFor ? 'promised' : undefined;
}

/** Why a reminder that was made earlier that day is not to be sent any more; undefined if it is. */
export function whyNotReminded(
  made: Pick<Reminder, 'instalment' | 'offset'>,
  loan: LoanToRemind | undefined,
  today: ManilaDate,
): MessageReason | undefined {
  if (!loan) return 'closed';
  const instalment = loan.unpaid.find(({ number }) => number === made.instalment);
  if (loan.state === 'written_off' || loan.state === 'cancelled') return 'closed';
  if (!instalment) return 'paid';
  if (daysBetween(instalment.dueDate, today) !== made.offset) return 'deferred';
  if (made.offset > 0 && loan.unpaid[0]?.number !== made.instalment) return 'not_overdue';
  return whyNotOf(loan, today);
}

/** The one text of a borrower's day: arrears beat what is due, and several loans become one sum. */
export type DayReminder = { kind: ReminderKind; amount: Centavos; loans: number; due: ManilaDate };

/** `chosen` are the reminders in the one text, the first of which stands for it; `merged` are all others of the day. */
export function mergeReminders(reminders: readonly Reminder[]): {
  chosen: Reminder[];
  merged: Reminder[];
  text: DayReminder | undefined;
} {
  const kind = reminderKinds.find((one) => reminders.some((reminder) => reminder.kind === one));
  const chosen = reminders.filter((reminder) => reminder.kind === kind);
  const [first, ...others] = chosen;
  const left = reminders.filter((reminder) => reminder.kind !== kind);
  if (!kind || !first) return { chosen: [], merged: [], text: undefined };
  const due =
    chosen
      .map((one) => one.due)
      .toSorted()
      .at(-1) ?? first.due;
  const amount = centavos(sum(chosen.map((one) => one.amount)));
  return { chosen, merged: [...others, ...left], text: { kind, amount, loans: chosen.length, due } };
}

/**
 * Tells why a borrower may not be reminded now. Nobody is while a complaint silences, and of arrears
 * only when the contact guard allows it (§contact-guard). Its hours are those of the reminders, so
 * they are not asked here.
 */
export function whyNotContacted(
  kind: ReminderKind,
  guard: Omit<Parameters<typeof mayContact>[0], 'hours'>,
  today: ManilaDate,
): MessageReason | undefined {
  if (guard.silent?.has(today)) return 'complaint';
  if (kind !== 'overdue') return undefined;
  const answer = mayContact({ ...guard, hours: { from: '00:00', to: '24:00' } });
  return answer.may ? undefined : answer.reason === 'complaint' ? 'complaint' : 'contact_not_allowed';
}

/** The reminders of a day are one attempt to reach somebody, whatever their number. */
export const onePerDay = (moments: readonly Date[]): Date[] => [
  ...new Map(moments.map((at) => [manilaDate(at), at])).values(),
];
