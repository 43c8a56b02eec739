import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import * as api from '#contract/api.ts';
import type { StaffApproval } from '#contract/servicing.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { type Centavos, centavos, parsePesos, sum } from '#domain/money.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { UnsettledError, useMoneyCall } from '#web/lib/money-call.ts';
import { useOlderRows } from '#web/lib/older-rows.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { EmptyLoom } from '#web/ui/empty-loom.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { oneOf } from './lib/address-filters.tsx';
import { DetailsSlot } from './lib/details.tsx';
import { ConfirmDialog } from './lib/dialogs.tsx';
import { date, showPeso } from './lib/format.ts';
import { columnsOf, focusListRow, ListTable, useIsActiveRow } from './lib/list-table.tsx';
import { borrowerName, type ListDefinition, shownRows, sortOf, useListView } from './lib/list-view.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { ReadAt } from './lib/read-at.tsx';
import { SkeletonCard } from './lib/staff-list.tsx';
import { refreshLoan, refreshWork } from './lib/staff-rows.ts';
import { ApprovalDetails, ageDays, DecideDialog } from './loan/approval-details.tsx';

const words = panel.approvals;

type Tab = 'decide' | 'mine' | 'decided';
const tabs = (['decide', 'mine', 'decided'] as const).map((value) => ({ value, label: words.tabs[value] }));
const readings = { tab: oneOf(['decide', 'mine', 'decided']) };

