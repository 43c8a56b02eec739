import { useMemo } from 'react';
import { useLocation } from 'wouter';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { MonthLoan } from '#contract/month.ts';
import { monthName, signed } from '#contract/month-tables.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { centavos, pesosText } from '#domain/money.ts';
import type { ManilaMonth } from '#domain/month.ts';
import { addressOf } from '#web/lib/call.ts';
import { PanelLink, SidePanel } from '#web/panel/lib/details.tsx';
import { showPeso } from '#web/panel/lib/format.ts';
import { amountColumn, amountOrDash, borrowerColumn, columnsOf } from '#web/panel/lib/list-table.tsx';
import {
  borrowerName,
  choiceTest,
  type ListDefinition,
  personTexts,
  useListView,
} from '#web/panel/lib/list-view.ts';
import { Working } from '#web/panel/lib/read-at.tsx';
import { ScopeBar, StaffList, showCount } from '#web/panel/lib/staff-list.tsx';
import { useStaffRows } from '#web/panel/lib/staff-rows.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';

const { rows: words } = panel.month;
const { heads } = words;

type Row = MonthLoan & { id: number };

const principalParts = ['start', 'released', 'cancelled', 'received', 'writtenOff', 'end'] as const;
const bridgeParts = ['journal', 'datedEarlier', 'recordedLater', 'reallocated'] as const;
const figures = [...principalParts, ...bridgeParts] as const;
type FigureName = (typeof figures)[number];

const isOfBridge = (status: string) => bridgeParts.some((part) => part === status);

const choices = figures.map((value) => ({
  value,
  label: heads[value],
  fits: (row: Row) => signed(row[value]) !== 0,
}));

/** When space is short, these go first; the figure that was asked for stays. */
const ranks: Partial<Record<FigureName, number>> = { cancelled: 6, writtenOff: 5, released: 4, start: 3 };

const columnOf = (part: FigureName, asked: string) => ({
  ...amountColumn(
    part,
    { widthPx: 118, grow: 1, ...(part !== asked && ranks[part] !== undefined && { rank: ranks[part] }) },
    '',
  ),
  sortValue: (row: Row) => signed(row[part]),
});

const listOf = (parts: readonly FigureName[], asked: string): ListDefinition<Row> => ({
  searchTexts: (row) => personTexts(row).concat(row.loanNumber),
  choices,
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 130, wantPx: 160, grow: 3 }),
    loan: { size: { widthPx: 126, rank: 2 }, sortValue: ({ loanNumber }: Row) => loanNumber },
    ...Object.fromEntries(parts.map((part) => [part, columnOf(part, asked)])),
  }),
});

const lists = new Map<string, ListDefinition<Row>>(
  figures.map((asked) => [asked, listOf(isOfBridge(asked) ? bridgeParts : principalParts, asked)]),
);
const wholeList = listOf(principalParts, '');

const csv: readonly CsvColumn<Row>[] = [
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  ...figures.map((name) => ({ head: heads[name], value: (row: Row) => row[name] })),
];

/** The loans behind the figures of a month, each with its part of them; their sums are the figures (§month). */
export function MonthRows({ month }: { month: ManilaMonth }) {
  const view = useListView();
  const [, navigate] = useLocation();
  const { data, ...state } = useStaffRows(api.listMonthLoans, {
    query: { month },
    failure: panel.month.failed,
  });
  const rows = useMemo(() => data?.map((row): Row => ({ ...row, id: row.loanId })), [data]);
  const isBridge = isOfBridge(view.status);
  const list = lists.get(view.status) ?? wholeList;
  const counters = useMemo(() => {
    const fitting = rows?.filter(choiceTest(list, view.status));
    const isWhole = fitting && !state.isPartial;
    return [
      {
        label: panel.month.columns.loans,
        value: isWhole ? showCount(fitting.length) : panel.list.dash,
      },
      ...(isBridge ? bridgeParts : principalParts).map((name) => ({
        label: heads[name],
        value: isWhole
          ? showPeso(pesosText(centavos(fitting.reduce((total, row) => total + signed(row[name]), 0))))
          : panel.list.dash,
      })),
    ];
  }, [rows, list, isBridge, view.status, state.isPartial]);
  return (
    <StaffList
      {...{ words, view, counters, list }}
      read={{ ...state, data: rows }}
      actions={undefined}
      statusWords={words.figure}
      csv={{ name: 'month-loans', columns: csv }}
      note={
        <ScopeBar
          text={
            rows || state.error ? (
              words.note(monthName(month))
            ) : (
              <Working text={words.working(monthName(month))} />
            )
          }
          showAll={words.back}
          onShowAll={() => navigate(addressOf(paths.month, {}, { month }))}
        />
      }
      details={(row, close) => (
        <SidePanel
          overline={home.dashboard.loanNumber(row.loanNumber)}
          title={borrowerName(row)}
          onClose={close}
          actions={<PanelLink href={loanAccountPath(row.loanId)}>{panel.servicing.openAccount}</PanelLink>}
        >
          <DefinitionRows
            size={14}
            rows={figures.map((name) => ({ term: heads[name], value: amountOrDash(row[name]) }))}
          />
        </SidePanel>
      )}
    />
  );
}
