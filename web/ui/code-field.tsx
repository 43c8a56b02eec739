import {
  type ComponentProps,
  type CSSProperties,
  type FormEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldProps, useField } from './field.tsx';

interface CodeFieldProps
  extends Omit<ComponentProps<'input'>, 'type' | 'maxLength' | 'ref' | 'id' | 'className' | 'onInput'>,
    FieldProps {
  length: number;
  ref(element: HTMLInputElement | null): void;
}

/**
 * A one-time code: one real input over drawn boxes, so that paste, autofill, caret and screen readers just work.
 * Non-digits are stripped before `onChange`, so a pasted '123 456' fits; `maxLength` would cut that paste short.
 */
export function CodeField({ length, ref, ...props }: CodeFieldProps) {
  const { frame, control } = useField(props);
  const input = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(0);

  // The value may change without an event (a form's reset), so check after every render.
  useLayoutEffect(() => {
    setFilled(input.current?.value.length ?? 0);
  });

  function clean(event: FormEvent<HTMLInputElement>) {
    const element = event.currentTarget;
    const digits = element.value.replace(/\D/g, '').slice(0, length);
    if (digits !== element.value) element.value = digits;
    setFilled(digits.length);
  }

  const count: CSSProperties & Record<'--count', number> = { '--count': length };
  return (
    <FieldFrame {...frame}>
      <div
        style={count}
        className={classNames(
          'group @container relative overflow-clip [overflow-clip-margin:6px]',
          '[--gap:0.5rem] [--box:calc((100cqw-(var(--count)-1)*var(--gap))/var(--count))]',
        )}
      >
        <div
          aria-hidden="true"
          className="grid gap-2"
          style={{ gridTemplateColumns: `repeat(${length}, minmax(0, 1fr))` }}
        >
          {Array.from({ length }, (_, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: boxes have no other identity
              key={index}
              className={classNames(
                'h-14 rounded-control bg-card',
                index < filled ? 'border-2' : 'border',
                control['aria-invalid'] ? 'border-bad' : index < filled ? 'border-leaf' : 'border-edge',
                index === filled &&
                  'group-focus-within:border-2 group-focus-within:border-leaf group-focus-within:outline-3 group-focus-within:outline-leaf/45',
              )}
            />
          ))}
        </div>
        <input
          {...control}
          ref={(element) => {
            input.current = element;
            ref(element);
          }}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]*"
          spellCheck={false}
          onInput={clean}
          className={classNames(
            // One box wider than its frame, or the spacing after the last digit would scroll the first out of view.
            'absolute inset-y-0 left-0 w-[calc(100cqw+var(--box))]',
            // The advance of the heading font's tabular figures; `ch` would measure its proportional zero.
            'font-heading text-24/14 font-bold tabular-nums [--digit:0.61em]',
            // Each digit in the middle of its box.
            'pl-[calc((var(--box)-var(--digit))/2)] tracking-[calc(var(--box)+var(--gap)-var(--digit))]',
            'caret-leaf outline-none autofill:bg-clip-text autofill:[-webkit-text-fill-color:var(--color-ink)]',
          )}
        />
      </div>
    </FieldFrame>
  );
}
