import { parse as parseInBrowser } from 'csv-parse/browser/esm/sync';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { csvRecords, readCell } from '#contract/csv-records.ts';
import {
  creditsOf,
  delimiterOf,
  guessColumns,
  headIndexOf,
  readWrittenAmount,
  type StatementColumns,
} from '#domain/statement-file.ts';
import { orderOfDays, readWrittenDay } from '#domain/written-day.ts';

/** Statements as banks and wallets export them. The names and numbers are samples. */

function read(text: string, first?: 'day' | 'month') {
  const parsers = [parse, parseInBrowser].map((parser) =>
    csvRecords(parser as typeof parse, text, delimiterOf(text)),
  );
  expect(parsers[1]).toEqual(parsers[0]);
  const records = (parsers[0] ?? []).map(({ record, line }) => ({ record: record.map(readCell), line }));
  const at = headIndexOf(records);
  const columns = guessColumns(records[at]?.record ?? []);
  return { columns, ...creditsOf(records.slice(at + 1), columns as StatementColumns, first) };
}

const plain = ({ credits }: ReturnType<typeof read>) =>
  credits.map(({ date, amountCentavos, reference, text }) => [date, amountCentavos, reference, text]);

describe('a statement’s file', () => {
  it('with lines above the heads, debit and credit columns, quoted commas and a total', () => {
    const found = read(
      [
        'Sample Bank,,,,',
        'Account No.,0000-1111-22,,,',
        '',
        'Transaction Date,Description,Reference No.,Debit,Credit,Balance',
        '11/28/2026,"Transfer from SAMPLE, LN-2026-000007",BN 0001,,"16,250.00","20,000.00"',
        '11/29/2026,Bank charge,BN 0002,15.00,,"19,985.00"',
        '11/30/2026,Deposit,BN 0003,,500.00,"20,485.00"',
        ',,Total,15.00,"16,750.00",',
      ].join('\r\n'),
    );
    expect(found.columns).toEqual({ date: 0, text: 1, reference: 2, amount: 4 });
    expect(plain(found)).toEqual([
      ['2026-11-28', 16_250_00, 'BN 0001', 'Transfer from SAMPLE, LN-2026-000007'],
      ['2026-11-30', 500_00, 'BN 0003', 'Deposit'],
    ]);
    expect(found).toMatchObject({ debits: 1, unread: [8], order: 'month' });
    expect(found.credits.map(({ line }) => line)).toEqual([5, 7]);
  });

  it('with semicolons, decimal commas, one signed column and days with dots', () => {
    const found = read(
      'Date;Details;Ref;Amount\n28.11.2026;Bayad;GC 1;1.250,50\n29.11.2026;Out;GC 2;-10,00\n',
    );
    expect(plain(found)).toEqual([['2026-11-28', 1_250_50, 'GC 1', 'Bayad']]);
    expect(found).toMatchObject({ debits: 1, unread: [], order: 'day' });
  });

  it('with a wallet’s heads, moments, currency and references kept as text', () => {
    const found = read(
      'txn_date,ReferenceNo,Remarks,Amount\n2026-11-28 10:22:01,="0012345678901",Niño,"PHP 1,000.00 CR"\n"Nov 28, 2026 09:00 PM",99,x,"(PHP 5.00)"',
    );
    expect(plain(found)).toEqual([['2026-11-28', 1_000_00, '0012345678901', 'Niño']]);
    expect(found).toMatchObject({ debits: 1, order: undefined });
  });

  it('whose days can be read both ways asks, and takes the answer for all of them', () => {
    const file = 'Date,Ref,Amount\n05/06/2026,A1,10\n07/07/2026,A2,10';
    expect(read(file)).toMatchObject({ order: 'unknown' });
    expect(read(file, 'day').credits.map(({ date }) => date)).toEqual(['2026-06-05', '2026-07-07']);
    expect(read(file, 'month').credits.map(({ date }) => date)).toEqual(['2026-05-06', '2026-07-07']);
  });

  it('without heads that say anything is as wide as its widest line', () => {
    expect(
      headIndexOf([
        { record: ['a', ''], line: 1 },
        { record: ['b', 'c'], line: 2 },
      ]),
    ).toBe(1);
  });
});

describe('an amount as a bank writes it', () => {
  it.each<[string, number | undefined]>([
    ['1,234.50', 1_234_50],
    ['₱1,234.5', 1_234_50],
    ['PHP 1234', 1_234_00],
    ['1.234,50', 1_234_50],
    ['12,50', 12_50],
    ['+5.00', 5_00],
    ['5.00-', -5_00],
    ['−5.00', -5_00],
    ['(1,234.50)', -1_234_50],
    ['5.00 DR', -5_00],
    ['5.00CR', 5_00],
    ['', 0],
    ['-', 0],
    ['1,23', 1_23],
    ['1,2345', undefined],
    ['1.5E+03', undefined],
    ['Total', undefined],
    ['1.234', undefined],
  ])('"%s" is %s centavos', (written, centavos) => {
    expect(readWrittenAmount(written)).toBe(centavos);
  });
});

describe('a day as a bank writes it', () => {
  it.each([
    ['2026-11-28', '2026-11-28'],
    ['2026/1/5', '2026-01-05'],
    ['20261128', '2026-11-28'],
    ['28 Nov 2026', '2026-11-28'],
    ['28-NOV-26', '2026-11-28'],
    ['November 28, 2026', '2026-11-28'],
    ['5/6/2026', '2026-06-05'],
    ['05-06-26', '2026-06-05'],
    ['28 Nov 2026, 3:04 PM', '2026-11-28'],
    ['2026-11-28T10:22:01.123+08:00', '2026-11-28'],
    ['31/02/2026', undefined],
    ['28 Foo 2026', undefined],
    ['', undefined],
  ])('"%s" is %s', (written, day) => {
    expect(readWrittenDay(written, 'day')).toBe(day);
  });

  it('shows what comes first by one after the twelfth', () => {
    expect(orderOfDays(['01/02/2026', '13/02/2026'])).toEqual({ first: 'day', index: 1 });
    expect(orderOfDays(['01/02/2026', '2/13/2026'])).toEqual({ first: 'month', index: 1 });
    expect(orderOfDays(['02/02/2026', '2026-01-02', '03/04/2026'])).toEqual({ first: 'unknown', index: 2 });
    expect(orderOfDays(['02/02/2026', '2026-01-02'])).toBeUndefined();
  });
});
