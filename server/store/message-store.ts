import {
  and,
  asc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { endOfManilaDay, type ManilaDate, startOfManilaDay } from '#domain/calendar.ts';
import {
  isFinalMessage,
  type MessageChannel,
  type MessageReason,
  type MessageState,
  type MessageStep,
  messageGateNames,
  messageStates,
  messageSteps,
  rankOf,
  stateAfter,
  statesBefore,
} from '#domain/message.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { firstOf } from './packed-columns.ts';
import { accounts, contactCodes, messageGates, messages, oneOf } from './schema.ts';

export type Message = typeof messages.$inferSelect;
export type NewMessage = typeof messages.$inferInsert;
export type MessageGate = typeof messageGates.$inferSelect;
export type GateName = MessageGate['name'];

/** The facts that a message needs of the account that it goes to, closed ones too. */
const reached = {
  id: accounts.id,
  isAdmin: accounts.isAdmin,
  fullName: accounts.fullName,
  phone: accounts.phone,
  phoneKey: accounts.phoneKey,
  email: accounts.email,
  emailKey: accounts.emailKey,
  phoneConfirmedAt: accounts.phoneConfirmedAt,
  phoneConfirmedBy: accounts.phoneConfirmedBy,
  emailConfirmedAt: accounts.emailConfirmedAt,
  wantsReminders: accounts.wantsReminders,
  wantsNews: accounts.wantsNews,
  language: accounts.language,
  otpCodeSealed: accounts.otpCodeSealed,
  isOtpByText: accounts.isOtpByText,
  deletedAt: accounts.deletedAt,
};

export const readReached = (reader: Reader, ids: readonly number[]) =>
  reader
    .select(reached)
    .from(accounts)
    .where(inArray(accounts.id, [...ids]));

export type ReachedAccount = Awaited<ReturnType<typeof readReached>>[number];

export async function insertMessage(tx: Tx, message: NewMessage): Promise<Message> {
  return onlyRow(await tx.insert(messages).values(message).returning());
}

/**
 * Inserts reminders, and leaves those that are there already as they are: each is made once.
 * Returns how many were made.
 */
export const insertReminders = async (tx: Tx, rows: readonly NewMessage[]): Promise<number> =>
  rows.length === 0
    ? 0
    : (
        await tx
          .insert(messages)
          .values([...rows])
          .onConflictDoNothing()
          .returning({ id: messages.id })
      ).length;

// Gates

/** Locked until the transaction ends: of two processes one after the other works on a channel. */
export async function lockGate(tx: Tx, name: GateName): Promise<MessageGate> {
  const find = () => tx.select().from(messageGates).where(eq(messageGates.name, name)).for('update');
  const [found] = await find();
  if (found) return found;
  await tx.insert(messageGates).values({ name }).onConflictDoNothing();
  return onlyRow(await find());
}

export const readGates = async (reader: Reader): Promise<Record<GateName, MessageGate>> => {
  const rows = await reader.select().from(messageGates);
  const blank = (name: GateName): MessageGate =>
    rows.find((row) => row.name === name) ?? {
      name,
      closedAt: null,
      reason: null,
      nextAt: null,
      lastSentAt: null,
      doneOn: null,
    };
  return Object.fromEntries(messageGateNames.map((name) => [name, blank(name)])) as Record<
    GateName,
    MessageGate
  >;
};

export const changeGate = (tx: Tx, name: GateName, change: Partial<Omit<MessageGate, 'name'>>) =>
  tx
    .insert(messageGates)
    .values({ name, ...change })
    .onConflictDoUpdate({ target: messageGates.name, set: change });

const isBookHeldSql = sql`exists (select from ${messageGates} where name = 'book' and closed_at is not null)`;

export const isHeld = async (reader: Reader): Promise<boolean> =>
  (await firstOf(
    reader
      .select({ at: messageGates.closedAt })
      .from(messageGates)
      .where(and(eq(messageGates.name, 'book'), isNotNull(messageGates.closedAt))),
  )) !== undefined;

/**
 * From now on nothing is sent until the main admin says so: what waited is held, and what was being sent may have arrived
 * from where the book was before. A restore, an import into another database and a book that is taken over call it.
 */
export async function holdMessages(tx: Tx, now: Date): Promise<void> {
  await changeGate(tx, 'book', { closedAt: now, reason: 'restored' });
  for (const name of ['sms', 'email'] as const) await changeGate(tx, name, { closedAt: null, nextAt: null });
  await tx.delete(contactCodes);
  await moveAll(tx, 'withheld', undefined, { updatedAt: now });
  await moveAll(tx, 'lost', undefined, { reason: 'restored', updatedAt: now });
}

// Steps

/** The new state by the present one, for SQL. */
function stateAfterSql(step: MessageStep): SQL {
  const cases = statesBefore(step).map(
    (state) => sql`when ${state}::text then ${messageSteps[state][step]}::text`,
  );
  return sql`case ${messages.state} ${sql.join(cases, sql` `)} else ${messages.state} end`;
}

/** An address of its own is kept only until the message is final. */
const withoutAddress = (step: MessageStep): { addressSealed?: null } =>
  statesBefore(step).every((state) => isFinalMessage(stateAfter(state, step) ?? 'queued'))
    ? { addressSealed: null }
    : {};

type MessageChange = Partial<Omit<Message, 'id' | 'state' | 'createdAt'>>;

/** Moves every message that `which` selects and whose state allows the step; returns how many. */
export async function moveAll(
  tx: Tx,
  step: MessageStep,
  which: SQL | undefined,
  change: MessageChange,
): Promise<number> {
  const rows = await tx
    .update(messages)
    .set({ ...change, ...withoutAddress(step), state: stateAfterSql(step) as never })
    .where(and(sql`${messages.state} in (${oneOf(statesBefore(step))})`, which))
    .returning({ id: messages.id });
  return rows.length;
}

/**
 * Takes a step with one message, if its state allows that; undefined if it does not. `tries` names the try that it is an
 * outcome of: the answer to an earlier one changes nothing of a later.
 */
export const moveMessage = (
  tx: Tx,
  id: number,
  step: MessageStep,
  change: MessageChange,
  tries?: number,
): Promise<Message | undefined> =>
  firstOf(
    tx
      .update(messages)
      .set({ ...change, ...withoutAddress(step), state: stateAfterSql(step) as never })
      .where(
        and(
          eq(messages.id, id),
          inArray(messages.state, statesBefore(step)),
          tries === undefined ? undefined : eq(messages.tries, tries),
        ),
      )
      .returning(),
  );

export const lockMessage = (tx: Tx, id: number): Promise<Message | undefined> =>
  firstOf(tx.select().from(messages).where(eq(messages.id, id)).for('update'));

/** The longest pause between two tries. A message that waits longer was dated by a clock that ran ahead. */
const longestPauseMs = 3 * 60 * 60_000;

/** The next messages of a channel, in the order in which they are sent, locked; those of others are passed over. */
export function lockNext(
  tx: Tx,
  {
    channel,
    now,
    limit,
    onlyCodes,
  }: { channel: MessageChannel; now: Date; limit: number; onlyCodes: boolean },
): Promise<Message[]> {
  const isDue = or(
    isNull(messages.notBefore),
    lte(messages.notBefore, now),
    gt(messages.notBefore, new Date(now.getTime() + longestPauseMs)),
  );
  return tx
    .select()
    .from(messages)
    .where(
      and(
        sql`${messages.state} = 'queued'`,
        eq(messages.channel, channel),
        isDue,
        onlyCodes ? eq(messages.rank, rankOf('confirmation')) : undefined,
      ),
    )
    .orderBy(asc(messages.rank), asc(messages.id))
    .limit(limit)
    .for('update', { skipLocked: true });
}

/** How many were handed to a channel's gateway since a moment. */
export const countClaimed = (reader: Reader, channel: MessageChannel, since: Date): Promise<number> =>
  reader.$count(messages, and(eq(messages.channel, channel), gt(messages.claimedAt, since)));

/** Codes that were to be texted since a moment, whatever became of them. */
export const countTextedCodes = (reader: Reader, since: Date): Promise<number> =>
  reader.$count(
    messages,
    and(sql`${messages.rank} = 0`, eq(messages.channel, 'sms'), gte(messages.createdAt, since)),
  );

/** How many news and reminders went to each of these accounts since a moment. */
export async function countSentTo(
  reader: Reader,
  accountIds: readonly number[],
  since: Date,
): Promise<Map<number, number>> {
  if (accountIds.length === 0) return new Map();
  const rows = await reader
    .select({ accountId: messages.accountId, count: sql<number>`count(*)::int` })
    .from(messages)
    .where(
      and(
        inArray(messages.accountId, [...accountIds]),
        gte(messages.rank, rankOf('loan_update')),
        gte(messages.claimedAt, since),
        inArray(messages.state, ['sending', 'sent', 'delivered', 'unknown']),
      ),
    )
    .groupBy(messages.accountId);
  return new Map(rows.flatMap(({ accountId, count }) => (accountId === null ? [] : [[accountId, count]])));
}

/** True if another account that is open has this number by now. */
export const isPhoneOfAnother = async (reader: Reader, key: string, accountId: number): Promise<boolean> =>
  (await reader.$count(accounts, and(eq(accounts.phoneKey, key), ne(accounts.id, accountId)))) > 0;

// Chores of the sender

const wasClaimedLongAgo = (now: Date, ms: number) =>
  or(
    lt(messages.claimedAt, new Date(now.getTime() - ms)),
    // A clock that ran ahead dated it.
    gt(messages.claimedAt, new Date(now.getTime() + ms)),
  );

/** Gives up the messages that a killed process left: nobody knows whether they arrived. */
export const loseLeft = (tx: Tx, now: Date, leftMs: number) =>
  moveAll(tx, 'lost', wasClaimedLongAgo(now, leftMs), {
    reason: 'process_ended' satisfies MessageReason,
    updatedAt: now,
  });

/** Codes whose time is over, also while nothing is sent. */
export const expireWaiting = (tx: Tx, now: Date) =>
  moveAll(tx, 'overdue', lte(messages.expiresAt, now), { updatedAt: now });

/** Reminders of another day, or all of this one once it is too late. */
export const dropLateReminders = (tx: Tx, now: Date, today: ManilaDate, isTooLate: boolean) =>
  moveAll(
    tx,
    'cancelled',
    and(isNotNull(messages.remindOn), isTooLate ? undefined : ne(messages.remindOn, today)),
    { reason: 'too_late' satisfies MessageReason, updatedAt: now },
  );

/** Releases messages withheld by a process that had not seen the main admin's word. */
export const releaseWithheld = (tx: Tx, now: Date) =>
  moveAll(tx, 'released', sql`not ${isBookHeldSql}`, { updatedAt: now });

const finalStates = messageStates.filter(isFinalMessage);

/** Addresses of their own that are needed no more, or were kept long enough. */
export async function forgetAddresses(tx: Tx, now: Date, keptMs: number): Promise<void> {
  const since = new Date(now.getTime() - keptMs);
  const isOld = and(eq(messages.hasOwnAddress, true), lt(messages.createdAt, since));
  await moveAll(tx, 'overdue', isOld, { reason: 'out_of_time' satisfies MessageReason, updatedAt: now });
  await tx
    .update(messages)
    .set({ addressSealed: null })
    .where(
      and(
        isNotNull(messages.addressSealed),
        or(inArray(messages.state, finalStates), lt(messages.createdAt, since)),
      ),
    );
}

export const forgetDetails = (tx: Tx, { from, to }: { from: Date; to: Date }) =>
  tx
    .update(messages)
    .set({ details: null, sentTo: '', codeName: null })
    .where(and(isNotNull(messages.details), or(lt(messages.createdAt, from), gt(messages.createdAt, to))));

/** Messages whose gateway is to be asked now; each is asked once. */
export const takeToAsk = (tx: Tx, now: Date, limit: number) => {
  const due = tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(isNotNull(messages.askAt), lte(messages.askAt, now)))
    .orderBy(asc(messages.askAt))
    .limit(limit)
    .for('update', { skipLocked: true });
  return tx.update(messages).set({ askAt: null }).where(inArray(messages.id, due)).returning();
};

