import { account } from '#contract/wording/en-account.ts';
import { useWordsOf } from './format.ts';

/** All words of the borrower's app in the reader's language, for wallet, profile and application pages. */
export const useAccountWords = () => useWordsOf(account);
