import type { input, output } from 'zod/mini';
import type {
  HeldDecision,
  MessageChannelsReply,
  MessagesQuery,
  SentMessageReply,
  TrialMessage,
} from '#contract/message.ts';
import { parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { staffRoles } from '#domain/member.ts';
import {
  isMobileNumber,
  isRepeatable,
  type MessageChannel,
  type MessageKind,
  messageChannels,
  messageStates,
} from '#domain/message.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { dayMs, hourMs } from '#server/platform/clock.ts';
import { onCommit } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { readPages } from '#server/platform/read-pages.ts';
import {
  cancelHeld,
  changeGate,
  countFailedSince,
  countWaiting,
  hasMessages,
  type ListedMessage,
  lockGate,
  lockMessage,
  type MessagePage,
  moveAll,
  moveMessage,
  readGates,
  readMessagePage,
} from '#server/store/message-store.ts';
import { audit } from './audit-service.ts';
import { requireRole } from './four-eyes.ts';
import { channelsOn, putMessage } from './outbox-service.ts';
import type { Act, Staff } from './session-service.ts';
import { countWithin } from './tries-service.ts';

const viewMessage = ({ message, fullName, erasedAt }: ListedMessage): input<typeof SentMessageReply> => ({
  id: message.id,
  at: message.createdAt,
  userId: message.accountId,
  fullName: erasedAt ? null : fullName,
  sentTo: message.sentTo,
  channel: message.channel,
  kind: message.kind,
  state: message.state,
  reason: message.reason,
  tries: message.tries,
});

/** Newest first, page by page. A filter that no message fits finds none. */
export async function* listMessages(deps: Deps, query: output<typeof MessagesQuery>) {
  const filter = filterOf(query);
  if (!filter) {
    yield [];
    return;
  }
  let left = query.limit ?? Number.POSITIVE_INFINITY;
  const limit = Math.min(limits.listPageRows, left);
  const read = (before: number | undefined) =>
    deps.database.readOnReplica((reader) => readMessagePage(reader, { ...filter, before, limit }));
  for await (const page of readPages(read, ({ message }) => message.id, limit)) {
    yield page.slice(0, left).map(viewMessage);
    left -= page.length;
    if (left <= 0) return;
  }
}

const isOf = <Word extends string>(words: readonly Word[], word: string | undefined): word is Word =>
  word !== undefined && (words as readonly string[]).includes(word);

function filterOf(query: output<typeof MessagesQuery>): Omit<MessagePage, 'limit' | 'before'> | undefined {
  const given = (text: string | undefined) =>
    text === undefined || text === '' || text === 'all' ? undefined : text;
  const [state, channel, kind] = [given(query.state), given(query.channel), given(query.kind)];
  const [userId, from, to] = [given(query.userId), given(query.from), given(query.to)];
  const isKnown =
    (state === undefined || isOf(messageStates, state)) &&
    (channel === undefined || isOf(messageChannels, channel)) &&
    (userId === undefined || /^[1-9]\d{0,14}$/.test(userId)) &&
    (from === undefined || parseManilaDate(from) !== undefined) &&
    (to === undefined || parseManilaDate(to) !== undefined);
  if (!isKnown) return undefined;
  return {
    state: isOf(messageStates, state) ? state : undefined,
    channel: isOf(messageChannels, channel) ? channel : undefined,
    kind: kind === undefined ? undefined : [kind],
    userId: userId === undefined ? undefined : Number(userId),
    from: from === undefined ? undefined : parseManilaDate(from),
    to: to === undefined ? undefined : parseManilaDate(to),
  };
}

/** Which channels there are and how they do: for Settings, Today and the sidebar. */
export async function readMessageChannels(deps: Deps): Promise<input<typeof MessageChannelsReply>> {
  const { gates, counts, isUsed } = await deps.database.read(async (reader) => ({
    gates: await readGates(reader),
    counts: await countWaiting(reader),
    isUsed: await hasMessages(reader),
  }));
  const view = (channel: MessageChannel) => ({
    gateway: deps.gateways[channel]?.name ?? null,
    lastSentAt: gates[channel].lastSentAt,
    pausedSince: gates[channel].closedAt,
    pauseReason: gates[channel].reason,
  });
  return {
    sms: view('sms'),
    email: view('email'),
    hasMessages: isUsed,
    heldSince: gates.book.closedAt,
    ...counts,
  };
}

/**
 * Reads for Today what failed in the last days, and the channels that take nothing. There is nothing
 * where no channel is set up.
 */
export async function readMessageTroubles(deps: Deps) {
  const on = channelsOn(deps);
  if (on.length === 0) return { messagesFailed: 0, pausedChannels: [] };
  const since = new Date(deps.clock.now().getTime() - limits.messagesFailedShownDays * dayMs);
  const { gates, messagesFailed } = await deps.database.read(async (reader) => ({
    gates: await readGates(reader),
    messagesFailed: await countFailedSince(reader, since),
  }));
  const pausedChannels = [...on, 'book' as const].flatMap((channel) => {
    const { closedAt, reason } = gates[channel];
    return closedAt ? [{ channel, since: closedAt, reason }] : [];
  });
  return { messagesFailed, pausedChannels };
}

/** Queues a message once more that failed, or of which nobody knows whether it arrived. */
export async function sendAgain(act: Act<Staff>, id: number): Promise<input<typeof SentMessageReply>> {
  const { deps, tx, actor: staff } = act;
  requireRole(staff, ...staffRoles);
  const message = (await lockMessage(tx, id)) ?? fail('not_found');
  const { kind, state, repeats, hasOwnAddress } = message;
  // An address of its own is forgotten once the message is final.
  if (hasOwnAddress || !isRepeatable({ kind: kind as MessageKind, state, repeats })) fail('not_repeatable');
  const now = deps.clock.now();
  const again = {
    tries: 0,
    repeats: repeats + 1,
    reason: null,
    notBefore: null,
    gatewayId: null,
    askAt: null,
  };
  if (!(await moveMessage(tx, id, 'again', { ...again, updatedAt: now }))) fail('not_repeatable');
  const on = message.accountId === null ? {} : { account: message.accountId };
  await audit(act, 'message_again', on, { before: { state }, after: { messageId: id, kind } });
  onCommit(tx, deps.wakeSender);
  const [listed] = await readMessagePage(tx, { limit: 1, before: id + 1 });
  return viewMessage(listed ?? fail('not_found'));
}

/** The main admin's word on what waits since the book was restored; from now on messages go out again. */
export async function decideHeld(act: Act<Staff>, { decision }: output<typeof HeldDecision>) {
  const { deps, tx } = act;
  const now = deps.clock.now();
  await lockGate(tx, 'book');
  await changeGate(tx, 'book', { closedAt: null, reason: null });
  const messages =
    decision === 'send'
      ? await moveAll(tx, 'released', undefined, { updatedAt: now })
      : await cancelHeld(tx, now);
  await audit(act, 'messages_released', {}, { after: { decision, messages } });
  onCommit(tx, deps.wakeSender);
  return { messages };
}

/** Sends a trial of the main admin's, to see whether a channel works; it needs no account. */
export async function sendTrial(
  act: Act<Staff>,
  { channel, to }: output<typeof TrialMessage>,
): Promise<void> {
  const { deps } = act;
  if (!channelsOn(deps).includes(channel)) fail('channel_off');
  const address = channel === 'sms' ? phoneKey(to) : to.trim();
  if (channel === 'sms' && !isMobileNumber(address)) fail('not_mobile');
  if (channel === 'email' && !/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(address))
    refuseField('to', 'emailInvalid');
  const max = limits.trialMessagesPerHour;
  await countWithin(act, [{ scope: 'trial messages', key: 'all', max, windowMs: hourMs }]);
  await putMessage(act, { kind: 'trial', channel, account: null, address, hasOwnAddress: true });
  await audit(act, 'message_trial', {}, { after: { channel } });
}
