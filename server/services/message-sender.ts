import { setTimeout as sleep } from 'node:timers/promises';
import { writeMessage } from '#contract/wording/messages.ts';
import { manilaDate, manilaTime, startOfManilaDay } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import {
  factsOfKind,
  isMobileNumber,
  judgeMessage,
  type MessageChannel,
  type MessageKind,
  type MessageReason,
  type MessageStep,
  messageChannels,
  nextTryAt,
  rankOf,
  type Verdict,
} from '#domain/message.ts';
import type { Deps } from '#server/deps.ts';
import { messageNameOf, messagePhoneOf } from '#server/lender-file.ts';
import { hourMs, minuteMs } from '#server/platform/clock.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import type { Gateway, Outcome, Outgoing } from '#server/platform/gateways/gateway.ts';
import { changeAccount, lockAccount } from '#server/store/account-store.ts';
import {
  changeGate,
  countClaimed,
  countSentTo,
  dropLateReminders,
  expireWaiting,
  forgetAddresses,
  isPhoneOfAnother,
  lockGate,
  lockNext,
  loseLeft,
  type Message,
  moveMessage,
  type ReachedAccount,
  readContactCodes,
  readIsHeld,
  readReached,
  releaseWithheld,
  takeToAsk,
} from '#server/store/message-store.ts';
import { secretContext } from './account-view.ts';
import { audit } from './audit-service.ts';
import { serverConsole } from './first-start-service.ts';
import { addressContext, addressOf, codeNameOf, confirmedAt, maskAddress } from './outbox-service.ts';
import { contactHoursOf, judgeReminders, makeReminders, type ReminderNow } from './reminder-service.ts';

/** A message that this process has claimed, as its gateway gets it. */
type Claimed = { message: Message; outgoing: Outgoing; isCode: boolean };

/**
 * Sends what waits in the outbox (§outbox). One runs in each process; they share the rows by locking them. A message is marked
 * as being sent, and that is committed, before its gateway is called, so that it never is sent twice.
 */
export function createSender(deps: Deps) {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const lanes = messageChannels.flatMap((channel) => {
    const gateway = deps.gateways[channel];
    return gateway ? [createLane(deps, channel, gateway, { stopping: stopping.signal, underWay })] : [];
  });
  const gateways = Object.entries(deps.gateways) as [MessageChannel, Gateway][];

  return {
    /** Has every channel take what it can. */
    wake() {
      for (const lane of lanes) lane.pump();
    },
    /** Does the work of every few seconds: the chores, the day's reminders, others' rows. */
    async look() {
      await chores(deps);
      await makeReminders(deps);
      await askGateways(deps, gateways, stopping.signal);
      for (const lane of lanes) lane.pump();
    },
    /** Resolves once nothing is claimed or being sent by this process. */
    async settled() {
      for (;;) {
        await Promise.all(lanes.map((lane) => lane.pumped()));
        if (underWay.size === 0) return;
        await Promise.all(underWay);
      }
    },
    /** Takes nothing new; breaks off what is not answered soon, so that nothing is left being sent. */
    async stop() {
      for (const lane of lanes) lane.close();
      const timer = setTimeout(() => stopping.abort(), limits.messageStopMs);
      await this.settled();
      clearTimeout(timer);
      stopping.abort();
    },
  };
}

type Sender = ReturnType<typeof createSender>;

/** Runs until the returned function is called. Nothing at all where no channel is set up. */
export function startSender(deps: Deps): () => Promise<void> {
  if (Object.keys(deps.gateways).length === 0) return async () => {};
  const sender: Sender = createSender(deps);
  const look = () =>
    sender.look().catch((err) => deps.log.warn({ err }, 'the outbox could not be looked at'));
  deps.wakeSender = () => sender.wake();
  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, limits.messageLookEveryMs).unref();
  return async () => {
    deps.wakeSender = () => {};
    clearInterval(timer);
    await looking;
    await sender.stop();
  };
}

async function chores(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await deps.database.transaction(async (tx) => {
    await loseLeft(tx, now, limits.messageLeftMinutes * minuteMs);
    await expireWaiting(tx, now);
    await dropLateReminders(tx, now, manilaDate(now), manilaTime(now) >= contactHoursOf(deps).to);
    await releaseWithheld(tx, now);
    await forgetAddresses(tx, now, limits.messageAddressKeptHours * hourMs);
  });
}

