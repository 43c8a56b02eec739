import { useId } from 'react';

export interface ProgressBarProps {
  label: string;
  /** 0 to 100; undefined while unknown. */
  percent?: number;
  valueText?: string;
}

export function ProgressBar({ label, percent, valueText }: ProgressBarProps) {
  const id = useId();
  return (
    <div>
      <div className="mb-1 flex justify-between gap-3 text-12 text-ink-soft">
        <label htmlFor={id}>{label}</label>
        {valueText !== undefined && <span aria-hidden="true">{valueText}</span>}
      </div>
      <progress id={id} className="progress" max={100} value={percent} aria-valuetext={valueText} />
    </div>
  );
}
