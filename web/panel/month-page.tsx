import { DownloadIcon } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import { csvPieces } from '#contract/csv.ts';
import type { Month, Trend } from '#contract/month.ts';
import {
  ageingTable,
  changeOf,
  collectedIn,
  csvColumnsOfMonth,
  csvLinesOfMonth,
  dueTable,
  earnedIn,
  expectedTable,
  monthName,
  riskTable,
  signed,
  tablesOfMonth,
} from '#contract/month-tables.ts';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { firstDayOf, lastDayOf, type ManilaMonth, monthOf, parseMonth } from '#domain/month.ts';
import { useAction } from '#web/lib/action.ts';
import { addressOf, fetchReply } from '#web/lib/call.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import { today } from '#web/lib/lender.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates, type ReadState } from '#web/lib/query-states.tsx';
import { RefreshButton } from '#web/lib/refresh-button.tsx';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { oneOf, useAddress } from './lib/address-filters.tsx';
import { loansBehind } from './lib/counters.ts';
import { date, dateTime, showPeso } from './lib/format.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { Working } from './lib/read-at.tsx';
import { incomeAccounts, ReportTabs } from './lib/report-parts.tsx';
import { SkeletonCard, showCount } from './lib/staff-list.tsx';
import { MonthRows } from './month/month-rows.tsx';
import { AgeingFigure, DueFigure, ExpectedFigure, figureLink, RiskFigure } from './month/pictures.tsx';

const words = panel.month;

/** The value of `show` under which the loans behind a figure are listed. */
const loansShown = 'loans';
const readings = { show: oneOf([loansShown]), month: (text: string) => parseMonth(text) };

/** Shows a month to the centavo, with a link from each figure to its rows, and pictures of the months before it (§month). */
export default function MonthPage() {
  const { query, put } = useAddress(readings);
  const present = monthOf(today());
  const month = (query.month || present) as ManilaMonth;
  if (query.show === loansShown) return <MonthRows month={month} />;
  return <MonthReport month={month} onMonth={(next) => put({ month: next === present ? '' : next })} />;
}

type MonthProps = { month: ManilaMonth };

/** Returns the last day of a month; of the present month, today. */
function lastKnownDay(month: ManilaMonth): ManilaDate {
  const last = lastDayOf(month);
  if (last > today()) return today();
  return last;
}

/** Lists the months that the books have, newest first. The chosen one is always among them. */
function monthsOf(trend: Trend | undefined, chosen: ManilaMonth): ManilaMonth[] {
  const rows = trend ?? [];
  const isEmpty = ({ principalOut, due, collected }: Trend[number]) =>
    [principalOut, due, collected].every((amount) => signed(amount) === 0);
  const from = rows.findIndex((row) => !isEmpty(row));
  const known = from < 0 ? [] : rows.slice(from).map(({ month }) => month as ManilaMonth);
  return [...new Set([...known, chosen, monthOf(today())])].sort().reverse();
}

