import { classNames } from './class-names.ts';

interface ProgressBarProps {
  label: string;
  /** Undefined while unknown. */
  ratio?: number;
  valueText?: string;
  /** On a deep card. */
  deep?: boolean;
}

export function ProgressBar({ label, ratio, valueText, deep = false }: ProgressBarProps) {
  const percent = ratio === undefined ? undefined : Math.round(ratio * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuetext={valueText}
      className={classNames(
        'h-2 overflow-hidden rounded-full',
        deep ? 'border border-transparent bg-on-deep/25' : 'bg-line forced-colors:border',
      )}
    >
      <span
        className={classNames(
          'mark block h-full rounded-full',
          deep ? 'bg-mango' : 'bg-leaf transition-[width]',
        )}
        style={{ width: `${percent ?? 0}%` }}
      />
    </div>
  );
}
