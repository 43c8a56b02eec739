import type * as message from '#contract/message-endpoints.ts';
import { records } from '#contract/wording/server-words.ts';
import {
  confirmContact,
  readContact,
  sendContactCode,
  sendTextCode,
  updateContact,
} from '#server/services/contact-details-service.ts';
import {
  decideHeld,
  listMessages,
  readMessageChannels,
  sendAgain,
  sendTrial,
} from '#server/services/message-list-service.ts';
import { type Handlers, saying } from './route.ts';

export const messageRoutes: Handlers<typeof message> = {
  readContact: ({ deps, caller }) => readContact(deps, caller),
  updateContact: ({ body, once }) => once((act) => updateContact(act, body)),
  sendPhoneCode: ({ once }) => once((act) => sendContactCode(act, 'sms')),
  sendEmailCode: ({ once }) => once((act) => sendContactCode(act, 'email')),
  confirmPhone: ({ body, once }) => once((act) => confirmContact(act, 'sms', body.code)),
  confirmEmail: ({ body, once }) => once((act) => confirmContact(act, 'email', body.code)),
  sendTextCode: ({ deps, caller, body }) => sendTextCode(deps, caller, body),

  listMessages: ({ deps, query }) => listMessages(deps, query),
  readMessageChannels: ({ deps }) => readMessageChannels(deps),
  sendAgain: ({ params, once }) => once((act) => sendAgain(act, params.id)),
  decideHeld: ({ body, once }) => once((act) => decideHeld(act, body)),
  sendTrial: saying(records.trialSent, ({ body, once }) => once((act) => sendTrial(act, body))),
};
