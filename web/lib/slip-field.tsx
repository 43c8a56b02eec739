import { CameraIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { useDocumentUpload } from './document-upload.ts';

type SlipFieldProps = Pick<TextFieldProps, 'label' | 'aside' | 'error' | 'disabled'> & {
  hints: { choose: string; empty: string; uploading: (percent: number) => string; ready: string };
  /** The address of the uploaded photo; empty without one. */
  url: string;
  onUrl: (url: string) => void;
  /** Called when a photo begins to upload, and when it is there. */
  onBusy?: (isBusy: boolean) => void;
};

/** A photo of the slip of a payment, uploaded as it is chosen. */
export function SlipField({ hints, url, onUrl, onBusy, error, ...field }: SlipFieldProps) {
  const { upload, choose } = useDocumentUpload({
    current: null,
    attach: async (uploaded) => onUrl(uploaded),
  });
  const [photo, setPhoto] = useState<string>();
  useEffect(
    () => () => {
      if (photo) URL.revokeObjectURL(photo);
    },
    [photo],
  );
  const isUnderWay = upload.state === 'underWay';
  // biome-ignore lint/correctness/useExhaustiveDependencies: told only when it changes
  useEffect(() => onBusy?.(isUnderWay), [isUnderWay]);
  const percent = isUnderWay ? upload.percent : undefined;
  const hint = percent !== undefined ? hints.uploading(percent) : url ? hints.ready : hints.empty;
  return (
    <TextField
      {...field}
      type="file"
      accept="image/*"
      hint={<span role="status">{hint}</span>}
      error={upload.state === 'failed' ? upload.message : error}
      // The browser's own words are in the browser's language.
      prefix={
        <span className="absolute left-3.5 flex items-center gap-2.5 whitespace-nowrap font-semibold text-leaf">
          <CameraIcon /> {hints.choose}
        </span>
      }
      className="text-transparent file:hidden disabled:text-transparent!"
      trailing={
        url && photo ? (
          <img
            src={photo}
            alt=""
            className="mr-0.5 size-10 rounded-small object-cover"
            // Browsers cannot show every kind of photo that can be sent.
            onError={() => setPhoto(undefined)}
          />
        ) : undefined
      }
      onChange={({ currentTarget: { files } }) => {
        onUrl('');
        setPhoto(files?.[0] && URL.createObjectURL(files[0]));
        if (files?.[0]) choose(files[0]);
      }}
    />
  );
}
