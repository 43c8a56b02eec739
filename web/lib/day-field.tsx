import { useEffect, useRef, useState } from 'react';
import { parseManilaDate } from '#domain/calendar.ts';
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { formatsOf } from './format.ts';
import { useLanguage } from './language.tsx';

/**
 * A borrower's date field; staff have one of their own in the panel. Browsers write the day in the order of their region, such as
 * `11/28/2026`. Until the field is entered, the day covers that as it is written everywhere else: `28 Nov 2026`.
 */
export function DayField({ ref, onChange, ...rest }: Omit<TextFieldProps, 'type' | 'cover'>) {
  const { date } = formatsOf(useLanguage().language);
  const element = useRef<HTMLInputElement>(null);
  const [day, setDay] = useState('');
  // A form changes its fields without a word.
  useEffect(() => setDay(element.current?.value ?? ''));
  return (
    <TextField
      {...rest}
      type="date"
      ref={(input) => {
        element.current = input;
        if (typeof ref === 'function') ref(input);
      }}
      onChange={(event) => {
        setDay(event.currentTarget.value);
        onChange?.(event);
      }}
      cover={parseManilaDate(day) && date(day)}
    />
  );
}
