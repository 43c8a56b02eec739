import { DownloadIcon } from 'lucide-react';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { useAccountWords } from './account-words.ts';
import { useAction } from './action.ts';
import { saveFile } from './save-file.ts';

interface DownloadButtonProps
  extends Pick<ButtonProps, 'look' | 'size' | 'wide' | 'icon' | 'children' | 'busyLabel'> {
  /** Called with the session's token, which a plain link could not send. */
  fetchFile: () => Promise<Response>;
  fileName: string;
  /** The id of what the file is about, where several buttons have the same name. */
  describedBy?: string;
}

export function DownloadButton({ fetchFile, fileName, icon, describedBy, ...rest }: DownloadButtonProps) {
  const { papers } = useAccountWords();
  const [busy, run] = useAction();
  const download = () =>
    run(papers.downloadFailed, async () => {
      const response = await fetchFile();
      saveFile(await response.blob(), fileName);
    });
  return (
    <Button
      {...rest}
      aria-describedby={describedBy}
      busy={busy}
      icon={icon ?? <DownloadIcon />}
      onClick={() => void download()}
    />
  );
}
