/**
 * Messages that leave the app, by text message or e-mail (§outbox): what kinds there are, the states of one and what leads
 * from one state to another, when a try is repeated, and whether a message that is about to be sent still should be.
 */

import { type ManilaDate, manilaDate, manilaTime } from './calendar.ts';
import type { ContactHours } from './contact.ts';
import { limits } from './limits.ts';

export const messageChannels = ['sms', 'email'] as const;

export type MessageChannel = (typeof messageChannels)[number];

/** The channels, the whole book, and the reminders: what may be closed, or done once for all processes. */
export const messageGateNames = [...messageChannels, 'book', 'reminders'] as const;

/** In the order in which they are sent. */
export const messagePurposes = ['code', 'access', 'money', 'news', 'reminder'] as const;

export type MessagePurpose = (typeof messagePurposes)[number];

/** The messages that a borrower may decline. */
export const declinables = ['reminders', 'news'] as const;

export type Declinable = (typeof declinables)[number];

type KindFacts = {
  purpose: MessagePurpose;
  /** `own`: the channel that it is about. `both`: every confirmed address. `one`: the phone, else the e-mail address. */
  to: 'own' | 'both' | 'one';
  declinedBy?: Declinable;
};

const code = { purpose: 'code', to: 'own' } as const satisfies KindFacts;
const access = { purpose: 'access', to: 'both' } as const satisfies KindFacts;
const money = { purpose: 'money', to: 'both' } as const satisfies KindFacts;
const news = { purpose: 'news', to: 'one', declinedBy: 'news' } as const satisfies KindFacts;
const reminder = { purpose: 'reminder', to: 'one', declinedBy: 'reminders' } as const satisfies KindFacts;

/**
 * Every kind of message. Kinds with the name of a notice are sent with it; the others exist outside the app alone. A notice
 * that is not here stays in the app.
 */
export const messageKinds = {
  confirmation: code,
  withdrawal_code: code,

  password_set: access,
  own_password_changed: access,
  phone_changed: access,
  email_changed: access,
  bank_details_changed: access,
  own_bank_details_changed: access,
  otp_set: access,
  phone_confirmed: access,
  status_changed: access,
  account_closed: access,

  loan_disbursed: money,
  disbursement_cancelled: money,
  withdrawal_status_changed: money,
  withdrawals_held: money,
  payment_received: money,
  payment_rejected: money,
  payment_reversed: money,
  credit_refunded: money,
  balance_changed: money,
  loan_paid_off: money,

  loan_status_changed: news,
  loan_terms_changed: news,
  instalments_deferred: news,
  loan_written_off: news,
  complaint_answered: news,
  loan_update: news,

  due_in: reminder,
  due_today: reminder,
  overdue: reminder,

  /** The main admin's, to see whether a channel works. */
  trial: { purpose: 'access', to: 'own' },
} as const satisfies Record<string, KindFacts>;

export type MessageKind = keyof typeof messageKinds;

export const factsOfKind = (kind: MessageKind): KindFacts => messageKinds[kind];

export const isMessageKind = (kind: string): kind is MessageKind => Object.hasOwn(messageKinds, kind);

/** The smaller one goes first. */
export const rankOf = (kind: MessageKind): number => messagePurposes.indexOf(messageKinds[kind].purpose);

/**
 * True for news, reminders and the like, which are bounded for a day. Nobody can use these up to keep
 * the others from a borrower.
 */
export const countsForDay = (kind: MessageKind): boolean =>
  ['news', 'reminder'].includes(messageKinds[kind].purpose);

/** To which of the confirmed addresses a message goes. */
export function channelsFor(
  kind: MessageKind,
  confirmed: Readonly<Record<MessageChannel, boolean>>,
): MessageChannel[] {
  const reached = messageChannels.filter((channel) => confirmed[channel]);
  return factsOfKind(kind).to === 'one' ? reached.slice(0, 1) : reached;
}

export const messageStates = [
  'queued',
  'held',
  'sending',
  'sent',
  'delivered',
  'failed',
  'unknown',
  'expired',
  'cancelled',
] as const;

export type MessageState = (typeof messageStates)[number];

/**
 * A step in the life of a message. `claimed`: a process is about to hand it to the gateway. `taken`: the
 * gateway has it, `arrived`: the person too. `refused`: it will not be taken. `returned`: it was certainly
 * not taken and is tried again, or the channel waits. `lost`: nobody knows. `again`: staff send it once more.
 */
export type MessageStep =
  | 'claimed'
  | 'withheld'
  | 'released'
  | 'overdue'
  | 'cancelled'
  | 'taken'
  | 'arrived'
  | 'refused'
  | 'returned'
  | 'lost'
  | 'again';

/**
 * The steps that lead from one state to another. Everything else is ignored, such as an answer that
 * comes after a cancellation.
 */
export const messageSteps: Readonly<
  Record<MessageState, Readonly<Partial<Record<MessageStep, MessageState>>>>
> = {
  queued: { claimed: 'sending', withheld: 'held', overdue: 'expired', cancelled: 'cancelled' },
  held: { released: 'queued', overdue: 'expired', cancelled: 'cancelled' },
  sending: { taken: 'sent', arrived: 'delivered', refused: 'failed', returned: 'queued', lost: 'unknown' },
  sent: { arrived: 'delivered', refused: 'failed' },
  // Never sent again by itself: it may have arrived.
  unknown: { taken: 'sent', arrived: 'delivered', refused: 'failed', again: 'queued' },
  failed: { again: 'queued' },
  delivered: {},
  expired: {},
  cancelled: {},
};

