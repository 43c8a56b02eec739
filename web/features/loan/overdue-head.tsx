import { daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { useWords } from '#web/lib/home-words.ts';

/** Heads a card that asks for what is late, and says since when. */
export function OverdueHead({ since, asOf }: { since: string; asOf: string }) {
  const { dashboard, payment, date } = useWords();
  const days = daysBetween(since as ManilaDate, asOf as ManilaDate);
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 bg-bad-tint px-card py-3 text-14 text-bad">
      <span className="flex items-center gap-2 font-bold">
        <span aria-hidden="true" className="mark size-2 rounded-full bg-current" />
        {dashboard.overdue}
      </span>
      {payment.since({ date: date(since), days })}
    </p>
  );
}
