import { home } from '#contract/wording/en-home.ts';
import { filipinoAtHand, useLanguage } from './language.tsx';

/**
 * The words of the dashboard, and what the other pages share with it, in the reader's language; wallet, profile and
 * application have `useAccountWords`. It stands apart from `language.tsx`, so that the pages' English comes with the pages and not with the
 * sign-in screen.
 */
export function useWords(): typeof home {
  const { language } = useLanguage();
  return (language === 'fil' && filipinoAtHand()) || home;
}
