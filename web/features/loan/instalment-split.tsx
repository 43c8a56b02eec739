import { type Centavos, centavos, groupThousands, pesosText, sum } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { classNames } from '#web/ui/class-names.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';

type Row = { dueDate: string; interest: Centavos; principal: Centavos };

type Props = {
  rows: readonly Row[];
  /** The first that is not paid, by index; undefined before the loan, when it is the first of all. */
  next?: number | undefined;
};

/** The parts of each instalment, interest and principal, and the balance that falls with them: a picture, and its table. */
export function InstalmentSplit({ rows, next }: Props) {
  const { myLoan, date, peso } = useAccountWords();
  const { split: words } = myLoan;
  const amount = sum(rows.map(({ principal }) => principal));
  let left = amount;
  const withBalance = rows.map((row) => {
    left = centavos(left - row.principal);
    return { ...row, balance: left };
  });
  const [first, last] = [rows[0], rows.at(-1)];
  const shown = rows[next ?? 0];
  if (!first || !last || amount <= 0) return null;
  return (
    <>
      {shown && (
        <p className="text-14">
          {(next === undefined ? words.first : words.next)({
            interest: peso(shown.interest),
            principal: peso(shown.principal),
          })}
        </p>
      )}
      <div
        role="img"
        aria-label={words.image({
          count: rows.length,
          from: peso(first.interest),
          to: peso(last.interest),
          balance: peso(amount),
        })}
        className="mt-3"
      >
        <Drawing rows={withBalance} amount={amount} next={next} />
        <p className="mt-1 flex justify-between gap-3 text-12 text-ink-soft">
          <span>{date(first.dueDate)}</span>
          <span>{date(last.dueDate)}</span>
        </p>
        <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-12 text-ink-soft">
          {(['balance', 'interest', 'principal'] as const).map((part) => (
            <span key={part} className="flex items-center gap-1.5">
              <svg viewBox="0 0 10 10" aria-hidden="true" className="size-2.5 shrink-0">
                <rect width="10" height="10" rx="1.5" className={looks[part]} />
              </svg>
              {words[part]}
            </span>
          ))}
        </p>
      </div>
      <Disclosure title={words.asTable}>
        <table className="mb-2 w-full text-12 tabular-nums">
          <caption className="sr-only">{words.title}</caption>
          <thead className="text-ink-soft">
            <tr>
              {(['due', 'interest', 'principal', 'balance'] as const).map((name) => (
                <th
                  key={name}
                  scope="col"
                  className={classNames(
                    'pb-1 font-semibold',
                    name === 'due' ? 'text-left' : 'pl-1 text-right',
                  )}
                >
                  {words.columns[name]}
                  {name !== 'due' && ' ₱'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {withBalance.map(({ dueDate, interest, principal, balance }) => (
              <tr key={dueDate}>
                <th scope="row" className="py-1.5 text-left font-normal">
                  {date(dueDate)}
                </th>
                {[interest, principal, balance].map((figure, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other identity
                  <td key={index} className="py-1.5 pl-1 text-right">
                    {groupThousands(pesosText(figure))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </>
  );
}

const looks = { balance: 'fill-leaf-tint stroke-leaf', interest: 'fill-mango', principal: 'fill-leaf' };

type DrawingProps = {
  rows: readonly (Row & { balance: Centavos })[];
  amount: Centavos;
  next: number | undefined;
};

/** The balance as steps that fall, over a column for each instalment; a line marks how far it is paid. */
function Drawing({ rows, amount, next }: DrawingProps) {
  const slot = 100 / rows.length;
  const most = Math.max(...rows.map(({ interest, principal }) => Math.max(0, interest) + principal));
  const steps = rows
    .map(({ balance }, index) => `H${slot * (index + 1)}V${100 - (balance / amount) * 100}`)
    .join('');
  const now = next !== undefined && next > 0 && (
    <path
      d={`M${slot * next} 0V100`}
      strokeDasharray="3 3"
      vectorEffect="non-scaling-stroke"
      className="stroke-ink-soft"
    />
  );
  const picture = { viewBox: '0 0 100 100', preserveAspectRatio: 'none' } as const;
  return (
    <>
      <svg {...picture} aria-hidden="true" className="h-16 w-full overflow-visible">
        <path d={`M0 100V0${steps}V100Z`} className="fill-leaf-tint" />
        <path d={`M0 0${steps}`} fill="none" vectorEffect="non-scaling-stroke" className="stroke-leaf" />
        {now}
      </svg>
      <svg {...picture} aria-hidden="true" className="mt-2 h-20 w-full overflow-visible">
        {rows.map(({ dueDate, interest, principal }, index) => {
          const [x, width] = [slot * (index + 0.1), slot * 0.8];
          const [low, high] = [principal, Math.max(0, interest)].map((part) => (part / most) * 100);
          return (
            <g key={dueDate}>
              <rect {...{ x, width }} y={100 - (low ?? 0)} height={low} className="fill-leaf" />
              <rect
                {...{ x, width }}
                y={100 - (low ?? 0) - (high ?? 0)}
                height={high}
                className="fill-mango"
              />
            </g>
          );
        })}
        {now}
        <path d="M0 100H100" vectorEffect="non-scaling-stroke" className="stroke-edge" />
      </svg>
    </>
  );
}
