import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Wording } from '#contract/wording/en.ts';
import { type CoreWording, core } from '#contract/wording/en-sign-in.ts';
import type { DateLanguage } from '#domain/calendar.ts';
import { languageKey, readsFilipino, writeStored } from './stored-value.ts';
import { toast } from './toast-store.ts';

export type Language = DateLanguage;

let loadedFilipino: Wording | undefined;
let wordsInForce: CoreWording = core;

const wordsAtHand = (language: Language): CoreWording | undefined =>
  language === 'fil' ? loadedFilipino : core;

/** Filipino is a separate chunk, fetched only by readers who choose it. */
async function loadWords(language: Language): Promise<CoreWording> {
  const atHand = wordsAtHand(language);
  if (atHand) return atHand;
  const { fil } = await import('#contract/wording/fil.ts');
  loadedFilipino = fil;
  return fil;
}

export const filipinoAtHand = (): Wording | undefined => loadedFilipino;

/** Returns the words for code outside React, such as a forced sign-out. */
export const currentWords = (): CoreWording => wordsInForce;

const firstLanguage = (): Language => (readsFilipino() ? 'fil' : 'en');

/** Words for what is said before the app is drawn; English if the reader's cannot be fetched. */
export async function loadCurrentWords(): Promise<void> {
  wordsInForce = await loadWords(firstLanguage()).catch(() => core);
}

type LanguageChoice = {
  language: Language;
  words: CoreWording;
  setLanguage: (language: Language) => Promise<void>;
};

const english: LanguageChoice = { language: 'en', words: core, setLanguage: () => Promise.resolve() };
const LanguageContext = createContext(english);

/**
 * Provides the reader's language (§language). Renders nothing until it has loaded; falls back to English if it cannot be fetched.
 */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [{ language, words }, setSpoken] = useState(() => {
    const first = firstLanguage();
    return { language: first, words: wordsAtHand(first) };
  });

  useEffect(() => {
    if (words) return;
    void loadWords(language).then(
      (loaded) => setSpoken({ language, words: loaded }),
      () => setSpoken({ language: 'en', words: core }),
    );
  }, [language, words]);

  // This runs in the layout phase, so that `EnglishOnly`'s effect runs after it and wins.
  useLayoutEffect(() => {
    if (words) wordsInForce = words;
    document.documentElement.lang = language;
  }, [language, words]);

  /** Guards against races: the latest choice wins even if an earlier one's words load later. */
  const choices = useRef(0);
  const choice = useMemo<LanguageChoice>(
    () => ({
      language,
      words: words ?? core,
      async setLanguage(next) {
        choices.current += 1;
        const own = choices.current;
        const isLast = () => own === choices.current;
        try {
          const nextWords = await loadWords(next);
          if (!isLast()) return;
          setSpoken({ language: next, words: nextWords });
          writeStored(languageKey, next);
        } catch {
          if (isLast()) toast({ title: (words ?? core).shell.noConnection, tone: 'bad' });
        }
      },
    }),
    [language, words],
  );

  return words && <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** Forces English whatever the reader chose: for the staff panel. */
export function EnglishOnly({ words = core, children }: { words?: CoreWording; children: ReactNode }) {
  const { language } = useContext(LanguageContext);
  useEffect(() => {
    document.documentElement.lang = 'en';
    return () => {
      document.documentElement.lang = language;
    };
  }, [language]);
  const choice = useMemo(() => ({ ...english, words }), [words]);
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

/** The words of the app's frame and the sign-in screen. Pages use `useWords`. */
export const useCoreWords = (): CoreWording => useContext(LanguageContext).words;

export function useLanguage(): Pick<LanguageChoice, 'language' | 'setLanguage'> {
  return useContext(LanguageContext);
}
