import { describe, expect, it } from 'vitest';
import type { ManilaDate } from '#domain/calendar.ts';
import {
  channelsFor,
  isMobileNumber,
  isRepeatable,
  judgeMessage,
  type MessageKind,
  type MessageState,
  type MessageStep,
  maskEmail,
  maskPhone,
  messageKinds,
  messageStates,
  nextTryAt,
  stateAfter,
} from '#domain/message.ts';

const kinds = Object.keys(messageKinds) as MessageKind[];
const steps: MessageStep[] = [
  'claimed',
  'withheld',
  'released',
  'overdue',
  'cancelled',
  'taken',
  'arrived',
  'refused',
  'returned',
  'lost',
  'again',
];

describe('states of a message', () => {
  it('has exactly these steps', () => {
    const all = messageStates.flatMap((state) =>
      steps.flatMap((step) => {
        const next = stateAfter(state, step);
        return next ? [`${state} -${step}-> ${next}`] : [];
      }),
    );
    expect(all).toEqual([
      'queued -claimed-> sending',
      'queued -withheld-> held',
      'queued -overdue-> expired',
      'queued -cancelled-> cancelled',
      'held -released-> queued',
      'held -overdue-> expired',
      'held -cancelled-> cancelled',
      'sending -taken-> sent',
      'sending -arrived-> delivered',
      'sending -refused-> failed',
      'sending -returned-> queued',
      'sending -lost-> unknown',
      'sent -arrived-> delivered',
      'sent -refused-> failed',
      'failed -again-> queued',
      'unknown -taken-> sent',
      'unknown -arrived-> delivered',
      'unknown -refused-> failed',
      'unknown -again-> queued',
    ]);
  });

  it.each(['sent', 'delivered', 'unknown', 'failed', 'expired', 'cancelled'] satisfies MessageState[])(
    'never goes from %s to sending without somebody who says so',
    (state) => {
      const alone = steps.filter((step) => step !== 'again').map((step) => stateAfter(state, step));
      expect(alone).not.toContain('sending');
      expect(alone).not.toContain('queued');
    },
  );
});

describe('a further try', () => {
  const now = new Date('2026-03-10T04:00:00Z');
  const minutes = (kind: MessageKind) =>
    [1, 2, 3, 4, 5].map((tries) => {
      const next = nextTryAt(kind, tries, now);
      return next && (next.getTime() - now.getTime()) / 60_000;
    });

  it('comes after 1, 5, 30 and 120 minutes', () => {
    expect(minutes('payment_received')).toEqual([1, 5, 30, 120, undefined]);
  });

  it('comes once for a code', () => {
    expect(minutes('confirmation')).toEqual([1, undefined, undefined, undefined, undefined]);
  });
});

describe('who gets what where', () => {
  it.each([
    ['password_set', true, true, ['sms', 'email']],
    ['loan_disbursed', false, true, ['email']],
    ['complaint_answered', true, true, ['sms']],
    ['complaint_answered', false, true, ['email']],
    ['overdue', true, true, ['sms']],
    ['overdue', false, false, []],
  ] as const)('%s with phone %s and e-mail %s goes to %j', (kind, sms, email, expected) => {
    expect(channelsFor(kind, { sms, email })).toEqual(expected);
  });

  it('only news and reminders may be declined', () => {
    const declined = kinds.filter((kind) => 'declinedBy' in messageKinds[kind]);
    expect(
      declined.map((kind) => messageKinds[kind].purpose).filter((one) => !/news|reminder/.test(one)),
    ).toEqual([]);
    expect(kinds.filter((kind) => /news|reminder/.test(messageKinds[kind].purpose))).toEqual(declined);
  });

  it('takes Philippine mobile numbers and no others', () => {
    const taken = ['+639171234567', '+63917123456', '+6321234567', '+14155550100', '09171234567'];
    expect(taken.filter(isMobileNumber)).toEqual(['+639171234567']);
  });

  it('masks addresses', () => {
    expect(maskPhone('+639171234567')).toBe('+63 9•• ••• 4567');
    expect(maskEmail('juan.dela.cruz@example.com')).toBe('j•••@example.com');
  });
});

