import { useState } from 'react';
import { documentPieces } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { lender } from '#web/lib/lender.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { RefreshIcon } from '#web/ui/icons.tsx';
import { DocumentSlot } from './document-slot.tsx';
import type { DocumentPiece } from './use-document-upload.ts';

type Opened = { piece: DocumentPiece; src: string; change: () => void };

/** The three identity documents: upload, look at, read again (spec sections 2 and 4). */
export function Documents({ id }: { id: string }) {
  const { consents, documents, shell, verification } = useAccountWords();
  const user = useUser();
  const { refresh } = useSession();
  const [refreshing, setRefreshing] = useState(false);
  const [opened, setOpened] = useState<Opened>();

  async function readAgain() {
    setRefreshing(true);
    // A failure is only logged (spec section 8): what is on the screen stays.
    if (await refresh()) toast({ title: documents.refreshed });
    setRefreshing(false);
  }

  return (
    <Section id={id} title={documents.title} headingId={`${id}-title`}>
      <Card>
        <p className="text-14 text-ink-soft">{documents.why}</p>
        <p className="my-3 text-14">
          <span className="font-semibold">{documents.acceptedIds}</span> {documents.ids}
        </p>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(max(5.75rem,(100%-1.25rem)/3),1fr))] gap-2.5">
          {documentPieces.map((piece) => (
            <DocumentSlot
              key={piece}
              piece={piece}
              url={user[piece]}
              onOpen={(picture) => setOpened({ piece, ...picture })}
            />
          ))}
        </div>
        <p className="mt-3 text-14">{documents.howTo}</p>
        <p className="mt-3 text-12 text-ink-soft">{consents.documents(lender().name)}</p>
        <Button
          look="quiet"
          wide
          className="mt-3"
          busy={refreshing}
          icon={<RefreshIcon className="size-4.5 shrink-0" />}
          onClick={() => void readAgain()}
        >
          {documents.refresh}
        </Button>
      </Card>
      {opened && (
        <Dialog
          open
          size="large"
          onClose={() => setOpened(undefined)}
          title={verification.pieces[opened.piece]}
          closeLabel={shell.close}
        >
          <img
            src={opened.src}
            alt={verification.pieces[opened.piece]}
            className="mx-auto max-h-[70dvh] max-w-full rounded-control"
          />
          <DialogActions>
            <Button
              look="secondary"
              onClick={() => {
                setOpened(undefined);
                opened.change();
              }}
            >
              {documents.change}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </Section>
  );
}
