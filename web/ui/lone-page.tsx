import type { ReactNode } from 'react';
import { weaveMat } from '#domain/mat.ts';
import { MatPaths } from './mat-drawing.tsx';

/** Four rows of five tiles, one of which is missing. */
const { paths, pitch } = weaveMat(
  Array.from({ length: 20 }, (_, index) => (index === 9 ? undefined : 'paid')),
  { columns: 5 },
);

type LonePageProps = { code?: string; title: string; text: string; children: ReactNode };

/** A page with nothing else to show: the mat is coming apart. */
export const LonePage = ({ code, title, text, children }: LonePageProps) => (
  <div className="flex flex-1 flex-col items-center justify-center gap-3 py-10 text-center">
    <svg viewBox="0 0 200 130" aria-hidden="true" className="mb-2 h-40 w-auto">
      <ellipse cx="100" cy="122" rx="80" ry="6" className="fill-leaf-tint" />
      <g transform={`translate(28 12) scale(${26 / pitch})`}>
        <MatPaths paths={paths} />
      </g>
      <path
        d="M138 45h30q14 0 14 14v18q0 12 8 15M138 57h22q9 0 9 9v30q0 9 5 13"
        fill="none"
        strokeWidth="10"
        strokeLinecap="round"
        className="stroke-mango"
      />
    </svg>
    {code && <p className="font-heading text-20 font-bold text-leaf">{code}</p>}
    <h1 className="font-heading text-32 font-bold tracking-[-0.01em] wide:text-48">{title}</h1>
    <p className="max-w-80 text-ink-soft text-balance">{text}</p>
    <div className="mt-3 flex flex-col gap-1">{children}</div>
  </div>
);
