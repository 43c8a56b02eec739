import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { FieldFrame, type FieldProps, useField } from './field.tsx';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'prefix' | 'id'>, FieldProps {
  /** Inside the field before the text, like a peso sign. Decorative: repeat it in the label or hint. */
  prefix?: ReactNode;
  trailing?: ReactNode;
  /** Before the field, in its row: values to choose instead of typing one. */
  beside?: ReactNode;
  /** Covers the value until the field is entered: the same in other words, or it was chosen `beside` and is seen there. */
  cover?: string | undefined;
}

export function TextField(props: TextFieldProps) {
  const { frame, control, look } = useField(props);
  const { prefix, trailing, beside, cover, className, type = 'text', ...rest } = control;
  const { autoComplete = 'off' } = rest;
  const isDay = type === 'date';
  const box = (
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
        autoComplete={autoComplete}
        className={classNames(
          look,
          prefix !== undefined && 'pl-10',
          trailing !== undefined && 'pr-13',
          cover !== undefined && 'peer not-focus:-indent-200',
          cover !== undefined &&
            isDay &&
            'not-focus:[&::-webkit-datetime-edit]:opacity-0 not-focus:text-transparent',
          className,
        )}
      />
      {cover !== undefined && (
        <span
          aria-hidden="true"
          className={classNames(
            'pointer-events-none absolute inset-0 peer-focus:hidden',
            isDay
              ? classNames(look, 'truncate border-transparent! bg-transparent! pr-9')
              : 'flex items-center justify-center text-14 font-semibold text-ink-soft',
          )}
        >
          {cover}
        </span>
      )}
      {trailing !== undefined && (
        <span className="absolute inset-y-0 right-0.5 flex items-center">{trailing}</span>
      )}
    </div>
  );
  return (
    <FieldFrame {...frame}>
      {beside === undefined ? (
        box
      ) : (
        <div className="flex flex-wrap gap-2 *:flex-[1_1_4.5rem] *:first:flex-[3_1_11rem]">
          {beside}
          {box}
        </div>
      )}
    </FieldFrame>
  );
}

/** Scrolling over it does not change the value, as browsers otherwise do. */
export function NumberField(props: Omit<TextFieldProps, 'type'>) {
  return (
    <TextField inputMode="numeric" {...props} type="number" onWheel={(event) => event.currentTarget.blur()} />
  );
}

type PesoFieldProps = Omit<TextFieldProps, 'prefix' | 'inputMode'> & { isLarge?: boolean };

/** An amount of money; `isLarge` where it is what a dialog asks for. */
export function PesoField({ isLarge, className, ...rest }: PesoFieldProps) {
  const large = 'font-heading text-[min(2rem,8vw)]! font-bold';
  return (
    <TextField
      {...rest}
      prefix={isLarge ? <span className="font-heading text-24 font-bold">₱</span> : '₱'}
      inputMode="decimal"
      className={classNames(isLarge && large, className)}
    />
  );
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id' | 'className'>, FieldProps {}

/** Grows with its content where the browser supports it. */
export function TextArea(props: TextAreaProps) {
  const { frame, control, look } = useField(props);
  return (
    <FieldFrame {...frame}>
      <textarea
        {...control}
        className={classNames(look, 'block field-sizing-content min-h-24 max-h-60 resize-y')}
      />
    </FieldFrame>
  );
}
