import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'wouter';
import * as api from '#contract/api.ts';
import type { DayReport, JournalLine, Portfolio, PortfolioLoan } from '#contract/collection.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { Endpoint, Reply } from '#contract/endpoint.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { journalAccounts } from '#domain/journal.ts';
import { type Centavos, centavos, pesosText, sum } from '#domain/money.ts';
import { addressOf, fetchReply } from '#web/lib/call.ts';
import { useDebouncedDay } from '#web/lib/debounced-day.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import { today } from '#web/lib/lender.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { amountOf, sumOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { type DefinitionRow, DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { dayFilter, oneOf, useAddress } from './lib/address-filters.tsx';
import { loansBehind } from './lib/counters.ts';
import { DayField } from './lib/day-field.tsx';
import { PanelLink, SidePanel } from './lib/details.tsx';
import { DrawersTable } from './lib/drawer.tsx';
import { date, showPeso } from './lib/format.ts';
import { amountColumn, amountOrDash, borrowerColumn, columnsOf } from './lib/list-table.tsx';
import { borrowerName, choiceTest, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { ReadAt, Working } from './lib/read-at.tsx';
import { CountedBy, incomeAccounts, ReportTabs, To } from './lib/report-parts.tsx';
import { ScopeBar, SkeletonCard, StaffList, showCount } from './lib/staff-list.tsx';
import { useStaffRows } from './lib/staff-rows.ts';

const words = panel.reports;

const kinds = ['day', 'portfolio', 'journal'] as const;
/** The loans behind a past day's figures; today's lead to the other lists. */
const loans = 'loans';
const readings = { show: oneOf([...kinds, loans]), date: dayFilter, from: dayFilter, to: dayFilter };

/** The money of a day, the portfolio, and the entries of the journal; each figure leads to its rows. */
export default function ReportsPage() {
  const { show, date: day } = useAddress(readings).query;
  if (show === loans) return <PortfolioLoans day={day || today()} />;
  return <Reports kind={kinds.find((known) => known === show) ?? 'day'} day={day} />;
}

function Reports({ kind, day }: { kind: (typeof kinds)[number]; day: string }) {
  usePageTitle(words.title);
  const Report = { day: DayPart, portfolio: PortfolioPart, journal: JournalPart }[kind];
  return (
    // The journal scrolls within its table, under a head that stays.
    <div className={classNames('max-w-320', kind === 'journal' && 'flex min-h-0 flex-col')}>
      <PanelTitle>{words.title}</PanelTitle>
      <ReportTabs kind={kind} day={day} />
      <Report key={kind} />
    </div>
  );
}

type PartProps<Row extends Endpoint> = {
  kind: (typeof kinds)[number];
  row: Row;
  days: readonly ReturnType<typeof useDay>[];
  /** Says what is worked out, while it lasts. */
  busyText: string;
  children: (data: Reply<Row>) => ReactNode;
};

function Part<Row extends Endpoint>(props: PartProps<Row>) {
  const { kind, row, days, busyText, children } = props;
  const query = Object.fromEntries(days.map(({ as, day }) => [as, day]));
  const read = useRead<Endpoint>(row, { query: query as never, anew: true }) as UseQueryResult<Reply<Row>>;
  const name = row.path.slice(row.path.lastIndexOf('/') + 1);
  const file = [name, ...Object.values(query)].join('-');
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        {days.map(({ as, field }) => (
          <DayField key={as} {...field} />
        ))}
        <span className="ml-auto" />
        <ReadAt query={read} reads={[row]} />
        <DownloadButton
          look="secondary"
          size="small"
          fileName={`${file}.csv`}
          fetchFile={() => fetchReply(row, ...([{ query, headers: { Accept: 'text/csv' } }] as never))}
        >
          {panel.list.export}
        </DownloadButton>
      </div>
      <CountedBy kind={kind} month={(days[0]?.day ?? today()).slice(0, 7)} />
      {days.every(({ isSettled }) => isSettled) ? (
        <QueryStates
          query={read}
          framed
          failedTitle={words.failed}
          skeleton={
            <SkeletonCard rows={5}>
              <p className="pt-2 text-14">
                <Working text={busyText} />
              </p>
            </SkeletonCard>
          }
        >
          {children}
        </QueryStates>
      ) : (
        <p role="status" className="text-14 text-ink-soft">
          {words.typeDay}
        </p>
      )}
    </>
  );
}

