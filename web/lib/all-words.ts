import { en, type Wording } from '#contract/wording/en.ts';
import { filipinoAtHand, useLanguage } from './language.tsx';

/** All words of the borrower's app in the reader's language, for wallet, profile and application pages. */
export function useAccountWords(): Wording {
  const { language } = useLanguage();
  return (language === 'fil' && filipinoAtHand()) || en;
}
