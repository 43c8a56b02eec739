import * as z from 'zod/mini';
import { admin, borrower, mainAdmin } from './endpoint.ts';
import { MessageReply } from './fields.ts';
import * as message from './message.ts';

// Messages that leave the app: how a borrower is reached, and what staff see of it. See `api.ts`.

export const readContact = borrower('GET /api/user/contact', {
  summary: 'How the caller is reached by text message and e-mail, and what they want to get.',
  reply: message.ContactReply,
});

export const updateContact = borrower('PUT /api/user/contact', {
  summary: 'Say whether reminders and news are wanted outside the app.',
  body: message.ContactUpdate,
  reply: message.ContactReply,
  idempotent: true,
});

export const sendPhoneCode = borrower('POST /api/user/contact/phone/code', {
  summary: 'Text a code to the caller’s phone, to confirm it. A new one ends the old.',
  reply: message.CodeSentReply,
  status: 202,
  fails: ['channel_off', 'already_confirmed', 'no_address', 'not_mobile'],
});

export const sendEmailCode = borrower('POST /api/user/contact/email/code', {
  summary: 'Send a code to the caller’s e-mail address, to confirm it. A new one ends the old.',
  reply: message.CodeSentReply,
  status: 202,
  fails: ['channel_off', 'already_confirmed', 'no_address'],
});

export const confirmPhone = borrower('POST /api/user/contact/phone/confirm', {
  summary: 'Confirm the phone with the code that was texted to it.',
  body: message.ContactCode,
  reply: message.ContactReply,
  fails: ['invalid_code'],
});

export const confirmEmail = borrower('POST /api/user/contact/email/confirm', {
  summary: 'Confirm the e-mail address with the code that was sent to it.',
  body: message.ContactCode,
  reply: message.ContactReply,
  fails: ['invalid_code'],
});

export const sendTextCode = borrower('POST /api/withdrawals/code', {
  summary: 'Text a code to withdraw exactly this amount to this account; with the password.',
  body: message.TextCodeRequest,
  reply: message.CodeSentReply,
  status: 202,
  fails: ['codes_by_staff', 'insufficient_funds', 'wrong_password', 'too_many_tries', 'overloaded'],
});

export const listMessages = admin('GET /api/admin/messages', {
  summary:
    'Messages that left the app or wait, newest first; one a line with `Accept: application/x-ndjson`.',
  query: message.MessagesQuery,
  reply: z.array(message.SentMessageReply),
  produces: 'jsonOrLines',
  csv: true,
});

export const readMessageChannels = admin('GET /api/admin/messages/channels', {
  summary: 'Which channels are set up, when the last message went through, and what waits.',
  reply: message.MessageChannelsReply,
});

export const sendAgain = admin('POST /api/admin/messages/{id}/again', {
  summary: 'Send a message once more that failed, or of which nobody knows whether it arrived.',
  reply: message.SentMessageReply,
  fails: ['not_repeatable', 'role_missing'],
});

export const decideHeld = mainAdmin('POST /api/admin/messages/held', {
  summary:
    'Send or cancel what waits since the book was restored or imported; from now on messages go out again.',
  body: message.HeldDecision,
  reply: message.HeldReply,
});

export const sendTrial = mainAdmin('POST /api/admin/messages/trial', {
  summary: 'Send a trial message, to see whether a channel works. Five an hour.',
  body: message.TrialMessage,
  reply: MessageReply,
  status: 202,
  fails: ['channel_off', 'not_mobile'],
});