type DayOptions = { label: string; as?: string; fallback?: string };

/** A day in the address, which the report is asked for `as`; whether the field holds it, or another one as yet. */
function useDay(name: 'date' | 'from' | 'to', { label, as = name, fallback = today() }: DayOptions) {
  const { query, put } = useAddress(readings);
  const day = query[name] || fallback;
  const { state, field } = useDebouncedDay({ day, max: today(), onDay: (typed) => put({ [name]: typed }) });
  return { as, day, isSettled: state === 'settled', field: { ...field, label } };
}

const FigureCard = ({ title, rows }: { title: string; rows: readonly DefinitionRow[] }) => (
  <CardSection title={title}>
    <DefinitionRows size={14} ruled rows={rows} />
  </CardSection>
);

const nothing = <span className="font-normal text-ink-soft">{words.nothing}</span>;

const Lead = ({ label, amount, note }: { label: string; amount: ReactNode; note?: string }) => (
  <div className="mb-5">
    <p className="text-14 text-ink-soft">{label}</p>
    <p className="font-heading text-40 font-bold tabular-nums [&_a]:text-ink [&_a]:decoration-2 [&_a]:underline-offset-4">
      {amount}
    </p>
    {note !== undefined && <p className="text-14 text-ink-soft">{note}</p>}
  </div>
);

function DayPart() {
  const day = useDay('date', { label: words.day });
  return (
    <Part kind="day" row={api.readDay} days={[day]} busyText={words.folding(date(day.day))}>
      {(report) => <Day report={report} />}
    </Part>
  );
}

type Collected = DayReport['collected'][number];

function Day({ report }: { report: DayReport }) {
  const { date: day } = report;
  const payments = (query: Record<string, unknown>) =>
    addressOf(paths.payments, {}, { receivedOn: day, ...query });
  const journal = addressOf(paths.reports, {}, { show: 'journal', from: day, to: day });
  const { collected: rows } = report;
  const linked = (href: string, { count, amount }: { count: number; amount: string }) =>
    count === 0 ? nothing : <To href={href}>{words.counted(showCount(count), showPeso(amount))}</To>;
  const ofLine = ({ channel, recordedBy, confirmedBy }: Collected, figure: ReactNode) => (
    <To href={payments({ channel, by: recordedBy, confirmedBy: confirmedBy ?? 'nobody' })}>{figure}</To>
  );
  const columns: ShortTableColumn<Collected>[] = columnsOf(words.collectedColumns, {
    channel: { width: '1.2fr', cell: ({ channel }) => panel.servicing.channels[channel] },
    recordedBy: {
      width: '1.5fr',
      cell: ({ recordedBy, recordedByName }) => (recordedBy === 'borrower' ? words.borrower : recordedByName),
    },
    confirmedBy: { width: '1.5fr', cell: ({ confirmedByName }) => confirmedByName ?? panel.list.dash },
    payments: { width: '1fr', numeric: true, cell: (line) => ofLine(line, showCount(line.count)) },
    amount: {
      width: '1.2fr',
      numeric: true,
      cell: (line) => ofLine(line, <strong>{showPeso(line.amount)}</strong>),
    },
  });
  return (
    <>
      <Lead
        label={words.collectedOn(date(day))}
        amount={
          rows.length === 0 ? (
            showPeso(report.total)
          ) : (
            <To href={payments({ channel: '!wallet' })}>{showPeso(report.total)}</To>
          )
        }
      />
      {rows.length === 0 ? (
        <Card className="mb-5 text-14">{words.noneCollected}</Card>
      ) : (
        <div className="mb-5">
          <ShortTable label={words.collected} rows={rows} columns={columns} />
        </div>
      )}
      <div className="grid grid-cols-2 items-start gap-5">
        <FigureCard
          title={words.went}
          rows={(['principal', 'interest', 'lateCharges', 'credit'] as const).map((part) => ({
            term: words.parts[part],
            value: Number(report[part]) === 0 ? nothing : <To href={journal}>{showPeso(report[part])}</To>,
          }))}
        />
        <FigureCard
          title={words.beside}
          rows={[
            {
              term: words.parts.fromWallet,
              value: linked(payments({ channel: 'wallet' }), report.fromWallet),
            },
            ...(['takenOver', 'reversed', 'refunded', 'disbursed'] as const).map((part) => ({
              term: words.parts[part],
              value: linked(journal, report[part]),
            })),
            {
              term: words.parts.withdrawals,
              value: linked(addressOf(paths.withdrawals, {}, { completedOn: day }), report.withdrawals),
            },
          ]}
        />
      </div>
      {report.drawers.length > 0 && (
        <div className="mt-5">
          <CardSection title={panel.drawer.list}>
            <DrawersTable drawers={report.drawers} />
          </CardSection>
        </div>
      )}
    </>
  );
}