export const cancelHeld = (tx: Tx, now: Date) =>
  moveAll(tx, 'cancelled', sql`${messages.state} = 'held'`, {
    reason: 'restored' satisfies MessageReason,
    updatedAt: now,
  });

// An account's messages

/** Its account is closed: what waits is not sent. */
export const cancelMessagesOf = (tx: Tx, accountId: number, reason: MessageReason, now: Date) =>
  moveAll(tx, 'cancelled', eq(messages.accountId, accountId), { reason, updatedAt: now });

/** An erasure leaves kind, channel, times and state. A last message that waits keeps its sealed address for a day. */
export async function eraseMessagesOf(tx: Tx, accountId: number): Promise<void> {
  await tx
    .update(messages)
    .set({
      details: null,
      sentTo: '',
      codeName: null,
      addressSealed: sql`case when ${messages.state} in (${oneOf(finalStates)}) then null else ${messages.addressSealed} end`,
    })
    .where(eq(messages.accountId, accountId));
}

export type ContactCode = typeof contactCodes.$inferSelect;

const isCodeOf = (accountId: number, channel: MessageChannel) =>
  and(eq(contactCodes.accountId, accountId), eq(contactCodes.channel, channel));

export const putContactCode = ({ accountId, channel, ...rest }: ContactCode, tx: Tx) =>
  tx
    .insert(contactCodes)
    .values({ accountId, channel, ...rest })
    .onConflictDoUpdate({ target: [contactCodes.accountId, contactCodes.channel], set: rest });

