import { DownloadIcon, PrinterIcon } from 'lucide-react';
import { Button, type ButtonProps } from '#web/ui/button.tsx';
import { useAction } from './action.ts';
import { useAccountWords } from './all-words.ts';
import { printFile, saveFile } from './save-file.ts';

interface FileButtonProps
  extends Pick<ButtonProps, 'look' | 'size' | 'wide' | 'icon' | 'children' | 'busyLabel'> {
  /** Called with the session's token, which a plain link could not send. */
  fetchFile: () => Promise<Response>;
  fileName: string;
  /** The id of what the file is about, where several buttons have the same name. */
  describedBy?: string;
}

export function DownloadButton(props: FileButtonProps) {
  const { papers } = useAccountWords();
  return <FileButton icon={<DownloadIcon />} {...props} failedTitle={papers.downloadFailed} use={saveFile} />;
}

/** Prints a PDF without it being looked at first. */
export function PrintButton(props: Omit<FileButtonProps, 'icon' | 'children'>) {
  const { papers } = useAccountWords();
  return (
    <FileButton icon={<PrinterIcon />} {...props} failedTitle={papers.printFailed} use={printFile}>
      {papers.print}
    </FileButton>
  );
}

interface UsedFileProps extends FileButtonProps {
  failedTitle: string;
  use: (file: Blob, name: string) => void | Promise<void>;
}

function FileButton({ fetchFile, fileName, describedBy, failedTitle, use, ...rest }: UsedFileProps) {
  const [busy, run] = useAction();
  const fetchAndUse = () =>
    run(failedTitle, async () => {
      const response = await fetchFile();
      await use(await response.blob(), fileName);
    });
  return <Button {...rest} aria-describedby={describedBy} busy={busy} onClick={() => void fetchAndUse()} />;
}
