import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import * as api from '#contract/api.ts';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { formatsOf } from '#web/lib/format.ts';
import { AuditPanel } from '#web/panel/audit/audit-panel.tsx';
import { actorText, auditCsv, auditRules, changeText, targetText } from '#web/panel/audit/audit-rules.ts';
import { type AuditScope, ScopeBar, useAuditScope } from '#web/panel/audit/audit-scope.tsx';
import { focusListRow } from '#web/panel/lib/active-row.ts';
import { auditWord } from '#web/panel/lib/audit-word.ts';
import type { Column } from '#web/panel/lib/list-table.tsx';
import { BesideList } from '#web/panel/lib/panel-slot.tsx';
import { useShownRows } from '#web/panel/lib/shown-rows.ts';
import { StaffList } from '#web/panel/lib/staff-list.tsx';
import { type StaffRows, useFailureToast } from '#web/panel/lib/staff-rows.ts';
import { useTableState } from '#web/panel/lib/table-state.ts';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { NoDocumentsPicture } from '#web/ui/state-illustrations.tsx';

const words = panel.audit;

const actionChoices = Object.keys(words.actions).map((value) => ({ value, label: auditWord(value) }));

/** The audit log, newest first; for the main admin only (§audit-log). */
export default function AuditPage() {
  const state = useTableState();
  const scope = useAuditScope();
  const { list, hasOlder, isReadingOlder, readOlder } = useAuditLog({ ...scope, action: state.status });
  const rows = useShownRows(list.rows, auditRules, state);
  const { show } = state;
  const onOpen = useCallback(({ id }: AuditEntry) => show({ open: id }), [show]);
  const opened = useMemo(() => list.rows?.find(({ id }) => id === state.open), [list.rows, state.open]);
  const older = hasOlder && (
    <Button look="secondary" size="small" busy={isReadingOlder} onClick={readOlder}>
      {words.more}
    </Button>
  );

  return (
    <>
      <StaffList
        {...{ words, state, list, rows, onOpen }}
        columns={auditColumns}
        statuses={actionChoices}
        statusWords={{ label: words.action, all: words.allActions }}
        csv={{ name: 'audit', columns: auditCsv }}
        picture={<NoDocumentsPicture />}
        isUnsorted
        note={<ScopeBar scope={scope} />}
        more={older}
      />
      {opened && (
        <BesideList>
          <AuditPanel
            key={opened.id}
            entry={opened}
            onClose={() => {
              show({ open: undefined });
              focusListRow(opened.id);
            }}
          />
        </BesideList>
      )}
    </>
  );
}

const { columns: heads } = panel.audit;
const { dateTime } = formatsOf('en');

/** Not sortable: the log is always newest first. */
export const auditColumns: readonly Column<AuditEntry>[] = [
  { id: 'when', head: heads.when, widthPx: 154, cell: ({ createdAt }) => dateTime(createdAt) },
  {
    id: 'who',
    head: heads.who,
    widthPx: 126,
    wantPx: 176,
    grow: 1,
    cell: (entry) => <CellLines main={actorText(entry)} note={entry.ipAddress ?? undefined} />,
  },
  {
    id: 'what',
    head: heads.what,
    widthPx: 138,
    wantPx: 200,
    grow: 2,
    cell: ({ action }) => <span className="block truncate font-semibold">{auditWord(action)}</span>,
  },
  {
    id: 'whom',
    head: heads.whom,
    widthPx: 130,
    rank: 2,
    cell: (entry) => <span className="block truncate">{targetText(entry)}</span>,
  },
  {
    id: 'change',
    head: heads.change,
    widthPx: 200,
    grow: 3,
    rank: 1,
    cell: (entry) => <span className="block truncate">{changeText(entry)}</span>,
  },
];

type Cursor = number | undefined;

/**
 * The audit log from its newest entry back as far as requested, optionally filtered by action, actor and target on the
 * server.
 */
function useAuditLog({ action, actorId, target }: AuditScope & { action: string }): {
  list: StaffRows<AuditEntry>;
  hasOlder: boolean;
  isReadingOlder: boolean;
  readOlder: () => void;
} {
  const part = {
    ...(/^[a-z_]+$/.test(action) && { action }),
    ...(actorId !== undefined && { actorId: String(actorId) }),
    ...(target && { targetType: target.type, targetId: String(target.id) }),
  };
  const read = useInfiniteQuery<AuditEntry[], Error, InfiniteData<AuditEntry[], Cursor>, string[], Cursor>({
    // A key of its own: a plain read of the newest page is cached under the address itself.
    queryKey: [addressOf(api.listAudit.path, {}, part), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(api.listAudit, {
        query: {
          ...part,
          limit: String(limits.auditPageDefaultRows),
          ...(pageParam !== undefined && { before: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.length < limits.auditPageDefaultRows ? undefined : page.at(-1)?.id),
  });
  useFailureToast(read.error, read.errorUpdatedAt, panel.toasts.audit);
  const rows = useMemo(() => read.data?.pages.flat(), [read.data]);
  return {
    list: {
      rows,
      isReading: read.isFetching,
      isPartial: false,
      isAsking: false,
      error: read.error,
      readAt: read.dataUpdatedAt === 0 ? undefined : new Date(read.dataUpdatedAt),
      readAgain: () => void read.refetch(),
    },
    hasOlder: read.hasNextPage,
    isReadingOlder: read.isFetchingNextPage,
    readOlder: () => void read.fetchNextPage(),
  };
}
