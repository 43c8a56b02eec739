import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { useStoredImage } from '#web/lib/stored-image.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { DocumentTile } from '#web/ui/document-tile.tsx';
import { type DocumentPiece, useMemberUpload } from './use-member-upload.ts';

const { documents, shell, verification } = en;

type Props = {
  member: Member;
  piece: DocumentPiece;
  /** Opens the picture in large. */
  onOpen: (src: string) => void;
};

/** One document of a member: its picture, the file input, and what becomes of a file on its way. */
export function MemberDocument({ member, piece, onOpen }: Props) {
  const url = member[piece];
  const image = useStoredImage(url);
  const { percent, failure, canRetry, choose, retry } = useMemberUpload(member, piece);
  const { src } = image;
  const failedToLoad = image.state === 'failed';
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <DocumentTile
        piece={piece}
        label={verification.pieces[piece]}
        imageUrl={src}
        emptyText={
          url === null ? documents.add : image.state === 'loading' ? shell.loading : documents.change
        }
        changeText={documents.change}
        onFile={choose}
        upload={
          percent === undefined
            ? undefined
            : { label: documents.uploading, percent, valueText: documents.percent(percent) }
        }
        preview={
          src === undefined ? undefined : { label: panel.memberPanel.open[piece], onOpen: () => onOpen(src) }
        }
        error={failure ?? (failedToLoad ? documents.loadFailed : undefined)}
      />
      {(canRetry || failedToLoad) && (
        <Button look="secondary" size="small" onClick={canRetry ? retry : image.retry}>
          {shell.retry}
        </Button>
      )}
    </div>
  );
}

/** The same for a member who is not saved yet: there is nobody to attach a photo to (§uploading). */
export function UnsavedDocument({ piece }: { piece: DocumentPiece }) {
  const words = panel.memberForm;
  return (
    <DocumentTile
      piece={piece}
      label={verification.pieces[piece]}
      emptyText={documents.add}
      changeText={documents.change}
      onFile={() => toast({ tone: 'bad', title: words.saveFirst, description: words.saveFirstText })}
    />
  );
}
