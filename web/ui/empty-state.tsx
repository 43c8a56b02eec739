import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface EmptyStateProps {
  picture?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** How it is announced. */
  role?: 'status' | 'alert';
  className?: string;
}

export function EmptyState({ picture, title, children, action, role, className }: EmptyStateProps) {
  return (
    <div role={role} className={classNames('flex flex-col items-center px-4 py-6 text-center', className)}>
      {picture && <div className="mb-4 w-48">{picture}</div>}
      <p className="text-16 font-semibold">{title}</p>
      {children !== undefined && (
        <p className="mt-1 max-w-xs text-14 text-ink-soft text-balance">{children}</p>
      )}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}

/** An `EmptyState` for a failed read, announced at once. */
export const ErrorState = (props: EmptyStateProps) => <EmptyState {...props} role="alert" />;
