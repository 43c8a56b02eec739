import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const sizes = {
  // Never wider than the smallest phone, whatever size of text the reader chose.
  24: 'text-[min(1.5rem,6.4vw)] leading-[1.25]',
  32: 'text-[min(2rem,7.4vw)] leading-[1.2] tracking-[-0.01em]',
  44: 'text-[min(2.75rem,11vw)] leading-[1.15] tracking-[-0.015em] wide:text-64',
} as const;

export function Amount({ size, className, ...rest }: ComponentProps<'span'> & { size: keyof typeof sizes }) {
  return (
    <span
      {...rest}
      className={classNames('whitespace-nowrap font-heading font-bold tabular-nums', sizes[size], className)}
    />
  );
}
