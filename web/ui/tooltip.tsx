import * as RadixTooltip from '@radix-ui/react-tooltip';
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react';

export const TooltipProvider = RadixTooltip.Provider;

type ArmingEvents = Pick<ComponentProps<'button'>, 'onPointerEnter' | 'onPointerDown' | 'onFocus'>;

export interface TooltipProps {
  text: string;
  /** An already named control that takes these listeners and has none of them. */
  children: ReactElement<ArmingEvents>;
}

/**
 * The tooltip itself is created when the control is first hovered or focused: a list shows a hundred such controls, and
 * creating all of them delayed its first rows by 30 to 60 ms.
 */
export function Tooltip({ text, children }: TooltipProps) {
  const [control, setControl] = useState<HTMLElement>();
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: ({ pointerType, currentTarget }) => {
          if (pointerType !== 'touch') setControl(currentTarget);
        },
        // A late tooltip would lie over the dialog that the press opens, and take its Esc.
        onPointerDown: () => setControl(undefined),
        onFocus: ({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setControl(currentTarget);
        },
      })}
      {control && (
        <RadixTooltip.Root>
          <RadixTooltip.Trigger asChild>
            <DrawnElsewhere control={control} />
          </RadixTooltip.Trigger>
          <RadixTooltip.Portal>
            <RadixTooltip.Content
              sideOffset={6}
              collisionPadding={8}
              className="z-50 max-w-xs rounded-small bg-night px-2.5 py-1.5 text-12 font-medium text-on-night shadow-soft dark:border dark:border-line"
            >
              {text}
            </RadixTooltip.Content>
          </RadixTooltip.Portal>
        </RadixTooltip.Root>
      )}
    </>
  );
}

type Given = Record<`on${string}`, ((event: Event) => void) | undefined> & { 'aria-describedby'?: string };

/** Takes the place of the control as the library's trigger, and forwards the props it gets to the real control. */
function DrawnElsewhere({ control, ref, ...rest }: { control: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => control, [control]);
  const given: Given = rest;

  useEffect(() => {
    const removal = new AbortController();
    for (const [name, listener] of Object.entries(given)) {
      if (typeof listener !== 'function') continue;
      control.addEventListener(name.slice('on'.length).toLowerCase(), listener, { signal: removal.signal });
    }
    return () => removal.abort();
  });

  const description = given['aria-describedby'];
  useEffect(() => {
    if (description === undefined) return;
    control.setAttribute('aria-describedby', description);
    return () => control.removeAttribute('aria-describedby');
  }, [control, description]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, for the event that created it
  useEffect(() => {
    if (control.matches(':hover')) given.onPointerMove?.(new PointerEvent('pointermove'));
    if (control.matches(':focus-visible')) given.onFocus?.(new FocusEvent('focus'));
  }, []);
  return null;
}