/** One channel: up to eight calls at a time, one of which is kept for codes. */
function createLane(
  deps: Deps,
  channel: MessageChannel,
  gateway: Gateway,
  { stopping, underWay }: { stopping: AbortSignal; underWay: Set<Promise<void>> },
) {
  let isClosed = false;
  let isAskedAgain = false;
  let pumping: Promise<void> | undefined;
  let codes = 0;
  let others = 0;

  async function claimOnce(): Promise<number> {
    const free = limits.messagesAtOnce - codes - others;
    const forOthers = limits.messagesAtOnce - 1 - others;
    const limit = forOthers > 0 ? Math.min(free, forOthers) : Math.min(free, 1);
    if (limit <= 0) return 0;
    const claimed = await claim(deps, channel, gateway, { limit, onlyCodes: forOthers <= 0 });
    for (const one of claimed.messages) {
      const sending = send(one).finally(() => {
        underWay.delete(sending);
        pump();
      });
      underWay.add(sending);
    }
    // Messages that were not sent after all made room.
    return claimed.looked;
  }

  async function run(): Promise<void> {
    do {
      isAskedAgain = false;
      try {
        while (!isClosed && (await claimOnce()) > 0);
      } catch (err) {
        deps.log.warn({ err, channel }, 'messages could not be claimed');
      }
    } while (isAskedAgain && !isClosed);
  }

  function pump(): void {
    isAskedAgain = true;
    if (isClosed || pumping) return;
    pumping = run().finally(() => {
      pumping = undefined;
    });
  }

  async function send({ message, outgoing, isCode }: Claimed): Promise<void> {
    if (isCode) codes += 1;
    else others += 1;
    try {
      await handOver(deps, channel, gateway, message, outgoing, stopping);
    } catch (err) {
      // Left as being sent; after two minutes it is unknown.
      deps.log.warn({ err, channel }, 'what became of a message could not be written down');
    } finally {
      if (isCode) codes -= 1;
      else others -= 1;
    }
  }

  return {
    pump,
    pumped: async () => pumping,
    close() {
      isClosed = true;
    },
  };
}

/** Calls the gateway, and writes down what came of it. An answer that comes too late counts all the same. */
async function handOver(
  deps: Deps,
  channel: MessageChannel,
  gateway: Gateway,
  message: Message,
  outgoing: Outgoing,
  stopping: AbortSignal,
): Promise<void> {
  const breaking = new AbortController();
  const breakOff = () => breaking.abort();
  stopping.addEventListener('abort', breakOff, { once: true });
  if (stopping.aborted) breakOff();
  const answered = new AbortController();
  const late = sleep(limits.gatewayTimeoutMs, undefined, { signal: answered.signal }).catch(() => undefined);
  const sending = gateway.send(outgoing, breaking.signal);
  const outcome = await Promise.race([sending, late]);
  answered.abort();
  if (outcome) {
    stopping.removeEventListener('abort', breakOff);
    return note(deps, channel, gateway, message, outcome);
  }
  const end = setTimeout(breakOff, limits.gatewayLateAnswerMs).unref();
  void sending
    .then(async (answer) => {
      if (answer.kind === 'taken' || answer.kind === 'arrived' || answer.kind === 'refused')
        await note(deps, channel, gateway, message, answer);
    })
    .catch((err) => deps.log.warn({ err, channel }, 'a late answer could not be written down'))
    .finally(() => {
      clearTimeout(end);
      stopping.removeEventListener('abort', breakOff);
    });
  await note(deps, channel, gateway, message, { kind: 'lost', why: 'no_answer' });
}