export const lockContactCode = (tx: Tx, accountId: number, channel: MessageChannel) =>
  firstOf(tx.select().from(contactCodes).where(isCodeOf(accountId, channel)).for('update'));

export const countWrongContactCode = (tx: Tx, accountId: number, channel: MessageChannel) =>
  tx
    .update(contactCodes)
    .set({ wrongTries: sql`${contactCodes.wrongTries} + 1` })
    .where(isCodeOf(accountId, channel));

export const deleteContactCodes = (tx: Tx, accountId: number, channel?: MessageChannel) =>
  tx
    .delete(contactCodes)
    .where(channel ? isCodeOf(accountId, channel) : eq(contactCodes.accountId, accountId));

export const deleteOldContactCodes = (tx: Tx, now: Date, future: Date) =>
  tx.delete(contactCodes).where(or(lt(contactCodes.expiresAt, now), gt(contactCodes.createdAt, future)));

export const readContactCodes = (reader: Reader, accountIds: readonly number[]) =>
  accountIds.length === 0
    ? Promise.resolve([])
    : reader
        .select()
        .from(contactCodes)
        .where(inArray(contactCodes.accountId, [...accountIds]));

// Lists and figures

export type MessagePage = {
  state?: MessageState | undefined;
  channel?: MessageChannel | undefined;
  kind?: readonly string[] | undefined;
  userId?: number | undefined;
  from?: ManilaDate | undefined;
  to?: ManilaDate | undefined;
  before?: number | undefined;
  limit: number;
};

