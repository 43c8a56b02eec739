import { useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import { type Collection, collectionBuckets } from '#contract/collection.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { loanAccountPath } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { manilaDate, manilaTime } from '#domain/calendar.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { useDebouncedDay } from '#web/lib/debounced-day.ts';
import { today } from '#web/lib/lender.ts';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { dayFilter } from './lib/address-filters.tsx';
import { DayField } from './lib/day-field.tsx';
import { PanelLink, SidePanel } from './lib/details.tsx';
import { date, dateTime, dayMonth, showPeso } from './lib/format.ts';
import { amountColumn, borrowerColumn, columnsOf } from './lib/list-table.tsx';
import { borrowerName, countsOf, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { Working } from './lib/read-at.tsx';
import { ScopeBar, StaffList } from './lib/staff-list.tsx';
import { useStaffRows } from './lib/staff-rows.ts';
import { ContactBlock } from './loan/contact-block.tsx';
import { LoanStepDialog } from './loan/loan-step-dialog.tsx';

const words = panel.collections;
const { figures, columns: heads } = words;

type Row = Collection & { id: number };

/** Lists besides those of the buckets. */
const writtenOff = 'writtenoff';
const other = 'other';

/** Loans past due, in the order in which staff work through them (§collections). */
export default function CollectionsPage() {
  const view = useListView(dayReading);
  const { asOf } = view.filters;
  const onDay = (day: string) => view.show({ asOf: day === today() ? '' : day });
  const { field, type } = useDebouncedDay({ day: asOf || today(), max: today(), onDay });
  const onToday = (showDay: () => void) => {
    type(today());
    showDay();
  };
  const isLate = view.status !== writtenOff && view.status !== other;
  const { data: loans, ...state } = useStaffRows(api.listCollections, {
    query: {
      asOf,
      bucket: view.status === other ? other : '',
      writtenOff: view.status === writtenOff ? '1' : '',
      guard: '1',
    },
    failure: words.failedToFetch,
    besides: [api.listContacts],
  });
  const rows = useMemo(() => loans?.map((row): Row => ({ ...row, id: row.loanId })), [loans]);
  const [payingId, setPayingId] = useState<number>();
  return (
    <>
      <StaffList
        words={words}
        view={{ ...view, showAll: () => onToday(view.showAll) }}
        read={{ ...state, data: rows }}
        list={collectionList}
        actions={undefined}
        counts={useMemo(
          () => (isLate && rows ? countsOf(rows, collectionList, figures) : undefined),
          [isLate, rows],
        )}
        statusWords={{ label: words.bucket, all: figures.total }}
        csv={{ name: 'collections', columns: collectionCsv }}
        note={
          <ScopeBar
            text={
              asOf &&
              (rows || state.error ? (
                words.asOfNote(date(asOf))
              ) : (
                <Working text={panel.reports.folding(date(asOf))} />
              ))
            }
            showAll={panel.loanAccount.backToToday}
            onShowAll={() => onToday(() => view.show({ asOf: '' }))}
          />
        }
        details={(row, close) => <CollectionPanel row={row} onClose={close} onPay={setPayingId} />}
      >
        <span className="flex items-center gap-2.5 text-14 text-ink-soft">
          <span aria-hidden="true">{panel.loanAccount.asOf}</span>
          <DayField {...field} label={panel.loanAccount.asOf} labelHidden fieldClassName="w-36 shrink-0" />
        </span>
      </StaffList>
      {payingId !== undefined && (
        <LoanStepDialog loanId={payingId} step={{ kind: 'payment' }} onClose={() => setPayingId(undefined)} />
      )}
    </>
  );
}

/** The day in the URL; empty is today. */
const dayReading = { asOf: dayFilter };

/** Nobody calls a borrower a second time on one day: those tried today say so. */
const contactDay = (at: string) =>
  manilaDate(new Date(at)) === today() ? words.contactedToday : dayMonth(at);

const collectionList: ListDefinition<Row> = {
  searchTexts: (row) => personTexts(row).concat(row.loanNumber),
  choices: [
    ...collectionBuckets.map((value) => ({
      value,
      label: value === other ? words.other : words.days(value.replace('-', '–')),
    })),
    // Whom one may call now, and what was promised: what Today counts, and the figures above the list.
    { value: 'callable', label: figures.callable, fits: ({ mayContact }) => mayContact?.may === true },
    {
      value: 'broken',
      label: figures.broken,
      fits: ({ promise, lastContact }) =>
        promise?.state === 'broken' &&
        // Nobody has contacted the borrower since.
        (lastContact === null || manilaDate(new Date(lastContact.at)) <= promise.date),
    },
    { value: 'promised', label: figures.promised, fits: ({ promise }) => promise?.state === 'open' },
    { value: 'silent', label: figures.silent, fits: ({ lastContact }) => lastContact === null },
    // The server has chosen those.
    { value: writtenOff, label: words.writtenOff, fits: () => true },
  ],
  statusOf: ({ bucket }) => bucket,
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 140, wantPx: 170, grow: 3 }),
    loan: { size: { widthPx: 130, rank: 5 }, sortValue: ({ loanNumber }) => loanNumber },
    daysPastDue: {
      size: { widthPx: 62 },
      numeric: true,
      sortValue: ({ daysPastDue }) => daysPastDue,
      cell: ({ daysPastDue }) => <span className="font-semibold text-bad">{daysPastDue}</span>,
    },
    overdue: amountColumn('overdue', { widthPx: 120, grow: 1, rank: 3 }, ''),
    dueNow: amountColumn('dueNow', { widthPx: 120, grow: 1 }),
    lastPayment: {
      size: { widthPx: 128, rank: 6 },
      sortValue: ({ lastPayment }) => lastPayment?.date ?? '',
      cell: ({ lastPayment }) =>
        lastPayment ? (
          <CellLines main={showPeso(lastPayment.amount)} note={date(lastPayment.date)} />
        ) : (
          panel.list.dash
        ),
    },
    mayContact: {
      size: { widthPx: 128, rank: 1 },
      sortValue: ({ mayContact }) => mayContact?.next ?? '',
      cell: ({ mayContact }) => mayContact && <MayContact {...mayContact} />,
    },
    lastContact: {
      head: words.contactAndPromise,
      size: { widthPx: 196, wantPx: 210, grow: 2, rank: 2 },
      // Promises come first, by their day.
      sortValue: ({ promise, lastContact }) => promise?.date ?? lastContact?.at ?? '',
      cell: ({ promise, brokenPromises, lastContact }) =>
        promise ? (
          <PromiseCell promise={promise} brokenCount={brokenPromises} />
        ) : lastContact ? (
          <CellLines
            main={panel.contact.outcomes[lastContact.outcome]}
            note={`${contactDay(lastContact.at)}, ${lastContact.by}`}
          />
        ) : (
          panel.list.dash
        ),
    },
  }),
};

