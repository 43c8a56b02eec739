import { useEffect, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { accessNotices } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useFormats } from '#web/lib/format.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { noticeText } from './latest-notice.tsx';

const isOfAccess = (type: string) => (accessNotices as readonly string[]).includes(type);

/** Changes to password, phone, bank details and code, until the borrower confirms having read them. */
export default function AccessNews({ since }: { since: string }) {
  const words = useAccountWords();
  const { shell, messages } = words;
  const { dateTime } = useFormats();
  const { refresh } = useSession();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const read = useRead(api.listNotifications);
  const all = (read.data ?? []).filter(({ type, createdAt }) => isOfAccess(type) && createdAt >= since);
  // A code that was used or replaced since is no longer news.
  const news = all.filter(({ isOver }) => !isOver);
  const [newest] = news;
  const isOld = read.data !== undefined && all.length === 0;
  useEffect(() => {
    // The cached messages are older than the news.
    if (isOld) void refreshReads(api.listNotifications);
  }, [isOld]);
  if (!newest) return null;

  async function close(lastId: number) {
    setBusy(true);
    try {
      await call(api.closeAccessNews, { body: { lastId } });
      await refresh();
    } catch (error) {
      toast({ tone: 'bad', title: shell.requestFailed, description: errorText(error) });
    }
    setBusy(false);
  }

  return (
    <section aria-label={messages.accessTitle}>
      <Banner
        tone="warn"
        icon={<BellIcon />}
        title={messages.accessTitle}
        action={
          <Button look="secondary" size="compact" busy={busy} onClick={() => void close(newest.id)}>
            {messages.accessClose}
          </Button>
        }
      >
        <ul className="mt-2.5 flex flex-col gap-3">
          {news.map((notice) => {
            const { title, message } = noticeText(notice, { words, balanceShown: false });
            return (
              <li key={notice.id}>
                <p className="font-semibold text-ink">{title}</p>
                <p>{message}</p>
                <p className="text-12">{dateTime(notice.createdAt)}</p>
              </li>
            );
          })}
        </ul>
      </Banner>
    </section>
  );
}
