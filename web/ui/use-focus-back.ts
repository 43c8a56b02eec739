import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react';

/**
 * Browsers drop focus from a button that becomes disabled while its action runs. Restores it afterwards, unless focus
 * has moved elsewhere meanwhile. Returns the button's ref; `given` is the owner's ref.
 */
export function useFocusBack(
  isDisabled: boolean,
  given?: Ref<HTMLButtonElement>,
): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const isWaitedFor = useRef(false);
  useImperativeHandle(given, () => button.current as HTMLButtonElement, []);

  // In a layout effect focus is still there: browsers drop it slightly later.
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
