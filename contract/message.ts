import * as z from 'zod/mini';
import { messageChannels, messageStates } from '#domain/message.ts';
import {
  changesSome,
  idInQuery,
  momentReply,
  numberText,
  password,
  says,
  searchText,
  text,
} from './fields.ts';
import { WithdrawalForm } from './withdrawal.ts';

/** The sources of a borrower's code to withdraw. */
export const codeSources = ['staff', 'sms'] as const;

/** An address, masked, and since when it is confirmed: null until then. */
const address = z.nullable(z.object({ sentTo: z.string(), confirmedAt: z.nullable(momentReply) }));

const wants = z.object({ reminders: z.boolean(), news: z.boolean() });

/** How the lender reaches a borrower outside the app. `channels`: what the lender has set up; `codes`: for this account now. */
export const ContactReply = z.object({
  channels: z.object({ sms: z.boolean(), email: z.boolean() }),
  codes: z.enum(codeSources),
  phone: address,
  email: address,
  wants,
});

export const ContactUpdate = z.object({
  wants: z.partial(wants).check(changesSome('reminders', 'news')),
});

/** Where a code went, when the next one can be asked for, and how long this one lives. */
export const CodeSentReply = z.object({
  sentTo: z.string(),
  resendAt: momentReply,
  expiresAt: momentReply,
});

/** The code as typed: a wrong shape is a wrong code. */
export const ContactCode = z.object({ code: numberText({ message: says('valueInvalid') }) });

/** A code for exactly this amount and account, with the password. */
export const TextCodeRequest = z.extend(WithdrawalForm, { password });

export const SentMessageReply = z.object({
  id: z.number(),
  at: momentReply,
  /** Null for a trial message. */
  userId: z.nullable(z.number()),
  /** Null once the person is erased. */
  fullName: z.nullable(z.string()),
  /** Masked; empty once it is not known any more. */
  sentTo: z.string(),
  channel: z.enum(messageChannels),
  kind: z.string(),
  state: z.enum(messageStates),
  reason: z.nullable(z.string()),
  tries: z.number(),
});

export type SentMessage = z.output<typeof SentMessageReply>;

const anyText = z.optional(searchText({ message: says('textTooLong') }));

/** Filters of the list. A value that no message has finds none; it is never an error. */
export const MessagesQuery = z.object({
  state: anyText,
  channel: anyText,
  kind: anyText,
  userId: anyText,
  from: anyText,
  to: anyText,
  /** At most so many rows: the last five of a member. */
  limit: z.optional(idInQuery),
});

export const HeldDecision = z.object({ decision: z.enum(['send', 'cancel'], says('actionUnknown')) });

export const HeldReply = z.object({ messages: z.number() });

export const TrialMessage = z.object({
  channel: z.enum(messageChannels, says('channelUnknown')),
  to: text({ min: 1, message: says('valueInvalid') }),
});

const channelState = z.object({
  /** Null: not set up. */
  gateway: z.nullable(z.enum(['file', 'semaphore', 'smtp'])),
  lastSentAt: z.nullable(momentReply),
  /** Since when the gateway takes nothing, and why; one message in five minutes tries it again. */
  pausedSince: z.nullable(momentReply),
  pauseReason: z.nullable(z.string()),
});

/**
 * The state of the channels, for Settings, Today and the sidebar. `hasMessages`: there is a row. `heldSince`:
 * a restored book sends nothing.
 */
export const MessageChannelsReply = z.object({
  sms: channelState,
  email: channelState,
  hasMessages: z.boolean(),
  heldSince: z.nullable(momentReply),
  waiting: z.number(),
  held: z.number(),
});
