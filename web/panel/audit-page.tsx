import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import { paths } from '#contract/routes.ts';
import type { AuditEntry } from '#contract/staff.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { useUser } from '#web/lib/session.tsx';
import AccessDeniedPage from '#web/pages/access-denied-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { DayFilters, dayFilter } from './lib/address-filters.tsx';
import { type AuditScope, auditPath, auditWord } from './lib/audit-link.ts';
import { PanelLink, PanelRow, SidePanel } from './lib/details.tsx';
import { dateTime, showPeso } from './lib/format.ts';
import { columnsOf } from './lib/list-table.tsx';
import { type ListDefinition, useListView } from './lib/list-view.ts';
import { ScopeBar, StaffList } from './lib/staff-list.tsx';
import { useFailureToast } from './lib/staff-rows.ts';

const words = panel.audit;
const { columns: heads } = words;

/** The audit log, newest first; for the main admin only (§audit-log). */
export default function AuditPage() {
  if (useUser().isMainAdmin) return <AuditLog />;
  return (
    <AccessDeniedPage
      reason={words.mainAdminOnly}
      onward={{ href: paths.members, label: panel.titles.members }}
    />
  );
}

function AuditLog() {
  const view = useListView(dayReadings);
  const scope = useAuditScope();
  const log = useAuditLog({ ...scope, ...view.filters, action: view.status });
  return (
    <StaffList
      {...{ words, view }}
      read={log}
      list={auditList}
      actions={undefined}
      statusWords={{ label: words.action, all: words.allActions }}
      csv={{ name: 'audit', columns: auditCsv }}
      details={(entry, close) => <AuditPanel entry={entry} onClose={close} />}
      note={
        <ScopeBar text={scopeText(scope)} showAll={words.showAll} onShowAll={() => navigate(paths.audit)} />
      }
      more={
        log.hasNextPage && (
          <Button look="secondary" busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {words.more}
          </Button>
        )
      }
    >
      <DayFilters view={view} labels={{ from: panel.list.from, to: panel.list.to }} />
    </StaffList>
  );
}

const dayReadings = { from: dayFilter, to: dayFilter };

type Cursor = number | undefined;

