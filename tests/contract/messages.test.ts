import { describe, expect, it } from 'vitest';
import { writeMessage } from '#contract/wording/messages.ts';
import { gsmText, isGsmText } from '#domain/gsm.ts';
import { type MessageKind, messageKinds } from '#domain/message.ts';

const kinds = Object.keys(messageKinds) as MessageKind[];

/** These are as long as they may be: a name of 24, a phone of 16, the largest amounts, the latest dates. */
const sender = {
  name: 'N'.repeat(24),
  phone: '+63 917 000 00000'.slice(0, 16),
  company: 'A lender',
  address: 'Somewhere',
};
const amounts = ['₱10,000,000.00', '₱1,000,000,000,000.00'];
const longest = (amount: string): Record<string, string>[] => {
  const details = {
    amount,
    account: '*4321',
    hours: '720',
    loanNumber: 'LN-2026-000123',
    withdrawalNumber: 'WD-2026-000123',
    receipt: 'AR-2026-000123',
    date: '30 Nov 2026',
    due: '30 Nov 2026',
    firstDueDate: '30 Nov 2026',
    days: '30',
    months: '6',
    loans: '10',
    change: 'taken',
    channel: 'wallet',
  };
  const { amount: _, ...plain } = details;
  const codes = ['approved', 'denied', 'rejected', 'account_issue', 'completed', 'pending', 'made_up'];
  return [
    details,
    plain,
    { ...details, channel: 'direct' },
    { ...details, channel: 'recorded' },
    { ...details, change: 'added', loans: '1' },
    { ...details, bounced: 'yes' },
    ...codes.map((statusCode) => ({ ...details, statusCode, status: 'Held by *** for a reason' })),
  ];
};

const written = (kind: MessageKind, language: 'en' | 'fil', details: Record<string, string>) =>
  writeMessage(
    { kind, purpose: messageKinds[kind].purpose, channel: 'sms', language, details, code: '123456' },
    sender,
  ).text;

describe.each(['en', 'fil'] as const)('every text in %s', (language) => {
  it.each(kinds)('%s is at most 160 characters of the GSM basic alphabet at its longest', (kind) => {
    for (const amount of amounts) {
      for (const details of longest(amount)) {
        const text = written(kind, language, details);
        expect(isGsmText(text), text).toBe(true);
        expect(text.length, `${text.length}: ${text}`).toBeLessThanOrEqual(160);
        expect(text.startsWith(`${sender.name}: `)).toBe(true);
        expect(text).not.toMatch(/undefined|http|www|₱|Held by/);
      }
    }
  });
});

describe('the examples of the contract', () => {
  const details = { amount: '₱10,000,000.00', account: '*4321', loans: '2', due: '30 Nov 2026' };
  const say = (kind: MessageKind, language: 'en' | 'fil') =>
    writeMessage(
      { kind, purpose: messageKinds[kind].purpose, channel: 'sms', language, details, code: '123456' },
      { ...sender, name: 'N', phone: '+63 917 000 0000' },
    ).text;

  it('say the same', () => {
    expect(say('withdrawal_code', 'en')).toBe(
      'N: 123456 is your code to withdraw PHP 10,000,000.00 to account *4321. Valid 10 minutes. Never give it to anybody, not even our staff.',
    );
    expect(say('withdrawal_code', 'fil')).toBe(
      'N: 123456 ang code mo para i-withdraw ang PHP 10,000,000.00 sa account *4321. 10 minuto lang ito. Huwag ibigay kaninuman, kahit sa staff.',
    );
    expect(say('overdue', 'en')).toBe(
      'N: PHP 10,000,000.00 on your 2 loans was due by 30 Nov 2026. Open the app to pay. Already paid or need help? Call +63 917 000 0000.',
    );
  });
});

it('an e-mail has the same words, and the lender’s name and address', () => {
  const { subject, text } = writeMessage(
    { kind: 'loan_paid_off', purpose: 'money', channel: 'email', language: 'en', details: {} },
    { ...sender, name: 'Hiram' },
  );
  expect(subject).toBe('Hiram: about your money');
  expect(text).toBe(
    'Your loan is paid off. Thank you! Your clearance certificate is in the app.\n\n--\nA lender\nSomewhere\n',
  );
});

it('writes letters that GSM does not have without their marks', () => {
  expect(gsmText('Niño’s ₱5.00 — ąčś “ok” 漢')).toBe('Niño\'s PHP 5.00 - acs "ok" ');
});
