import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldWords, useFieldIds } from './field.tsx';
import { ChevronDownIcon } from './icons.tsx';

export interface SelectFieldProps extends ComponentProps<'select'>, FieldWords {
  dense?: boolean;
  fieldClassName?: string;
}

/** The platform's own list (role combobox); its `<option>`s are the children. */
export function SelectField({
  label,
  labelHidden,
  hint,
  error,
  dense,
  fieldClassName,
  className,
  id,
  ...rest
}: SelectFieldProps) {
  const ids = useFieldIds(id, { hint, error });
  return (
    <FieldFrame
      ids={ids}
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      className={fieldClassName}
    >
      <div className="relative">
        <select
          {...rest}
          id={ids.id}
          aria-invalid={ids.invalid}
          aria-describedby={ids.describedBy}
          className={classNames('control appearance-none pr-9', dense && 'control-dense', className)}
        />
        <ChevronDownIcon className="pointer-events-none absolute right-3 top-1/2 size-4 -translate-y-1/2 text-ink-soft" />
      </div>
    </FieldFrame>
  );
}