export const stateAfter = (state: MessageState, step: MessageStep): MessageState | undefined =>
  messageSteps[state][step];

/** The states that a step leads from. */
export const statesBefore = (step: MessageStep): MessageState[] =>
  messageStates.filter((state) => messageSteps[state][step] !== undefined);

/** No longer about to be sent: the address of such a message is needed no more. */
export const isFinalMessage = (state: MessageState): boolean =>
  !['queued', 'held', 'sending'].includes(state);

/** Why a message is as it is: our own words, to which the gateway's number may be added. */
export const messageReasons = [
  'replaced',
  'closed',
  'not_confirmed',
  'not_mobile',
  'declined',
  'day_limit',
  'too_late',
  'paid',
  'deferred',
  'not_overdue',
  'complaint',
  'contact_not_allowed',
  'payment_waiting',
  'promised',
  'merged',
  'restored',
  'out_of_time',
  'not_reached',
  'address_refused',
  'refused',
  'no_answer',
  'nonsense',
  'process_ended',
  'channel_off',
] as const;

export type MessageReason = (typeof messageReasons)[number];

const minuteMs = 60_000;

/** Minutes until a message that was certainly not taken is tried again, by the number of tries so far. */
const pausesMinutes = { code: [1], other: [1, 5, 30, 120] };

/** Undefined when it has been tried often enough. */
export function nextTryAt(kind: MessageKind, tries: number, now: Date): Date | undefined {
  const pauses = messageKinds[kind].purpose === 'code' ? pausesMinutes.code : pausesMinutes.other;
  const minutes = pauses[tries - 1];
  return minutes === undefined ? undefined : new Date(now.getTime() + minutes * minuteMs);
}

/** Staff may send it once more. A code has to be asked for anew. */
export const isRepeatable = (message: { kind: MessageKind; state: MessageState; repeats: number }): boolean =>
  messageKinds[message.kind].purpose !== 'code' &&
  stateAfter(message.state, 'again') !== undefined &&
  message.repeats < limits.messageRepeatsMax;

export type Verdict =
  | { do: 'send' }
  | { do: 'expire' }
  | { do: 'wait'; until: Date }
  | { do: 'cancel'; reason: MessageReason };

const cancel = (reason: MessageReason): Verdict => ({ do: 'cancel', reason });

/**
 * Decides whether a message that a process has claimed is still to be sent (§outbox). `address`: where to,
 * null if there is none; `isConfirmed`: the borrower or staff confirmed it. `liveCode`: the name of the code
 * that counts now. `sentToday`: how many news and reminders went to this borrower today. `reminderRefusal`:
 * why this reminder is not to be sent any more.
 */
export function judgeMessage(asked: {
  message: {
    kind: MessageKind;
    createdAt: Date;
    expiresAt: Date | null;
    codeName: string | null;
    /** It has an address of its own: a former one, that of a closed account, or a trial's. */
    hasOwnAddress: boolean;
    remindOn: ManilaDate | null;
  };
  isClosed: boolean;
  address: string | null;
  isConfirmed: boolean;
  wants: Readonly<Record<Declinable, boolean>>;
  liveCode: string | null;
  sentToday: number;
  reminderRefusal?: MessageReason | undefined;
  hours: ContactHours;
  now: Date;
}): Verdict {
  const { message, now, address } = asked;
  const { kind, expiresAt } = message;
  const { purpose, declinedBy } = factsOfKind(kind);
  if (expiresAt && expiresAt <= now) return { do: 'expire' };
  if (purpose === 'code') {
    if (asked.isClosed) return cancel('closed');
    if (message.codeName === null || message.codeName !== asked.liveCode) return cancel('replaced');
  }
  if (!message.hasOwnAddress) {
    if (asked.isClosed) return cancel('closed');
    // A code to confirm an address is all that goes to one that is not confirmed.
    if (kind !== 'confirmation' && !asked.isConfirmed) return cancel('not_confirmed');
  }
  if (address === null) return cancel('not_confirmed');
  if (declinedBy && !asked.wants[declinedBy]) return cancel('declined');
  if (purpose === 'reminder') {
    const time = manilaTime(now);
    if (message.remindOn !== manilaDate(now) || time >= asked.hours.to) return cancel('too_late');
    if (asked.reminderRefusal) return cancel(asked.reminderRefusal);
    if (time < asked.hours.from) return { do: 'wait', until: new Date(now.getTime() + minuteMs) };
  }
  if (countsForDay(kind) && asked.sentToday >= limits.messagesPerDay) return cancel('day_limit');
  return { do: 'send' };
}

/** Only Philippine mobile numbers get texts: `+639` and nine digits, in international form. */
export const isMobileNumber = (internationalNumber: string): boolean =>
  /^\+639\d{9}$/.test(internationalNumber);

/** `+63 9•• ••• 4567` */
export const maskPhone = (internationalNumber: string): string =>
  `${internationalNumber.slice(0, 3)} ${internationalNumber.slice(3, 4)}•• ••• ${internationalNumber.slice(-4)}`;

/** `j•••@example.com` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${[...email][0] ?? ''}•••${at < 0 ? '' : email.slice(at)}`;
}
