import { Link } from 'wouter';
import type { Portfolio } from '#contract/collection.ts';
import type { Expected, Trend } from '#contract/month.ts';
import {
  ageingTable,
  bucketName,
  dueTable,
  expectedTable,
  monthName,
  riskTable,
  shortMonth,
  signed,
} from '#contract/month-tables.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { sharePercent } from '#domain/rates.ts';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { showCount } from '#web/panel/lib/staff-list.tsx';
import { ColumnChart, type Part, PartsBar, RiskLine, shortPeso } from './chart.tsx';
import { Figure } from './figure.tsx';

const words = panel.month;

/** One decimal is enough in a picture; the table has two. */
const roundShare = (share: string) => panel.list.percent(Number(share).toFixed(1));

/** D J F M …; what is marked is in bold. */
const initials = (trend: Trend) => trend.map(({ month }) => shortMonth(month).slice(0, 1));

function riskTitle(trend: Trend): string {
  const [before, last] = [trend.at(-2), trend.at(-1)];
  if (!last || Number(last.principalOut) === 0) return words.none;
  if (Number(last.par30) === 0) return words.risk.none;
  const share = roundShare(last.par30);
  if (!before || Number(before.principalOut) === 0) return words.risk.first(share);
  const change = Number(Number(last.par30).toFixed(1)) - Number(Number(before.par30).toFixed(1));
  return change < 0 ? words.risk.fell(share) : change > 0 ? words.risk.rose(share) : words.risk.same(share);
}

/** Principal out at the end of each month, with the share at risk above it. */
export function RiskFigure({ trend }: { trend: Trend }) {
  const amounts = trend.map(({ principalOut }) => signed(principalOut));
  const shares = trend.map(({ par30 }) => Number(par30));
  const last = trend.length - 1;
  const worst = shares.indexOf(Math.max(...shares));
  const said = Object.fromEntries(
    [...new Set([0, worst, last])]
      // Values beside each other would be written over each other.
      .filter((index) => index === last || (last - index > 1 && (index === worst || worst - index > 1)))
      .map((index) => [index, roundShare(trend[index]?.par30 ?? '0')]),
  );
  const label = words.risk.image(
    String(trend.length),
    shortPeso(amounts[0] ?? 0),
    shortPeso(amounts[last] ?? 0),
    roundShare(trend[last]?.par30 ?? '0'),
  );
  const figure = { table: riskTable(trend), title: riskTitle(trend), file: `risk-${trend[last]?.month}.csv` };
  const isEmpty = amounts.every((amount) => amount === 0);
  return (
    <Figure {...figure} empty={isEmpty && label}>
      <ColumnChart
        label={label}
        names={initials(trend)}
        marked={last}
        note={{ at: last, text: shortPeso(amounts[last] ?? 0, '') }}
        series={[
          {
            look: 'solid',
            values: amounts,
            titles: trend.map(({ month, principalOut }) => `${monthName(month)}: ${showPeso(principalOut)}`),
          },
        ]}
      >
        <p aria-hidden="true" className="ml-11 mt-3 text-12 font-semibold text-bad">
          {words.risk.line}
        </p>
        <RiskLine values={shares} said={said} />
        <p aria-hidden="true" className="ml-11 mt-2 text-12 font-semibold text-leaf">
          {words.risk.bars}
        </p>
      </ColumnChart>
    </Figure>
  );
}

/** Two columns for each month: the sum that fell due, and the one that came in. */
export function DueFigure({ trend }: { trend: Trend }) {
  const [due, collected] = [trend.map((row) => signed(row.due)), trend.map((row) => signed(row.collected))];
  const last = trend.length - 1;
  const [fell, came] = [due[last] ?? 0, collected[last] ?? 0];
  const title = fell + came === 0 ? words.due.none : words.due.less(shortPeso(came), shortPeso(fell));
  const titleOf = (index: number) => {
    const row = trend[index];
    return row
      ? `${monthName(row.month)}: ${showPeso(row.due)} ${words.due.due}, ${showPeso(row.collected)} ${words.due.collected}`
      : '';
  };
  const titles = trend.map((_, index) => titleOf(index));
  const label = words.due.image(String(trend.length), shortPeso(came), shortPeso(fell));
  const figure = { table: dueTable(trend), title, file: `due-${trend[last]?.month}.csv` };
  const isEmpty = [...due, ...collected].every((amount) => amount === 0);
  return (
    <Figure {...figure} empty={isEmpty && label}>
      <ColumnChart
        label={label}
        names={initials(trend)}
        marked={last}
        series={[
          { look: 'outline', values: due, titles },
          { look: 'solid', values: collected, titles },
        ]}
      >
        <p aria-hidden="true" className="ml-11 mt-3 flex gap-5 text-12 text-ink-soft">
          <span className="flex items-center gap-1.5">
            <Swatch look="fill-card stroke-edge" />
            {words.due.due}
          </span>
          <span className="flex items-center gap-1.5">
            <Swatch look="fill-leaf" />
            {words.due.collected}
          </span>
        </p>
      </ColumnChart>
    </Figure>
  );
}

