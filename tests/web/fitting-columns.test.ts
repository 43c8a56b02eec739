import { describe, expect, it } from 'vitest';
import { auditColumns } from '#web/panel/audit-page.tsx';
import { fittingColumns, type RankedColumn } from '#web/panel/lib/fitting-columns.ts';
import { loanColumns } from '#web/panel/loan/loan-columns.tsx';
import { memberColumns } from '#web/panel/member/member-columns.tsx';
import { withdrawalColumns } from '#web/panel/withdrawal/withdrawal-columns.tsx';

const nothing = () => undefined;
const lists: Record<string, readonly (RankedColumn & { id: string })[]> = {
  members: memberColumns({ onEdit: nothing, onDocuments: nothing, onToggle: nothing, onDelete: nothing }),
  loans: loanColumns({ onStatus: nothing, onEdit: nothing, onNotify: nothing, onDelete: nothing }),
  withdrawals: withdrawalColumns({ onDetails: nothing, onApprove: nothing, onReject: nothing }),
  audit: auditColumns,
};

// The sidebar takes 216 px, the margins 48 px and the details 320 px.
const narrowestListPx = 1024 - 216 - 48;
const besideDetailsPx = narrowestListPx - 320;

const idsOf = (columns: readonly { id: string }[]) => columns.map(({ id }) => id);

describe.each(Object.entries(lists))('the columns of the %s', (name, columns) => {
  const atLeastPx = (widthPx: number) =>
    fittingColumns(columns, widthPx).reduce((sum, column) => sum + column.widthPx, 0);

  it('need no scrolling sideways at 1024 px, even beside details', () => {
    expect(atLeastPx(narrowestListPx)).toBeLessThanOrEqual(narrowestListPx);
    // Withdrawals open a dialog instead.
    if (name !== 'withdrawals') expect(atLeastPx(besideDetailsPx)).toBeLessThanOrEqual(besideDetailsPx);
  });

  it('stay in their order, and come back one by one as the room grows', () => {
    let before = 0;
    for (let widthPx = besideDetailsPx; widthPx <= 1600; widthPx += 40) {
      const ids = idsOf(fittingColumns(columns, widthPx));
      expect(ids).toEqual(idsOf(columns).filter((id) => ids.includes(id)));
      expect(ids.length).toBeGreaterThanOrEqual(before);
      before = ids.length;
    }
    expect(before).toBe(columns.length);
  });
});

it('what a column wants counts, and not only what it needs', () => {
  const columns = [
    { id: 'a', widthPx: 100, wantPx: 150 },
    { id: 'b', widthPx: 100, rank: 1 },
  ];
  expect(idsOf(fittingColumns(columns, 250))).toEqual(['a', 'b']);
  expect(idsOf(fittingColumns(columns, 249))).toEqual(['a']);
});
