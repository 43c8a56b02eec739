import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react';

/**
 * Browsers take the focus from a button that is disabled while its work runs. Who waits there finds it again when the
 * work is over, unless it led elsewhere or they went on themselves. Answers the ref for the button; `given` is its
 * owner's.
 */
export function useFocusBack(
  isDisabled: boolean,
  given?: Ref<HTMLButtonElement>,
): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const isWaitedFor = useRef(false);
  useImperativeHandle(given, () => button.current as HTMLButtonElement, []);

  // At the moment of drawing the focus is still there: browsers look for what has lost it a little later.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isDisabled) isWaitedFor.current = activeElement === button.current;
    else if (isWaitedFor.current) {
      isWaitedFor.current = false;
      if (!activeElement || activeElement === body) button.current?.focus({ preventScroll: true });
    }
  }, [isDisabled]);
  return button;
}
