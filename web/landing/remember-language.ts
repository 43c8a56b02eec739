const storageKey = 'language';

/** Shares the language choice with the app, both ways. */
export function rememberLanguage(): void {
  const shown = document.documentElement.lang;
  const asked = new URLSearchParams(location.search).get('lang');
  try {
    if (asked !== null) localStorage.setItem(storageKey, shown);
    else if (localStorage.getItem(storageKey) === 'fil' && shown !== 'fil') location.replace('/?lang=fil');
  } catch {
    // Storage is blocked: the language holds for this page only.
  }
}
