import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addressOf } from '#web/lib/call.ts';

const words = panel.reports;

/** The accounts whose lines add up to what was earned. */
export const incomeAccounts = 'interest_income,late_charge_income';

const kinds = ['day', 'portfolio', 'journal', 'month'] as const;
type ReportKind = (typeof kinds)[number];

/** Leads from report to report; one day is kept. */
export function ReportTabs({ kind, day }: { kind: ReportKind; day?: string }) {
  return (
    <nav aria-label={words.title} className="mb-4 mt-2 flex shrink-0 gap-1 border-b border-line print:hidden">
      {kinds.map((name) => (
        <Link
          key={name}
          href={
            name === 'month'
              ? addressOf(paths.month, {}, { month: day?.slice(0, 7) })
              : addressOf(paths.reports, {}, { show: name, date: day })
          }
          aria-current={name === kind ? 'page' : undefined}
          className="-mb-px border-b-3 border-transparent px-4 py-2 font-semibold text-ink-soft hover:text-ink aria-[current=page]:border-leaf aria-[current=page]:text-leaf"
        >
          {words.kinds[name]}
        </Link>
      ))}
    </nav>
  );
}

/** A figure that leads to its rows. */
export const To = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="rounded-small text-leaf underline underline-offset-2 hover:bg-leaf-tint">
    {children}
  </Link>
);

/** Says by which date a report counts, and which report reconciles them. */
export const CountedBy = ({ kind, month }: { kind: Exclude<ReportKind, 'month'>; month: string }) => (
  <p className="mb-4 text-14 text-ink-soft">
    {words.countedBy[kind]} <To href={addressOf(paths.month, {}, { month })}>{words.reconciled}</To>
  </p>
);
