import { CalendarIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import * as panel from '#contract/wording/panel-words.ts';
import { parseManilaDate } from '#domain/calendar.ts';
import { readTypedDay } from '#domain/typed-day.ts';
import { today } from '#web/lib/lender.ts';
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { date } from './format.ts';

const shownDay = (day: string): string => {
  const read = parseManilaDate(day);
  return read ? date(read) : '';
};

/**
 * Shows a day as the panel writes it everywhere, `28 Nov 2026`, and takes one typed in any usual way. A native field, which nobody
 * sees, holds the value and opens the calendar: forms and handlers are given that field, with `2026-11-28`.
 */
export function DayField({
  ref,
  name,
  value,
  defaultValue,
  min,
  max,
  onChange,
  onBlur,
  ...rest
}: Omit<TextFieldProps, 'type' | 'cover'>) {
  const native = useRef<HTMLInputElement>(null);
  const typing = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isUnread, setUnread] = useState(false);
  /** The native field's value when `text` was last written from it, or read into it. */
  const known = useRef('');

  // A form changes its fields without a word.
  useEffect(() => {
    const now = native.current?.value ?? '';
    if (now === known.current) return;
    known.current = now;
    setText(shownDay(now));
    setUnread(false);
  });

  function put(day: string) {
    const element = native.current;
    if (!element || element.value === day) return;
    known.current = day;
    // React overrides the element's own property, and would not see a change made through that.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, day);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }

  /** Takes what is typed as finished, with a year to add if it has none. */
  function settle() {
    const read = readTypedDay(text, { today: today() });
    put(read ?? '');
    if (read) setText(date(read));
    setUnread(!read && text.trim() !== '');
  }

  return (
    <TextField
      {...rest}
      {...(isUnread && { error: panel.list.dayUnread })}
      ref={typing}
      value={text}
      placeholder={panel.list.dayExample}
      spellCheck={false}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        setUnread(false);
        put(readTypedDay(typed, { today: today(), needsYear: true }) ?? '');
      }}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.key === 'Enter') settle();
        rest.onKeyDown?.(event);
      }}
      onBlur={() => {
        settle();
        native.current?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
      }}
      trailing={
        <>
          <input
            type="date"
            aria-hidden="true"
            tabIndex={-1}
            className="pointer-events-none absolute right-0 bottom-0 size-px opacity-0"
            {...{ name, value, defaultValue, min, max, onBlur }}
            ref={(element) => {
              native.current = element;
              if (typeof ref === 'function') ref(element);
            }}
            // A form that finds a mistake puts the focus here.
            onFocus={() => typing.current?.focus()}
            onChange={(event) => onChange?.(event)}
          />
          <button
            type="button"
            aria-hidden="true"
            tabIndex={-1}
            className="mr-1 flex size-8 items-center justify-center rounded-small text-ink-soft hover:bg-leaf-tint"
            onClick={() => native.current?.showPicker()}
          >
            <CalendarIcon className="size-4" />
          </button>
        </>
      }
    />
  );
}
