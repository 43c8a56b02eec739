import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

/** How far something has come. Without a value it only says that something goes on. */
export const ProgressBar = ({ className, ...rest }: ComponentProps<'progress'>) => (
  <progress
    {...rest}
    className={classNames(
      'block h-2 w-full appearance-none overflow-hidden rounded-full forced-colors:border',
      '[&::-webkit-progress-bar]:bg-transparent',
      '[&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:forced-color-adjust-none',
      '[&::-moz-progress-bar]:rounded-full [&::-moz-progress-bar]:forced-color-adjust-none',
      'bg-line [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-value]:bg-leaf [&::-webkit-progress-value]:transition-[inline-size]',
      className,
    )}
  />
);
