import { writeMessage } from '#contract/wording/messages.ts';
import { manilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import {
  factsOfKind,
  isMobileNumber,
  judgeMessage,
  type MessageChannel,
  type MessageKind,
  rankOf,
  type Verdict,
} from '#domain/message.ts';
import type { Deps } from '#server/deps.ts';
import { messageNameOf, messagePhoneOf } from '#server/lender-file.ts';
import { minuteMs } from '#server/platform/clock.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import type { Gateway, Outgoing } from '#server/platform/gateways/gateway.ts';
import {
  changeGate,
  countClaimed,
  countSentTo,
  isHeld,
  isPhoneOfAnother,
  lockGate,
  lockNext,
  type Message,
  moveMessage,
  type ReachedAccount,
  readContactCodes,
  readReached,
} from '#server/store/message-store.ts';
import { secretContext } from './account-view.ts';
import { addressContext, addressOf, codeNameOf, confirmedAt, maskAddress } from './outbox-service.ts';
import { contactHoursOf, judgeReminders, type ReminderNow } from './reminder-service.ts';

/** A message that this process has claimed, as its gateway gets it. */
export type Claimed = { message: Message; outgoing: Outgoing; isCode: boolean };

/**
 * Takes rows of a channel, judges each, and marks those to send, all in one transaction that ends before any gateway is called.
 * `looked` counts the rows that were judged. It is 0 for the one message that probes a paused channel: no other may follow it.
 */
export function claimMessages(
  deps: Deps,
  channel: MessageChannel,
  gateway: Gateway,
  { limit, onlyCodes }: { limit: number; onlyCodes: boolean },
): Promise<{ messages: Claimed[]; looked: number }> {
  const none = { messages: [], looked: 0 };
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now();
    const gate = await lockGate(tx, channel);
    if (await isHeld(tx)) return none;
    const waitsMs = (gate.nextAt?.getTime() ?? 0) - now.getTime();
    // A longer one was set while the clock was ahead.
    if (waitsMs > 0 && waitsMs <= limits.channelWaitMaxSeconds * 1_000 + limits.clockSkewMs) return none;
    const isProbe = gate.closedAt !== null;
    const room = isProbe ? 1 : await roomOf(deps, tx, channel, now, limit);
    if (room <= 0) return none;
    const rows = await lockNext(tx, { channel, now, limit: room, onlyCodes });
    if (rows.length === 0) return none;
    if (isProbe)
      await changeGate(tx, channel, {
        nextAt: new Date(now.getTime() + limits.channelProbeEveryMinutes * minuteMs),
      });
    const judge = await readFacts(deps, tx, rows, now);
    const claimed: Claimed[] = [];
    for (const row of rows) {
      const { verdict, address, details } = await judge(row);
      if (verdict.do === 'send' && address !== null) {
        const change = {
          tries: row.tries + 1,
          claimedAt: now,
          updatedAt: now,
          reason: null,
          notBefore: null,
        };
        const sentTo = maskAddress(address, channel);
        const message = await moveMessage(tx, row.id, 'claimed', { ...change, details, sentTo });
        if (message) claimed.push(await writtenOut(deps, tx, message, address));
      } else if (verdict.do === 'expire') await moveMessage(tx, row.id, 'overdue', { updatedAt: now });
      else if (verdict.do === 'cancel')
        await moveMessage(tx, row.id, 'cancelled', { reason: verdict.reason, updatedAt: now });
      else if (verdict.do === 'wait') await postpone(tx, row, verdict.until);
    }
    deps.log.debug({ channel, gateway: gateway.name, count: claimed.length }, 'messages claimed');
    return { messages: claimed, looked: isProbe ? 0 : rows.length };
  });
}

async function postpone(tx: Tx, { id }: Message, until: Date): Promise<void> {
  await moveMessage(tx, id, 'claimed', { notBefore: until });
  await moveMessage(tx, id, 'returned', {});
}

/** Returns how many more may go out in this minute, over all processes. */
async function roomOf(
  deps: Deps,
  tx: Tx,
  channel: MessageChannel,
  now: Date,
  limit: number,
): Promise<number> {
  if (channel !== 'sms') return limit;
  const sent = await countClaimed(tx, channel, new Date(now.getTime() - minuteMs));
  return Math.min(limit, deps.config.messaging.smsPerMinute - sent);
}

type Judged = { verdict: Verdict; address: string | null; details: Record<string, string> | null };

