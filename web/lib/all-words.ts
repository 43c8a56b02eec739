import { account } from '#contract/wording/en-account.ts';
import { useWordsOf } from './language.tsx';

/** All words of the borrower's app in the reader's language, for wallet, profile and application pages. */
export const useAccountWords = (): typeof account => useWordsOf(account);
