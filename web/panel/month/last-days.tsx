import * as api from '#contract/api.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { date, dayMonth, showPeso } from '#web/panel/lib/format.ts';
import { shortPeso } from './chart.tsx';

const words = panel.month.lastDays;

/** A small picture of the sums that were collected on each of the last days, with its table for screen readers. */
export function LastDays() {
  const days = useRead(api.readCollected, { anew: true }).data;
  if (!days) return <div className="h-24" />;
  const amounts = days.map(({ amount }) => amountOf(amount));
  const most = Math.max(...amounts);
  const slot = 100 / days.length;
  const label = words.image(String(days.length), shortPeso(Math.min(...amounts)), shortPeso(most));
  return (
    <div className="h-24 px-4.5 pb-3">
      <div role="img" aria-label={label} translate="no">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className="h-14 w-full">
          {days.map(({ date: day, amount }, index) => {
            const height = most === 0 ? 0 : ((amounts[index] ?? 0) / most) * 100;
            return (
              <rect
                key={day}
                x={slot * (index + 0.12)}
                y={100 - height}
                width={slot * 0.76}
                height={height}
                className={index === days.length - 1 ? 'fill-leaf' : 'fill-leaf/65'}
              >
                <title>{panel.loanStep.figure(date(day), showPeso(amount))}</title>
              </rect>
            );
          })}
          <path d="M0 100H100" vectorEffect="non-scaling-stroke" className="stroke-edge" />
        </svg>
        <p className="mt-1 flex justify-between text-12 text-ink-soft">
          <span>{dayMonth(days[0]?.date ?? '')}</span>
          <span>{words.title(String(days.length))}</span>
          <span>{dayMonth(days.at(-1)?.date ?? '')}</span>
        </p>
      </div>
      <table className="sr-only" translate="no">
        <caption>{label}</caption>
        <tbody>
          {days.map(({ date: day, amount }) => (
            <tr key={day}>
              <th scope="row">{date(day)}</th>
              <td>{showPeso(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
