import { useState } from 'react';
import * as calls from '#contract/loan-account-endpoints.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { addDays, daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { amountOf, sumOf } from '#web/lib/loan-standing.ts';
import { useRead } from '#web/lib/query.tsx';
import { ReadFailed } from '#web/lib/query-states.tsx';
import { useTypedDay } from '#web/lib/typed-day.ts';
import { CardSection } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { RangeField } from '#web/ui/range-field.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const lastDay = limits.settlementAheadDays;

/** What paying the loan off costs on a day of the next weeks, and what it saves. */
export function EarlySettlement({ account }: { account: LoanAccount }) {
  const { myLoan, validation } = useAccountWords();
  const { date: shownDate, peso } = useFormats();
  const today = account.asOf as ManilaDate;
  const [asked, setAsked] = useState<ManilaDate>(today);
  const last = addDays(today, lastDay);
  const { wanted: day, type, field } = useTypedDay({ day: asked, min: today, max: last, onDay: setAsked });
  const days = day && daysBetween(today, day);

  const read = useRead(calls.readSettlement, {
    params: { id: account.loanId },
    query: { date: asked },
    enabled: asked !== today,
    anew: true,
  });
  if (!account.settlement) return null;
  const answer = asked === today ? account.settlement : read.isFetching ? undefined : read.data;
  // Only the chosen day's price, or none: another day's would be read as this one's.
  const found = day !== undefined && asked === day && answer?.date === day ? answer : undefined;
  const isFailed = day !== undefined && asked === day && asked !== today && read.isError && !read.isFetching;
  const spoken =
    found &&
    myLoan.spoken({
      date: shownDate(found.date),
      cost: peso(found.amount),
      saved: isSome(found.rebate) ? peso(found.rebate) : '',
    });

  return (
    <CardSection id="everything" title={myLoan.everything} className="flex flex-col gap-4">
      <p className="text-14 text-ink-soft">{myLoan.everythingLead}</p>
      {isFailed ? (
        <ReadFailed query={read} title={myLoan.costFailed} />
      ) : day === undefined ? (
        <p className="text-14 text-ink-soft">{myLoan.chooseDay}</p>
      ) : (
        <Cost account={account} day={day} settlement={found} />
      )}
      <TextField
        {...field}
        label={myLoan.payOn}
        hint={myLoan.payOnHint(shownDate(last))}
        error={field.value !== '' && day === undefined ? validation.settlementTooFarAhead : undefined}
      />
      <RangeField
        label={myLoan.days}
        aside={days !== undefined && myLoan.daysFromToday(days)}
        value={days ?? 0}
        valueText={spoken ?? (day === undefined ? myLoan.chooseDay : shownDate(day))}
        valueHidden
        min={0}
        max={lastDay}
        step={1}
        onValueChange={(next) => type(addDays(today, next))}
      />
      <p role="status" className="sr-only">
        {day !== today && spoken}
      </p>
    </CardSection>
  );
}

const isSome = (amount: string) => amountOf(amount) > 0;

type Settlement = NonNullable<LoanAccount['settlement']>;

type CostProps = {
  account: LoanAccount;
  day: ManilaDate;
  /** Undefined until it is read; its place is kept, so that nothing jumps. */
  settlement: Settlement | undefined;
};

function Cost({ account, day, settlement }: CostProps) {
  const { myLoan } = useAccountWords();
  const { date, peso } = useFormats();
  const isSaving = settlement ? isSome(settlement.rebate) : undefined;
  const rows = [
    { term: myLoan.costs, amount: settlement?.amount },
    ...(isSaving === false ? [] : [{ term: myLoan.saves, amount: settlement?.rebate }]),
  ];
  return (
    <div aria-busy={settlement === undefined}>
      <p className="mb-2 text-14 font-semibold">{date(day)}</p>
      <DefinitionRows
        rows={rows.map(({ term, amount }) => ({
          term,
          value: amount === undefined ? <Skeleton className="h-5 w-28" /> : peso(amount),
          strong: term === myLoan.costs,
        }))}
      />
      {settlement && isSaving && <Instead account={account} settlement={settlement} />}
      <p className="mt-3 text-14 text-ink-soft">{myLoan.tellStaff}</p>
    </div>
  );
}

/** The parts of the cost and of what is saved. */
function Instead({ account, settlement }: { account: LoanAccount; settlement: Settlement }) {
  const { myLoan, payment } = useAccountWords();
  const { peso } = useFormats();
  const { amount, rebate, comparison, date } = settlement;
  const { coolingOffDays } = account.servicing;
  const isCoolingOff =
    account.disbursedOn !== null &&
    daysBetween(account.disbursedOn as ManilaDate, date as ManilaDate) <= coolingOffDays;
  const instalments = sumOf(account.instalments.map(({ left }) => left));
  const noRebate = amountOf(comparison.noRebate);
  const whole = centavos(amountOf(amount) + amountOf(rebate));
  const parts = [
    { term: myLoan.toTheEnd, value: instalments },
    { term: payment.parts.lateCharges, value: noRebate - instalments },
    { term: payment.parts.toReturn, value: whole - noRebate },
  ].filter(({ value }) => value > 0);
  return (
    <div className="mt-3 flex flex-col gap-2 text-14 text-ink-soft">
      {isCoolingOff && <p>{myLoan.coolingOff(coolingOffDays)}</p>}
      <p>{whole === instalments ? myLoan.instead(peso(whole)) : myLoan.insteadOfAll(peso(whole))}</p>
      {whole !== instalments && (
        <DefinitionRows
          size={14}
          rows={parts.map(({ term, value }) => ({ term, value: peso(centavos(value)) }))}
        />
      )}
    </div>
  );
}
