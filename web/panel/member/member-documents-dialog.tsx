import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { documentPieces, missingForVerification } from '#domain/profile.ts';
import { call } from '#web/lib/call.ts';
import { DocumentTiles } from '#web/lib/document-tiles.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { applyConflict } from '#web/panel/lib/staff-action.ts';
import { acceptMember, currentFieldsOf, isGone } from '#web/panel/lib/staff-rows.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DocumentTile } from '#web/ui/document-tile.tsx';
import { memberName, memberRow } from './member-text.tsx';

const words = panel.memberDocuments;
const { documents, verification } = en;

/** A member's identity documents: view, and upload on their behalf. */
export function MemberDocumentsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const missing = missingForVerification(member);
  return (
    <Dialog
      size="large"
      title={words.title}
      description={words.of(memberName(member))}
      closeLabel={en.shell.close}
      onClose={onClose}
    >
      <MemberDocuments member={member} />
      <p className="mt-4 text-14 text-ink-soft">
        {missing.length === 0
          ? words.isVerified
          : `${words.missing}: ${missing.map((piece) => verification.pieces[piece]).join(', ')}`}
      </p>
    </Dialog>
  );
}

export function MemberDocuments({ member }: { member: Member }) {
  const { id } = member;
  return (
    <DocumentTiles
      urls={member}
      openLabels={panel.memberPanel.open}
      attach={async (piece, url, replaced) => {
        const body = { [piece]: url, expected: { [piece]: replaced } };
        acceptMember(await call(api.updateMember, { params: { id }, body }));
      }}
      onFailure={(error, piece) => {
        const row = memberRow(id);
        const present = currentFieldsOf(error);
        applyConflict(row, error);
        if (!present) return { message: isGone(error) ? row.gone : undefined };
        // A retry replaces the newer photo, which staff have seen by then.
        const replaced = (present[piece] as string | null | undefined) ?? null;
        return { message: panel.conflict.replaceAgain, replaced };
      }}
    />
  );
}

/** Before a member is saved, there is nobody to attach a photo to (§uploading). */
export function UnsavedDocuments() {
  const { saveFirst, saveFirstText } = panel.memberForm;
  return (
    <div className="grid grid-cols-3 gap-2.5">
      {documentPieces.map((piece) => (
        <DocumentTile
          key={piece}
          piece={piece}
          label={verification.pieces[piece]}
          emptyText={documents.add}
          changeText={documents.change}
          onFile={() => toast({ tone: 'bad', title: saveFirst, description: saveFirstText })}
        />
      ))}
    </div>
  );
}
