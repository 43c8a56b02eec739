import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

type SwitchFieldProps = {
  label: string;
  note?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
};

/** Something that is on or off, and takes effect at once. */
export function SwitchField({ label, note, isOn, onChange }: SwitchFieldProps) {
  const id = useId();
  return (
    <label className="flex min-h-12 cursor-pointer items-center justify-between gap-4 py-1">
      <span className="min-w-0">
        <span id={`${id}-label`} className="block font-semibold">
          {label}
        </span>
        <span id={`${id}-note`} className="block text-14 text-ink-soft empty:hidden">
          {note}
        </span>
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-note`}
        aria-checked={isOn}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className={classNames(
          'relative h-11 w-13 shrink-0 cursor-pointer appearance-none rounded-control',
          'focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-focus',
          'before:absolute before:inset-x-0 before:inset-y-1.5 before:rounded-full before:border-2 before:border-edge before:bg-sunken before:transition-colors',
          'checked:before:border-leaf checked:before:bg-leaf',
          'after:absolute after:top-2.75 after:left-1.25 after:size-5.5 after:rounded-full after:bg-ink-soft after:transition-transform',
          'checked:after:translate-x-5 checked:after:bg-on-leaf',
          'forced-colors:after:bg-[CanvasText] forced-colors:checked:before:bg-[Highlight] forced-colors:checked:after:bg-[HighlightText]',
        )}
      />
    </label>
  );
}
