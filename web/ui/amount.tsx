import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export interface AmountProps extends ComponentProps<'span'> {
  size: 24 | 40;
}

const sizes = {
  24: 'text-24',
  40: 'text-40 tracking-[-0.015em] max-[22.5rem]:text-32',
} as const;

export function Amount({ size, className, ...rest }: AmountProps) {
  return (
    <span
      {...rest}
      className={classNames('whitespace-nowrap font-heading font-bold tabular-nums', sizes[size], className)}
    />
  );
}
