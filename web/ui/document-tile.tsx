import { type ReactNode, type Ref, useId } from 'react';
import { classNames } from './class-names.ts';
import { CameraIcon, CircleCheckIcon } from './icons.tsx';
import { ProgressBar } from './progress-bar.tsx';

export interface DocumentTileProps {
  /** The document, which is also the file input's name: 'Front of ID'. */
  label: string;
  /** Where the picture is; nothing yet when absent. */
  imageUrl?: string;
  /** Under the label while there is no picture: 'Add a photo'. */
  emptyText: string;
  /** Under the label once there is one: 'Change the photo'. */
  changeText: string;
  /** Called with the chosen file; the same file may be chosen twice. Without it there is no file input. */
  onFile?: (file: File) => void;
  /** MIME types, as the file input takes them. */
  accept?: string;
  /** Shows the bar while defined: 0 to 100. */
  upload?: { label: string; percent: number; valueText: string };
  /** Opens the picture; without it the thumbnail is not a button. */
  preview?: { label: string; onOpen: () => void };
  error?: ReactNode;
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/** One identity document: thumbnail, its state in words and marks, and the file input over the whole lower part. */
export function DocumentTile({
  label,
  imageUrl,
  emptyText,
  changeText,
  onFile,
  accept = 'image/*',
  upload,
  preview,
  error,
  disabled,
  inputRef,
}: DocumentTileProps) {
  const id = useId();
  return (
    <div className="flex flex-col overflow-hidden rounded-card border border-line bg-card">
      <div className="relative">
        <Thumbnail imageUrl={imageUrl} preview={preview} />
        {imageUrl !== undefined && (
          <CircleCheckIcon className="pointer-events-none absolute right-1.5 top-1.5 size-6 rounded-full bg-card p-0.5 text-good" />
        )}
      </div>
      <div className="relative flex-1 px-1 py-2.5 text-center has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-focus">
        {onFile && (
          <input
            ref={inputRef}
            id={id}
            type="file"
            accept={accept}
            aria-label={label}
            aria-describedby={`${id}-note${error !== undefined ? ` ${id}-error` : ''}`}
            disabled={disabled || upload !== undefined}
            className="absolute inset-0 cursor-pointer opacity-0 file:cursor-pointer disabled:cursor-progress"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              event.currentTarget.value = '';
              if (file) onFile(file);
            }}
          />
        )}
        <p className="text-14 font-semibold">{label}</p>
        {upload ? (
          <ProgressBar {...upload} />
        ) : (
          <p id={`${id}-note`} className={classNames('text-12', onFile ? 'text-leaf' : 'text-ink-soft')}>
            {imageUrl === undefined ? emptyText : changeText}
          </p>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="mt-1 text-12 font-medium text-bad">
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

/** The picture alone, or a button that opens it. An absent one is a quiet frame with a camera. */
export function Thumbnail({ imageUrl, preview }: Pick<DocumentTileProps, 'imageUrl' | 'preview'>) {
  const picture = imageUrl !== undefined && <img src={imageUrl} alt="" className="size-full object-cover" />;
  if (!picture) {
    return (
      <div className="flex aspect-[4/3] items-center justify-center bg-leaf-tint text-leaf">
        <CameraIcon className="size-7" strokeWidth={1.5} />
      </div>
    );
  }
  if (!preview) return <div className="aspect-[4/3] bg-sunken">{picture}</div>;
  return (
    <button
      type="button"
      aria-label={preview.label}
      onClick={preview.onOpen}
      className="block aspect-[4/3] w-full bg-sunken hover:opacity-90 focus-visible:-outline-offset-3"
    >
      {picture}
    </button>
  );
}
