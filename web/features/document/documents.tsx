import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { DocumentTiles } from '#web/lib/document-tiles.tsx';
import { lender } from '#web/lib/lender.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { RefreshIcon } from '#web/ui/icons.tsx';

/** The three identity documents: upload, view, refresh (§photos). */
export function Documents({ id }: { id: string }) {
  const { consents, documents } = useAccountWords();
  const user = useUser();
  const { accept, refresh } = useSession();
  const [refreshing, setRefreshing] = useState(false);

  async function readAgain() {
    setRefreshing(true);
    // Failures are only logged; what is on screen stays.
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
        <DocumentTiles
          urls={user}
          openLabels={documents.open}
          attach={(piece, url) => accept(call(api.updateProfile, { body: { [piece]: url } }))}
          advises
        />
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
    </Section>
  );
}