const Swatch = ({ look }: { look: string }) => (
  <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5 shrink-0">
    <rect x="0.5" y="0.5" width="9" height="9" rx="1.5" className={look} />
  </svg>
);

const bucketLooks: Record<Portfolio['buckets'][number]['bucket'], string> = {
  current: 'fill-leaf',
  '1-30': 'fill-leaf/65',
  '31-60': 'fill-mango',
  '61-90': 'fill-bad/65',
  '91+': 'fill-bad',
};

type AgeingProps = { portfolio: Portfolio; linkOf: (bucket: string) => string };

/** The principal by days past due: all of it as one bar, and below it the late part enlarged. */
export function AgeingFigure({ portfolio, linkOf }: AgeingProps) {
  const { buckets, principalOut, asOf } = portfolio;
  const whole = signed(principalOut);
  const rows = buckets.map((row) => ({
    ...row,
    value: signed(row.principalLeft),
    share: sharePercent(signed(row.principalLeft), whole),
    look: bucketLooks[row.bucket],
  }));
  const [current, ...late] = rows;
  const hasLate = late.some(({ value }) => value > 0);
  const parts: Part[] = rows.map(({ bucket, value, look }) => ({ name: bucketName(bucket), value, look }));
  const onTime = current?.share ?? '0';
  const title = whole === 0 ? words.none : hasLate ? words.ageing.some(roundShare(onTime)) : words.ageing.all;
  const lateShare = 100 - Number(onTime);
  const image = rows
    .filter(({ value }) => value > 0)
    .map(({ bucket, share }) => words.ageing.part(roundShare(share), bucketName(bucket).toLowerCase()))
    .join(', ');
  const label = words.ageing.image(image || words.none);
  const figure = { table: ageingTable(portfolio), title, file: `ageing-${asOf}.csv` };
  const isEmpty = whole === 0;
  return (
    <Figure {...figure} empty={isEmpty && label}>
      <div role="img" aria-label={label} className="mt-4">
        <PartsBar parts={parts} />
        {hasLate && (
          <>
            <svg
              viewBox="0 0 100 10"
              preserveAspectRatio="none"
              aria-hidden="true"
              className="h-4 w-full fill-line"
            >
              <path d={`M${100 - lateShare} 0H100V10H0Z`} />
            </svg>
            <PartsBar parts={parts.slice(1)} />
          </>
        )}
      </div>
      <ul className="mt-auto divide-y divide-line pt-3 text-14">
        {rows.map(({ bucket, loans, value, share, look }) => (
          <li
            key={bucket}
            className="grid grid-cols-[1fr_auto_5.5rem_3.5rem] items-baseline gap-x-2 py-1 tabular-nums"
          >
            <span className="flex items-center gap-2 whitespace-nowrap">
              <Swatch look={look} />
              {bucketName(bucket)}
            </span>
            <span className="text-right text-ink-soft">{words.loans(showCount(loans))}</span>
            <span className="text-right">
              {loans === 0 ? (
                shortPeso(value)
              ) : (
                <Link href={linkOf(bucket)} className={figureLink}>
                  {shortPeso(value)}
                </Link>
              )}
            </span>
            <span className="text-right text-ink-soft">{roundShare(share)}</span>
          </li>
        ))}
      </ul>
    </Figure>
  );
}

/** A figure that leads to its rows, underlined only as much as that one sees it. */
export const figureLink =
  'rounded-small underline decoration-edge decoration-dotted underline-offset-4 hover:bg-leaf-tint hover:decoration-solid';

/** Expected payments of the next weeks, the largest named. */
export function ExpectedFigure({ weeks }: { weeks: Expected }) {
  const amounts = weeks.map(({ amount }) => signed(amount));
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  const end = weeks.at(-1)?.to ?? '';
  const most = amounts.indexOf(Math.max(...amounts));
  const title =
    total === 0 ? words.expected.none(date(end)) : words.expected.some(shortPeso(total), date(end));
  const groups = weeks.flatMap(({ from }, index) => {
    const month = from.slice(0, 7);
    const name = shortMonth(month);
    return index === 0 || weeks[index - 1]?.from.slice(0, 7) !== month ? [{ from: index, name }] : [];
  });
  const label = words.expected.image(
    String(weeks.length),
    shortPeso(Math.min(...amounts)),
    shortPeso(Math.max(...amounts)),
  );
  const figure = { table: expectedTable(weeks), title, file: `expected-${weeks[0]?.from}.csv` };
  const isEmpty = total === 0;
  return (
    <Figure {...figure} empty={isEmpty && label}>
      <ColumnChart
        label={label}
        names={weeks.map(({ from }) => String(Number(from.slice(8))))}
        groups={groups.map(({ from, name }, index) => ({
          from,
          // A single week has no room for its month.
          name: (groups[index + 1]?.from ?? weeks.length) - from > 1 ? name : '',
        }))}
        marked={most}
        note={{ at: most, text: shortPeso(amounts[most] ?? 0, '') }}
        series={[
          {
            look: 'solid',
            values: amounts,
            titles: weeks.map(({ from, to, amount }) => `${date(from)} – ${date(to)}: ${showPeso(amount)}`),
          },
        ]}
      />
    </Figure>
  );
}
