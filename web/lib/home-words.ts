import { home } from '#contract/wording/en-home.ts';
import { useWordsOf } from './format.ts';

/**
 * Dashboard wording, shared by other pages; wallet, profile and application use `useAccountWords`. Separate from
 * `language.tsx` so that the pages' English is not loaded with the sign-in screen.
 */
export const useWords = () => useWordsOf(home);
