const storageKey = 'language';

/** The language chosen here is the app's too, and the other way round. */
export function rememberLanguage(): void {
  const shown = document.documentElement.lang;
  const asked = new URLSearchParams(location.search).get('lang');
  try {
    if (asked !== null) localStorage.setItem(storageKey, shown);
    else if (localStorage.getItem(storageKey) === 'fil' && shown !== 'fil') location.replace('/?lang=fil');
  } catch {
    // Storage may be forbidden; then the language holds for this page only.
  }
}
