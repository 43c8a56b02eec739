import { home } from '#contract/wording/en-home.ts';
import { filipinoAtHand, useLanguage } from './language.tsx';

/**
 * Dashboard wording, shared by other pages, in the reader's language; wallet, profile and application use
 * `useAccountWords`. Separate from `language.tsx` so that the pages' English is not loaded with the sign-in screen.
 */
export function useWords(): typeof home {
  const { language } = useLanguage();
  return (language === 'fil' && filipinoAtHand()) || home;
}
