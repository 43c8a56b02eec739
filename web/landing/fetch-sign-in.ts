import { paths } from '#contract/routes.ts';

declare global {
  interface Navigator {
    /** Chromium only. */
    connection?: { saveData?: boolean };
  }
}

/**
 * Fetches what the sign-in page begins with, so that a visitor who taps *Register* waits for no download: once the button
 * is in sight and the landing page has arrived, or at the first touch. A visitor who saves data pays for a touch only.
 */
export function fetchSignIn(): void {
  const register = document.querySelector<HTMLElement>('[data-scripts]');
  const links = document.querySelectorAll(`a[href^="${paths.signIn}"]`);
  if (!register) return;
  let isDone = false;
  const fetchOnce = (priority: 'low' | 'high') => {
    if (isDone) return;
    isDone = true;
    // Kept by the browser's cache: the name of a script changes with its content.
    for (const script of register.dataset.scripts?.split(' ') ?? [])
      void fetch(script, { priority }).catch(() => undefined);
  };
  for (const link of links) {
    for (const touch of ['pointerdown', 'pointerover', 'focus'])
      link.addEventListener(touch, () => fetchOnce('high'), { passive: true });
  }
  if (navigator.connection?.saveData) return;
  const inSight = new IntersectionObserver((seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    inSight.disconnect();
    fetchOnce('low');
  });
  if (document.readyState === 'complete') inSight.observe(register);
  else addEventListener('load', () => inSight.observe(register), { once: true });
}
