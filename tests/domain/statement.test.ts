import { describe, expect, it } from 'vitest';
import type { ManilaDate } from '#domain/calendar.ts';
import { referenceKey } from '#domain/payment.ts';
import { lineKeys, loanNumbersIn, matchStatement, type StatementLine } from '#domain/statement.ts';

/** Cases of matching a statement, written from the rules alone (§statements). Amounts in centavos. */

const line = (fields: Partial<StatementLine>): StatementLine => ({
  date: '2026-11-15' as ManilaDate,
  amountCentavos: 16_250_00,
  reference: '',
  text: '',
  ...fields,
});

type Waiting = { id: number; loanId: number; amountCentavos: number };
type Numbered = { id: number; amounts: number[] };
type Known = { id: number; loanId: number };

/** The books, by reference and number as somebody wrote them. */
type Given = {
  confirmed?: Record<string, Known>;
  submitted?: Record<string, Waiting[]>;
  loans?: Record<string, Numbered[]>;
  earlier?: Map<string, Known>;
};

const byKey = <Value>(given: Record<string, Value> = {}) =>
  new Map(Object.entries(given).map(([written, value]) => [referenceKey(written), value]));

const match = (lines: StatementLine[], { confirmed, submitted, loans, earlier }: Given) =>
  matchStatement(lines, {
    confirmed: byKey(confirmed),
    submitted: byKey(submitted),
    loans: byKey(loans),
    earlier: earlier ?? new Map(),
  });

/** Due now 16,250.00, next instalment 8,000.00. */
const loan7 = { 'LN-2026-000007': [{ id: 7, amounts: [16_250_00, 8_000_00] }] };
const loan8 = { 'LN-2026-000008': [{ id: 8, amounts: [0, 16_250_00] }] };
const sent = (...payments: Waiting[]) => ({ 'GC-1001': payments });
const exact: Waiting = { id: 71, loanId: 7, amountCentavos: 16_250_00 };
const other: Waiting = { id: 81, loanId: 8, amountCentavos: 9_000_00 };
const counted = { 'GC-1001': { id: 70, loanId: 7 } };

const cases: [what: string, line: Partial<StatementLine>, given: Given, expected: object][] = [
  ['nothing in common', { reference: 'GC-9', text: 'Salary' }, {}, { match: 'unknown' }],
  ['no reference and no text', {}, { confirmed: counted, submitted: sent(exact) }, { match: 'unknown' }],

  [
    'a counted payment with the reference, written in another way',
    { reference: 'gc 1001' },
    { confirmed: counted },
    { match: 'known', paymentId: 70, loanId: 7 },
  ],
  [
    'a counted payment with the reference and another amount',
    { reference: 'GC1001', amountCentavos: 1 },
    { confirmed: counted },
    { match: 'known', paymentId: 70, loanId: 7 },
  ],
  [
    'a counted payment before one that waits with the same reference',
    { reference: 'GC1001' },
    { confirmed: counted, submitted: sent(exact) },
    { match: 'known', paymentId: 70, loanId: 7 },
  ],

  [
    'reference and amount of one that waits',
    { reference: 'GC 1001' },
    { submitted: sent(exact) },
    { match: 'matched', paymentId: 71, loanId: 7 },
  ],
  [
    'reference and amount of one that waits, before the number of another loan',
    { reference: 'GC1001', text: 'LN-2026-000008' },
    { submitted: sent(exact), loans: loan8 },
    { match: 'matched', paymentId: 71, loanId: 7 },
  ],
  [
    'reference and amount of one, the reference alone of another',
    { reference: 'GC1001' },
    { submitted: sent(other, exact) },
    { match: 'matched', paymentId: 71, loanId: 7 },
  ],
  [
    'a loan number in the text and what is due',
    { reference: 'BN 44812', text: 'Payment LN-2026-000007 thanks' },
    { loans: loan7 },
    { match: 'matched', loanId: 7 },
  ],
  [
    'a loan number in the text, without dashes, and the next instalment',
    { reference: 'BN 44812', text: 'pymt ln2026000007', amountCentavos: 8_000_00 },
    { loans: loan7 },
    { match: 'matched', loanId: 7 },
  ],
  [
    'a loan number as the reference',
    { reference: 'LN 2026 000007' },
    { loans: loan7 },
    { match: 'matched', loanId: 7 },
  ],
  [
    'the same loan number twice',
    { reference: 'LN-2026-000007', text: 'for LN-2026-000007' },
    { loans: loan7 },
    { match: 'matched', loanId: 7 },
  ],
  [
    'an old number in the text',
    { reference: 'BN 44812', text: 'Loan OLD-17, Sample' },
    { loans: { 'old 17': [{ id: 9, amounts: [16_250_00, 0] }] } },
    { match: 'matched', loanId: 9 },
  ],
  [
    'new and old number of one loan',
    { reference: 'BN 44812', text: 'OLD-17 now LN-2026-000007' },
    { loans: { ...loan7, 'OLD-17': [{ id: 7, amounts: [16_250_00, 8_000_00] }] } },
    { match: 'matched', loanId: 7 },
  ],
  [
    'loan number and amount, beside a reference that waits with another amount',
    { reference: 'GC1001', text: 'LN-2026-000007' },
    { submitted: sent({ ...exact, amountCentavos: 1 }), loans: loan7 },
    { match: 'matched', loanId: 7 },
  ],
  [
    'a loan number without a reference: it cannot be recorded',
    { text: 'LN-2026-000007' },
    { loans: loan7 },
    { match: 'matched', loanId: 7, code: 'reference_wanted' },
  ],
  [
    'two who sent the same, told apart by the loan number',
    { reference: 'GC1001', text: 'LN-2026-000008' },
    { submitted: sent(exact, { ...exact, id: 82, loanId: 8 }), loans: loan8 },
    { match: 'matched', paymentId: 82, loanId: 8 },
  ],

  [
    'a reference without the amount',
    { reference: 'GC1001', amountCentavos: 16_000_00 },
    { submitted: sent(exact) },
    { match: 'perhaps', paymentId: 71, loanId: 7, code: 'amount_differs' },
  ],
  [
    'a loan number without the amount',
    { text: 'LN-2026-000007', amountCentavos: 5_000_00 },
    { loans: loan7 },
    { match: 'perhaps', loanId: 7, code: 'amount_differs' },
  ],
  [
    'two payments with reference and amount',
    { reference: 'GC1001' },
    { submitted: sent(exact, { ...exact, id: 82, loanId: 8 }) },
    { match: 'perhaps', code: 'several_candidates' },
  ],
  [
    'two loan numbers, both with the amount',
    { reference: 'BN 44812', text: 'LN-2026-000007 / LN-2026-000008' },
    { loans: { ...loan7, ...loan8 } },
    { match: 'perhaps', code: 'several_candidates' },
  ],
  [
    'an old number that two loans have',
    { reference: 'BN 44812', text: 'OLD-17' },
    {
      loans: {
        'OLD-17': [
          { id: 7, amounts: [16_250_00] },
          { id: 8, amounts: [16_250_00] },
        ],
      },
    },
    { match: 'perhaps', code: 'several_candidates' },
  ],
  [
    'a loan that is not paid back, by its number',
    { reference: 'BN 44812', text: 'LN-2026-000007' },
    { loans: { 'LN-2026-000007': [{ id: 7, amounts: [] }] } },
    { match: 'perhaps', loanId: 7, code: 'amount_differs' },
  ],
];