/** Takes rows of a channel, judges each and marks those that are sent; committed before any gateway is called. */
function claim(
  deps: Deps,
  channel: MessageChannel,
  gateway: Gateway,
  { limit, onlyCodes }: { limit: number; onlyCodes: boolean },
): Promise<{ messages: Claimed[]; looked: number }> {
  const none = { messages: [], looked: 0 };
  return deps.database.transaction(async (tx) => {
    const now = deps.clock.now();
    const gate = await lockGate(tx, channel);
    if (await readIsHeld(tx)) return none;
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

/** How many more may go out in this minute, over all processes. */
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

/** Its own address, if it still is nobody else's; else the account's present one. */
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

/** The words, with the code that only this moment unseals. */
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

/** The reason is our own word with the gateway's number, never what it said. */
const reasonOf = (reason: MessageReason | string, number: string | undefined): string =>
  number === undefined ? reason : `${reason} ${number}`;

async function note(
  deps: Deps,
  channel: MessageChannel,
  gateway: Gateway,
  message: Message,
  outcome: Outcome,
): Promise<void> {
  const now = deps.clock.now();
  const { id, tries } = message;
  const step = (tx: Tx, name: MessageStep, change: Parameters<typeof moveMessage>[3]) =>
    moveMessage(tx, id, name, { ...change, updatedAt: now }, tries);
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const state = await deps.database.transaction(async (tx) => {
    switch (outcome.kind) {
      case 'taken':
      case 'arrived': {
        await changeGate(tx, channel, { lastSentAt: now, closedAt: null, reason: null, nextAt: null });
        const askAt =
          outcome.kind === 'taken' && outcome.id !== undefined && gateway.ask
            ? after(limits.gatewayAskedAfterMinutes * 60)
            : null;
        const change = { gatewayId: outcome.id ?? null, askAt, reason: null };
        return step(tx, outcome.kind, change);
      }
      case 'refused': {
        if (outcome.isAddressWrong) await unconfirm(deps, tx, message, channel);
        const reason = outcome.isAddressWrong ? 'address_refused' : 'refused';
        return step(tx, 'refused', { reason: reasonOf(reason, outcome.number) });
      }
      case 'returned': {
        const notBefore = nextTryAt(message.kind as MessageKind, tries, now);
        const reason = reasonOf('not_reached', outcome.number);
        return notBefore ? step(tx, 'returned', { notBefore, reason }) : step(tx, 'refused', { reason });
      }
      // Neither is a try of this message.
      case 'wait': {
        const seconds = Math.min(
          outcome.seconds ?? limits.channelWaitDefaultSeconds,
          limits.channelWaitMaxSeconds,
        );
        await changeGate(tx, channel, { nextAt: after(seconds) });
        return step(tx, 'returned', { tries: tries - 1 });
      }
      case 'closed': {
        const gate = await lockGate(tx, channel);
        const nextAt = after(limits.channelProbeEveryMinutes * 60);
        if (gate.closedAt === null) deps.log.warn({ channel, reason: outcome.why }, 'a channel is paused');
        await changeGate(tx, channel, {
          closedAt: gate.closedAt ?? now,
          reason: reasonOf(outcome.why, outcome.number),
          nextAt,
        });
        return step(tx, 'returned', { tries: tries - 1 });
      }
      case 'lost':
        return step(tx, 'lost', { reason: reasonOf(outcome.why, outcome.number) });
    }
  });
  if (state && state.state !== 'queued') deps.metrics.countMessage({ channel, state: state.state });
}

/** The gateway says that nothing ever arrives there: it is as if nobody had confirmed it. */
async function unconfirm(deps: Deps, tx: Tx, message: Message, channel: MessageChannel): Promise<void> {
  if (message.hasOwnAddress || message.accountId === null) return;
  const account = await lockAccount(tx, message.accountId);
  if (!account || confirmedAt(account, channel) === null) return;
  const change =
    channel === 'sms' ? { phoneConfirmedAt: null, phoneConfirmedBy: null } : { emailConfirmedAt: null };
  await changeAccount(tx, account.id, change);
  await audit(
    { deps, tx, actor: serverConsole },
    'contact_unconfirmed',
    { account: account.id },
    { after: { channel, reason: 'address_refused' } },
  );
}

const askedAtATime = 20;

/** Asks once what became of messages that a gateway took some minutes ago. */
async function askGateways(
  deps: Deps,
  gateways: [MessageChannel, Gateway][],
  signal: AbortSignal,
): Promise<void> {
  if (!gateways.some(([, gateway]) => gateway.ask)) return;
  const due = await deps.database.transaction((tx) => takeToAsk(tx, deps.clock.now(), askedAtATime));
  await Promise.all(
    due.map(async (message) => {
      const gateway = deps.gateways[message.channel];
      if (!gateway?.ask || message.gatewayId === null) return;
      const timeout = AbortSignal.timeout(limits.gatewayTimeoutMs);
      const outcome = await gateway.ask(message.gatewayId, AbortSignal.any([signal, timeout]));
      if (outcome) await note(deps, message.channel, gateway, message, outcome);
    }),
  );
}
