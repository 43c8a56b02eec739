import { classNames } from './class-names.ts';

/** The mark: an H whose crossbar is a strip of mango woven through its two posts, on a square of leaf. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classNames('size-7.5 shrink-0', className)}>
      <rect width="32" height="32" rx="8" fill="#0b6e5f" />
      {/* Under the left post, over the right one. */}
      <path d="M5 14h22v4H5z" fill="#f7a823" />
      <path d="M9 6.5h5v19H9z" fill="#fff" />
      <path d="M18 6.5h5V14h-5zM18 18h5v7.5h-5z" fill="#fff" />
    </svg>
  );
}

export interface LogoProps {
  /** The product's name, drawn beside the mark. */
  name: string;
  className?: string;
}

/** Mark and name. Put it inside the link that leads home. */
export function Logo({ name, className }: LogoProps) {
  return (
    <span className={classNames('inline-flex items-center gap-2.5', className)}>
      <LogoMark />
      <span className="font-heading text-20 font-bold tracking-[-0.01em]">{name}</span>
    </span>
  );
}