/** Requests that need a second person, open and decided (§four-eyes). */
export default function ApprovalsPage() {
  const view = useListView(readings);
  const own = useUser().id;
  const status = view.filters.tab === 'decided' ? 'all' : 'open';
  const query = useRead(api.listApprovals, { query: { status }, anew: true });
  const { rows, more } = useOlderRows<StaffApproval>(api.listApprovals, query.data ?? [], { status });
  const isMine = ({ decision, askedBy }: StaffApproval) => !decision && askedBy === own;
  // Staff who have nothing to decide, but wait for others, see what they asked for.
  const first: Tab =
    rows.length > 0 && rows.every((row) => isMine(row) && !row.mayDecide) ? 'mine' : 'decide';
  const tab = (view.filters.tab as Tab | '') || first;
  const slot = useContext(DetailsSlot);
  const [isClosed, setClosed] = useState(false);
  const batch = useBatch();
  const [asked, setAsked] = useState<Asked>();
  usePageTitle(words.title);
  const list = lists[tab];
  const { refusals, refused } = batch;
  const shown = useMemo(() => {
    const ofTab = rowsOfTab(tab, { rows, refused, own });
    const sorted = shownRows(ofTab, list, { search: '', status: '', sort: sortOf(view.sort) });
    return [...sorted.filter(({ mayDecide }) => mayDecide), ...sorted.filter(({ mayDecide }) => !mayDecide)];
  }, [rows, refused, tab, own, list, view.sort]);
  const opened = useOpened(shown, view.open, isClosed);
  const { show } = view;
  const showRow = useCallback<typeof show>(
    (change) => {
      setClosed(false);
      show(change);
    },
    [show],
  );
  const actions = useMemo(
    () => ({ chosen: batch.chosen, refusals, choose: batch.choose, ask: setAsked }),
    [batch.chosen, refusals, batch.choose],
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-4">
        <div>
          <PanelTitle>{words.title}</PanelTitle>
          <p className="text-14 text-ink-soft">{words.text}</p>
        </div>
        <ReadAt query={query} reads={[api.listApprovals, api.previewLoan]} />
      </div>
      <Tabs
        label={words.title}
        tabs={tabs}
        value={tab}
        className="max-w-120"
        panelClassName="flex min-h-0 flex-1 flex-col pt-3"
        onValueChange={(value) => showRow({ tab: value, open: undefined, sort: '' })}
      >
        {tab === 'decide' && <BatchBar rows={shown} batch={batch} />}
        {tab === 'decide' && shown.some(({ mayDecide }) => mayDecide) && (
          <p className="mb-2 text-12 text-ink-soft">{words.keys}</p>
        )}
        <QueryStates query={query} framed failedTitle={words.failed} skeleton={<SkeletonCard rows={3} />}>
          {() =>
            shown.length > 0 ? (
              <div className="min-h-72 flex-1">
                <ListTable
                  label={words.tabs[tab]}
                  {...list}
                  rows={shown}
                  actions={actions}
                  view={{ ...view, open: opened?.id, show: showRow }}
                />
              </div>
            ) : (
              <Card>
                <EmptyState role="status" picture={<EmptyLoom />} title={words.none[tab]}>
                  {words.noneText}
                </EmptyState>
              </Card>
            )
          }
        </QueryStates>
        {more}
      </Tabs>
      {slot &&
        opened &&
        createPortal(
          <ApprovalDetails
            approval={opened}
            refusal={refusals.get(opened.id)}
            onClose={() => {
              setClosed(true);
              show({ open: undefined });
              focusListRow(opened.id);
            }}
          />,
          slot,
          String(opened.id),
        )}
      {asked && (
        <DecideDialog {...asked} text={questionOf(asked.approval)} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/**
 * The request beside the list: the one that was opened, else the first. One that was decided leaves its place to the request
 * after it, so that nobody reads and decides another part of the list.
 */
function useOpened(shown: readonly StaffApproval[], openId: number | undefined, isClosed: boolean) {
  const lastIndex = useRef(0);
  const index = shown.findIndex(({ id }) => id === openId);
  useEffect(() => {
    if (index >= 0 || openId === undefined) lastIndex.current = Math.max(index, 0);
  }, [index, openId]);
  if (index >= 0) return shown[index];
  return isClosed ? undefined : shown[Math.min(lastIndex.current, shown.length - 1)];
}

type Requests = { rows: readonly StaffApproval[]; refused: readonly StaffApproval[]; own: number };

/** The requests on a tab. `own` is the reader's id, `refused` are those that could not be approved together. */
function rowsOfTab(tab: Tab, { rows, refused, own }: Requests): StaffApproval[] {
  if (tab === 'decided') return rows.filter(({ decision }) => decision !== null);
  const open = rows.filter(({ decision }) => !decision);
  if (tab === 'mine') return open.filter(({ askedBy }) => askedBy === own);
  // A refusal may have closed its request: its row stays until the page is left, and says why.
  const gone = refused.filter(({ id }) => !rows.some((row) => row.id === id));
  return [
    ...open.filter(({ mayDecide, askedBy }) => mayDecide || askedBy !== own),
    ...gone.map((row) => ({ ...row, mayDecide: false, decision: 'outdated' as const })),
  ];
}

type Batch = ReturnType<typeof useBatch>;
type Asked = { approval: StaffApproval; decision: 'approved' | 'rejected' };
type RowActions = Pick<Batch, 'chosen' | 'refusals' | 'choose'> & { ask: (asked: Asked) => void };

/** Keeps the chosen requests, all of one kind, and approves them one by one: each may be refused on its own. */
function useBatch() {
  const [chosen, setChosen] = useState<readonly StaffApproval[]>([]);
  const [refusals, setRefusals] = useState<ReadonlyMap<number, string>>(new Map());
  const [refused, setRefused] = useState<readonly StaffApproval[]>([]);
  const [done, setDone] = useState<number>();
  const { send, stop } = useMoneyCall(api.decideApproval);
  const errorText = useErrorText();
  const { shell } = useCoreWords();
  const choose = useCallback((approval: StaffApproval, isChosen: boolean) => {
    setChosen((before) => {
      const others = before.filter(({ id }) => id !== approval.id);
      return isChosen ? [...others, approval] : others;
    });
  }, []);
  async function approve(): Promise<void> {
    const said = new Map<number, string>();
    let approved = 0;
    for (const [index, { id }] of chosen.entries()) {
      setDone(index);
      try {
        await send({ params: { id }, body: { decision: 'approved' } });
        approved += 1;
      } catch (error) {
        const isUnsettled = error instanceof UnsettledError;
        said.set(id, isUnsettled ? shell.unsettled : errorText(error));
        // The outcome of this one is not known, and the next would fare no better.
        if (isUnsettled) break;
      }
    }
    setDone(undefined);
    setChosen([]);
    setRefusals(said);
    setRefused(chosen.filter(({ id }) => said.has(id)));
    const tone = said.size > 0 ? ('bad' as const) : undefined;
    toast({
      ...(tone && { tone }),
      title: tone ? words.notAll : words.decisions.approved,
      description: words.doneTogether(approved, said.size),
    });
    refreshWork();
    await refreshLoan();
  }
  return { chosen, refusals, refused, choose, clear: () => setChosen([]), setChosen, approve, stop, done };
}

/** Sums up the chosen requests, and has the button that approves them. */
function BatchBar({ rows, batch }: { rows: readonly StaffApproval[]; batch: Batch }) {
  const { chosen, clear, setChosen, approve, stop, done } = batch;
  const [isAsked, setAsked] = useState(false);
  const [first] = chosen;
  if (!first) return null;
  const same = rows.filter(({ kind, mayDecide }) => mayDecide && kind === first.kind);
  const total = sum(chosen.map(amountOf));
  const said = words.chosen(chosen.length, words.asks[first.kind], total > 0 ? showPeso(total) : '');
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2.5 rounded-control bg-leaf-tint px-4 py-1.5 text-14">
      <p role="status" className="mr-auto font-semibold tabular-nums">
        {done === undefined ? said : words.approving(done + 1, chosen.length)}
      </p>
      {same.length > chosen.length && (
        <Button look="quiet" size="small" onClick={() => setChosen(same)}>
          {words.chooseAll(same.length)}
        </Button>
      )}
      <Button look="quiet" size="small" onClick={clear}>
        {words.chooseNone}
      </Button>
      <Button size="small" busy={done !== undefined} onClick={() => setAsked(true)}>
        {words.approveTogether(chosen.length)}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`${words.approveTogether(chosen.length)}?`}
          text={words.togetherText(said)}
          confirmLabel={panel.withdrawals.approve}
          look="primary"
          onConfirm={approve}
          {...(stop && { onStop: stop })}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}

/** The amount that a request is about; 0 if it is about none. */
const amountOf = ({ payload, payment }: StaffApproval): Centavos =>
  parsePesos(payload.amount ?? payment?.amount ?? '') ?? centavos(0);

const questionOf = (approval: StaffApproval): string =>
  words.question({
    name: borrowerName(approval),
    loanNumber: approval.loanNumber,
    amount: amountOf(approval) > 0 ? showPeso(amountOf(approval)) : '',
    effect: effectOf(approval),
  });

function effectOf({ kind, payload: { channel, months } }: StaffApproval): string {
  const { effects } = words;
  if (kind === 'deferral') return effects.deferral(Number(months));
  if (kind !== 'disbursement') return effects[kind];
  return effects.disbursement[channel as keyof typeof effects.disbursement] ?? words.asks.disbursement;
}

/** Requests of one kind alone are approved together. */
const mayChoose = ({ kind }: StaffApproval, [first]: readonly StaffApproval[]): boolean =>
  first === undefined || first.kind === kind;

function ChooseBox({
  approval,
  chosen,
  choose,
}: Pick<RowActions, 'chosen' | 'choose'> & { approval: StaffApproval }) {
  const isActive = useIsActiveRow();
  const { id, kind, mayDecide } = approval;
  const isOtherKind = !mayChoose(approval, chosen);
  if (!mayDecide) return null;
  return (
    <input
      type="checkbox"
      aria-label={words.choose(words.asks[kind], borrowerName(approval))}
      title={isOtherKind ? words.oneKind : undefined}
      className="block size-4.5 accent-leaf"
      tabIndex={isActive ? 0 : -1}
      disabled={isOtherKind}
      checked={chosen.some((one) => one.id === id)}
      onChange={(event) => choose(approval, event.currentTarget.checked)}
    />
  );
}

const common = {
  what: {
    size: { widthPx: 128, wantPx: 164, grow: 3 },
    sortValue: ({ kind }: StaffApproval) => words.asks[kind],
    cell: ({ kind }: StaffApproval) => (
      <span className="block truncate font-semibold">{words.asks[kind]}</span>
    ),
  },
  who: {
    size: { widthPx: 124, wantPx: 134, grow: 2 },
    sortValue: borrowerName,
    cell: (approval: StaffApproval) => <CellLines main={borrowerName(approval)} note={approval.loanNumber} />,
  },
  amount: {
    size: { widthPx: 118, grow: 1 },
    numeric: true,
    sortValue: amountOf,
    cell: (approval: StaffApproval) => (
      <span className="font-semibold">
        {amountOf(approval) > 0 ? showPeso(amountOf(approval)) : panel.list.dash}
      </span>
    ),
  },
  askedBy: {
    size: { widthPx: 110, grow: 1, rank: 3 },
    sortValue: ({ askedByName }: StaffApproval) => askedByName,
    cell: ({ askedByName }: StaffApproval) => <span className="block truncate">{askedByName}</span>,
  },
};

const waiting = {
  ...common,
  age: {
    size: { widthPx: 74, rank: 1 },
    numeric: true,
    sortValue: ({ id }: StaffApproval) => -id,
    cell: (approval: StaffApproval) => panel.loans.waitingDays(ageDays(approval)),
  },
  effect: {
    size: { widthPx: 140, grow: 2, rank: 2 },
    cell: (approval: StaffApproval, { refusals }: RowActions) => {
      const refusal = refusals.get(approval.id);
      return (
        <span
          title={refusal ?? effectOf(approval)}
          className={`block truncate ${refusal ? 'font-semibold text-bad' : 'text-ink-soft'}`}
        >
          {refusal ?? effectOf(approval)}
        </span>
      );
    },
  },
};

const searchTexts = () => [];
/** The oldest requests come first: they have waited longest. */
const firstSort = { by: 'age', descending: true };

const waitingList: ListDefinition<StaffApproval, RowActions> = {
  searchTexts,
  firstSort,
  columns: columnsOf(words.columns, waiting),
};

/** Space chooses, A asks to approve, D to decline. */
function press(letter: string, approval: StaffApproval, { chosen, choose, ask }: RowActions): void {
  if (!approval.mayDecide) return;
  if (letter !== ' ') ask({ approval, decision: letter === 'a' ? 'approved' : 'rejected' });
  else if (mayChoose(approval, chosen)) choose(approval, !chosen.some(({ id }) => id === approval.id));
}

const decideList: ListDefinition<StaffApproval, RowActions> = {
  ...waitingList,
  keys: { letters: ' ad', press },
  columns: columnsOf(words.columns, {
    choose: {
      head: <span className="sr-only">{words.columns.choose}</span>,
      size: { widthPx: 36 },
      cell: (approval: StaffApproval, { chosen, choose }: RowActions) => (
        <ChooseBox approval={approval} chosen={chosen} choose={choose} />
      ),
    },
    ...waiting,
  }),
};

const decidedList: ListDefinition<StaffApproval, RowActions> = {
  searchTexts,
  columns: columnsOf(words.columns, {
    ...common,
    decided: {
      size: { widthPx: 110, grow: 1 },
      sortValue: ({ decidedAt }: StaffApproval) => decidedAt ?? '',
      cell: ({ decision, decidedAt }: StaffApproval) =>
        decision && (
          <span className="flex items-center gap-2">
            <StatusChip tone={tones.approval[decision]}>{words.decisions[decision]}</StatusChip>
            {decidedAt && <span className="text-12 text-ink-soft">{date(decidedAt)}</span>}
          </span>
        ),
    },
    decidedBy: {
      size: { widthPx: 110, grow: 1, rank: 2 },
      sortValue: ({ decidedByName }: StaffApproval) => decidedByName ?? '',
      cell: ({ decidedByName }: StaffApproval) => decidedByName ?? panel.list.dash,
    },
  }),
};

const lists = { decide: decideList, mine: waitingList, decided: decidedList };
