import { useEffect, useState } from 'react';
import type { LoanAccount } from '#contract/servicing.ts';
import * as servicing from '#contract/servicing-endpoints.ts';
import { addDays, daysBetween, type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { amountOf } from '#web/lib/loan-standing.ts';
import { useRead } from '#web/lib/query.tsx';
import { ReadFailed } from '#web/lib/query-states.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { RangeField } from '#web/ui/range-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** A slider passes many days on its way; only the one it rests on is asked for. */
const restMs = 250;

const lastDay = limits.settlementAheadDays;

/** What paying the loan off costs on a day of the next weeks, and what it saves. */
export function EarlySettlement({ account }: { account: LoanAccount }) {
  const { myLoan, validation } = useAccountWords();
  const { date: shownDate, peso } = useFormats();
  const today = account.asOf as ManilaDate;
  const [typed, setTyped] = useState<string>(today);
  const day = parseManilaDate(typed);
  const days = day === undefined ? undefined : daysBetween(today, day);
  const isInRange = days !== undefined && days >= 0 && days <= lastDay;
  const shownDays = isInRange ? days : 0;
  const [date, setDate] = useState<ManilaDate>(today);

  useEffect(() => {
    if (!isInRange || day === undefined) return;
    const timeout = setTimeout(() => setDate(day), restMs);
    return () => clearTimeout(timeout);
  }, [day, isInRange]);

  const read = useRead(servicing.readSettlement, {
    params: { id: account.loanId },
    query: { date },
    enabled: date !== today,
  });
  const found = date === today ? account.settlement : read.data;
  // Figures of the day before stay until those of the next are here, so that nothing jumps.
  const [last, setLast] = useState(account.settlement);
  if (found && found !== last) setLast(found);
  const shown = found ?? last;
  const isWaiting = isInRange && (date !== day || found === undefined);
  if (!shown) return null;
  const { date: on, amount, rebate } = shown;
  const spoken = myLoan.spoken({ date: shownDate(on), cost: peso(amount), saved: peso(rebate) });

  return (
    <CardSection title={myLoan.everything} className="flex flex-col gap-4">
      <p className="text-14 text-ink-soft">{myLoan.everythingLead}</p>
      <TextField
        type="date"
        label={myLoan.payOn}
        hint={myLoan.payOnHint(shownDate(addDays(today, lastDay)))}
        error={typed !== '' && !isInRange ? validation.settlementTooFarAhead : undefined}
        min={today}
        max={addDays(today, lastDay)}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <RangeField
        label={myLoan.days}
        aside={myLoan.daysFromToday(shownDays)}
        value={shownDays}
        valueText={isWaiting && day ? shownDate(day) : spoken}
        valueHidden
        min={0}
        max={lastDay}
        step={1}
        onValueChange={(next) => setTyped(addDays(today, next))}
      />
      {read.isError && date !== today && isInRange ? (
        <ReadFailed query={read} title={myLoan.costFailed} />
      ) : (
        <Cost account={account} settlement={shown} isWaiting={isWaiting} />
      )}
      <p role="status" className="sr-only">
        {isInRange && !isWaiting && date !== today ? spoken : ''}
      </p>
    </CardSection>
  );
}

type CostProps = {
  account: LoanAccount;
  settlement: NonNullable<LoanAccount['settlement']>;
  isWaiting: boolean;
};

function Cost({ account, settlement, isWaiting }: CostProps) {
  const { myLoan } = useAccountWords();
  const { peso } = useFormats();
  const { amount, rebate, comparison, date } = settlement;
  const figures = [
    { term: myLoan.costs, value: amount, isGood: false },
    { term: myLoan.saves, value: rebate, isGood: amountOf(rebate) > 0 },
  ];
  const { coolingOffDays } = account.servicing;
  const isCoolingOff =
    account.disbursedOn !== null &&
    daysBetween(account.disbursedOn as ManilaDate, date as ManilaDate) <= coolingOffDays;
  return (
    <div aria-busy={isWaiting} className={classNames('transition-opacity', isWaiting && 'opacity-60')}>
      <dl className="grid grid-cols-2 gap-3 max-[22.5rem]:grid-cols-1">
        {figures.map(({ term, value, isGood }) => (
          <div
            key={term}
            className={`rounded-control px-3.5 py-3 ${isGood ? 'bg-good-tint text-good' : 'bg-sunken'}`}
          >
            <dt className={classNames('text-14', !isGood && 'text-ink-soft')}>{term}</dt>
            <dd>
              <Amount size={24} className="max-[26rem]:text-20">
                {peso(value)}
              </Amount>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-14 text-ink-soft">
        {isCoolingOff ? myLoan.coolingOff(coolingOffDays) : myLoan.instead(peso(comparison.noRebate))}{' '}
        {myLoan.tellStaff}
      </p>
    </div>
  );
}
