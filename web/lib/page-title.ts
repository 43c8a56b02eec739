import { useEffect, useRef } from 'react';
import { brand } from './lender.ts';

let hasShownPage = false;

/**
 * Sets the document's title and, on every page but the first of a visit, focuses its `h1` so that a screen reader
 * announces the new page; a field with `data-page-focus` instead, where one types at once. A change of `part` focuses again
 * within a page.
 */
export function usePageTitle(title: string, part = ''): void {
  useEffect(() => {
    document.title = `${title} · ${brand().name}`;
  }, [title]);

  const shownPart = useRef<string>(undefined);
  useEffect(() => {
    if (shownPart.current === part) return;
    shownPart.current = part;
    if (hasShownPage) focusHeading();
    hasShownPage = true;
  }, [part]);
}

function focusHeading() {
  const main = document.getElementById('main');
  const field = main?.querySelector<HTMLElement>('[data-page-focus]');
  const heading = field ?? main?.querySelector('h1') ?? main;
  if (!heading) return;
  if (!field && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  scrollTo(0, 0);
  main?.scrollTo(0, 0);
}
