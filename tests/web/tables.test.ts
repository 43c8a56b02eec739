import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvPieces } from '#contract/csv.ts';
import { addressOf } from '#web/lib/call.ts';
import { fittingColumns } from '#web/panel/lib/list-table.tsx';
import { type ListDefinition, shownRows, sortOf } from '#web/panel/lib/list-view.ts';
import { randomCode, randomPassword } from '#web/panel/lib/secret.tsx';

describe('a table as CSV', () => {
  it.each([
    { value: 'Maria Santos', cell: '"Maria Santos"' },
    { value: 'She said "no", twice\nand left', cell: '"She said ""no"", twice\nand left"' },
    { value: null, cell: '""' },
    { value: 0, cell: '"0"' },
    { value: -12.5, cell: '"-12.5"' },
    { value: 0.1 + 0.2, cell: '"0.3"' },
    { value: Number.NaN, cell: '"NaN"' },
    { value: '=1+1', cell: `"'=1+1"` },
    { value: '+639171234567', cell: `"'+639171234567"` },
    { value: '-5', cell: `"'-5"` },
    { value: '-11201.69', cell: '"-11201.69"' },
    { value: '-1.00+1', cell: `"'-1.00+1"` },
    { value: '@SUM(A1)', cell: `"'@SUM(A1)"` },
    { value: ' \t=cmd|x', cell: `"' \t=cmd|x"` },
    { value: '\uFF1D1+1', cell: `"'\uFF1D1+1"` },
    { value: '"=1"', cell: '"""=1"""' },
    { value: 'a=b', cell: '"a=b"' },
  ])('$value', ({ value, cell }) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('has a header, CRLF and a UTF-8 mark, and is complete whatever its length', () => {
    const items = Array.from({ length: 4_500 }, (_, index) => ({ id: index, name: `Ñ${index}` }));
    const columns = [
      { head: 'Id', value: (item: { id: number }) => item.id },
      { head: 'Name', value: (item: { name: string }) => item.name },
    ] as const;
    const pieces = [...csvPieces<(typeof items)[number]>(columns, items)];
    expect(pieces).toHaveLength(19);
    const lines = pieces.join('').split('\r\n');
    expect(lines[0]).toBe('\uFEFF"Id","Name"');
    expect(lines.slice(1)).toEqual([...items.map(({ id, name }) => `"${id}","${name}"`), '']);
  });

  it('no text can leave its cell or begin a formula', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '=', '+', '-', '@', '\t', ' ', 'a') }),
        (text) => {
          const cell = csvCell(text);
          const inside = cell.slice(1, -1);
          expect(inside.replaceAll('""', '')).not.toContain('"');
          expect(inside.replaceAll('""', '"')).not.toMatch(/^\s*[=+\-@]/);
        },
      ),
      { numRuns: 300 },
    );
  });
});

type Row = { id: number; name: string; phone: string; status: string; amount: number };
const rows: Row[] = [
  { id: 4, name: 'Zoe Cruz', phone: '+639171234567', status: 'active', amount: 900 },
  { id: 3, name: 'Peña Ana', phone: '09180000000', status: 'pending', amount: 1000 },
  { id: 2, name: 'pena bert', phone: '0917-555', status: 'active', amount: 20 },
  { id: 1, name: '100% (Ltd)', phone: '02 8', status: 'pending', amount: 20 },
];
const column = (id: string) => ({ id, head: id, size: { widthPx: 100 }, cell: () => null });
const list: ListDefinition<Row> = {
  searchTexts: ({ name, phone }) => [name, phone],
  columns: [
    { ...column('name'), sortValue: ({ name }) => name },
    { ...column('amount'), sortValue: ({ amount }) => amount },
  ],
};
const idsOf = (state: Partial<Parameters<typeof shownRows>[2]>) =>
  shownRows(rows, list, { search: '', status: '', sort: undefined, ...state }).map(({ id }) => id);

