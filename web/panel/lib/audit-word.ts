import { panel } from '#contract/wording/panel.ts';

const words: Record<string, string> = panel.audit.actions;

/** Actions without wording appear under their own name. */
export const auditWord = (action: string): string =>
  (Object.hasOwn(words, action) && words[action]) || action.replaceAll('_', ' ');