function MonthReport({ month, onMonth }: MonthProps & { onMonth: (month: string) => void }) {
  usePageTitle(monthName(month));
  const read = useRead(api.readMonth, { query: { month }, anew: true });
  const months = useRead(api.readTrend, { query: { months: String(limits.trendMonthsMax) }, anew: true });
  const weeks = useRead(api.readExpected, { anew: true });
  const asOf = lastKnownDay(month);
  const portfolio = useRead(api.readPortfolio, { query: { asOf }, anew: true });
  // The twelve months that end with this one, or as many as the books have.
  const trend = useMemo(() => {
    const rows = months.data ?? [];
    const shown = rows.slice(0, rows.findIndex((row) => row.month === month) + 1);
    return shown.slice(-limits.trendMonths);
  }, [months.data, month]);
  const tables = () => [
    ...(read.data ? tablesOfMonth(read.data) : []),
    ...(trend.length > 0 ? [riskTable(trend), dueTable(trend)] : []),
    ...(portfolio.data ? [ageingTable(portfolio.data)] : []),
    ...(weeks.data ? [expectedTable(weeks.data)] : []),
  ];
  const isWhole = Boolean(read.data && months.data && portfolio.data && weeks.data);
  return (
    <div className="max-w-400 print:max-w-none">
      <div className="flex items-start gap-x-3">
        <div>
          <PanelTitle className="whitespace-nowrap">{monthName(month)}</PanelTitle>
          <p className="min-h-5 text-14 text-ink-soft">
            {read.data && words.asKnown(dateTime(new Date(read.dataUpdatedAt).toISOString()))}
          </p>
        </div>
        <div className="ml-auto flex items-center gap-2 print:hidden">
          <SelectField
            label={words.month}
            labelHidden
            fieldClassName="w-44"
            value={month}
            onChange={({ currentTarget: { value } }) => onMonth(value)}
            options={monthsOf(months.data, month).map((value) => ({ value, label: monthName(value) }))}
          />
          <DownloadButton
            look="secondary"
            fileName={`month-${month}.pdf`}
            fetchFile={() => fetchReply(api.readMonthPdf, { query: { month } })}
          >
            {words.pdf}
          </DownloadButton>
          <Button
            look="secondary"
            icon={<DownloadIcon />}
            disabled={!read.data}
            onClick={() => read.data && saveCsv(read.data)}
          >
            {words.csv}
          </Button>
          <WorkbookButton month={month} disabled={!isWhole} tables={tables} />
          <RefreshButton reads={[api.readMonth, api.readTrend, api.readExpected, api.readPortfolio]} />
        </div>
      </div>
      <ReportTabs kind="month" day={asOf} />
      <QueryStates
        query={read}
        framed
        staleFirst
        failedTitle={words.failed}
        skeleton={
          <SkeletonCard rows={3}>
            <p className="pt-2 text-14">
              <Working text={words.working(monthName(month))} />
            </p>
          </SkeletonCard>
        }
      >
        {(report) => <Principal report={report} month={month} />}
      </QueryStates>
      <div className="mt-4 grid grid-cols-2 gap-4 min-[80rem]:grid-cols-[20rem_1fr_1fr] print:grid-cols-2">
        <div className="col-span-2 min-[80rem]:col-span-1 min-[80rem]:row-span-2 print:col-span-2">
          {read.data && <Flows report={read.data} month={month} />}
        </div>
        <Picture read={months} busyText={words.workingMonths}>
          {() => <RiskFigure trend={trend} />}
        </Picture>
        <Picture read={months} busyText={words.workingMonths}>
          {() => <DueFigure trend={trend} />}
        </Picture>
        <Picture read={portfolio} busyText={words.ageing.working(date(asOf))}>
          {(found) => <AgeingFigure portfolio={found} linkOf={(bucket) => loansLate(asOf, bucket)} />}
        </Picture>
        <Picture read={weeks} busyText={words.workingWeeks}>
          {(found) => <ExpectedFigure weeks={found} />}
        </Picture>
      </div>
    </div>
  );
}

/** Returns the page that lists the loans of a bucket. */
function loansLate(asOf: ManilaDate, bucket: string): string {
  const isToday = asOf === today();
  if (bucket !== 'current')
    return addressOf(paths.collections, {}, { asOf: isToday ? undefined : asOf, status: bucket });
  return isToday
    ? loansBehind(asOf).current
    : addressOf(paths.reports, {}, { show: 'loans', date: asOf, status: 'current' });
}

type PictureProps<Data> = {
  read: ReadState<Data>;
  busyText: string;
  children: (data: Data) => ReactNode;
};

/** A picture, or a note in its place while it is worked out. */
const Picture = <Data,>({ read, busyText, children }: PictureProps<Data>) => (
  <div className="flex min-h-80 min-w-0 flex-col *:grow">
    <QueryStates
      query={read}
      framed
      failedTitle={words.pictureFailed}
      skeleton={
        <Card className="flex h-full flex-col gap-4">
          <p className="text-14">
            <Working text={busyText} />
          </p>
          <SkeletonText lines={4} />
        </Card>
      }
    >
      {children}
    </QueryStates>
  </div>
);

type WorkbookProps = MonthProps & { disabled: boolean; tables: () => Parameters<typeof makeWorkbook>[0] };

const makeWorkbook = async (tables: ReturnType<typeof tablesOfMonth>) =>
  (await import('./month/workbook.ts')).workbookOf(tables);

function saveCsv(report: Month): void {
  const pieces = csvPieces(csvColumnsOfMonth, csvLinesOfMonth(report));
  saveFile(new Blob([...pieces], { type: 'text/csv;charset=utf-8' }), `month-${report.month}.csv`);
}

/** Loads the code that writes a workbook only when somebody asks for one. */
function WorkbookButton({ month, disabled, tables }: WorkbookProps) {
  const [busy, run] = useAction();
  return (
    <Button
      look="secondary"
      busy={busy}
      disabled={disabled}
      onClick={() =>
        void run(words.xlsxFailed, async () => saveFile(await makeWorkbook(tables()), `month-${month}.xlsx`))
      }
    >
      {words.xlsx}
    </Button>
  );
}

type ReportProps = MonthProps & { report: Month };

/** Returns the page that lists the loans behind a figure of the principal or its bridge. */
const rowsOf = (month: string, status: string) =>
  addressOf(paths.month, {}, { month, show: loansShown, status });

const deepLink =
  'rounded-small underline decoration-on-deep/40 underline-offset-4 hover:decoration-on-deep hover:decoration-2';