describe('judged when claimed', () => {
  const now = new Date('2026-03-10T04:00:00Z'); // noon in Manila
  const message = {
    kind: 'payment_received' as MessageKind,
    createdAt: now,
    expiresAt: null as Date | null,
    codeName: null as string | null,
    hasOwnAddress: false,
    remindOn: null as ManilaDate | null,
  };
  const asked = {
    message,
    isClosed: false,
    address: '+639171234567' as string | null,
    isConfirmed: true,
    wants: { reminders: true, news: true },
    liveCode: null as string | null,
    sentToday: 0,
    hours: { from: '08:00', to: '20:00' },
    now,
  };
  type Change = Omit<Partial<typeof asked>, 'message'> & {
    message?: Partial<typeof message>;
    reminderRefusal?: 'paid';
  };
  const judged = ({ message: changes, ...change }: Change) =>
    judgeMessage({ ...asked, ...change, message: { ...message, ...changes } });
  const today = '2026-03-10' as ManilaDate;
  const at = (time: string) => new Date(`2026-03-10T${time}:00+08:00`);

  it.each<[string, Change, unknown]>([
    ['is sent', {}, { do: 'send' }],
    ['expires', { message: { expiresAt: now } }, { do: 'expire' }],
    [
      'carries a code that was replaced',
      { message: { kind: 'withdrawal_code', codeName: 'a' }, liveCode: 'b' },
      { do: 'cancel', reason: 'replaced' },
    ],
    [
      'carries the live code',
      { message: { kind: 'withdrawal_code', codeName: 'a' }, liveCode: 'a' },
      { do: 'send' },
    ],
    [
      'a code to confirm goes to an address that is not confirmed',
      { message: { kind: 'confirmation', codeName: 'a' }, liveCode: 'a', isConfirmed: false },
      { do: 'send' },
    ],
    ['nothing else does', { isConfirmed: false }, { do: 'cancel', reason: 'not_confirmed' }],
    ['is of a closed account', { isClosed: true }, { do: 'cancel', reason: 'closed' }],
    ['goes to a former address', { message: { hasOwnAddress: true }, isConfirmed: false }, { do: 'send' }],
    [
      'is declined news',
      { message: { kind: 'complaint_answered' }, wants: { reminders: true, news: false } },
      { do: 'cancel', reason: 'declined' },
    ],
    [
      'is the eleventh of a day',
      { message: { kind: 'complaint_answered' }, sentToday: 10 },
      { do: 'cancel', reason: 'day_limit' },
    ],
    ['money goes in any number', { sentToday: 10 }, { do: 'send' }],
    ['is a reminder of the day', { message: { kind: 'overdue', remindOn: today } }, { do: 'send' }],
    [
      'is a reminder of another day',
      { message: { kind: 'overdue', remindOn: '2026-03-09' as ManilaDate } },
      { do: 'cancel', reason: 'too_late' },
    ],
    [
      'is a reminder after the hours',
      { message: { kind: 'overdue', remindOn: today }, now: at('20:00') },
      { do: 'cancel', reason: 'too_late' },
    ],
    [
      'is a reminder just before their end',
      { message: { kind: 'overdue', remindOn: today }, now: at('19:59') },
      { do: 'send' },
    ],
    [
      'is a reminder before the hours',
      { message: { kind: 'overdue', remindOn: today }, now: at('07:59') },
      { do: 'wait', until: at('08:00') },
    ],
    [
      'is a reminder of what was paid',
      { message: { kind: 'overdue', remindOn: today }, reminderRefusal: 'paid' },
      { do: 'cancel', reason: 'paid' },
    ],
    ['is news at night', { now: at('03:00') }, { do: 'send' }],
  ])('%s', (_, change, verdict) => {
    expect(judged(change)).toEqual(verdict);
  });
});

it('is sent again at most three times, and never a code', () => {
  const may = (kind: MessageKind, state: MessageState, repeats = 0) => isRepeatable({ kind, state, repeats });
  expect(may('payment_received', 'failed')).toBe(true);
  expect(may('payment_received', 'unknown', 2)).toBe(true);
  expect(may('payment_received', 'unknown', 3)).toBe(false);
  expect(may('confirmation', 'failed')).toBe(false);
  expect(messageStates.filter((state) => may('overdue', state))).toEqual(['failed', 'unknown']);
});
