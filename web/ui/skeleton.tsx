import type { ReactNode } from 'react';
import { Columns } from './borrower-frame.tsx';
import { classNames } from './class-names.ts';

export function Skeleton({ className = 'h-4 w-full', round }: { className?: string; round?: boolean }) {
  return (
    <span
      className={classNames(
        'block animate-pulse border border-transparent bg-line',
        round ? 'rounded-full' : 'rounded-small',
        className,
      )}
    />
  );
}

export function SkeletonText({ lines = 2 }: { lines?: number }) {
  return (
    <span className="flex flex-col gap-2">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity
        <Skeleton key={index} className={classNames('h-3.5', index === lines - 1 ? 'w-3/5' : 'w-full')} />
      ))}
    </span>
  );
}

export function SkeletonRow() {
  return (
    <span className="flex items-center gap-3 py-3">
      <Skeleton className="size-10" round />
      <span className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-3.5 w-2/5" />
        <Skeleton className="h-3 w-3/5" />
      </span>
      <Skeleton className="h-4 w-20" />
    </span>
  );
}

/** A borrower's page of which nothing is known yet. */
export function PageSkeleton() {
  return (
    <>
      <Skeleton className="h-14 w-52" />
      <Columns>
        <Skeleton className="h-44 rounded-card" />
        <Skeleton className="h-44 rounded-card" />
      </Columns>
    </>
  );
}

type LoadingProps = { label: string; className?: string; children: ReactNode };

/** Wraps a skeleton and announces the loading once. */
export function Loading({ label, className, children }: LoadingProps) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{label}</span>
      <div aria-hidden="true" className="contents">
        {children}
      </div>
    </div>
  );
}