function PortfolioPart() {
  const day = useDay('date', { as: 'asOf', label: panel.loanAccount.asOf });
  return (
    <Part kind="portfolio" row={api.readPortfolio} days={[day]} busyText={words.folding(date(day.day))}>
      {(report) => <PortfolioFigures report={report} />}
    </Part>
  );
}

type Bucket = Portfolio['buckets'][number];

function PortfolioFigures({ report }: { report: Portfolio }) {
  const { asOf, par, dueToday, dueNext7Days, overdue, writtenOff, pending, approved } = report;
  const day = asOf as ManilaDate;
  const asOfPast = asOf === today() ? undefined : asOf;
  const collections = (query: Record<string, unknown>) =>
    addressOf(paths.collections, {}, { asOf: asOfPast, ...query });
  const behind = asOfPast
    ? { ...loansBehindPast(day), par1: collections({}), par90: collections({ status: '91+' }) }
    : loansBehind(day);
  const linked = (href: string, { loans: count, amount }: { loans: number; amount: string }) => (
    <To href={href}>{words.ofLoans(showCount(count), showPeso(amount))}</To>
  );
  const ofBucket = ({ bucket, loans: count }: Bucket, figure: string) =>
    count === 0 ? (
      figure
    ) : (
      <To href={bucket === 'current' ? behind.current : collections({ status: bucket })}>{figure}</To>
    );
  const columns: ShortTableColumn<Bucket>[] = columnsOf(words.bucketColumns, {
    bucket: {
      width: '1.2fr',
      cell: ({ bucket }) => (bucket === 'current' ? words.current : bucket.replace('-', ' to ')),
    },
    loans: { width: '1fr', numeric: true, cell: (row) => ofBucket(row, showCount(row.loans)) },
    principalLeft: {
      width: '1.5fr',
      numeric: true,
      cell: (row) => ofBucket(row, showPeso(row.principalLeft)),
    },
    overdue: { width: '1.5fr', numeric: true, cell: (row) => ofBucket(row, showPeso(row.overdue)) },
  });
  return (
    <>
      <Lead
        label={words.principalOut}
        amount={<To href={behind.principalOut}>{showPeso(report.principalOut)}</To>}
        note={words.onLoans(showCount(report.loans), date(asOf))}
      />
      <div className="mb-5">
        <ShortTable label={words.byDays} rows={report.buckets} columns={columns} />
      </div>
      <div className="grid grid-cols-2 items-start gap-5">
        <FigureCard
          title={words.due}
          rows={[
            { term: words.dueToday, value: linked(behind.dueToday, dueToday) },
            { term: words.dueNext7Days, value: linked(behind.dueNext7Days, dueNext7Days) },
            { term: words.bucketColumns.overdue, value: linked(collections({}), overdue) },
            { term: words.writtenOff, value: linked(collections({ status: 'writtenoff' }), writtenOff) },
            { term: words.pending, value: pending && linked(loansBehind(day).pending, pending) },
            { term: words.approved, value: approved && linked(loansBehind(day).approved, approved) },
          ]}
        />
        <FigureCard
          title={words.par}
          rows={(
            [
              ['1', '1'],
              ['30', '31'],
              ['90', '91'],
            ] as const
          ).map(([id, from]) => ({
            term: words.parDays(from),
            value: <To href={behind[`par${id}`]}>{panel.list.percent(par[id])}</To>,
          }))}
        />
      </div>
    </>
  );
}

const loansBehindPast = (date: ManilaDate) => {
  const rows = (status?: (typeof partChoices)[number]['value']) =>
    addressOf(paths.reports, {}, { show: loans, date, status });
  return {
    principalOut: rows(),
    dueToday: rows('duetoday'),
    dueNext7Days: rows('duesoon'),
    current: rows('current'),
    par30: rows('par30'),
  };
};

