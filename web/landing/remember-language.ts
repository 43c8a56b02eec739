import { languageKey, readStored, writeStored } from '#web/lib/stored-value.ts';

/** Shares the language choice with the app, both ways. Where storage is blocked, it holds for this page only. */
export function rememberLanguage(): void {
  const shown = document.documentElement.lang;
  const asked = new URLSearchParams(location.search).get('lang');
  if (asked !== null) writeStored(languageKey, shown);
  else if (readStored(languageKey) === 'fil' && shown !== 'fil') location.replace('/?lang=fil');
}
