import type { ChangeEvent, ComponentProps, CSSProperties, ReactNode } from 'react';
import { FieldError, type FieldWords, useFieldIds } from './field.tsx';

export interface RangeFieldProps
  extends Omit<
      ComponentProps<'input'>,
      'type' | 'value' | 'defaultValue' | 'min' | 'max' | 'step' | 'onChange'
    >,
    FieldWords {
  value: number;
  onValueChange: (value: number) => void;
  min: number;
  max: number;
  step: number;
  /** The value in words, such as `₱350,000`: shown large, and announced instead of the number. */
  valueText: string;
  /** Announced instead of `valueText` if the slider determines more than its value, such as a price. */
  spokenText?: string;
  aside?: ReactNode;
}

export function RangeField({
  label,
  labelHidden,
  hint,
  error,
  value,
  onValueChange,
  min,
  max,
  step,
  valueText,
  spokenText = valueText,
  aside,
  id,
  className,
  style,
  ...rest
}: RangeFieldProps) {
  const ids = useFieldIds(id, { hint, error });
  const ratio = Math.min(1, Math.max(0, (value - min) / (max - min)));
  const track: CSSProperties & Record<'--ratio', number> = { ...style, '--ratio': ratio };
  return (
    <div className={className}>
      <div
        className={
          labelHidden ? 'sr-only' : 'flex items-baseline justify-between gap-3 text-14 text-ink-soft'
        }
      >
        <label htmlFor={ids.id}>{label}</label>
        {aside !== undefined && <span className="text-12">{aside}</span>}
      </div>
      <output
        htmlFor={ids.id}
        aria-hidden="true"
        className="block font-heading text-32 font-bold tracking-[-0.01em]"
      >
        {valueText}
      </output>
      <input
        {...rest}
        id={ids.id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        style={track}
        aria-valuetext={spokenText}
        aria-invalid={ids.invalid}
        aria-describedby={ids.describedBy}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onValueChange(event.currentTarget.valueAsNumber)}
        className="range"
      />
      {hint !== undefined && (
        <p id={ids.hintId} className="text-12 text-ink-soft">
          {hint}
        </p>
      )}
      {error ? <FieldError id={ids.errorId}>{error}</FieldError> : null}
    </div>
  );
}