function useAuditLog({ action, ...scope }: AuditScope & { action: string; from: string; to: string }) {
  const part = { ...(/^[a-z_]+$/.test(action) && { action }), ...scope };
  const log = useInfiniteQuery<AuditEntry[], Error, InfiniteData<AuditEntry[], Cursor>, string[], Cursor>({
    // A key of its own: a plain read of the newest page is cached under the address itself.
    queryKey: [addressOf(api.listAudit.path, {}, part), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(api.listAudit, {
        query: {
          ...part,
          limit: String(limits.auditPageDefaultRows),
          before: pageParam?.toString(),
        },
        signal,
      }),
    initialPageParam: undefined,
    staleTime: 0,
    getNextPageParam: (page) => (page.length < limits.auditPageDefaultRows ? undefined : page.at(-1)?.id),
  });
  useFailureToast(log, panel.toasts.audit);
  return { ...log, data: useMemo(() => log.data?.pages.flat(), [log.data]) };
}

/** The list cannot be sorted: the log is always newest first. */
export const auditList: ListDefinition<AuditEntry> = {
  searchTexts: (entry) => [
    actorText(entry),
    auditWord(entry.action),
    targetText(entry),
    entry.targetName,
    changeText(entry),
    entry.ipAddress,
  ],
  choices: Object.keys(words.actions).map((value) => ({ value, label: auditWord(value) })),
  statusOf: ({ action }) => action,
  columns: columnsOf(heads, {
    when: { size: { widthPx: 154 }, cell: ({ createdAt }) => dateTime(createdAt) },
    who: {
      size: { widthPx: 126, wantPx: 176, grow: 2 },
      cell: (entry) => <CellLines main={actorText(entry)} note={entry.ipAddress ?? undefined} />,
    },
    what: {
      size: { widthPx: 138, wantPx: 200, grow: 3 },
      cell: ({ action }) => <span className="block truncate font-semibold">{auditWord(action)}</span>,
    },
    whom: {
      size: { widthPx: 130, wantPx: 200, grow: 3, rank: 2 },
      cell: (entry) => (
        <CellLines
          main={entry.targetName ?? targetText(entry)}
          note={entry.targetName && targetText(entry)}
        />
      ),
    },
    change: {
      size: { widthPx: 200, grow: 4, rank: 1 },
      cell: (entry) => <span className="block truncate">{changeText(entry)}</span>,
    },
  }),
};

export const auditCsv: readonly CsvColumn<AuditEntry>[] = [
  { head: heads.when, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.who, value: actorText },
  { head: heads.what, value: ({ action }) => auditWord(action) },
  { head: heads.whom, value: whomText },
  { head: heads.change, value: changeText },
  { head: heads.from, value: ({ ipAddress }) => ipAddress },
];

/** Values under these names are money in wire format. */
const moneyNames = new Set(['balance', 'amount', 'monthlyPayment', 'totalPayment', 'costOfCredit']);

/** `monthlyPayment` → `monthly payment`; unit suffixes of columns are dropped. */
const readableName = (name: string): string =>
  name
    .replace(/(Centavos|FileId)$/, '')
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase();

function readableValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return words.nothing;
  if (typeof value === 'string') return moneyNames.has(name) ? showPeso(value) : value.replaceAll('_', ' ');
  if (Array.isArray(value)) return value.map((item) => readableName(String(item))).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * An entry's changes, one per field, as `₱0.00 → ₱50,000.00` or the one value there is. For secrets and personal fields
 * the log records only that they changed.
 */
function changesOf({ before, after }: AuditEntry): { name: string; change: string }[] {
  return Object.keys({ ...before, ...after }).map((name) => {
    const textOf = (side: AuditEntry['before']) =>
      side && name in side ? readableValue(name, side[name]) : undefined;
    const [old, now] = [textOf(before), textOf(after)];
    const isChange = old !== undefined && now !== undefined;
    const change = isChange ? panel.memberPanel.change(old, now) : (old ?? now ?? '');
    return { name: readableName(name), change };
  });
}

/** Writes a change on one line: `balance: ₱0.00 → ₱50,000.00 · reason: disbursement`. */
function changeText(entry: AuditEntry): string {
  return changesOf(entry)
    .map(({ name, change }) => `${name}: ${change}`)
    .join(' · ');
}

/** Console commands have no actor, and visitors no name. */
function actorText({ actorId, actorName, ipAddress }: AuditEntry): string {
  if (actorName !== null) return actorName;
  if (actorId !== null) return words.targets.account(actorId);
  return ipAddress === null ? words.console : words.nobody;
}

const targetWords: Record<string, (id: number) => string> = words.targets;

/** `Account 1001`; target types without wording appear under their own name. */
function targetName(type: string, id: number): string {
  const say = Object.hasOwn(targetWords, type) ? targetWords[type] : undefined;
  return say?.(id) ?? `${type} ${id}`;
}

function targetText({ targetType, targetId }: AuditEntry): string {
  if (targetType === null || targetId === null) return panel.list.dash;
  return targetName(targetType, targetId);
}

/** `Account 1001, Maria Santos`. */
function whomText(entry: AuditEntry): string {
  return [targetText(entry), entry.targetName].filter(Boolean).join(', ');
}

/** The filter in the URL; unreadable values are ignored. */
function useAuditScope(): AuditScope {
  const query = new URLSearchParams(useSearch());
  const [, targetType, targetId] = /^([a-z_]+)-([1-9]\d{0,15})$/.exec(query.get('whom') ?? '') ?? [];
  const [actorId] = /^[1-9]\d{0,15}$/.exec(query.get('who') ?? '') ?? [];
  return { actorId, targetType, targetId };
}

function scopeText({ actorId, targetType, targetId }: AuditScope): string {
  const parts = [
    targetType && words.onlyTarget(targetName(targetType, Number(targetId))),
    actorId && words.onlyActor(targetName('account', Number(actorId))),
  ];
  return parts.filter(Boolean).join(' · ');
}

/** Actions on members only; a sign-in or a password may also be an admin's. */
const ofMember = /^(member_(created|updated)|balance|credit|otp|profile|document|register)/;

function AuditPanel({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { actorId, targetType, targetId } = entry;
  const memberId = ofMember.test(entry.action) ? targetId : null;
  return (
    <SidePanel overline={words.entry(entry.id)} title={auditWord(entry.action)} onClose={onClose}>
      <PanelRow label={words.columns.when} value={dateTime(entry.createdAt)} />
      <PanelRow label={words.columns.who} value={actorText(entry)} />
      <PanelRow label={words.columns.from} value={entry.ipAddress ?? panel.list.dash} />
      <PanelRow label={words.columns.whom} value={whomText(entry)} />
      {changesOf(entry).map(({ name, change }) => (
        <PanelRow key={name} label={name.charAt(0).toUpperCase() + name.slice(1)} value={change} />
      ))}
      <p className="flex flex-col gap-1 border-t border-line pt-3">
        {targetType !== null && targetId !== null && (
          <PanelLink href={auditPath({ targetType, targetId: String(targetId) })}>
            {words.allOfTarget(targetName(targetType, targetId))}
          </PanelLink>
        )}
        {actorId !== null && (
          <PanelLink href={auditPath({ actorId: String(actorId) })}>{words.allOfActor}</PanelLink>
        )}
        {memberId !== null && (
          <PanelLink href={addressOf(paths.members, {}, { open: memberId })}>
            {panel.list.openMember}
          </PanelLink>
        )}
      </p>
    </SidePanel>
  );
}
