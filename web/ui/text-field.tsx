import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldProps, useField } from './field.tsx';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix' | 'id'>, FieldProps {
  /** Stands inside the field before the text, as the peso sign does. Decoration: say it in the label or hint too. */
  prefix?: ReactNode;
  /** A control inside the field's right end, such as show or copy. */
  trailing?: ReactNode;
  /** The lower control of the staff panel. */
  dense?: boolean;
}

/** One line of text. Takes what a form's `field` returns (`name`, `ref`, `onChange`, `onBlur`) as it is. */
export function TextField(props: TextFieldProps) {
  const { frame, control } = useField(props);
  const { prefix, trailing, dense, className, type = 'text', ...rest } = control;
  return (
    <FieldFrame {...frame}>
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
          type={type}
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

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'>, FieldProps {}

/** Several lines of text; it grows with what is typed where the browser can. */
export function TextArea(props: TextAreaProps) {
  const { frame, control } = useField(props);
  const { className, rows = 3, ...rest } = control;
  return (
    <FieldFrame {...frame}>
      <textarea
        {...rest}
        rows={rows}
        className={classNames('control block field-sizing-content max-h-60 resize-y', className)}
      />
    </FieldFrame>
  );
}
