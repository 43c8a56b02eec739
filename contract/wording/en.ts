import { account } from './en-account.ts';
import { home } from './en-home.ts';
import { offer } from './en-offer.ts';

/**
 * Every word a borrower reads, in English: word for word the spec's where the spec has it. It is also the shape of
 * every other language (`type Wording`), so a sentence missing there does not compile. What only staff read stands in
 * `panel.ts`, which a borrower's browser never loads. It has four parts, because a module goes into a browser's chunk
 * whole: the sign-in screen loads `en-core.ts`, the dashboard `en-home.ts` too, and all of it is loaded by what comes
 * after them: wallet, profile and application.
 */
export const en = { ...home, ...offer, ...account };

export type Wording = typeof en;
export type ValidationKey = keyof Wording['validation'];
export type NoticeKey = keyof Wording['notices'];
