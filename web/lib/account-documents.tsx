import { useId, useLayoutEffect, useRef, useState } from 'react';
import { type DocumentPiece, documentPieces } from '#domain/profile.ts';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { DocumentTile } from '#web/ui/document-tile.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useAccountWords } from './all-words.ts';
import { useDocumentUpload } from './document-upload.ts';
import { useStoredImage } from './stored-image.ts';

type DocumentTilesProps = {
  urls: Record<DocumentPiece, string | null>;
  openLabels: Record<DocumentPiece, string>;
  /** These two are as `useDocumentUpload` describes them. */
  attach: (piece: DocumentPiece, url: string, replaced: string | null) => Promise<unknown>;
  onFailure?: (error: unknown, piece: DocumentPiece) => { message?: string; replaced?: string | null };
};

/** An account's three identity documents: view, upload, replace (§profile-page). */
export const DocumentTiles = (props: DocumentTilesProps) => (
  <div className="grid gap-2.5">
    {documentPieces.map((piece) => (
      <DocumentSlot key={piece} {...props} piece={piece} />
    ))}
  </div>
);

type SlotProps = DocumentTilesProps & { piece: DocumentPiece };

/** A document's tile, with messages about its upload below it, and the picture enlarged. */
function DocumentSlot({ piece, urls, openLabels, attach, onFailure }: SlotProps) {
  const { documents, shell, verification } = useAccountWords();
  const [isOpen, setOpen] = useState(false);
  const url = urls[piece];
  const title = verification.pieces[piece];
  const image = useStoredImage(url);
  const { upload, choose, cancel, retry } = useDocumentUpload({
    current: url,
    attach: (uploaded, replaced) => attach(piece, uploaded, replaced),
    onFailure: (error) => onFailure?.(error, piece) ?? {},
  });
  const input = useRef<HTMLInputElement>(null);
  const below = useRef<HTMLDivElement>(null);
  const { src } = image;
  const isUnderWay = upload.state === 'underWay';

  // The focus moves along with an upload: from the disabled input to the progress message, whose buttons may disappear
  // too, and back to the input.
  const isFollowed = useRef(false);
  // A newly disabled input still has the focus in a layout effect; only a removed element has lost it.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    const isNowhere = !activeElement || activeElement === body;
    if (isUnderWay) {
      isFollowed.current = isNowhere || activeElement === input.current;
      if (isFollowed.current) below.current?.focus();
    } else if (isFollowed.current && isNowhere) input.current?.focus();
  }, [isUnderWay]);

  return (
    <div className="contents">
      <DocumentTile
        piece={piece}
        label={title}
        hint={url === null ? documents.howTo[piece] : undefined}
        imageUrl={src}
        text={url === null ? documents.add : image.state === 'loading' ? shell.loading : documents.change}
        onFile={choose}
        disabled={isUnderWay}
        preview={src === undefined ? undefined : { label: openLabels[piece], onOpen: () => setOpen(true) }}
        inputRef={input}
      />
      {(upload.state !== 'idle' || image.state === 'failed') && (
        <div ref={below} tabIndex={-1} className="rounded-control bg-sunken p-3">
          {upload.state === 'idle' && (
            <Problem title={title} text={documents.loadFailed} onRetry={image.retry} />
          )}
          {upload.state === 'failed' && (
            <Problem title={title} text={upload.message} onRetry={upload.canRetry ? retry : undefined} />
          )}
          {isUnderWay && <OnItsWay title={title} percent={upload.percent} onCancel={cancel} />}
        </div>
      )}
      {isOpen && (
        <Dialog size="large" onClose={() => setOpen(false)} title={title} closeLabel={shell.close}>
          <img src={src} alt={title} className="mx-auto max-h-[70dvh] max-w-full rounded-control" />
          <DialogActions>
            <Button
              look="secondary"
              onClick={() => {
                setOpen(false);
                input.current?.click();
              }}
            >
              {documents.change}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}

function OnItsWay({ title, percent, onCancel }: { title: string; percent?: number; onCancel: () => void }) {
  const { documents, shell } = useAccountWords();
  const label = percent === undefined ? documents.preparing : documents.uploading;
  const valueText = percent === undefined ? undefined : `${percent}%`;
  return (
    <>
      <p className="text-14 font-semibold">{title}</p>
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <div aria-hidden="true" className="mb-1 flex justify-between gap-3 text-12 text-ink-soft">
            <span>{label}</span>
            <span>{valueText}</span>
          </div>
          <ProgressBar max={100} value={percent} aria-label={label} aria-valuetext={valueText} />
        </div>
        <QuietButton className="-mr-2" onClick={onCancel}>
          {shell.cancel}
        </QuietButton>
      </div>
    </>
  );
}

function Problem({ title, text, onRetry }: { title: string; text: string; onRetry?: () => void }) {
  const { shell } = useAccountWords();
  const id = useId();
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      <div className="min-w-0 flex-[1_1_9rem]">
        <p className="text-14 font-semibold">{title}</p>
        <FieldError id={id}>{text}</FieldError>
      </div>
      {onRetry && (
        <Button look="secondary" size="compact" onClick={onRetry}>
          {shell.retry}
        </Button>
      )}
    </div>
  );
}
