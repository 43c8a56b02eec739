import { ChevronDownIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldProps, useField } from './field.tsx';

export type SelectOption = { value: string; label: string };

export interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'id' | 'children'>, FieldProps {
  options: readonly SelectOption[];
}

export function SelectField(props: SelectFieldProps) {
  const { frame, control, look } = useField(props);
  const { options, className, ...rest } = control;
  return (
    <FieldFrame {...frame}>
      <div className="relative">
        <select {...rest} className={classNames(look, 'appearance-none pr-9 whitespace-normal', className)}>
          {options.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <ChevronDownIcon className="pointer-events-none absolute right-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft" />
      </div>
    </FieldFrame>
  );
}
