import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { type DocumentPiece, documentPieces } from '#domain/profile.ts';
import { useStoredImage } from '#web/lib/stored-image.ts';
import { Thumbnail } from '#web/ui/document-tile.tsx';

const words = panel.memberPanel;

/** The three documents in small; each leads to where they are looked at and changed. */
export function PanelDocuments({ member, onOpen }: { member: Member; onOpen: () => void }) {
  return (
    <div className="grid grid-cols-3 gap-2 pb-4">
      {documentPieces.map((piece) => (
        <SmallDocument key={piece} piece={piece} url={member[piece]} onOpen={onOpen} />
      ))}
    </div>
  );
}

function SmallDocument({
  piece,
  url,
  onOpen,
}: {
  piece: DocumentPiece;
  url: string | null;
  onOpen: () => void;
}) {
  const image = useStoredImage(url);
  return (
    <div className="overflow-hidden rounded-small border border-line text-center">
      <Thumbnail
        piece={piece}
        imageUrl={image.src}
        preview={image.src === undefined ? undefined : { label: words.open[piece], onOpen }}
      />
      <p className="py-1 text-12 text-ink-soft">
        {words.shortDocuments[piece]}
        {url === null && <span className="sr-only">: {words.noDocument}</span>}
      </p>
    </div>
  );
}
