import { useEffect } from 'react';
import { useLocation } from 'wouter';

/** The weave repeats every 48 px, so an offset within that shows every place of it. */
const weavePx = 48;

/**
 * Moves the weave behind the page by a random offset on each change of route (spec section 2). The style sheet ignores
 * the offset for people who prefer reduced motion.
 */
export function useRouteShift(): void {
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of location is what it is for
  useEffect(() => {
    const { style } = document.body;
    style.setProperty('--weave-x', `${Math.floor(Math.random() * weavePx)}px`);
    style.setProperty('--weave-y', `${Math.floor(Math.random() * weavePx)}px`);
  }, [location]);
}
