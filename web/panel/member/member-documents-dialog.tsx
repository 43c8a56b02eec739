import { useState } from 'react';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { documentPieces, missingForVerification } from '#domain/member.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { MemberDocument, UnsavedDocument } from './member-document.tsx';
import { memberName } from './member-text.tsx';
import type { DocumentPiece } from './use-member-upload.ts';

const words = panel.memberDocuments;

/** A member's identity documents: looked at in large, uploaded and changed on their behalf. */
export function MemberDocumentsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const missing = missingForVerification(member);
  return (
    <Dialog
      open
      size="large"
      title={words.title}
      description={words.of(memberName(member))}
      closeLabel={en.shell.close}
      onClose={onClose}
    >
      <DocumentTiles member={member} />
      <p className="mt-4 text-14 text-ink-soft">
        {missing.length === 0
          ? words.isVerified
          : `${words.missing}: ${missing.map((piece) => en.verification.pieces[piece]).join(', ')}`}
      </p>
    </Dialog>
  );
}

/** The three tiles; without a member they say that the member has to be saved first. */
export function DocumentTiles({ member }: { member: Member | undefined }) {
  const [opened, setOpened] = useState<{ piece: DocumentPiece; src: string }>();
  return (
    <>
      <div className="grid grid-cols-3 gap-3">
        {documentPieces.map((piece) =>
          member ? (
            <MemberDocument
              key={piece}
              member={member}
              piece={piece}
              onOpen={(src) => setOpened({ piece, src })}
            />
          ) : (
            <UnsavedDocument key={piece} piece={piece} />
          ),
        )}
      </div>
      {opened && (
        <Dialog
          open
          size="large"
          title={en.verification.pieces[opened.piece]}
          closeLabel={en.shell.close}
          onClose={() => setOpened(undefined)}
        >
          <img
            src={opened.src}
            alt={en.verification.pieces[opened.piece]}
            className="mx-auto max-h-[70dvh] max-w-full rounded-control"
          />
        </Dialog>
      )}
    </>
  );
}
