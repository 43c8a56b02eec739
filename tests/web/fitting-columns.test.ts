import { describe, expect, it } from 'vitest';
import { auditList } from '#web/panel/audit-page.tsx';
import { loanList } from '#web/panel/borrowing-page.tsx';
import { fittingColumns } from '#web/panel/lib/list-table.tsx';
import type { ColumnSize } from '#web/panel/lib/list-view.ts';
import { memberList } from '#web/panel/members-page.tsx';
import { withdrawalList } from '#web/panel/withdrawals-page.tsx';

const lists: Record<string, readonly { id: string; size: ColumnSize }[]> = {
  members: memberList.columns,
  loans: loanList.columns,
  withdrawals: withdrawalList.columns,
  audit: auditList.columns,
};

// The sidebar takes 216 px, the margins 48 px and the details 320 px.
const narrowestListPx = 1024 - 216 - 48;
const besideDetailsPx = narrowestListPx - 320;

const idsOf = (columns: readonly { id: string }[]) => columns.map(({ id }) => id);

describe.each(Object.entries(lists))('the columns of the %s', (name, columns) => {
  const atLeastPx = (widthPx: number) =>
    fittingColumns(columns, widthPx).reduce((sum, { size }) => sum + size.widthPx, 0);

  it('need no horizontal scrolling at 1024 px, even beside details', () => {
    expect(atLeastPx(narrowestListPx)).toBeLessThanOrEqual(narrowestListPx);
    // Withdrawals open a dialog instead.
    if (name !== 'withdrawals') expect(atLeastPx(besideDetailsPx)).toBeLessThanOrEqual(besideDetailsPx);
  });

  it('keep their order, and return one by one as the room grows', () => {
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

it('a column’s wanted width counts, not only the least it needs', () => {
  const columns = [
    { id: 'a', size: { widthPx: 100, wantPx: 150 } },
    { id: 'b', size: { widthPx: 100, rank: 1 } },
  ];
  expect(idsOf(fittingColumns(columns, 250))).toEqual(['a', 'b']);
  expect(idsOf(fittingColumns(columns, 249))).toEqual(['a']);
});