describe('matching a line', () => {
  it.each(cases)('%s', (_what, fields, given, expected) => {
    expect(match([line(fields)], given)).toEqual([expected]);
  });
});

describe('a line of an earlier statement', () => {
  const same = { text: 'Over the counter deposit', amountCentavos: 500_00 };
  const keyed = (...lines: Partial<StatementLine>[]) => lineKeys(lines.map(line));
  const counted = (...keys: string[]) => new Map(keys.map((key) => [key, { id: 70, loanId: 7 }]));

  it('is known by date, amount, reference and text', () => {
    const earlier = counted(...keyed(same));
    const again = (fields: Partial<StatementLine>) => match([line({ ...same, ...fields })], { earlier })[0];
    expect(again({})).toEqual({ match: 'known', paymentId: 70, loanId: 7 });
    expect(again({ text: 'OVER THE  COUNTER DEPOSIT ' })).toMatchObject({ match: 'known' });
    for (const fields of [
      { date: '2026-11-16' as ManilaDate },
      { amountCentavos: 500_01 },
      { reference: '1234' },
      { text: 'Over the counter' },
    ])
      expect(again(fields)).toEqual({ match: 'unknown' });
  });

  it('is told from an equal one by how many equal ones came before it in its file', () => {
    const [first = '', , second = ''] = keyed(same, { text: 'Something else' }, same);
    const overlapping = [line({ text: 'Before' }), line(same), line(same), line(same)];
    const matches = match(overlapping, { earlier: counted(first, second) }).map((one) => one.match);
    expect(matches).toEqual(['unknown', 'known', 'known', 'unknown']);
  });
});

describe('the numbers that a line may hold', () => {
  it.each([
    ['InstaPay from 0917 LN-2026-000123.', 'LN2026000123'],
    ['ln 2026 000123', 'LN2026000123'],
    ['LOANLN2026000123', 'LN2026000123'],
    ['LN–2026–1000123', 'LN20261000123'],
    ['for OLD 17 thanks', 'OLD17'],
    ['(A/0017)', 'A0017'],
    ['4711', '4711'],
  ])('"%s" has %s', (text, number) => {
    expect(loanNumbersIn({ reference: '', text })).toContain(number);
  });

  it.each([
    ['17 Nov', '17'],
    ['LN-2026-0001234', 'LN2026000123'],
  ])('"%s" has no %s', (text, number) => {
    expect(loanNumbersIn({ reference: '', text })).not.toContain(number);
  });
});
