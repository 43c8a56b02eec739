import type { Wording } from './en.ts';
import { account } from './fil-account.ts';
import { core } from './fil-core.ts';
import { home } from './fil-home.ts';
import { offer } from './fil-offer.ts';

/**
 * The borrower's app in Filipino, as a lender's staff would say it: the words of banking that people know in English
 * stay (loan, wallet, OTP). A browser loads it only when its reader chose it. Amounts and numbers come from the limits.
 * In the parts that the English has, though a browser loads them together.
 */
export const fil: Wording = { ...core, ...home, ...offer, ...account };