/** Newest first, with whose it is. */
export function readMessagePage(
  reader: Reader,
  { state, channel, kind, userId, from, to, before, limit }: MessagePage,
) {
  return (
    reader
      .select({ message: messages, fullName: accounts.fullName, erasedAt: accounts.erasedAt })
      .from(messages)
      .leftJoin(accounts, eq(accounts.id, messages.accountId))
      .where(
        and(
          state && eq(messages.state, state),
          channel && eq(messages.channel, channel),
          kind && inArray(messages.kind, [...kind]),
          userId === undefined ? undefined : eq(messages.accountId, userId),
          from && gte(messages.createdAt, startOfManilaDay(from)),
          to && lt(messages.createdAt, endOfManilaDay(to)),
          before === undefined ? undefined : lt(messages.id, before),
        ),
      )
      // The indexes by account and state are declared `desc nulls last`.
      .orderBy(
        userId === undefined && state === undefined
          ? sql`${messages.id} desc`
          : sql`${messages.id} desc nulls last`,
      )
      .limit(limit)
  );
}

export type ListedMessage = Awaited<ReturnType<typeof readMessagePage>>[number];

export const countFailedSince = (reader: Reader, since: Date): Promise<number> =>
  reader.$count(messages, and(eq(messages.state, 'failed'), gte(messages.updatedAt, since)));

export const hasMessages = async (reader: Reader): Promise<boolean> =>
  (await firstOf(reader.select({ id: messages.id }).from(messages).limit(1))) !== undefined;

export async function countWaiting(reader: Reader): Promise<{ waiting: number; held: number }> {
  const [waiting, held] = await Promise.all([
    reader.$count(messages, sql`${messages.state} in ('queued', 'sending')`),
    reader.$count(messages, sql`${messages.state} = 'held'`),
  ]);
  return { waiting, held };
}

/** Since when the oldest code, access or money message could have been sent. */
export async function readOldestWaiting(reader: Reader, now: Date): Promise<Date | undefined> {
  const { rows } = await reader.execute<{ since: string | null }>(sql`
    select min(greatest(created_at, coalesce(not_before, created_at)))::text as since from ${messages}
     where state = 'queued' and rank < ${rankOf('loan_update')} and coalesce(not_before, created_at) <= ${now.toISOString()}::timestamptz`);
  const since = rows[0]?.since;
  return since ? new Date(since) : undefined;
}

/** The days on which these borrowers were reminded since a day, whatever the channel: each counts as one attempt. */
export async function readRemindedDays(reader: Reader, accountIds: readonly number[], since: Date) {
  if (accountIds.length === 0) return [];
  const rows = await reader
    .select({ accountId: messages.accountId, at: messages.claimedAt })
    .from(messages)
    .where(
      and(
        inArray(messages.accountId, [...accountIds]),
        isNotNull(messages.remindOn),
        gte(messages.claimedAt, since),
        inArray(messages.state, ['sending', 'sent', 'delivered', 'unknown']),
      ),
    );
  return rows.flatMap(({ accountId, at }) => (accountId === null || at === null ? [] : [{ accountId, at }]));
}
