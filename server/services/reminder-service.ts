import {
  addDays,
  formatManilaDate,
  type ManilaDate,
  manilaDate,
  manilaTime,
  startOfManilaDay,
} from '#domain/calendar.ts';
import { silentDays } from '#domain/complaint.ts';
import { limits } from '#domain/limits.ts';
import { type MessageReason, rankOf } from '#domain/message.ts';
import { type Centavos, centavos, formatPeso } from '#domain/money.ts';
import {
  type DayReminder,
  type LoanToRemind,
  mergeReminders,
  onePerDay,
  type Reminder,
  type ReminderKind,
  reminderOf,
  whyNotContacted,
  whyNotReminded,
} from '#domain/reminder.ts';
import { position } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readAttempts, readPromises, readSilencingComplaints } from '#server/store/contact-store.ts';
import type { Loan } from '#server/store/loan-store.ts';
import {
  changeGate,
  insertReminders,
  isHeld,
  lockGate,
  type Message,
  type NewMessage,
  type ReachedAccount,
  readGates,
  readReached,
  readRemindedDays,
} from '#server/store/message-store.ts';
import {
  readAccountsToRemind,
  readLoansToRemind,
  readLoansWithOwnPayment,
  readUnpaidInstalments,
} from '#server/store/reminder-store.ts';
import { findLogGap } from './housekeeping-service.ts';
import { addressOf, channelsOn, confirmedAt, maskAddress } from './outbox-service.ts';
import { readServicedLoans } from './serviced-loan.ts';

const accountsAtATime = 250;

export const contactHoursOf = ({ config }: Pick<Deps, 'config'>) =>
  config.lender.contactHours ?? limits.contactHours;

const offsetsOf = ({ config }: Pick<Deps, 'config'>): readonly number[] =>
  config.lender.messages?.reminders ?? limits.reminderDaysDefault;

/**
 * Makes the day's reminders once, by whichever process comes first within the contact hours (§reminders); those of a day on
 * which no server ran are never made. Says how many texts there are.
 */
export async function makeReminders(deps: Deps): Promise<number> {
  const now = deps.clock.now();
  const today = manilaDate(now);
  const time = manilaTime(now);
  const hours = contactHoursOf(deps);
  const channels = channelsOn(deps);
  const offsets = offsetsOf(deps);
  if (channels.length === 0 || offsets.length === 0 || time < hours.from || time >= hours.to) return 0;
  const isDone = ({ doneOn }: { doneOn: ManilaDate | null }) => doneOn !== null && doneOn >= today;
  if (isDone((await deps.database.read(readGates)).reminders)) return 0;
  // A demo is set to another day on purpose.
  if (!deps.config.demoDate && (await findLogGap(deps, now))) return 0;
  if (await deps.database.read(isHeld)) return 0;
  const ids = await deps.database.read((reader) =>
    readAccountsToRemind(reader, { day: today, offsets, channels }),
  );
  let made = 0;
  for (let index = 0; index < ids.length; index += accountsAtATime) {
    const page = ids.slice(index, index + accountsAtATime);
    made += await deps.database.transaction(async (tx) => {
      // If two processes meet, the second finds what the first has made.
      await lockGate(tx, 'reminders');
      const rows = await remindersOf(deps, tx, page, today);
      return insertReminders(tx, rows);
    });
  }
  await deps.database.transaction(async (tx) => {
    const gate = await lockGate(tx, 'reminders');
    if (!isDone(gate)) await changeGate(tx, 'reminders', { doneOn: today });
  });
  if (made > 0) deps.wakeSender();
  return made;
}

/** The rows of these borrowers' reminders: one that is sent, and those that are part of it. */
async function remindersOf(deps: Deps, reader: Reader, accountIds: readonly number[], today: ManilaDate) {
  const now = deps.clock.now();
  const accounts = await readReached(reader, accountIds);
  const standings = await readStandings(deps, reader, accountIds, today);
  const guards = await readGuards(deps, reader, accountIds);
  return accounts.flatMap((account) => {
    const channel = channelOf(deps, account);
    const address = channel && addressOf(account, channel);
    if (!channel || !address || !account.wantsReminders) return [];
    const all = standings(account.id).flatMap(({ loan }) => reminderOf(loan, today, offsetsOf(deps)) ?? []);
    const guard = guards(account.id);
    const allowed = all.filter(({ kind }) => !whyNotContacted(kind, guard, today));
    const { chosen, merged, text } = mergeReminders(allowed);
    if (!text) return [];
    const [first] = chosen;
    const row = (reminder: Reminder, isSent: boolean): NewMessage => ({
      kind: reminder.kind,
      channel,
      accountId: account.id,
      rank: rankOf(reminder.kind),
      language: account.language ?? 'en',
      sentTo: maskAddress(address, channel),
      loanId: reminder.loanId,
      instalment: reminder.instalment,
      offsetDays: reminder.offset,
      remindOn: today,
      createdAt: now,
      updatedAt: now,
      ...(isSent
        ? { state: 'queued', details: detailsOf(text) }
        : { state: 'cancelled', reason: 'merged' satisfies MessageReason }),
    });
    // `merged` has the others of the same kind already.
    return first ? [row(first, true), ...merged.map((one) => row(one, false))] : [];
  });
}

