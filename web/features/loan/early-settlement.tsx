import { useState } from 'react';
import * as calls from '#contract/loan-account-endpoints.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { addDays, daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { DayField } from '#web/lib/day-field.tsx';
import { useDebouncedDay } from '#web/lib/debounced-day.ts';
import { amountOf, sumOf } from '#web/lib/pesos.ts';
import { useRead } from '#web/lib/query.tsx';
import { ReadFailed } from '#web/lib/query-states.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const lastDay = limits.settlementAheadDays;

type Props = {
  account: LoanAccount;
  /** While something is overdue: what is saved is then the title that opens the rest. */
  isFolded: boolean;
};

/** Shows the cost of paying the loan off on a day of the next weeks, and what it saves. */
export function EarlySettlement({ account, isFolded }: Props) {
  const { myLoan, validation, date: shownDate, peso } = useAccountWords();
  const today = account.asOf as ManilaDate;
  const [asked, setAsked] = useState<ManilaDate>(today);
  const last = addDays(today, lastDay);
  const {
    wanted: day,
    type,
    field,
  } = useDebouncedDay({ day: asked, min: today, max: last, onDay: setAsked });
  const days = day && daysBetween(today, day);

  const read = useRead(calls.readSettlement, {
    params: { id: account.loanId },
    query: { date: asked },
    enabled: asked !== today,
    anew: true,
  });
  if (!account.settlement) return null;
  const answer = asked === today ? account.settlement : read.isFetching ? undefined : read.data;
  // The chosen day's price is shown, or none: another day's would be read as this one's.
  const found = asked === day && answer?.date === day ? answer : undefined;
  const isFailed = asked === day && asked !== today && read.isError && !read.isFetching;
  const spoken =
    found &&
    myLoan.spoken({
      date: shownDate(found.date),
      cost: peso(found.amount),
      saved: isSome(found.rebate) ? peso(found.rebate) : '',
    });

  const chosen = day === undefined ? myLoan.chooseDay : shownDate(day);
  const settled = isFailed ? (
    <ReadFailed query={read} title={myLoan.costFailed} />
  ) : day === undefined ? (
    <p className="text-14 text-ink-soft">{chosen}</p>
  ) : (
    <Cost account={account} day={day} settlement={found} isFolded={isFolded} />
  );
  const gist =
    found &&
    (isSome(found.rebate)
      ? `${myLoan.saves} ${peso(found.rebate)}`
      : `${myLoan.costs} ${peso(found.amount)}`);
  return (
    <CardSection id="everything" title={myLoan.everything} className={isFolded ? 'py-1.5' : 'pb-1.5'}>
      {!isFolded && settled}
      <Disclosure
        title={isFolded ? (gist ?? chosen) : myLoan.anotherDay}
        isOpen={isFolded && location.hash === '#everything'}
      >
        <div className="flex flex-col gap-4 pb-3">
          {isFolded && settled}
          <DayField
            {...field}
            label={myLoan.payOn}
            error={field.value !== '' && day === undefined ? validation.settlementTooFarAhead : undefined}
          />
          <RangeField
            label={myLoan.days}
            aside={days !== undefined && myLoan.daysFromToday(days)}
            value={days ?? 0}
            valueText={spoken ?? chosen}
            valueHidden
            min={0}
            max={lastDay}
            step={1}
            onValueChange={(next) => type(addDays(today, next))}
          />
        </div>
      </Disclosure>
      <p role="status" className="sr-only">
        {day !== today && spoken}
      </p>
    </CardSection>
  );
}

const isSome = (amount: string) => amountOf(amount) > 0;

type Settlement = NonNullable<LoanAccount['settlement']>;

type CostProps = Props & {
  day: ManilaDate;
  /** Undefined until it is read; its place is kept, so that nothing jumps. */
  settlement: Settlement | undefined;
};

function Cost({ account, day, settlement, isFolded }: CostProps) {
  const { myLoan, date, peso } = useAccountWords();
  const isSaving = settlement && isSome(settlement.rebate);
  return (
    <div aria-busy={settlement === undefined} className="flex flex-col gap-2">
      <p className="text-14 text-ink-soft">{date(day)}</p>
      <dl className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 tabular-nums">
        <div>
          <dt className="sr-only">{myLoan.costs}</dt>
          <dd className="font-heading text-24 font-bold">
            {settlement ? peso(settlement.amount) : <Skeleton className="h-9 w-36" />}
          </dd>
        </div>
        {(settlement === undefined || isSaving) && (
          <div
            className={
              isFolded
                ? 'sr-only'
                : 'flex flex-wrap gap-x-1 rounded-[0.8125rem] bg-good-tint px-2.5 py-1 text-12 font-bold text-good'
            }
          >
            <dt>{myLoan.saves}</dt>
            <dd>{settlement ? peso(settlement.rebate) : <Skeleton className="h-4 w-16" />}</dd>
          </div>
        )}
      </dl>
      {isSaving && <Instead account={account} settlement={settlement} />}
      <p className="text-14 text-ink-soft">{myLoan.tellStaff}</p>
    </div>
  );
}

/** The parts of the cost and of what is saved. */
function Instead({ account, settlement }: { account: LoanAccount; settlement: Settlement }) {
  const { myLoan, payment, peso } = useAccountWords();
  const { amount, rebate, comparison, date } = settlement;
  const { coolingOffDays } = account.servicing;
  const isCoolingOff =
    account.disbursedOn !== null &&
    daysBetween(account.disbursedOn as ManilaDate, date as ManilaDate) <= coolingOffDays;
  const instalments = sumOf(account.instalments.map(({ left }) => left));
  const noRebate = amountOf(comparison.noRebate);
  const whole = centavos(amountOf(amount) + amountOf(rebate));
  const shownOf = (part: number) => part > 0 && peso(centavos(part));
  return (
    <>
      {isCoolingOff && <p className="text-14 text-ink-soft">{myLoan.coolingOff(coolingOffDays)}</p>}
      {whole !== instalments && (
        <>
          <p className="text-14 text-ink-soft">{myLoan.insteadOfAll(peso(whole))}</p>
          <DefinitionRows
            size={14}
            rows={[
              { term: myLoan.toTheEnd, value: shownOf(instalments) },
              { term: payment.parts.lateCharges, value: shownOf(noRebate - instalments) },
              { term: payment.parts.toReturn, value: shownOf(whole - noRebate) },
            ]}
          />
        </>
      )}
    </>
  );
}
