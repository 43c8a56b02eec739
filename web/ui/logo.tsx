import { classNames } from './class-names.ts';

/** An H whose crossbar is a strip of mango woven through its posts. */
function LogoMark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="size-7.5 shrink-0">
      <rect width="32" height="32" rx="8" fill="#0b6e5f" />
      {/* Under the left post, over the right one. */}
      <path d="M5 14h22v4H5z" fill="#f7a823" />
      <path d="M9 6.5h5v19H9z" fill="#fff" />
      <path d="M18 6.5h5V14h-5zM18 18h5v7.5h-5z" fill="#fff" />
    </svg>
  );
}

export interface LogoProps {
  name: string;
  picture?: string | undefined;
  hasMark?: boolean;
  stacks?: boolean;
}

export function Logo({ name, picture, hasMark = true, stacks = false }: LogoProps) {
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-2.5', stacks && 'flex-wrap')}>
      {picture !== undefined && (
        // White background: most logos are drawn for paper.
        <img
          src={picture}
          alt=""
          className="h-9 w-auto min-w-9 max-w-24 shrink-0 rounded-small bg-[#fff] object-contain p-0.5 max-[24rem]:max-w-18"
        />
      )}
      {picture === undefined && hasMark && <LogoMark />}
      <span className={classNames('font-heading font-bold', nameStyle(name.length))}>{name}</span>
    </span>
  );
}

/** Long trade names take up to three lines, so that they fit beside the bar's buttons on small phones. */
function nameStyle(length: number): string {
  if (length <= 14) return 'text-20 tracking-[-0.01em]';
  return length <= 28 ? 'line-clamp-2 text-16 leading-5' : 'line-clamp-3 text-14 leading-4';
}
