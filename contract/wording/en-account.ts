import { apply } from './en-apply.ts';
import { contract } from './en-contract.ts';
import { help } from './en-help.ts';
import { home } from './en-home.ts';
import { below } from './en-home-below.ts';
import { install } from './en-install.ts';
import { landing } from './en-landing.ts';
import { myLoan } from './en-my-loan.ts';
import { pay } from './en-pay.ts';
import { profile } from './en-profile.ts';
import { reach } from './en-reach.ts';
import { signInHelp } from './en-sign-in-help.ts';
import { typed } from './en-typed.ts';
import { wallet } from './en-wallet.ts';
import { noticesIn } from './notices.ts';

/** The words that a borrower's pages load. Errors and rules are only those that the app itself reports. */
export const account = {
  ...home,
  ...below,
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

  notices: /* @__PURE__ */ noticesIn('en'),
};