/** Reads the facts that messages are judged by, for all rows at once. */
async function readFacts(deps: Deps, tx: Tx, rows: readonly Message[], now: Date) {
  const ids = [...new Set(rows.flatMap(({ accountId }) => accountId ?? []))];
  const accounts = new Map((await readReached(tx, ids)).map((account) => [account.id, account]));
  const codes = await readContactCodes(
    tx,
    rows.flatMap(({ kind, accountId }) => (kind === 'confirmation' && accountId !== null ? [accountId] : [])),
  );
  const reminders = await judgeReminders(
    deps,
    tx,
    rows.filter(({ remindOn }) => remindOn !== null),
  );
  const sent = await countSentTo(tx, ids, startOfManilaDay(manilaDate(now)));
  const hours = contactHoursOf(deps);

  const liveCodeOf = (row: Message, account: ReachedAccount | undefined): string | null => {
    if (row.kind === 'confirmation') {
      const code = codes.find((one) => one.accountId === row.accountId && one.channel === row.channel);
      return code ? codeNameOf(code.codeSealed) : null;
    }
    return account?.otpCodeSealed ? codeNameOf(account.otpCodeSealed) : null;
  };

  return async (row: Message): Promise<Judged> => {
    const account = row.accountId === null ? undefined : accounts.get(row.accountId);
    const address = await addressFor(deps, tx, row, account);
    const reminder: ReminderNow | undefined = reminders.get(row.id);
    const count = sent.get(row.accountId ?? 0) ?? 0;
    const verdict = judgeMessage({
      message: { ...row, kind: row.kind as MessageKind },
      isClosed: row.accountId !== null && (!account || account.deletedAt !== null),
      address,
      isConfirmed: account !== undefined && confirmedAt(account, row.channel) !== null,
      wants: { reminders: account?.wantsReminders ?? true, news: account?.wantsNews ?? true },
      liveCode: liveCodeOf(row, account),
      sentToday: count,
      reminderRefusal: reminder && 'refusal' in reminder ? reminder.refusal : undefined,
      hours,
      now,
    });
    // Messages before it in this very claim count too.
    if (verdict.do === 'send' && row.accountId !== null)
      sent.set(row.accountId, count + Number(row.rank >= rankOf('loan_update')));
    return { verdict, address, details: reminder && 'details' in reminder ? reminder.details : row.details };
  };
}

/** Returns the message's own address, if it still is nobody else's; without one, the account's present address. */
async function addressFor(deps: Deps, tx: Reader, row: Message, account: ReachedAccount | undefined) {
  if (!row.hasOwnAddress) return account ? addressOf(account, row.channel) : null;
  const address =
    row.addressSealed === null ? undefined : deps.secrets.open(row.addressSealed, addressContext);
  if (address === undefined) return null;
  if (row.channel === 'sms') {
    if (!isMobileNumber(address)) return null;
    if (row.accountId !== null && (await isPhoneOfAnother(tx, address, row.accountId))) return null;
  }
  return address;
}

/** Writes a claimed message out. A code is unsealed only here. */
async function writtenOut(deps: Deps, tx: Tx, message: Message, to: string): Promise<Claimed> {
  const kind = message.kind as MessageKind;
  const { purpose } = factsOfKind(kind);
  const { lender } = deps.config;
  const { subject, text } = writeMessage(
    {
      kind,
      purpose,
      channel: message.channel,
      language: message.language,
      details: message.details,
      code: purpose === 'code' ? await codeOf(deps, tx, message) : undefined,
    },
    {
      name: messageNameOf(lender),
      phone: messagePhoneOf(lender),
      company: lender.name,
      address: lender.address,
    },
  );
  const isCode = purpose === 'code';
  return { message, isCode, outgoing: { id: message.id, to, text, subject, isUrgent: isCode } };
}

async function codeOf(deps: Deps, tx: Tx, { accountId, kind, channel }: Message): Promise<string> {
  const id = accountId ?? 0;
  if (kind === 'confirmation') {
    const codes = await readContactCodes(tx, [id]);
    const sealed = codes.find((one) => one.channel === channel)?.codeSealed ?? '';
    return deps.secrets.open(sealed, secretContext.contactCode(id, channel)) ?? '';
  }
  const [account] = await readReached(tx, [id]);
  const sealed = account?.otpCodeSealed ?? '';
  if (!account?.isOtpByText) return deps.secrets.open(sealed, secretContext.otp(id)) ?? '';
  const bound = deps.secrets.open(sealed, secretContext.textCode(id));
  return bound === undefined ? '' : String(JSON.parse(bound)[0]);
}
