import { useState } from 'react';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { DownloadIcon } from '#web/ui/icons.tsx';

/** Long enough for any browser to have taken the file over. */
const keptMs = 60_000;

interface DownloadButtonProps extends Pick<ButtonProps, 'look' | 'size' | 'icon' | 'children' | 'busyLabel'> {
  /** Fetches the file with the token, which a plain link could not send. */
  fetchFile: () => Promise<Response>;
  fileName: string;
}

/** Saves a file of the loan's papers. */
export function DownloadButton({ fetchFile, fileName, icon, ...rest }: DownloadButtonProps) {
  const { papers } = useAccountWords();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      const response = await fetchFile();
      save(await response.blob(), fileName);
    } catch (error) {
      toast({ tone: 'bad', title: papers.downloadFailed, description: errorText(error) });
    }
    setBusy(false);
  }

  return (
    <Button
      {...rest}
      busy={busy}
      icon={icon ?? <DownloadIcon className="size-4.5 shrink-0" />}
      onClick={() => void download()}
    />
  );
}

function save(file: Blob, name: string) {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), keptMs);
}
