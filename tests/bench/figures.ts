/** A line of the table: a figure of the product beside its limit, measured in the same run. */
export type Row = {
  what: string;
  product: number;
  limit?: number;
  limitIs?: string;
  unit: '/s' | 'ms' | 'MB';
  /** The goal for product ÷ limit, or for the product's figure where there is no limit. */
  goal?: string;
};

export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ what, product, limit, limitIs = '', unit, goal = '' }) => {
    const ratio = limit === undefined ? '' : (product / limit).toFixed(2);
    const beside = limit === undefined ? '' : `${figure(limit, unit)}, ${limitIs}`;
    return `| ${what} | ${figure(product, unit)} | ${beside} | ${ratio} | ${goal} |`;
  });
  return ['| | Hiram | limit | ratio | goal |', '|---|---:|---|---:|---:|', ...lines].join('\n');
}

/** Three digits that count. */
function figure(value: number, unit: Row['unit']): string {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) || 1)));
  const text = value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits });
  return unit === '/s' ? `${text}/s` : `${text} ${unit}`;
}

export function middle(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Rounds before those that count: what a server runs is compiled and optimised by then. */
const warmingRounds = 3;

/** The middle figure of each, measured in turn, so that a machine that slows down slows all of them. */
export async function inTurn<Name extends string>(
  rounds: number,
  measures: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(measures) as Name[];
  const all = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -warmingRounds; round < rounds; round += 1) {
    for (const name of names) {
      const value = await measures[name]();
      if (round >= 0) all.get(name)?.push(value);
    }
  }
  return Object.fromEntries([...all].map(([name, values]) => [name, middle(values)])) as Record<Name, number>;
}
