import { setTimeout as sleep } from 'node:timers/promises';
import { manilaDate, manilaTime } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import {
  type MessageChannel,
  type MessageKind,
  type MessageReason,
  type MessageStep,
  messageChannels,
  nextTryAt,
} from '#domain/message.ts';
import type { Deps } from '#server/deps.ts';
import { hourMs, minuteMs } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database/database.ts';
import type { Gateway, Outcome, Outgoing } from '#server/platform/gateways/gateway.ts';
import { changeAccount, lockAccount } from '#server/store/account-store.ts';
import {
  changeGate,
  dropLateReminders,
  expireWaiting,
  forgetAddresses,
  lockGate,
  loseLeft,
  type Message,
  moveMessage,
  releaseWithheld,
  takeToAsk,
} from '#server/store/message-store.ts';
import { audit } from './audit-service.ts';
import { serverConsole } from './first-start-service.ts';
import { type Claimed, claimMessages } from './message-claim.ts';
import { confirmedAt } from './outbox-service.ts';
import { contactHoursOf, makeReminders } from './reminder-service.ts';

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
    /** Does the work of every few seconds: the chores, the day's reminders, and rows that other processes wrote. */
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

/** Runs until the returned function is called. Does nothing where no channel is set up. */
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
    const claimed = await claimMessages(deps, channel, gateway, { limit, onlyCodes: forOthers <= 0 });
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
      // The message stays marked as being sent; after two minutes its state is unknown.
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
    return noteOutcome(deps, channel, gateway, message, outcome);
  }
  const end = setTimeout(breakOff, limits.gatewayLateAnswerMs).unref();
  void sending
    .then(async (answer) => {
      if (answer.kind === 'taken' || answer.kind === 'arrived' || answer.kind === 'refused')
        await noteOutcome(deps, channel, gateway, message, answer);
    })
    .catch((err) => deps.log.warn({ err, channel }, 'a late answer could not be written down'))
    .finally(() => {
      clearTimeout(end);
      stopping.removeEventListener('abort', breakOff);
    });
  await noteOutcome(deps, channel, gateway, message, { kind: 'lost', why: 'no_answer' });
}

/** Returns our own word for the reason, with the gateway's number: never the gateway's words. */
const reasonOf = (reason: MessageReason | string, number: string | undefined): string =>
  number === undefined ? reason : `${reason} ${number}`;

/** Stores what came of a try: of the message, and of its channel. */
async function noteOutcome(
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
      // Neither of the next two counts as a try of this message.
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

/** Takes the confirmation off an address where, as its gateway says, nothing ever arrives. */
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
      if (outcome) await noteOutcome(deps, message.channel, gateway, message, outcome);
    }),
  );
}