const MayContact = ({ reason, next }: NonNullable<Row['mayContact']>) =>
  reason && next ? (
    <CellLines main={words.from(dayMonth(next), manilaTime(new Date(next)))} note={words.whyNot[reason]} />
  ) : (
    <StatusChip tone="good">{words.mayContact}</StatusChip>
  );

type PromiseProps = { promise: NonNullable<Row['promise']>; brokenCount: number };

/** Shows a promise with how many were broken or replaced unkept, unless the chip says so of the only one. */
const PromiseCell = ({ promise: { state, amount, date: day }, brokenCount }: PromiseProps) => (
  <CellLines
    main={
      <>
        <span className="font-normal text-ink-soft">{heads.promise}: </span>
        <span className={toneText[tones.promise[state]]}>{panel.contact.promises[state]}</span>
        {brokenCount > Number(state === 'broken') && (
          <span className="pl-2 text-12 text-bad">{words.brokenCount(brokenCount)}</span>
        )}
      </>
    }
    note={panel.loanStep.onDate(showPeso(amount), dayMonth(day))}
  />
);

const toneText = { good: 'text-good', warn: 'text-warn', bad: 'text-bad', neutral: '' };

const collectionCsv: readonly CsvColumn<Row>[] = [
  { head: heads.loan, value: ({ loanNumber }) => loanNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.phone, value: ({ phone }) => phone },
  { head: heads.daysPastDue, value: ({ daysPastDue }) => daysPastDue },
  { head: heads.overdue, value: ({ overdue }) => overdue },
  { head: heads.lateCharges, value: ({ lateChargesOwed }) => lateChargesOwed },
  { head: heads.dueNow, value: ({ dueNow }) => dueNow },
  { head: heads.principalLeft, value: ({ principalLeft }) => principalLeft },
  { head: heads.lastPayment, value: ({ lastPayment }) => lastPayment?.date ?? null },
  { head: heads.lastContact, value: ({ lastContact }) => lastContact && dateTime(lastContact.at) },
  {
    head: heads.mayContact,
    value: ({ mayContact }) =>
      mayContact ? (mayContact.next ? dateTime(mayContact.next) : words.mayContact) : null,
  },
  { head: heads.promise, value: ({ promise }) => promise && panel.contact.promises[promise.state] },
  { head: heads.promised, value: ({ promise }) => promise?.amount ?? null },
  { head: heads.promisedBy, value: ({ promise }) => promise?.date ?? null },
  { head: heads.brokenPromises, value: ({ brokenPromises }) => brokenPromises },
];

type PanelProps = { row: Row; onClose: () => void; onPay: (loanId: number) => void };

function CollectionPanel({ row, onClose, onPay }: PanelProps) {
  const { loanId, loanNumber, phone, daysPastDue, lastPayment } = row;
  const { roles } = useUser();
  const name = borrowerName(row);
  const facts = [
    { term: heads.dueNow, value: showPeso(row.dueNow) },
    {
      term: heads.lateCharges,
      value: Number(row.lateChargesOwed) > 0 && showPeso(row.lateChargesOwed),
    },
    {
      term: heads.lastPayment,
      value: lastPayment && panel.loanStep.onDate(showPeso(lastPayment.amount), date(lastPayment.date)),
    },
    { term: heads.principalLeft, value: showPeso(row.principalLeft) },
  ];
  return (
    <SidePanel
      overline={home.dashboard.loanNumber(loanNumber)}
      title={name}
      onClose={onClose}
      actions={
        roles?.includes('cashier') && <Button onClick={() => onPay(loanId)}>{panel.loanStep.payment}</Button>
      }
    >
      <p className="pb-3 text-14">
        <span className="block font-heading text-32 font-bold text-bad tabular-nums">
          {showPeso(row.overdue)}
        </span>
        {panel.loanAccount.daysPastDue(daysPastDue)}
      </p>
      <div className="pb-4">
        <ContactBlock {...{ loanId, loanNumber, name, phone }} />
      </div>
      <div className="border-t border-line py-4">
        <DefinitionRows size={14} rows={facts} />
      </div>
      <p className="border-t border-line pt-3">
        <PanelLink href={loanAccountPath(loanId)}>{panel.servicing.openAccount}</PanelLink>
      </p>
    </SidePanel>
  );
}
