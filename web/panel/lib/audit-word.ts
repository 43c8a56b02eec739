import { panel } from '#contract/wording/panel.ts';

const words: Record<string, string> = panel.audit.actions;

/** What an entry of the audit log tells of; an action that has no words yet under its own name. */
export const auditWord = (action: string): string =>
  (Object.hasOwn(words, action) && words[action]) || action.replaceAll('_', ' ');
