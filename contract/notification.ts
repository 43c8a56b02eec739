import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { momentReply, says, text } from './fields.ts';

/**
 * `loan_update` is a message written by staff. Other types are the product's notices, which the web app words in the
 * reader's language from `details`.
 */
export const NotificationReply = z.object({
  id: z.number(),
  userId: z.number(),
  title: z.string(),
  message: z.string(),
  type: z.string(),
  details: z.nullable(z.record(z.string(), z.string())),
  createdAt: momentReply,
  /** Set once the one-time code of the notice is used, expired or replaced. */
  isOver: z.optional(z.literal(true)),
});
export type Notification = z.output<typeof NotificationReply>;

/** The newest notice of changed access that the reader has closed. */
export const AccessNewsClosing = z.object({
  lastId: z.int(says('valueInvalid')).check(z.gte(1, says('valueInvalid'))),
});

export const NotificationForm = z.object({
  userId: z.int(says('memberUnknown')).check(z.gte(1, says('memberUnknown'))),
  title: text({ min: 1, message: says('titleRequired') }),
  message: text({ min: 1, max: limits.messageMaxLength, message: says('messageRequired') }),
  /** The borrower is told outside the app, too, that there is a message; never what it says. */
  alsoSend: z.optional(z.boolean(says('valueInvalid'))),
  type: z.optional(z.literal('loan_update', says('notificationTypeUnknown'))),
});
