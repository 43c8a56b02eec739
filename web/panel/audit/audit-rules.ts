import type { CsvColumn } from '#contract/csv.ts';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { auditWord } from '#web/panel/lib/audit-word.ts';
import type { ListRules } from '#web/panel/lib/shown-rows.ts';

const words = panel.audit;

export type AuditChange = { name: string; before: string | undefined; after: string | undefined };

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

/** An entry's changes, one per field. For secrets and personal fields the log records only that they changed. */
export function changesOf({ before, after }: AuditEntry): AuditChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((name) => ({
    name: readableName(name),
    before: before && name in before ? readableValue(name, before[name]) : undefined,
    after: after && name in after ? readableValue(name, after[name]) : undefined,
  }));
}

/** On one line: `balance: ₱0.00 → ₱50,000.00 · reason: disbursement`. */
export function changeText(entry: AuditEntry): string {
  const line = ({ name, before, after }: AuditChange) => {
    if (before !== undefined && after !== undefined) return `${name}: ${before} → ${after}`;
    return `${name}: ${before ?? after ?? ''}`;
  };
  return changesOf(entry).map(line).join(' · ');
}

/** Console commands have no actor, and visitors no name. */
export function actorText({ actorId, actorName, ipAddress }: AuditEntry): string {
  if (actorName !== null) return actorName;
  if (actorId !== null) return words.targets.account(actorId);
  return ipAddress === null ? words.console : words.nobody;
}

const targetWords: Record<string, (id: number) => string> = words.targets;

/** `Account 1001`; target types without wording appear under their own name. */
export function targetName(type: string, id: number): string {
  const say = Object.hasOwn(targetWords, type) ? targetWords[type] : undefined;
  return say?.(id) ?? `${type} ${id}`;
}

export function targetText({ targetType, targetId }: AuditEntry): string {
  if (targetType === null || targetId === null) return panel.list.dash;
  return targetName(targetType, targetId);
}

export const auditRules: ListRules<AuditEntry> = {
  searchText: (entry) =>
    [actorText(entry), auditWord(entry.action), targetText(entry), changeText(entry), entry.ipAddress].join(
      '\n',
    ),
  statusOf: ({ action }) => action,
  sortValues: {},
};

const { columns: heads } = words;
const { dateTime } = formatsOf('en');

export const auditCsv: readonly CsvColumn<AuditEntry>[] = [
  { head: heads.when, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.who, value: actorText },
  { head: heads.what, value: ({ action }) => auditWord(action) },
  { head: heads.whom, value: targetText },
  { head: heads.change, value: changeText },
  { head: heads.from, value: ({ ipAddress }) => ipAddress },
];
