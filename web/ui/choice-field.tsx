import { useId } from 'react';
import { classNames } from './class-names.ts';

export interface ChoiceFieldProps<Value extends string | number> {
  label: string;
  labelHidden?: boolean;
  /** Few and short: they share one row. `figure` is in large type below the label. */
  options: readonly { value: Value; label: string; figure?: string | undefined }[];
  /** May match no option if the value was typed elsewhere. */
  value: Value;
  /** Absent on the landing page, whose script finds the field by its name and listens to it. */
  onValueChange?: (value: Value) => void;
  name?: string;
  /** The grid of the options. */
  className?: string;
}

export function ChoiceField<Value extends string | number>(props: ChoiceFieldProps<Value>) {
  const { label, labelHidden, options, value, onValueChange, name } = props;
  const { className = 'auto-cols-fr grid-flow-col gap-2' } = props;
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: radios in a fieldset are announced as a group of choices
    <fieldset role="radiogroup">
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-14 font-semibold'}>{label}</legend>
      <div className={classNames('grid', className)}>
        {options.map((option) => (
          <label
            key={option.value}
            className={classNames(
              'choice flex min-h-12 cursor-pointer items-center justify-center rounded-control border px-0.5 text-center text-14 font-semibold',
              'border-edge bg-card transition-colors hover:bg-leaf-tint',
              'has-checked:border-leaf has-checked:bg-leaf-tint has-checked:text-leaf has-checked:ring-1 has-checked:ring-leaf',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name ?? id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValueChange?.(option.value)}
            />
            {option.figure === undefined ? (
              option.label
            ) : (
              <span className="py-1">
                <span className="block text-12 font-normal">{option.label}</span>{' '}
                <span className="block font-heading text-16 font-bold tabular-nums" translate="no">
                  {option.figure}
                </span>
              </span>
            )}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