describe('the rows of a list', () => {
  it.each([
    { search: '', ids: [4, 3, 2, 1] },
    { search: '  ZOE ', ids: [4] },
    { search: 'peña', ids: [3, 2] },
    { search: '+63 917 123-4567', ids: [4] },
    { search: '0917-555', ids: [2] },
    { search: '100%', ids: [1] },
    { search: '_', ids: [] },
    { search: '.*', ids: [] },
    { search: '(ltd', ids: [1] },
  ])('search "$search": $ids', ({ search, ids }) => {
    expect(idsOf({ search })).toEqual(ids);
  });

  it.each([
    { by: 'name', descending: false, ids: [1, 3, 2, 4] },
    { by: 'name', descending: true, ids: [4, 2, 3, 1] },
    { by: 'amount', descending: false, ids: [2, 1, 4, 3] },
    { by: 'amount', descending: true, ids: [3, 4, 2, 1] },
    { by: 'no such column', descending: false, ids: [4, 3, 2, 1] },
    { by: 'constructor', descending: false, ids: [4, 3, 2, 1] },
  ])('by $by, descending $descending: $ids', ({ ids, ...sort }) => {
    expect(idsOf({ sort })).toEqual(ids);
  });

  it('status and search combine, and nothing is reordered in place', () => {
    expect(idsOf({ status: 'active' })).toEqual([4, 2]);
    expect(idsOf({ status: 'active', search: 'pena', sort: { by: 'name', descending: true } })).toEqual([2]);
    expect(rows.map(({ id }) => id)).toEqual([4, 3, 2, 1]);
  });
});

describe('the columns of a list', () => {
  const columns = [
    { id: 'a', size: { widthPx: 100 } },
    { id: 'b', size: { widthPx: 100, rank: 2 } },
    { id: 'c', size: { widthPx: 100, rank: 1 } },
    { id: 'd', size: { widthPx: 100, rank: 3 } },
  ];
  it.each([
    { widthPx: undefined, left: 'abcd' },
    { widthPx: 400, left: 'abcd' },
    { widthPx: 399, left: 'abc' },
    { widthPx: 250, left: 'ac' },
    { widthPx: 100, left: 'a' },
    { widthPx: 10, left: 'a' },
  ])('in $widthPx px: $left', ({ widthPx, left }) => {
    expect(
      fittingColumns(columns, widthPx)
        .map(({ id }) => id)
        .join(''),
    ).toBe(left);
  });
});

describe('the address of a list', () => {
  it.each([
    { state: {}, query: '' },
    { state: { search: '', status: '', sort: '', open: undefined }, query: '' },
    { state: { search: 'a b&c', status: 'pending' }, query: '?search=a+b%26c&status=pending' },
    { state: { sort: '-amount', open: 12 }, query: '?sort=-amount&open=12' },
    { state: { sort: 'amount' }, query: '?sort=amount' },
  ])('$query', ({ state, query }) => {
    expect(addressOf('', {}, state)).toBe(query);
  });

  it('names the column that it is sorted by', () => {
    expect(sortOf('')).toBe(undefined);
    expect(sortOf('amount')).toEqual({ by: 'amount', descending: false });
    expect(sortOf('-amount')).toEqual({ by: 'amount', descending: true });
  });
});

describe('random values', () => {
  it('codes are digits, passwords have no look-alikes, and none repeats', () => {
    const codes = Array.from({ length: 2_000 }, () => randomCode(6));
    expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
    const digits = codes.join('');
    for (const digit of '0123456789') expect(digits.split(digit).length / digits.length).toBeCloseTo(0.1, 1);
    const passwords = Array.from({ length: 500 }, randomPassword);
    expect(new Set(passwords).size).toBe(500);
    for (const password of passwords) expect(password).toMatch(/^[a-hjkmnp-zA-HJ-NP-Z2-9]{12}$/);
  });
});
