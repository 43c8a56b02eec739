import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export interface CardProps extends ComponentProps<'div'> {
  /** `deep` is the one surface in leaf-deep that a page leads with; `sunken` is a quiet box within a card. */
  look?: 'plain' | 'deep' | 'sunken';
  /** `none` for content with its own, such as a picture or an edge-to-edge list. */
  padding?: 'none';
}

const looks = {
  plain: 'bg-card shadow-soft outline -outline-offset-1 outline-transparent dark:outline-line',
  deep: 'on-deep bg-leaf-deep text-on-deep shadow-soft outline -outline-offset-1 outline-transparent weave-cover',
  sunken: 'bg-sunken',
} as const;

const paddings = { plain: 'p-4.5 px-card', deep: 'p-card', sunken: 'p-4.5' } as const;

export function Card({ look = 'plain', padding, className, ...rest }: CardProps) {
  return (
    <div
      {...rest}
      className={classNames('rounded-card', looks[look], padding === undefined && paddings[look], className)}
    />
  );
}

/** The head of a card whose rest is plain, on leaf-deep. */
export const DeepHead = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div {...rest} className={classNames('on-deep bg-leaf-deep p-card text-on-deep weave-cover', className)} />
);

/** The sentence that a page leads with; smaller on the smallest phones, whatever size of text the reader chose. */
export const leadTitle =
  'font-heading text-[min(1.75rem,7vw)] leading-[1.2] font-bold text-balance wide:text-[2.5rem]';

/** The same in a strip above what the page is about. */
export const stripTitle = 'font-heading text-24 leading-[1.2] font-bold text-balance wide:text-32';

interface SectionProps {
  id?: string;
  title: ReactNode;
  action?: ReactNode;
  isBusy?: boolean;
  /** A smaller heading, for a section inside a card. */
  isQuiet?: boolean;
  className?: string;
  children: ReactNode;
}

/** A titled part of a page; the heading names the region for screen readers. */
export function Section({ id, title, action, isBusy, isQuiet, className, children }: SectionProps) {
  const headingId = useId();
  return (
    <section
      id={id}
      aria-labelledby={headingId}
      aria-busy={isBusy || undefined}
      className={classNames('flex flex-col gap-2.5', className)}
    >
      <div className="flex min-h-7 flex-wrap items-end justify-between gap-x-3">
        <h2 id={headingId} className={isQuiet ? 'font-bold' : 'font-heading text-20 font-bold'}>
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

/** A titled part of a page that is one card; beside others it is as high as they are. */
export function CardSection(props: SectionProps & Omit<CardProps, 'title'>) {
  const { id, title, action, isBusy, className, ...card } = props;
  return (
    <Section {...{ id, title, action, isBusy }}>
      <Card {...card} className={classNames('grow', className)} />
    </Section>
  );
}
