import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

const sizes = {
  24: 'text-24',
  32: 'text-32 tracking-[-0.01em]',
  40: 'text-40 tracking-[-0.015em] max-[22.5rem]:text-32',
} as const;

export function Amount({ size, className, ...rest }: ComponentProps<'span'> & { size: keyof typeof sizes }) {
  return (
    <span
      {...rest}
      className={classNames('whitespace-nowrap font-heading font-bold tabular-nums', sizes[size], className)}
    />
  );
}
