import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldWords, useFieldIds } from './field.tsx';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix'>, FieldWords {
  /** Stands inside the field before the text, as the peso sign does. Decoration: say it in the label or hint too. */
  prefix?: ReactNode;
  /** A control inside the field's right end, such as show or copy. */
  trailing?: ReactNode;
  aside?: ReactNode;
  /** The lower control of the staff panel. */
  dense?: boolean;
  fieldClassName?: string;
}

/** One line of text. Takes what a form's `field` returns (`name`, `ref`, `onChange`, `onBlur`) as it is. */
export function TextField({
  label,
  labelHidden,
  hint,
  error,
  prefix,
  trailing,
  aside,
  dense,
  fieldClassName,
  className,
  id,
  type = 'text',
  ...rest
}: TextFieldProps) {
  const ids = useFieldIds(id, { hint, error });
  return (
    <FieldFrame
      ids={ids}
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      aside={aside}
      className={fieldClassName}
    >
      <div className="relative">
        {prefix !== undefined && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 left-0 flex w-10 items-center justify-center text-ink-soft [&_svg]:size-4.5"
          >
            {prefix}
          </span>
        )}
        <input
          {...rest}
          id={ids.id}
          type={type}
          aria-invalid={ids.invalid}
          aria-describedby={ids.describedBy}
          className={classNames(
            'control',
            dense && 'control-dense',
            prefix !== undefined && 'pl-10',
            trailing !== undefined && 'pr-13',
            className,
          )}
        />
        {trailing !== undefined && (
          <span className="absolute inset-y-0 right-0.5 flex items-center">{trailing}</span>
        )}
      </div>
    </FieldFrame>
  );
}

/** A whole number (role spinbutton). Scrolling the page over it does not change it, as browsers would. */
export function NumberField(props: Omit<TextFieldProps, 'type'>) {
  return (
    <TextField
      inputMode="numeric"
      autoComplete="off"
      {...props}
      type="number"
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}

export interface TextAreaProps extends ComponentProps<'textarea'>, FieldWords {
  aside?: ReactNode;
  fieldClassName?: string;
}

/** Several lines of text; it grows with what is typed where the browser can. */
export function TextArea({
  label,
  labelHidden,
  hint,
  error,
  aside,
  fieldClassName,
  className,
  id,
  rows = 3,
  ...rest
}: TextAreaProps) {
  const ids = useFieldIds(id, { hint, error });
  return (
    <FieldFrame
      ids={ids}
      label={label}
      labelHidden={labelHidden}
      hint={hint}
      error={error}
      aside={aside}
      className={fieldClassName}
    >
      <textarea
        {...rest}
        id={ids.id}
        rows={rows}
        aria-invalid={ids.invalid}
        aria-describedby={ids.describedBy}
        className={classNames('control block field-sizing-content max-h-60 resize-y', className)}
      />
    </FieldFrame>
  );
}
