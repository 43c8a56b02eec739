import { type CSSProperties, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface RangeFieldProps {
  label: string;
  aside?: ReactNode;
  value: number;
  /** Absent on the landing page, whose script listens to the field. */
  onValueChange?: (value: number) => void;
  min: number;
  max: number;
  step: number;
  /** The value in words, such as `₱350,000`: shown large, and announced instead of the number. */
  valueText: string;
  /** Announced instead of `valueText` if the slider determines more than its value, such as a price. */
  spokenText?: string;
  /** The value is shown beside it already. */
  valueHidden?: boolean;
  labelHidden?: boolean;
}

export function RangeField(props: RangeFieldProps) {
  const { label, aside, onValueChange, valueText, spokenText, valueHidden, labelHidden, ...range } = props;
  const { min, max, value } = range;
  const id = useId();
  const ratio = Math.min(1, Math.max(0, (value - min) / (max - min)));
  const track: CSSProperties & Record<'--ratio', number> = { '--ratio': ratio };
  return (
    <div>
      <div
        className={
          labelHidden
            ? 'sr-only'
            : 'flex flex-wrap items-baseline justify-between gap-x-3 text-14 text-ink-soft'
        }
      >
        <label htmlFor={id}>{label}</label>
        <span className="text-12">{aside}</span>
      </div>
      <output
        htmlFor={id}
        aria-hidden="true"
        className={classNames(
          valueHidden ? 'hidden' : 'block',
          'whitespace-nowrap font-heading text-[min(2rem,12vw)] leading-[1.3] font-bold tracking-[-0.01em]',
        )}
      >
        {valueText}
      </output>
      <input
        id={id}
        type="range"
        {...range}
        style={track}
        aria-valuetext={spokenText ?? valueText}
        onChange={(event) => onValueChange?.(event.currentTarget.valueAsNumber)}
        className="range"
      />
    </div>
  );
}