const partChoices = [
  { value: 'duetoday', label: words.dueToday, fits: (row: LoanRow) => Number(row.dueToday) > 0 },
  { value: 'duesoon', label: words.dueNext7Days, fits: (row: LoanRow) => Number(row.dueNext7Days) > 0 },
  { value: 'current', label: panel.loans.nothingOverdue, fits: (row: LoanRow) => row.daysPastDue === 0 },
  { value: 'par30', label: words.parDays('31'), fits: (row: LoanRow) => row.daysPastDue > 30 },
] as const;

type LoanRow = PortfolioLoan & { id: number };

const { heads } = words.loans;
const amounts = ['principalLeft', 'overdue', 'dueToday', 'dueNext7Days'] as const;

const amountSize = { widthPx: 130, grow: 1 };

const loanList: ListDefinition<LoanRow> = {
  searchTexts: (row) => personTexts(row).concat(row.loanNumber),
  choices: partChoices,
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 140, wantPx: 176, grow: 3 }),
    loan: { size: { widthPx: 130, grow: 1, rank: 2 }, sortValue: ({ loanNumber }) => loanNumber },
    daysPastDue: { size: { widthPx: 62 }, numeric: true, sortValue: ({ daysPastDue }) => daysPastDue },
    principalLeft: amountColumn('principalLeft', amountSize, ''),
    overdue: amountColumn('overdue', amountSize, ''),
    dueToday: amountColumn('dueToday', amountSize, ''),
    dueNext7Days: amountColumn('dueNext7Days', amountSize, ''),
  }),
};

const loanCsv: readonly CsvColumn<LoanRow>[] = [
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.daysPastDue, value: ({ daysPastDue }) => daysPastDue },
  ...amounts.map((name) => ({ head: heads[name], value: (row: LoanRow) => row[name] })),
];

/** The loans of a portfolio, with the sums of what is shown (§portfolio). */
function PortfolioLoans({ day }: { day: string }) {
  const view = useListView();
  const [, navigate] = useLocation();
  const { data, ...state } = useStaffRows(api.listPortfolioLoans, {
    query: { asOf: day },
    failure: words.failed,
  });
  const rows = useMemo(() => data?.map((row): LoanRow => ({ ...row, id: row.loanId })), [data]);
  const counters = useMemo(() => {
    const fitting = rows?.filter(choiceTest(loanList, view.status));
    const isWhole = fitting && !state.isPartial;
    return [
      { label: words.bucketColumns.loans, value: isWhole ? showCount(fitting.length) : panel.list.dash },
      ...amounts.map((name) => ({
        label: heads[name],
        value: isWhole ? showPeso(sumOf(fitting.map((row) => row[name]))) : panel.list.dash,
      })),
    ];
  }, [rows, view.status, state.isPartial]);
  return (
    <StaffList
      {...{ words: words.loans, view, counters }}
      read={{ ...state, data: rows }}
      list={loanList}
      actions={undefined}
      statusWords={words.loans.figure}
      csv={{ name: 'portfolio-loans', columns: loanCsv }}
      note={
        <ScopeBar
          text={
            rows || state.error ? (
              panel.collections.asOfNote(date(day))
            ) : (
              <Working text={words.folding(date(day))} />
            )
          }
          showAll={words.loans.back}
          onShowAll={() => navigate(addressOf(paths.reports, {}, { show: 'portfolio', date: day }))}
        />
      }
      details={(row, close) => (
        <SidePanel
          overline={home.dashboard.loanNumber(row.loanNumber)}
          title={borrowerName(row)}
          onClose={close}
          actions={
            <PanelLink href={addressOf(loanAccountPath(row.loanId), {}, { asOf: day })}>
              {panel.servicing.openAccount}
            </PanelLink>
          }
        >
          <DefinitionRows
            size={14}
            rows={amounts.map((name) => ({ term: heads[name], value: amountOrDash(row[name]) }))}
          />
        </SidePanel>
      )}
    />
  );
}

/** More are in the file. */
const shownLines = 200;

const journalColumns: ShortTableColumn<JournalLine>[] = columnsOf(words.journalColumns, {
  date: { width: '7rem', cell: (line) => date(line.date) },
  loan: {
    width: '1fr',
    cell: ({ loanNumber }) => (
      <To href={addressOf(paths.borrowing, {}, { search: loanNumber })}>{loanNumber}</To>
    ),
  },
  kind: {
    width: '1.2fr',
    cell: ({ kind }) => panel.servicing.kinds[kind],
  },
  account: { width: '1.3fr', cell: ({ account }) => words.accounts[account] },
  debit: { width: '1fr', numeric: true, cell: ({ debit }) => amountOrDash(debit) },
  credit: { width: '1fr', numeric: true, cell: ({ credit }) => amountOrDash(credit) },
});

