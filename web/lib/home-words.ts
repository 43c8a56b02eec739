import { home } from '#contract/wording/en-home.ts';
import { filipinoAtHand, useLanguage } from './language.tsx';

/** A part of the wording in the reader's language; Filipino is loaded whole. */
export function useWordsOf<Part extends object>(english: Part): Part {
  const { language } = useLanguage();
  return (language === 'fil' && (filipinoAtHand() as Part | undefined)) || english;
}

/**
 * Dashboard wording, shared by other pages; wallet, profile and application use `useAccountWords`. Separate from
 * `language.tsx` so that the pages' English is not loaded with the sign-in screen.
 */
export const useWords = () => useWordsOf(home);
