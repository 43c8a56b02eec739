import type { ContactRefusal } from '#domain/contact.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso } from '#domain/money.ts';
import { commonHeads, titles } from './panel-every-page.ts';

const days = (bucket: string) => `${bucket} days`;

/** The lender's day: what waits, who is found, who is past due and was spoken to. See `panel.ts`. */
export const today = {
  title: titles.today,
  failed: 'Today could not be loaded',
  waiting: 'What waits',
  nothing: 'Nothing waits for you.',
  forOthers: 'For others',
  counters: {
    toDecide: 'To decide',
    toRelease: 'To release',
    paymentsToConfirm: 'Payments to confirm',
    requests: 'Waiting for you',
    withdrawalsToSend: 'Withdrawals to send',
    codesAskedFor: 'Codes asked for',
    brokenPromises: 'Broken promises',
    complaints: 'Complaints',
    membersComplete: 'Members to activate',
    phonesShared: 'Members who share a number',
  },
  waits: (count: string) => (count === '1' ? '1 waits' : `${count} wait`),
  overdue: (count: number) => `${count} overdue`,
  collected: 'Collected today',
  collectedNone: 'Nothing yet today.',
  payments: (count: number) => (count === 1 ? '1 payment' : `${count} payments`),
  recordedBy: (name: string, isYou: boolean) => `recorded by ${name}${isYou ? ' (you)' : ''}`,
  byBorrower: 'sent by borrowers',
  confirmedBy: (name: string) => `confirmed by ${name}`,
  loans: (count: number) => (count === 1 ? '1 loan' : `${count} loans`),
  days,
  overdueTitle: 'Overdue',
  overdueNone: 'No loan is overdue.',
  dueToday: 'due today',
  dueNext7Days: 'due in the next 7 days',
  principalOut: 'principal out',
  par: (days: string) => (days === '1' ? 'at risk, 1 day or more' : `at risk, over ${days} days`),
  alone: 'Done by one person today',
  aloneText: ({ confirmed, waived, cash }: Record<'confirmed' | 'waived' | 'cash', string>) =>
    `${confirmed} confirmed, ${waived} waived, ${cash} in cash`,
  aloneNote: `Without a second person, over all loans. Above ${formatPeso(centavos(limits.confirmedAloneADayMaxCentavos))} confirmed and waived, or ${formatPeso(centavos(limits.cashAloneADayMaxCentavos))} in cash, somebody else has to agree while another may.`,
  messagesFailed: (count: number) =>
    `${count === 1 ? '1 message' : `${count} messages`} failed in the last ${limits.messagesFailedShownDays} days`,
  channelPaused: (channel: string, reason: string) => `${channel} is paused: ${reason}. Messages wait`,
  bookHeld: 'No messages go out since this book was restored or imported: decide about what waits',
  setUp: 'Not set up yet',
  toSetUp: {
    lender: 'The company file: pages and papers name the sample lender.',
    secondStep: 'Your second step: without it, a stolen password is enough to approve and pay out.',
    allowedIps: 'Allowed IP addresses: staff can sign in from anywhere.',
    backup: `Backups: none was made in the last ${limits.backupWithinDays} days.`,
    sms: 'Text messages (SMS_GATEWAY): borrowers get none about money and due dates.',
  },
};

export const collections = {
  title: titles.collections,
  search: 'Search collections',
  none: 'No loans past due',
  noneText: 'Loans appear here from the day after an unpaid instalment was due.',
  rows: { one: 'loan', many: 'loans' },
  figures: {
    callable: 'May call now',
    broken: 'Broken promises',
    promised: 'Open promises',
    silent: 'Never contacted',
    total: 'All past due',
  },
  bucket: 'Days past due',
  days,
  other: 'Charges or refund only',
  writtenOff: 'Written off',
  mayContact: 'Now',
  from: (day: string, time: string) => `${day}, ${time}`,
  whyNot: {
    complaint: 'after a complaint',
    week: `${limits.contactsInWindow} tries in ${limits.contactWindowDays} days`,
    today: 'tried today',
    hours: 'outside hours',
  } satisfies Record<ContactRefusal, string>,
  contactAndPromise: 'Promise, last contact',
  brokenCount: (count: number) => `${count} broken`,
  contactedToday: 'today',
  asOfNote: (date: string) => `The end of ${date}, as it is known now.`,
  failedToFetch: 'Failed to fetch collections',
  columns: {
    ...commonHeads,
    dueNow: 'Due now',
    lastPayment: 'Last payment',
    mayContact: 'May call',
    lastContact: 'Last contact',
    promise: 'Promise',
    brokenPromises: 'Broken promises',
    lateCharges: 'Late charges',
    promised: 'Promised',
    promisedBy: 'Promised by',
  },
};

/** Staff and a borrower in arrears. */
export const contact = {
  title: 'Last contact',
  call: 'Call',
  copy: 'Copy',
  failed: 'The contacts could not be loaded',
  none: 'Nobody has contacted the borrower about this loan yet.',
  notAllowed: (why: string, next: string) => `${why} The next time is ${next}.`,
  whyNot: {
    complaint:
      'The borrower has complained about collection or an amount, and nobody asks them to pay for now.',
    week: `Staff have tried to reach the borrower ${limits.contactsInWindow} times in ${limits.contactWindowDays} days.`,
    today: 'Somebody has tried to reach the borrower today.',
    hours: 'It is too early or too late in the day to contact a borrower.',
  } satisfies Record<ContactRefusal, string>,
  triedYourself:
    'You tried to reach the borrower within the last hour, so you cannot record that the borrower contacted us.',
  made: 'although it was not allowed',
  promised: (amount: string, date: string) => `Promised ${amount} by ${date}`,
  channels: {
    call: 'Call',
    sms: 'Text message',
    visit: 'Visit',
    letter: 'Letter',
    message: 'Message in the app',
  },
  outcomes: {
    reached: 'Reached',
    no_answer: 'No answer',
    wrong_number: 'Wrong number',
    refused: 'Refused to talk',
    incoming: 'The borrower contacted us',
    other: 'Other',
  },
  promises: { open: 'Promised', kept: 'Kept', broken: 'Broken' },
  record: 'Record contact',
  channel: 'Channel',
  outcome: 'Outcome',
  note: 'Note',
  promiseAmount: 'Promised amount',
  promiseDate: { label: 'Promised by', hint: `Up to ${limits.promiseAheadDays} days ahead.` },
  anyway: 'It happened anyway',
  done: 'The contact is recorded.',
  notDone: 'Nothing was recorded',
};
