import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import type { DayReport, Portfolio, Today } from '#contract/collection.ts';
import { paths } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { addDays, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { MessageChannel } from '#domain/message.ts';
import { addressOf } from '#web/lib/call.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { CellLines } from '#web/ui/data-table.tsx';
import { FindBox } from './find.tsx';
import { type Counter, counters, isWorkOf, loansBehind } from './lib/counters.ts';
import { DrawersTable } from './lib/drawer.tsx';
import { date, showPeso } from './lib/format.ts';
import { reasonText } from './lib/message-text.ts';
import { PanelTitle } from './lib/panel-title.tsx';
import { ReadAt } from './lib/read-at.tsx';
import { SkeletonCard } from './lib/staff-list.tsx';
import { LastDays } from './month/last-days.tsx';

const words = panel.today;

/** The first page of a working day: what waits, what came in, what is late (§today). */
export default function TodayPage() {
  usePageTitle(words.title);
  // The sidebar reads it anew on each visit: both together would ask twice.
  const read = useRead(api.readToday);
  const [readBefore] = useState(read.dataUpdatedAt);
  // Figures that the sidebar read before this visit do not stand in for a reading that failed.
  const query = read.error && read.dataUpdatedAt === readBefore ? { ...read, data: undefined } : read;
  return (
    <>
      <div className="mb-4 flex items-center justify-between gap-6">
        <PanelTitle className="whitespace-nowrap">
          {words.title}
          {query.data && (
            <span className="ml-3 font-sans text-14 font-normal tracking-normal text-ink-soft">
              {date(query.data.day.date)}
            </span>
          )}
        </PanelTitle>
        <div className="flex min-w-0 flex-1 items-center justify-end gap-4">
          <div className="w-full max-w-104">
            <FindBox />
          </div>
          <ReadAt query={query} reads={[api.readToday]} />
        </div>
      </div>
      <QueryStates
        query={query}
        failedTitle={words.failed}
        framed
        staleFirst
        skeleton={<SkeletonCard rows={8} />}
      >
        {(today) => (
          <div className="flex flex-col gap-6">
            <Waiting waiting={today.waiting} />
            <MessageTroubles today={today} />
            <PortfolioFigures portfolio={today.portfolio} />
            <div className="grid grid-cols-2 items-start gap-6">
              <Collected day={today.day} />
              <Overdue portfolio={today.portfolio} />
            </div>
            <DoneAlone people={today.aloneToday} />
            {today.drawers.length > 0 && (
              <CardSection title={panel.drawer.openNow}>
                <DrawersTable drawers={today.drawers} />
              </CardSection>
            )}
            <ToSetUp parts={today.toSetUp} />
          </div>
        )}
      </QueryStates>
    </>
  );
}

type WaitingProps = { waiting: Today['waiting'] };

/** The work that waits leads the page: this person's own first and large, that of others as a line. */
function Waiting({ waiting }: WaitingProps) {
  const { roles } = useUser();
  const shown = counters.filter(({ name, isRare }) => !isRare || waiting[name] > 0);
  const own = shown.filter((counter) => isWorkOf(roles, counter));
  const others = shown.filter((counter) => !own.includes(counter));
  const isIdle = own.every(({ name }) => waiting[name] === 0);
  return (
    <Card look="deep">
      <h2 className="mb-3 font-heading text-20 font-bold">{isIdle ? words.nothing : words.waiting}</h2>
      <ul className="-mx-1 grid grid-cols-[repeat(auto-fill,minmax(max(11.5rem,18%),1fr))] gap-2.5 min-[112rem]:auto-cols-[minmax(0,18rem)] min-[112rem]:grid-flow-col min-[112rem]:grid-cols-none">
        {own.map((counter) => (
          <li key={counter.name}>
            <CounterLink {...{ counter, waiting }} isOwn />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="mt-3 flex flex-wrap items-baseline gap-x-1 text-14 text-on-deep-soft">
          {words.forOthers}
          {others.map((counter) => (
            <CounterLink key={counter.name} {...{ counter, waiting }} isOwn={false} />
          ))}
        </div>
      )}
    </Card>
  );
}

/** Its name stays plain, as in the sidebar: the figure describes it. */
function CounterLink({ counter, waiting, isOwn }: WaitingProps & { counter: Counter; isOwn: boolean }) {
  const { name, path, status } = counter;
  const count = waiting[name];
  const shown = count.toLocaleString('en');
  const late = waiting.complaintsOverdue;
  const note = name === 'complaints' && late > 0 && words.overdue(late);
  return (
    <Link
      href={addressOf(path, {}, { status })}
      aria-description={[words.waits(shown), note].filter(Boolean).join(', ')}
      className={
        isOwn
          ? classNames(
              'flex h-full flex-col rounded-control px-3.5 py-2.5',
              count > 0 ? 'bg-on-deep/12 hover:bg-on-deep/20' : 'text-on-deep-soft hover:bg-on-deep/10',
            )
          : 'flex flex-row-reverse items-baseline gap-1.5 rounded-small px-2 py-1 hover:bg-on-deep/10'
      }
    >
      <span
        aria-hidden="true"
        className={isOwn ? 'font-heading text-32 font-bold tabular-nums' : 'font-semibold tabular-nums'}
      >
        {shown}
      </span>
      <span className="text-14 font-semibold">{words.counters[name]}</span>
      {note && (
        <span aria-hidden="true" className="text-12 font-semibold text-mango">
          {note}
        </span>
      )}
    </Link>
  );
}

/** Messages that did not go out, and why others wait (§outbox). */
function MessageTroubles({ today: { waiting, pausedChannels, day } }: { today: Today }) {
  const failedSince = addDays(day.date as ManilaDate, -limits.messagesFailedShownDays);
  const troubles = [
    waiting.messagesFailed > 0 && {
      text: words.messagesFailed(waiting.messagesFailed),
      filter: { status: 'failed', from: failedSince },
    },
    ...pausedChannels.map(({ channel, reason }) =>
      channel === 'book'
        ? { text: words.bookHeld, filter: { status: 'held' } }
        : {
            text: words.channelPaused(panel.messages.channels[channel as MessageChannel], reasonText(reason)),
            filter: { status: 'queued', channel },
          },
    ),
  ].filter((trouble) => trouble !== false);
  if (troubles.length === 0) return null;
  return (
    <Banner tone="warn" title={panel.messages.title}>
      <ul className="list-disc pl-5">
        {troubles.map(({ text, filter }) => (
          <li key={text}>
            <Link href={addressOf(paths.messages, {}, filter)} className="underline">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function PortfolioFigures({ portfolio }: { portfolio: Portfolio }) {
  const { asOf, dueToday, dueNext7Days, principalOut, par } = portfolio;
  const behind = loansBehind(asOf as ManilaDate);
  const figures = [
    [words.dueToday, showPeso(dueToday.amount), behind.dueToday],
    [words.dueNext7Days, showPeso(dueNext7Days.amount), behind.dueNext7Days],
    [words.principalOut, showPeso(principalOut), behind.principalOut],
    ...(['1', '30', '90'] as const).map(
      (more) => [words.par(more), panel.list.percent(par[more]), behind[`par${more}`]] as const,
    ),
  ] as const;
  return (
    <ul className="grid grid-cols-3 gap-2 -mx-3 min-[80rem]:flex min-[80rem]:justify-between">
      {figures.map(([label, value, href]) => (
        <li key={label}>
          <Link href={href} className="block rounded-control px-3 py-1.5 hover:bg-leaf-tint">
            <span className="block font-heading text-24 font-bold tabular-nums">{value} </span>
            <span className="block text-12 text-ink-soft">{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type SumsProps = {
  title: string;
  amount: string;
  href: string;
  tone: 'text-leaf' | 'text-bad';
  none: string;
  picture?: ReactNode;
  lines: readonly { href: string; main: ReactNode; note: string; amount: string }[];
  children?: ReactNode;
};

const Sums = ({ title, amount, href, tone, none, picture, lines, children }: SumsProps) => (
  <CardSection title={title} padding="none">
    <Link
      href={href}
      className={classNames(
        'block rounded-t-card px-4.5 py-3.5 font-heading text-24 font-bold tabular-nums hover:bg-leaf-tint/50',
        lines.length > 0 ? tone : 'text-ink-soft',
      )}
    >
      {showPeso(amount)}
    </Link>
    {picture}
    {lines.length === 0 && <p className="px-4.5 pb-4 text-14 text-ink-soft">{none}</p>}
    <ul className="divide-y divide-line border-t border-line empty:hidden">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may lead to the same list
        <li key={index}>
          <Link
            href={line.href}
            className="flex min-h-11 items-center justify-between gap-4 px-4.5 py-1.5 text-14 hover:bg-leaf-tint/50"
          >
            <span className="min-w-0">
              <CellLines main={line.main} note={line.note} />
            </span>
            <span className="font-heading font-semibold tabular-nums">{showPeso(line.amount)}</span>
          </Link>
        </li>
      ))}
    </ul>
    {children}
  </CardSection>
);

/** The day's receipts by channel and person, what their total is made of, and the day's other movements. */
function Collected({ day }: { day: DayReport }) {
  const { id } = useUser();
  const isOwn = ({ recordedBy }: DayReport['collected'][number]) => recordedBy === id;
  const ownFirst = [...day.collected].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const { parts } = panel.reports;
  const moved = [
    ...(['principal', 'interest', 'lateCharges', 'credit'] as const).map((id) => [id, day[id]] as const),
    ...(['fromWallet', 'disbursed', 'withdrawals', 'reversed', 'refunded'] as const).map(
      (id) => [id, day[id].amount] as const,
    ),
  ].filter(([, amount]) => Number(amount) > 0);
  return (
    <Sums
      title={words.collected}
      amount={day.total}
      href={addressOf(paths.payments, {}, { receivedOn: day.date, channel: '!wallet' })}
      tone="text-leaf"
      none={words.collectedNone}
      picture={<LastDays />}
      lines={ownFirst.map((line) => {
        const { channel, recordedBy, recordedByName, confirmedBy, confirmedByName, count, amount } = line;
        const by =
          recordedBy === 'borrower' ? words.byBorrower : words.recordedBy(recordedByName, isOwn(line));
        const checked = confirmedByName && confirmedByName !== recordedByName;
        return {
          href: addressOf(
            paths.payments,
            {},
            {
              receivedOn: day.date,
              channel,
              by: recordedBy,
              confirmedBy: confirmedBy ?? 'nobody',
            },
          ),
          main: panel.servicing.channels[channel],
          note: [words.payments(count), by, checked && words.confirmedBy(confirmedByName)]
            .filter(Boolean)
            .join(', '),
          amount,
        };
      })}
    >
      {moved.length > 0 && (
        <Link
          href={paths.reports}
          className="block rounded-b-card border-t border-line px-4.5 py-3 text-12 text-ink-soft tabular-nums hover:bg-leaf-tint/50"
        >
          {moved.map(([part, amount]) => panel.loanStep.figure(parts[part], showPeso(amount))).join(' · ')}
        </Link>
      )}
    </Sums>
  );
}

function Overdue({ portfolio: { overdue, buckets } }: { portfolio: Portfolio }) {
  const late = buckets.filter(({ bucket, loans }) => bucket !== 'current' && loans > 0);
  return (
    <Sums
      title={words.overdueTitle}
      amount={overdue.amount}
      href={paths.collections}
      tone="text-bad"
      none={words.overdueNone}
      lines={late.map(({ bucket, loans, overdue: amount }) => ({
        href: addressOf(paths.collections, {}, { status: bucket }),
        main: words.days(bucket.replace('-', '–')),
        note: words.loans(loans),
        amount,
      }))}
    />
  );
}

function DoneAlone({ people }: { people: Today['aloneToday'] }) {
  if (people.length === 0) return null;
  return (
    <CardSection title={words.alone}>
      <ul className="flex flex-col gap-1 text-14">
        {people.map(({ staffId, name, confirmed, waived, cash }) => (
          <li key={staffId}>
            <bdi className="font-semibold">{name}</bdi>:{' '}
            {words.aloneText({
              confirmed: showPeso(confirmed),
              waived: showPeso(waived),
              cash: showPeso(cash),
            })}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-12 text-ink-soft">{words.aloneNote}</p>
    </CardSection>
  );
}

function ToSetUp({ parts }: { parts: Today['toSetUp'] }) {
  if (parts.length === 0) return null;
  return (
    <Banner tone="warn" title={words.setUp}>
      <ul className="list-disc pl-5">
        {parts.map((part) => (
          <li key={part}>
            {part === 'lender' || part === 'backup' || part === 'sms' ? (
              words.toSetUp[part]
            ) : (
              <Link href={paths.settings} className="underline">
                {words.toSetUp[part]}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
