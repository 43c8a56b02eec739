import { useCallback, useMemo } from 'react';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { auditColumns } from '#web/features/audit/audit-columns.tsx';
import { AuditPanel } from '#web/features/audit/audit-panel.tsx';
import { auditCsv, auditRules } from '#web/features/audit/audit-rules.ts';
import { ScopeBar, useAuditScope } from '#web/features/audit/audit-scope.tsx';
import { useAuditLog } from '#web/features/audit/use-audit-log.ts';
import { focusListRow } from '#web/lib/active-row.ts';
import { auditWord } from '#web/lib/audit-word.ts';
import { BesideList } from '#web/lib/panel-slot.tsx';
import { useShownRows } from '#web/lib/shown-rows.ts';
import { StaffList } from '#web/lib/staff-list.tsx';
import { useTableState } from '#web/lib/table-state.ts';
import { Button } from '#web/ui/button.tsx';
import { NoDocumentsPicture } from '#web/ui/state-illustrations.tsx';

const words = panel.audit;

const actionChoices = Object.keys(words.actions).map((value) => ({ value, label: auditWord(value) }));

/** Who did what to whom, from where, newest first; the router shows it to the main admin only (contract section 6). */
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
