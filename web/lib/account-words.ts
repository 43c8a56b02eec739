import { en, type Wording } from '#contract/wording/en.ts';
import { filipinoAtHand, useLanguage } from './language.tsx';

/** Every word of the borrower's app in the reader's language, for the wallet, the profile and the application. */
export function useAccountWords(): Wording {
  const { language } = useLanguage();
  return (language === 'fil' && filipinoAtHand()) || en;
}
