import { CameraIcon, CircleCheckIcon } from 'lucide-react';
import { type Ref, useId } from 'react';
import { classNames } from './class-names.ts';

interface DocumentTileProps {
  piece: keyof typeof outlines;
  /** The document, which also names the file input: 'Front of ID'. */
  label: string;
  /** How to take it. */
  hint?: string;
  imageUrl?: string;
  /** The button's text. */
  text: string;
  /** Called with the chosen file; the same file may be chosen again. */
  onFile: (file: File) => void;
  /** Opens the picture; without it the thumbnail is not a button. */
  preview?: { label: string; onOpen: () => void };
  disabled?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}

/**
 * For an images-only `accept`, Chrome on Android 14+ opens its photo picker, which has no camera. An unknown type makes
 * it offer both; other browsers ignore it.
 */
const imagesFromCameraToo = 'image/*,android/allowCamera';

const inputArea =
  'relative hover:bg-leaf-tint after:pointer-events-none after:absolute after:inset-0 after:rounded-control has-focus-visible:after:outline-3 has-focus-visible:after:-outline-offset-3 has-focus-visible:after:outline-focus';

/**
 * One identity document: thumbnail, state and file input. Without a preview, tapping anywhere opens the file chooser;
 * with one, tapping the picture shows it and tapping the text changes it.
 */
export function DocumentTile(props: DocumentTileProps) {
  const { piece, label, hint, imageUrl, text, onFile, preview, disabled, inputRef } = props;
  const id = useId();
  return (
    <div
      className={classNames(
        // The picture is above the text where there is no room beside it.
        'flex flex-wrap items-center overflow-hidden rounded-control border border-line',
        !preview && inputArea,
      )}
    >
      <div
        className={classNames(
          'relative overflow-hidden rounded-control [&>:first-child]:h-full',
          imageUrl === undefined
            ? 'm-2.5 mr-0 flex-[0_1_6.5rem] wide:flex-[0_1_8.5rem]'
            : 'flex-[0_1_5.5rem]',
        )}
      >
        <Thumbnail piece={piece} imageUrl={imageUrl} preview={preview} />
        {imageUrl !== undefined && (
          <CircleCheckIcon className="pointer-events-none absolute right-1.5 top-1.5 size-6 rounded-full bg-card p-0.5 text-good" />
        )}
      </div>
      <div
        className={classNames(
          'flex flex-[5_1_8.5rem] flex-col justify-center px-3.5 py-2.5',
          preview && inputArea,
        )}
      >
        <input
          ref={inputRef}
          id={id}
          type="file"
          accept={imagesFromCameraToo}
          aria-label={label}
          aria-describedby={`${id}-note`}
          disabled={disabled}
          className="absolute inset-0 size-full cursor-pointer opacity-0 file:cursor-pointer disabled:cursor-progress"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            event.currentTarget.value = '';
            if (file) onFile(file);
          }}
        />
        <p className="text-14 font-semibold">{label}</p>
        {hint !== undefined && <p className="text-14 text-ink-soft">{hint}</p>}
        <p
          id={`${id}-note`}
          className={classNames(
            'text-14 font-semibold text-leaf',
            hint !== undefined &&
              'mt-2 flex min-h-10 items-center justify-center gap-2 rounded-control border-2 border-leaf px-2 [&>svg]:size-4.5 [&>svg]:shrink-0',
          )}
        >
          {hint !== undefined && <CameraIcon />}
          {text}
        </p>
      </div>
    </div>
  );
}

type ThumbnailProps = Pick<DocumentTileProps, 'piece' | 'imageUrl' | 'preview'>;

export function Thumbnail({ piece, imageUrl, preview }: ThumbnailProps) {
  if (imageUrl === undefined) {
    return (
      <svg
        viewBox="0 0 96 72"
        aria-hidden="true"
        fill="none"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="aspect-[4/3] w-full bg-leaf-tint stroke-leaf"
      >
        <path d="M10 19v-6a4 4 0 0 1 4-4h6M76 9h6a4 4 0 0 1 4 4v6M86 53v6a4 4 0 0 1-4 4h-6M20 63h-6a4 4 0 0 1-4-4v-6" />
        {outlines[piece]}
      </svg>
    );
  }
  const picture = <img src={imageUrl} alt="" className="size-full object-cover" />;
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

const card = <rect x="19" y="18" width="58" height="36" rx="4" className="fill-card" />;

const outlines = {
  idFrontUrl: (
    <>
      {card}
      <circle cx="32" cy="31" r="4.5" />
      <path d="M24.5 46c0-8 15-8 15 0M48 29h21M48 37h21M48 45h13" />
    </>
  ),
  idBackUrl: (
    <>
      {card}
      <path d="M19 27h58" strokeWidth="6" strokeLinecap="butt" />
      <path d="M27 38h20M27 45h13M58 38v8M62 38v8M66 38v8M70 38v8" />
    </>
  ),
  selfieUrl: (
    <>
      <path d="M27 63c0-11 9-12 14-16v-4M69 63c0-11-9-12-14-16v-4" />
      <ellipse cx="48" cy="31" rx="12.5" ry="16" className="fill-card" />
    </>
  ),
};
