import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface BannerProps extends Omit<ComponentProps<'div'>, 'title'> {
  tone?: 'info' | 'warn' | 'bad';
  icon?: ReactNode;
  title?: ReactNode;
  action?: ReactNode;
}

const tones = {
  info: ['bg-card shadow-soft dark:border-line', 'bg-leaf-tint text-leaf'],
  warn: ['bg-warn-tint', 'bg-card text-warn'],
  bad: ['bg-bad-tint', 'bg-card text-bad'],
} as const;

/** A standing message. Pass `role="alert"` or `role="status"` if it must be announced. */
export function Banner({ tone = 'info', icon, title, action, className, children, ...rest }: BannerProps) {
  const [surface, mark] = tones[tone];
  return (
    <div
      {...rest}
      className={classNames(
        '@container flex gap-3.5 rounded-card border border-transparent p-4.5 px-card max-[22.5rem]:gap-2.5 max-[22.5rem]:p-3.5',
        surface,
        className,
      )}
    >
      {icon !== undefined && (
        <span
          aria-hidden="true"
          className={classNames(
            'flex size-10 shrink-0 items-center justify-center rounded-full @max-[13rem]:hidden max-[22.5rem]:size-8 [&_svg]:size-5',
            mark,
          )}
        >
          {icon}
        </span>
      )}
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-6 gap-y-3 self-center">
        <div className="min-w-0 flex-[1_1_16rem]">
          {title !== undefined && <p className="font-semibold">{title}</p>}
          {children !== undefined && (
            <div className={classNames('text-14', title !== undefined && 'text-ink-soft')}>{children}</div>
          )}
        </div>
        {action}
      </div>
    </div>
  );
}
