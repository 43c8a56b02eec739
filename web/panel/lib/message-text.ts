import type { SentMessage } from '#contract/message.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { isMessageKind, type MessageKind, messageKinds } from '#domain/message.ts';

const words = panel.messages;

/** Kinds of a later version have no words here. */
export const kindText = (kind: string): string => (isMessageKind(kind) ? words.kinds[kind] : kind);

export const kindChoices = (Object.keys(messageKinds) as MessageKind[]).map((value) => ({
  value,
  label: words.kinds[value],
}));

const reasons: Readonly<Record<string, string>> = { ...words.reasons, ...words.pauses };

/** Our own word with the gateway's number behind it, in a sentence. */
export function reasonText(reason: string | null): string {
  const [, name = '', number] = /^(\w+)(?: (\w+))?$/.exec(reason ?? '') ?? [];
  const text = Object.hasOwn(reasons, name) ? reasons[name] : (reason ?? '');
  return number ? `${text} (${number})` : (text ?? '');
}

export const receiverOf = ({ fullName, userId, kind }: SentMessage): string =>
  kind === 'trial' ? words.trialReceiver : fullName || (userId === null ? panel.list.dash : words.erased);

/** Staff may send it once more; a code has to be asked for anew. */
export const mayGoAgain = ({ state, kind }: SentMessage): boolean =>
  (state === 'failed' || state === 'unknown') &&
  isMessageKind(kind) &&
  messageKinds[kind].purpose !== 'code' &&
  kind !== 'trial';