const channelOf = (deps: Deps, account: ReachedAccount) =>
  channelsOn(deps).find(
    (channel) => confirmedAt(account, channel) !== null && addressOf(account, channel) !== null,
  );

const detailsOf = ({ amount, loans, due }: DayReminder): Record<string, string> => ({
  amount: formatPeso(amount),
  loans: String(loans),
  due: formatManilaDate(due),
});

type Standing = { loan: LoanToRemind; row: Loan };

/** The released loans of these borrowers as they are now. */
async function readStandings(deps: Deps, reader: Reader, accountIds: readonly number[], today: ManilaDate) {
  const found = await readLoansToRemind(reader, accountIds);
  const ids = found.map(({ loan }) => loan.id);
  const [unpaid, waiting, promises] = await Promise.all([
    readUnpaidInstalments(reader, ids),
    readLoansWithOwnPayment(reader, ids),
    readPromises(reader, ids, new Date(deps.clock.now().getTime() + 1)),
  ]);
  const unpaidOf = grouped(unpaid, ({ loanId }) => loanId);
  const promisedFor = new Map(promises.map(({ loanId, promiseDate }) => [loanId, promiseDate]));
  const standings = found.map(({ loan, state }): Standing & { accountId: number } => ({
    accountId: loan.accountId,
    row: loan,
    loan: {
      loanId: loan.id,
      state,
      unpaid: unpaidOf.get(loan.id) ?? [],
      dueNow: centavos(0),
      isPaymentWaiting: waiting.has(loan.id),
      promisedFor: promisedFor.get(loan.id) ?? undefined,
    },
  }));
  // The fold alone knows the late charges in what is due now; only loans in arrears need it.
  const late = standings.filter(
    ({
      loan: {
        unpaid: [oldest],
      },
    }) => oldest && oldest.dueDate < today,
  );
  const dueNow = await readDueNow(
    reader,
    late.map(({ row }) => row),
    today,
  );
  for (const { loan } of late) loan.dueNow = dueNow.get(loan.loanId) ?? centavos(0);
  const byAccount = grouped(standings, ({ accountId }) => accountId);
  return (accountId: number): readonly Standing[] => byAccount.get(accountId) ?? [];
}

async function readDueNow(reader: Reader, loans: readonly Loan[], today: ManilaDate) {
  const serviced = await readServicedLoans(reader, loans);
  const due = new Map<number, Centavos>();
  for (const [loanId, { terms, events }] of serviced) {
    if (terms && terms.startDate <= today) due.set(loanId, position(terms, events, today).account.dueNow);
  }
  return due;
}

/** Reads the facts that the contact guard asks of each borrower. A day's reminders count as one attempt. */
async function readGuards({ clock }: Deps, reader: Reader, accountIds: readonly number[]) {
  const now = clock.now();
  const since = startOfManilaDay(addDays(manilaDate(now), 1 - limits.contactWindowDays));
  const [attempts, complaints, reminded] = await Promise.all([
    readAttempts(reader, accountIds, since),
    readSilencingComplaints(reader, accountIds),
    readRemindedDays(reader, accountIds, since),
  ]);
  return (accountId: number) => {
    const isOwn = (one: { accountId: number }) => one.accountId === accountId;
    return {
      now,
      attempts: [
        ...attempts.filter(isOwn).map(({ at }) => at),
        ...onePerDay(reminded.filter(isOwn).map(({ at }) => at)),
      ],
      silent: silentDays(complaints.filter(isOwn)),
    };
  };
}

const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => number): Map<number, Row[]> => {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
};

export type ReminderNow = { refusal: MessageReason } | { details: Record<string, string> };

/**
 * Looks at reminders once more before they are sent: what was paid, deferred, closed or complained about meanwhile is not
 * sent, and the sum is that of now.
 */
export async function judgeReminders(
  deps: Deps,
  reader: Reader,
  rows: readonly Message[],
): Promise<Map<number, ReminderNow>> {
  const accountIds = rows.flatMap(({ accountId }) => accountId ?? []);
  if (accountIds.length === 0) return new Map();
  const today = manilaDate(deps.clock.now());
  const standings = await readStandings(deps, reader, accountIds, today);
  const guards = await readGuards(deps, reader, accountIds);
  return new Map(
    rows.flatMap((row) =>
      row.accountId === null
        ? []
        : [[row.id, judged(deps, row, standings(row.accountId), guards(row.accountId), today)] as const],
    ),
  );
}

function judged(
  deps: Deps,
  { loanId, instalment, offsetDays, kind }: Message,
  standings: readonly Standing[],
  guard: Parameters<typeof whyNotContacted>[1],
  today: ManilaDate,
): ReminderNow {
  const contact = whyNotContacted(kind as ReminderKind, guard, today);
  if (contact) return { refusal: contact };
  const present = standings.flatMap(({ loan }) => reminderOf(loan, today, offsetsOf(deps)) ?? []);
  const { text } = mergeReminders(present.filter((one) => one.kind === kind));
  if (text) return { details: detailsOf(text) };
  const own = standings.find(({ loan }) => loan.loanId === loanId)?.loan;
  const made = { instalment: instalment ?? 0, offset: offsetDays ?? 0 };
  return { refusal: whyNotReminded(made, own, today) ?? 'paid' };
}
