import { BellIcon } from 'lucide-react';
import { useEffect } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { home } from '#contract/wording/en-home.ts';
import { wallet } from '#contract/wording/en-wallet.ts';
import { noticesIn } from '#contract/wording/notices.ts';
import { isAccessNotice } from '#domain/member.ts';
import { useAction } from '#web/lib/action.ts';
import { call } from '#web/lib/call.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { useSession } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { noticeText } from './notice-text.ts';

const english = { ...home, ...wallet, notices: noticesIn('en') };

/** Changes to password, phone, bank details and code, or to a colleague's second step, until the reader has read them. */
export function AccessNews({ since }: { since: string }) {
  const words = useWordsOf(english);
  const { dateTime, messages, shell } = words;
  const { refresh } = useSession();
  const [busy, run] = useAction();
  const read = useRead(api.listNotifications);
  const all = (read.data ?? []).filter(({ type, createdAt }) => isAccessNotice(type) && createdAt >= since);
  // A code that was used or replaced since is no longer news.
  const news = all.filter(({ isOver }) => !isOver);
  const [newest] = news;
  const isOld = read.data !== undefined && all.length === 0;
  useEffect(() => {
    // The cached messages are older than the news.
    if (isOld) void refreshReads(api.listNotifications);
  }, [isOld]);
  if (!newest) return null;

  const close = (lastId: number) =>
    run(shell.requestFailed, async () => {
      await call(api.closeAccessNews, { body: { lastId } });
      await refresh();
    });
  return (
    <section aria-label={messages.accessTitle}>
      <Banner tone="warn" icon={<BellIcon />}>
        <ul className="flex flex-col gap-3">
          {news.map((notice) => {
            const { title, message } = noticeText(notice, { words, balanceShown: false });
            return (
              <li key={notice.id}>
                <p className="text-16 font-semibold">{title}</p>
                <p className="text-ink-soft">{message}</p>
                <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-4">
                  <p className="text-12 text-ink-soft">{dateTime(notice.createdAt)}</p>
                  {notice === news.at(-1) && (
                    <Button look="secondary" size="compact" busy={busy} onClick={() => void close(newest.id)}>
                      {messages.accessClose}
                    </Button>
                  )}
                </div>
              </li>
            );
          })}
        </ul>
      </Banner>
    </section>
  );
}
