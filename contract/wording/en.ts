import { sentencesIn } from '#contract/errors.ts';
import { apply } from './en-apply.ts';
import { contract } from './en-contract.ts';
import { help } from './en-help.ts';
import { home } from './en-home.ts';
import { below } from './en-home-below.ts';
import { landing } from './en-landing.ts';
import { myLoan } from './en-my-loan.ts';
import { pay } from './en-pay.ts';
import { profile } from './en-profile.ts';
import { signInHelp } from './en-sign-in-help.ts';
import { validation } from './en-validation.ts';
import { wallet } from './en-wallet.ts';
import { noticesIn } from './notices.ts';

/**
 * Every word a borrower reads, in English (`tests/web/exact-wording.test.ts` holds the sentences that must not change).
 * It is also the shape of every other language (`type Wording`), so a sentence missing there does not compile. Staff's
 * words are in `panel.ts`, which a borrower's browser never loads. A browser loads `en-sign-in.ts` for the sign-in
 * screen, `en-home.ts` with it for the dashboard, and all files for wallet, profile and application; what loads first
 * must not import the rest.
 */
export const en = {
  ...home,
  ...below,
  ...landing,
  ...apply,
  ...contract,
  ...signInHelp,
  ...wallet,
  ...myLoan,
  ...pay,
  ...help,
  ...profile,

  errors: /* @__PURE__ */ sentencesIn('en'),
  notices: /* @__PURE__ */ noticesIn('en'),

  validation,
};

export type ValidationKey = keyof (typeof en)['validation'];

/** The panel is English: other languages leave out what only staff can send or meet. */
export type Wording = Omit<typeof en, 'errors' | 'validation'> & {
  errors: ReturnType<typeof sentencesIn<'fil'>>;
  validation: typeof home.validation;
};