/** True if the month's figures add up to its end, and those of the bridge to its change. */
function doesAddUp(report: Month): boolean {
  const { principal, bridge } = report;
  const isSumRight =
    signed(principal.start) +
      signed(principal.released) -
      signed(principal.cancelled) -
      signed(principal.received) -
      signed(principal.writtenOff) ===
    signed(principal.end);
  const isBridgeRight =
    signed(bridge.journal) -
      signed(bridge.datedEarlier) +
      signed(bridge.recordedLater) +
      signed(bridge.reallocated) ===
    signed(changeOf(report));
  return isSumRight && isBridgeRight;
}

/** Shows the sum of the month: start + released − cancelled − received − written off = end. The bridge leads from it to the journal. */
function Principal({ report, month }: ReportProps) {
  const { principal, loans, bridge, asOf } = report;
  const { closed } = loans;
  const closedText =
    closed < 0 ? words.loansOpenedAgain(showCount(-closed)) : words.loansClosed(showCount(closed));
  const parts = [
    ['start', '', words.startOn(date(firstDayOf(month))), words.loans(showCount(loans.start))],
    ['released', '+', words.parts.released, words.loans(showCount(loans.released))],
    ['cancelled', '−', words.parts.cancelled, words.loans(showCount(loans.cancelled))],
    ['received', '−', words.parts.received, closedText],
    ['writtenOff', '−', words.parts.writtenOff, words.loans(showCount(loans.writtenOff))],
    ['end', '=', words.endOn(date(asOf)), words.loans(showCount(loans.end))],
  ] as const;
  const change = changeOf(report);
  const isRight = doesAddUp(report);
  const journal = addressOf(
    paths.reports,
    {},
    { show: 'journal', from: firstDayOf(month), to: lastKnownDay(month) },
  );
  const steps = [
    ['=', words.bridge.journal, bridge.journal, journal],
    ['−', words.bridge.datedEarlier, bridge.datedEarlier, rowsOf(month, 'datedEarlier')],
    ['+', words.bridge.recordedLater, bridge.recordedLater, rowsOf(month, 'recordedLater')],
    ['+', words.bridge.reallocated, bridge.reallocated, rowsOf(month, 'reallocated')],
  ] as const;
  return (
    <section aria-label={words.principal}>
      <Card
        look="deep"
        className="break-inside-avoid print:bg-card print:bg-none print:text-ink print:[--color-on-deep-soft:var(--color-ink-soft)]"
      >
        <ul className="flex flex-wrap items-start justify-between gap-x-3 gap-y-3">
          {parts.map(([part, sign, label, note]) => (
            <li key={part} className="flex items-center gap-2.5">
              {sign && (
                <span aria-hidden="true" className="text-20 font-semibold text-on-deep-soft">
                  {sign}
                </span>
              )}
              <span>
                <span className="block text-12 text-on-deep-soft">{label}</span>
                <Link
                  href={rowsOf(month, part)}
                  aria-label={`${label} ${showPeso(principal[part])}`}
                  className={classNames(
                    deepLink,
                    'font-heading font-bold tabular-nums whitespace-nowrap',
                    part === 'end' ? 'text-24' : 'text-16 leading-[1.875rem] min-[84rem]:text-20',
                  )}
                >
                  {showPeso(principal[part])}
                </Link>
                <span className="block text-12 text-on-deep-soft">{note}</span>
              </span>
            </li>
          ))}
        </ul>
        <p className="mt-3 flex flex-wrap items-baseline gap-x-2 border-t border-on-deep/20 pt-2.5 text-14 tabular-nums">
          <strong>{words.toJournal}</strong>
          <span className="text-on-deep-soft">{words.bridge.change}</span>
          <span className="whitespace-nowrap">{showPeso(change)}</span>
          {steps.map(([sign, label, amount, href]) => (
            <span key={label} className="whitespace-nowrap">
              <span className="text-on-deep-soft">
                {sign} {label}
              </span>{' '}
              <Link href={href} className={deepLink}>
                {showPeso(amount)}
              </Link>
            </span>
          ))}
          <strong className={classNames('ml-auto', !isRight && 'text-late')}>
            {isRight ? `✓ ${words.agrees}` : words.differs}
          </strong>
        </p>
      </Card>
    </section>
  );
}

type Line = {
  label: string;
  note?: string;
  amount: ReactNode;
  href?: string | undefined;
  isSum?: boolean;
};

