import { sentencesIn } from '#contract/errors.ts';
import { account } from './en-account.ts';
import type { home } from './en-home.ts';
import { validation } from './panel-validation.ts';

/**
 * Every word a borrower reads, in English (`tests/web/exact-wording.test.ts` holds the sentences that must not change).
 * It is also the shape of every other language (`type Wording`), so a sentence missing there does not compile. Staff's
 * words are in `panel.ts`, which a borrower's browser never loads. A browser loads `en-sign-in.ts` for the sign-in
 * screen, `en-home.ts` with it for the dashboard, and `en-account.ts` for wallet, profile and application; what loads
 * first must not import the rest.
 */
export const en = {
  ...account,
  errors: /* @__PURE__ */ sentencesIn('en'),
  validation,
};

export type ValidationKey = keyof (typeof en)['validation'];

/** The panel is English: other languages leave out what only staff can send or meet. */
export type Wording = Omit<typeof en, 'errors' | 'validation'> & {
  errors: ReturnType<typeof sentencesIn<'fil'>>;
  validation: typeof home.validation;
};
