import { en, type Wording } from '#contract/wording/en.ts';
import { useWordsOf } from './home-words.ts';

/** All words of the borrower's app in the reader's language, for wallet, profile and application pages. */
export const useAccountWords = (): Wording => useWordsOf(en);