const Lines = ({ lines }: { lines: readonly Line[] }) => (
  <dl className="mt-1 text-14">
    {lines.map(({ label, note, amount, href, isSum }) => (
      <div
        key={label}
        className={classNames(
          'flex items-baseline justify-between gap-3 border-t py-1.5',
          isSum ? 'border-ink font-bold' : 'border-line first:border-0',
        )}
      >
        <dt>
          {label}
          {note && <span className="ml-1.5 text-12 font-normal text-ink-soft">{note}</span>}
        </dt>
        <dd className="tabular-nums">
          {href ? (
            <Link href={href} className={figureLink}>
              {amount}
            </Link>
          ) : (
            amount
          )}
        </dd>
      </div>
    ))}
  </dl>
);

type PartProps = { title: string; children: ReactNode };

const Part = ({ title, children }: PartProps) => (
  <section aria-label={title} className="min-w-0 break-inside-avoid">
    <h2 className="font-heading text-16 font-bold">{title}</h2>
    {children}
  </section>
);

/** Shows the income, collections and applications of the month, beside its pictures. */
function Flows({ report, month }: ReportProps) {
  const { income, recovered, collected } = report;
  const [from, to] = [firstDayOf(month), report.asOf];
  const journal = (account: string) => addressOf(paths.reports, {}, { show: 'journal', from, to, account });
  const payments = (channel: string) => addressOf(paths.payments, {}, { receivedIn: month, channel });
  const all = collectedIn(report);
  return (
    <Card className="grid h-full grid-cols-3 gap-x-8 gap-y-5 min-[80rem]:flex min-[80rem]:flex-col min-[80rem]:justify-between print:grid print:grid-cols-3">
      <Part title={words.income}>
        <Lines
          lines={[
            {
              label: words.incomeParts.interest,
              amount: showPeso(income.interest),
              href: journal('interest_income'),
            },
            {
              label: words.incomeParts.lateCharges,
              amount: showPeso(income.lateCharges),
              href: journal('late_charge_income'),
            },
            {
              label: words.incomeParts.earned,
              amount: showPeso(earnedIn(report)),
              href: journal(incomeAccounts),
              isSum: true,
            },
            ...(recovered.count > 0
              ? [
                  {
                    label: words.recovered,
                    note: showCount(recovered.count),
                    amount: showPeso(recovered.amount),
                    href: addressOf(paths.payments, {}, { recoveredIn: month }),
                  },
                ]
              : []),
          ]}
        />
        <p className="text-12 text-ink-soft">{words.incomeNote}</p>
      </Part>
      <Part title={words.collected}>
        {collected.length === 0 ? (
          <p className="mt-1 text-14 text-ink-soft">{words.noneCollected}</p>
        ) : (
          <Lines
            lines={[
              ...collected.map(({ channel, count, amount }) => ({
                label: panel.servicing.channels[channel],
                note: showCount(count),
                amount: showPeso(amount),
                href: payments(channel),
              })),
              {
                label: words.everyChannel,
                note: showCount(all.count),
                amount: showPeso(all.amount),
                href: payments('!wallet'),
                isSum: true,
              },
            ]}
          />
        )}
        <p className="text-12 text-ink-soft">{words.collectedNote}</p>
      </Part>
      <Applications report={report} month={month} />
    </Card>
  );
}

const applicationLooks = {
  received: 'fill-leaf/65',
  approved: 'fill-leaf',
  denied: 'fill-edge',
  released: 'fill-leaf',
};

function Applications({ report, month }: ReportProps) {
  const { applications } = report;
  const { received, released, medianDaysToDecision: median } = applications;
  return (
    <Part title={words.applications}>
      <p className="text-14 text-ink-soft">
        {received === 0 ? words.noApplications : words.became(showCount(released), showCount(received))}
      </p>
      <dl className="mt-1 text-14">
        {(['received', 'approved', 'denied', 'released'] as const).map((part) => (
          <div key={part} className="grid grid-cols-[5rem_1fr_2.5rem] items-center gap-2 py-1">
            <dt>{words.applicationParts[part]}</dt>
            <dd className="col-start-3 row-start-1 text-right font-semibold tabular-nums">
              <Link
                href={addressOf(
                  paths.borrowing,
                  {},
                  { appliedIn: month, outcome: part === 'received' ? undefined : part },
                )}
                className={figureLink}
              >
                {showCount(applications[part])}
              </Link>
            </dd>
            <dd aria-hidden="true" className="col-start-2 row-start-1">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" className="h-4 w-full">
                <rect
                  width={received === 0 ? 0 : (applications[part] / received) * 100}
                  height="10"
                  className={applicationLooks[part]}
                />
              </svg>
            </dd>
          </div>
        ))}
        <div className="mt-1 flex items-baseline justify-between border-t border-line pt-1.5">
          <dt>{words.median}</dt>
          <dd className={median === null ? 'text-ink-soft' : 'font-heading text-20 font-bold'}>
            {median === null ? words.undecided : words.days(median)}
          </dd>
        </div>
      </dl>
    </Part>
  );
}
