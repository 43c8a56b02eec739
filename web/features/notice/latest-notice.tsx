import { BellIcon, CircleCheckIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Notification } from '#contract/notification.ts';
import { messagesPath } from '#contract/routes.ts';
import { manilaTime } from '#domain/calendar.ts';
import { isAccessNotice } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { contractPath, myLoanPath } from '#web/lib/loan-standing.ts';
import { BalanceLine, type BalanceShown } from '#web/lib/money-dialog.tsx';
import { countText, useOlderRows } from '#web/lib/older-rows.tsx';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { readStored, writeStored } from '#web/lib/stored-value.ts';
import { seenKeys } from '#web/lib/token.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { accountNews, isGoodNews, noticeText } from './notice-text.ts';

/** Longer messages are truncated here and shown in full in the list of all: roughly six lines on a small phone. */
const shownLines = 6;
const longFromLetters = 180;

/** `isLate`: a loan is overdue, so no older message is shown as good news or in full. */
export function LatestNotice({ isLate, balanceShown }: { isLate: boolean; balanceShown: boolean }) {
  const words = useAccountWords();
  const { dateTime, messages } = words;
  const read = useRead(api.listNotifications);

  function drawNewest(notices: readonly Notification[]) {
    const notice = notices.find(({ isOver }) => !isOver);
    const openAll = (
      <GoLink href={messagesPath} replace {...onward}>
        {messages.all(countText(notices))}
      </GoLink>
    );
    if (!notice) {
      return (
        <Banner icon={<BellIcon />} title={messages.noneNew}>
          {openAll}
        </Banner>
      );
    }
    const { title, message } = noticeText(notice, { words, balanceShown });
    const isLong = message.length > longFromLetters || message.split('\n').length > shownLines;
    return (
      <Banner
        tone={isAccessNotice(notice.type) ? 'warn' : 'info'}
        icon={isGoodNews(notice) && !isLate ? <CircleCheckIcon /> : <BellIcon />}
        title={title}
        className="grow *:self-start"
      >
        {!isLate && (
          <p className={classNames('whitespace-pre-line wrap-anywhere', isLong && 'line-clamp-6')}>
            {message}
          </p>
        )}
        <p className="mt-1 text-12">{dateTime(notice.createdAt)}</p>
        <Onward notice={notice} isBrief />
        {(notices.length > 1 || isLong) && openAll}
      </Banner>
    );
  }

  return (
    <Section title={messages.latest}>
      <QueryStates query={read} skeleton={noticeShape} failedTitle={messages.failed} framed>
        {drawNewest}
      </QueryStates>
    </Section>
  );
}

/** A message that came after the one of this number is new. */
const [seenKey] = seenKeys;

type ListProps = BalanceShown & { notices: readonly Notification[]; onClose: () => void };

/** The balance is hidden in it until it is shown, here as on the wallet. */
export function AllNotices({ notices, balanceShown, onBalanceShown, onClose }: ListProps) {
  const words = useAccountWords();
  const { date, messages, shell } = words;
  const { rows, more } = useOlderRows(api.listNotifications, notices);
  const [seen] = useState(() => Number(readStored(seenKey) ?? Number.POSITIVE_INFINITY));
  useEffect(() => void writeStored(seenKey, notices[0] && String(notices[0].id)), [notices]);
  const days = new Map<string, Notification[]>();
  for (const notice of rows) {
    const day = date(notice.createdAt);
    days.set(day, [...(days.get(day) ?? []), notice]);
  }
  return (
    <Dialog onClose={onClose} title={shell.messages} closeLabel={shell.close} onlyRead>
      {rows.length === 0 ? (
        <p className="text-14 text-ink-soft">{messages.noneText}</p>
      ) : (
        <div className="mb-3">
          <BalanceLine shown={balanceShown} onShownChange={onBalanceShown} />
        </div>
      )}
      {[...days].map(([day, ofDay]) => (
        <section key={day} className="pb-3">
          <h3 className="text-12 font-semibold text-ink-soft">{day}</h3>
          <ul className="divide-y divide-line">
            {ofDay.map((notice) => {
              const { title, message } = noticeText(notice, { words, balanceShown });
              return (
                <li key={notice.id} className="py-3">
                  <div className="flex items-baseline gap-2">
                    <h4
                      className={classNames(
                        'min-w-0 flex-1 font-semibold',
                        isGoodNews(notice) && 'text-good',
                      )}
                    >
                      {title}
                      {notice.id > seen && (
                        <>
                          <span className="mark ml-2 inline-block size-2 rounded-full bg-leaf" />
                          <span className="sr-only">{messages.isNew}</span>
                        </>
                      )}
                    </h4>
                    <span className="text-12 text-ink-soft">{manilaTime(new Date(notice.createdAt))}</span>
                  </div>
                  <p className="whitespace-pre-line text-14 text-ink-soft wrap-anywhere">{message}</p>
                  <Onward notice={notice} />
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {more}
    </Dialog>
  );
}

const onward = { look: 'quiet', size: 'compact', className: '-mb-2.5 -ml-3.5' } as const;

/** Leads from a message to the contract and the account that it is about; in brief to one of them. */
function Onward({ notice: { type, details }, isBrief }: { notice: Notification; isBrief?: boolean }) {
  const { dashboard, shell } = useAccountWords();
  const { contractOf, loanNumber } = details ?? {};
  const path = contractPath(Number(contractOf));
  const isOfAccount = Object.hasOwn(accountNews, type) && loanNumber !== undefined;
  return (
    <>
      {Number(contractOf) > 0 && !(isBrief && isOfAccount) && (
        <GoLink
          // Above the list of messages, if it was opened there.
          href={isBrief ? path : path.replace('?', '?messages&')}
          replace
          {...onward}
        >
          {dashboard.openContract}
        </GoLink>
      )}
      {isOfAccount && (
        <GoLink href={myLoanPath({ loanNumber })} {...onward}>
          {shell.myLoan}
        </GoLink>
      )}
    </>
  );
}

const noticeShape = (
  <Card>
    <SkeletonText lines={3} />
  </Card>
);
