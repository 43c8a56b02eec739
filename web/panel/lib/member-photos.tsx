import { RotateCwIcon, ZoomInIcon, ZoomOutIcon } from 'lucide-react';
import { useState } from 'react';
import type { Member } from '#contract/member.ts';
import { home } from '#contract/wording/en-home.ts';
import { profile } from '#contract/wording/en-profile.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { type DocumentPiece, documentPieces } from '#domain/profile.ts';
import { useStoredImage } from '#web/lib/stored-image.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Thumbnail } from '#web/ui/document-tile.tsx';
import { memberName } from './list-view.ts';

const labels = panel.memberPanel;
const words = panel.memberPhotos;

/** The three photos in small, which open large and side by side. */
export function MemberPhotos({ member, onOpen }: { member: Member | null; onOpen?: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="grid grid-cols-3 gap-2 pb-4">
        {documentPieces.map((piece) => (
          <SmallDocument
            key={piece}
            piece={piece}
            url={member?.[piece] ?? null}
            onOpen={onOpen ?? (() => setOpen(true))}
          />
        ))}
      </div>
      {isOpen && member && <PhotosDialog member={member} onClose={() => setOpen(false)} />}
    </>
  );
}

type SmallProps = { piece: DocumentPiece; url: string | null; onOpen: () => void };

function SmallDocument({ piece, url, onOpen }: SmallProps) {
  const image = useStoredImage(url);
  return (
    <div className="overflow-hidden rounded-small border border-line text-center">
      <Thumbnail
        piece={piece}
        imageUrl={image.src}
        preview={image.src === undefined ? undefined : { label: labels.open[piece], onOpen }}
      />
      <p className="py-1 text-12 text-ink-soft">
        {labels.shortDocuments[piece]}
        {url === null && <span className="sr-only">: {labels.noDocument}</span>}
      </p>
    </div>
  );
}

const zooms = [1, 1.5, 2, 3, 4];

/** Side by side, to compare the face and the name; all zoom together, each turns on its own. */
function PhotosDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [step, setStep] = useState(0);
  return (
    <Dialog
      size="wide"
      title={words.title}
      description={panel.memberDocuments.of(memberName(member))}
      closeLabel={home.shell.close}
      onClose={onClose}
    >
      <div className="flex gap-2 pb-3">
        {[
          { label: words.zoomIn, icon: <ZoomInIcon />, to: step + 1 },
          { label: words.zoomOut, icon: <ZoomOutIcon />, to: step - 1 },
        ].map(({ label, icon, to }) => (
          <Button
            key={label}
            look="secondary"
            size="small"
            icon={icon}
            disabled={zooms[to] === undefined}
            onClick={() => setStep(to)}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="grid grid-cols-3 gap-3">
        {documentPieces.map((piece) => (
          <LargePhoto key={piece} piece={piece} url={member[piece]} zoom={zooms[step] ?? 1} />
        ))}
      </div>
    </Dialog>
  );
}

const imageNotes = { none: labels.noDocument, failed: words.failed, loading: home.shell.loading, ready: '' };

function LargePhoto({ piece, url, zoom }: { piece: DocumentPiece; url: string | null; zoom: number }) {
  const image = useStoredImage(url);
  const [turns, setTurns] = useState(0);
  const name = profile.verification.pieces[piece];
  return (
    <figure>
      <figcaption className="flex min-h-9 items-center justify-between text-14 font-semibold">
        {name}
        {image.src !== undefined && (
          <IconButton size="small" label={words.rotate(name)} onClick={() => setTurns(turns + 1)}>
            <RotateCwIcon />
          </IconButton>
        )}
      </figcaption>
      <section
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a zoomed photo is scrolled by the arrow keys
        tabIndex={0}
        className="aspect-square max-h-[65dvh] w-full overflow-auto rounded-control bg-sunken"
      >
        {image.src === undefined ? (
          <p className="p-4 text-14 text-ink-soft">{imageNotes[image.state]}</p>
        ) : (
          // Square, so that a turned photo stays in its place.
          <img
            src={image.src}
            alt={name}
            className="aspect-square max-w-none object-contain"
            style={{ width: `${zoom * 100}%`, transform: `rotate(${turns * 90}deg)` }}
          />
        )}
      </section>
    </figure>
  );
}
