import { ClockIcon, DownloadIcon, Trash2Icon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Reply } from '#contract/endpoint.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call, fetchReply } from '#web/lib/call.ts';
import { lender } from '#web/lib/lender.ts';
import { PasswordDialog } from '#web/lib/password-dialog.tsx';
import { queryClient, readKey, refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { saveFile } from '#web/lib/save-file.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button, RowButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { MailLink } from '#web/ui/contact-link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** A person's rights to their data (RA 10173): download a copy, request deletion. */
export function YourData() {
  const { lender: company, privacy } = useAccountWords();
  const { dataProtectionOfficer: officer } = lender();
  const read = useRead(api.readDeletionRequest, { anew: true });
  const place = useFocusKept(read.data?.requestedAt);
  const [asking, setAsking] = useState<'download' | 'deletion'>();
  const close = () => setAsking(undefined);
  return (
    <Card id="data" role="region" aria-labelledby="data-title">
      <h2 id="data-title" className="font-heading text-20 font-bold">
        {privacy.title}
      </h2>
      <p className="mb-3 text-14 text-ink-soft">{privacy.why}</p>
      {officer && (
        <p className="mb-3 text-14 text-ink-soft">
          {company.officer}: {officer.name},{' '}
          <MailLink
            to={officer.email}
            className="font-semibold text-leaf underline underline-offset-2 wrap-anywhere"
          />
        </p>
      )}
      <div className="-mx-card border-t border-line">
        <RowButton icon={<DownloadIcon />} onClick={() => setAsking('download')}>
          {privacy.download}
        </RowButton>
      </div>
      <p className="-mt-2 pb-3 pl-6.5 text-14 text-ink-soft">{privacy.downloadNote}</p>
      <div ref={place} tabIndex={-1} className="-mx-card border-t border-line px-card">
        <QueryStates
          query={read}
          skeleton={<Skeleton className="h-11 w-full" />}
          failedTitle={privacy.failed}
        >
          {({ requestedAt }) =>
            requestedAt === null ? (
              <div className="-mx-card -mb-3">
                <RowButton icon={<Trash2Icon />} onClick={() => setAsking('deletion')}>
                  {privacy.ask}
                </RowButton>
              </div>
            ) : (
              <OpenRequest requestedAt={requestedAt} />
            )
          }
        </QueryStates>
      </div>
      {asking === 'download' && <DownloadDialog onClose={close} />}
      {asking === 'deletion' && <DeletionDialog onClose={close} />}
    </Card>
  );
}

/** Restores focus when the focused button is replaced by the request's new state. */
function useFocusKept(requestedAt: string | null | undefined) {
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(requestedAt);
  useEffect(() => {
    const isChanged = before.current !== undefined && before.current !== requestedAt;
    before.current = requestedAt;
    if (isChanged && document.activeElement === document.body) place.current?.focus();
  }, [requestedAt]);
  return place;
}

function OpenRequest({ requestedAt }: { requestedAt: string }) {
  const { done, notices, privacy, shell, date } = useAccountWords();
  const [busy, run] = useAction();
  const takeBack = () =>
    run(shell.requestFailed, async () => {
      await call(api.withdrawDeletion);
      toast({ title: done.requestTakenBack });
      keepRequest({ requestedAt: null });
    });
  const { title, message } = notices.deletion_requested();
  return (
    <Banner
      tone="warn"
      icon={<ClockIcon />}
      title={title}
      action={
        <Button look="secondary" size="compact" busy={busy} onClick={() => void takeBack()}>
          {privacy.takeBack}
        </Button>
      }
    >
      {privacy.sentOn(date(requestedAt))} {message}
    </Banner>
  );
}

function DownloadDialog({ onClose }: { onClose: () => void }) {
  const { papers, privacy, language } = useAccountWords();
  return (
    <PasswordDialog
      title={privacy.downloadTitle}
      text={privacy.downloadText}
      sendLabel={privacy.downloadSend}
      busyLabel={privacy.preparing}
      failedTitle={papers.downloadFailed}
      send={async (body) => {
        const reply = await fetchReply(api.downloadOwnArchive, { query: { lang: language }, body });
        saveFile(await reply.blob(), 'hiram-my-data.zip');
      }}
      onClose={onClose}
    />
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const { notices, privacy, session, shell } = useAccountWords();
  return (
    <PasswordDialog
      title={privacy.askTitle}
      text={privacy.askText}
      sendLabel={privacy.send}
      busyLabel={session.pleaseWait}
      isDanger
      failedTitle={shell.requestFailed}
      send={async (body) => {
        const request = await call(api.requestDeletion, { body });
        toast({ title: notices.deletion_requested().title });
        keepRequest(request);
      }}
      onClose={onClose}
    >
      <ul className="flex list-disc flex-col gap-2 pl-4.5 text-14">
        {privacy.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </PasswordDialog>
  );
}

/** Caches the request from a reply without refetching. The borrower gets a message about it. */
function keepRequest(request: Reply<typeof api.readDeletionRequest>): void {
  queryClient.setQueryData(readKey(api.readDeletionRequest), request);
  void refreshReads(api.listNotifications);
}
