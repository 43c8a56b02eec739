import { languageKey, readsFilipino, writeStored } from '#web/lib/stored-value.ts';

/** Shares the language choice with the app, both ways. Where storage is blocked, it holds for this page only. */
export function rememberLanguage(): void {
  const shown = document.documentElement.lang;
  const asked = new URLSearchParams(location.search).get('lang');
  const isDue = (shown === 'fil') === readsFilipino();
  // The language that this browser starts in is nobody's choice.
  if (asked !== null && !isDue) writeStored(languageKey, shown);
  else if (asked === null && !isDue && shown !== 'fil') location.replace('/?lang=fil');
}
