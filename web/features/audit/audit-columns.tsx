import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { auditWord } from '#web/lib/audit-word.ts';
import { formatsOf } from '#web/lib/format.ts';
import type { Column } from '#web/lib/list-table.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { actorText, changeText, targetText } from './audit-rules.ts';

const { columns: heads } = panel.audit;
const { dateTime } = formatsOf('en');

/** The columns of the audit log, which has one order only: newest first. */
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
