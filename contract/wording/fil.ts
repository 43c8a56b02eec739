import { sentencesIn } from '#contract/errors.ts';
import type { Wording } from './en.ts';
import { apply } from './fil-apply.ts';
import { contract } from './fil-contract.ts';
import { everyPage } from './fil-every-page.ts';
import { help } from './fil-help.ts';
import { home } from './fil-home.ts';
import { install } from './fil-install.ts';
import { landing } from './fil-landing.ts';
import { myLoan } from './fil-my-loan.ts';
import { pay } from './fil-pay.ts';
import { profile } from './fil-profile.ts';
import { reach } from './fil-reach.ts';
import { signInHelp } from './fil-sign-in-help.ts';
import { typed } from './fil-typed.ts';
import { wallet } from './fil-wallet.ts';
import { noticesIn } from './notices.ts';

/**
 * The borrower's app in Filipino, as a lender's staff would say it: banking words that people know in English stay
 * (loan, wallet, OTP). A browser loads all of it, and only if its reader chose it.
 */
export const fil: Wording = {
  ...everyPage,
  ...home,
  install,
  landing,
  ...apply,
  ...contract,
  ...signInHelp,
  ...wallet,
  myLoan,
  pay,
  reach,
  help,
  ...profile,
  typed,

  errors: /* @__PURE__ */ sentencesIn('fil'),
  notices: /* @__PURE__ */ noticesIn('fil'),
};
