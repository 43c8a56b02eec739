import { classNames } from './class-names.ts';

interface ProgressBarProps {
  label: string;
  /** 0 to 100; undefined while unknown. */
  percent?: number;
  valueText?: string;
  /** On a deep card. */
  deep?: boolean;
}

export function ProgressBar({ label, percent, valueText, deep = false }: ProgressBarProps) {
  return (
    <progress
      max={100}
      value={percent}
      aria-label={label}
      aria-valuetext={valueText}
      className={classNames(
        'block h-2 w-full appearance-none overflow-hidden rounded-full forced-colors:border',
        '[&::-webkit-progress-bar]:bg-transparent',
        '[&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:forced-color-adjust-none',
        '[&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:forced-color-adjust-none',
        deep
          ? 'border border-transparent bg-on-deep/25 [&::-moz-progress-bar]:bg-mango [&::-webkit-progress-value]:bg-mango'
          : 'bg-line [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-[inline-size]',
      )}
    />
  );
}