type Total = { account: string; debit: Centavos; credit: Centavos };

/** Debits and credits of these days by account, and of all of them: both sides are equal. */
function JournalTotals({ lines }: { lines: readonly JournalLine[] }) {
  const totals = useMemo(() => {
    const byAccount = new Map<JournalLine['account'], Total>();
    for (const { account, debit, credit } of lines) {
      const total = byAccount.get(account) ?? {
        account: words.accounts[account],
        debit: centavos(0),
        credit: centavos(0),
      };
      byAccount.set(account, {
        ...total,
        debit: centavos(total.debit + amountOf(debit)),
        credit: centavos(total.credit + amountOf(credit)),
      });
    }
    return journalAccounts.flatMap((account) => byAccount.get(account) ?? []);
  }, [lines]);
  const all = {
    debit: sum(totals.map(({ debit }) => debit)),
    credit: sum(totals.map(({ credit }) => credit)),
  };
  const cell = 'whitespace-nowrap py-1.5 pl-3 text-right tabular-nums';
  return (
    <Card className="shrink-0 py-1">
      <Disclosure title={words.totals(showPeso(all.debit), showPeso(all.credit))}>
        <table className="mb-3 w-full text-14">
          <caption className="sr-only">{words.byAccount}</caption>
          <thead className="text-12 text-ink-soft">
            <tr>
              <th scope="col" className="text-left">
                {words.journalColumns.account}
              </th>
              <th scope="col" className={cell}>
                {words.journalColumns.debit}
              </th>
              <th scope="col" className={cell}>
                {words.journalColumns.credit}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {[...totals, { account: words.allAccounts, ...all }].map(({ account, debit, credit }) => (
              <tr key={account} className="last:font-bold">
                <th scope="row" className="py-1.5 text-left font-[inherit]">
                  {account}
                </th>
                <td className={cell}>{amountOrDash(pesosText(debit))}</td>
                <td className={cell}>{amountOrDash(pesosText(credit))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </Card>
  );
}

const accountReading = {
  account: (text: string) => (accountChoices.some(({ value }) => value === text) ? text : undefined),
};

const accountChoices = [
  { value: '', label: words.everyAccount },
  { value: incomeAccounts, label: words.income },
  ...journalAccounts.map((value) => ({ value: value as string, label: words.accounts[value] })),
];

function JournalPart() {
  const from = useDay('from', { label: panel.list.from, fallback: `${today().slice(0, 8)}01` });
  const to = useDay('to', { label: panel.list.to });
  return (
    <Part kind="journal" row={api.readJournal} days={[from, to]} busyText={words.journalBusy}>
      {(all) => <JournalLines all={all} />}
    </Part>
  );
}

/** The lines of all accounts, or of those in the address, with what they add up to. */
function JournalLines({ all }: { all: readonly JournalLine[] }) {
  const { query, put } = useAddress(accountReading);
  const wanted = query.account;
  const lines = useMemo(
    () => (wanted === '' ? all : all.filter(({ account }) => wanted.split(',').includes(account))),
    [all, wanted],
  );
  const net = sum(lines.flatMap(({ debit, credit }) => [amountOf(credit), -amountOf(debit)]));
  return (
    <>
      <div className="mb-3 flex items-center gap-4">
        <SelectField
          label={words.journalColumns.account}
          labelHidden
          fieldClassName="w-56"
          value={wanted}
          options={accountChoices}
          onChange={({ currentTarget: { value } }) => put({ account: value })}
        />
        {wanted !== '' && <p className="text-14">{words.net(showPeso(net))}</p>}
      </div>
      {lines.length === 0 ? (
        <Card className="text-14">{words.noLines}</Card>
      ) : (
        <div className="flex min-h-0 flex-col gap-4">
          <JournalTotals lines={lines} />
          {/* Room for some lines below the totals: the page scrolls then. */}
          <div className="flex min-h-80 flex-1 flex-col">
            <p className="mb-2 text-14 text-ink-soft">
              {words.lines(showCount(lines.length), showCount(Math.min(lines.length, shownLines)))}
            </p>
            <ShortTable
              label={words.kinds.journal}
              rows={lines.slice(0, shownLines)}
              columns={journalColumns}
            />
          </div>
        </div>
      )}
    </>
  );
}
