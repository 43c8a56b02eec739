import { classNames } from './class-names.ts';

interface ProgressBarProps {
  label: string;
  /** 0 to 100; undefined while unknown. */
  percent?: number;
  valueText?: string;
}

export function ProgressBar({ label, percent, valueText }: ProgressBarProps) {
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
        'bg-line [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-[inline-size]',
      )}
    />
  );
}
