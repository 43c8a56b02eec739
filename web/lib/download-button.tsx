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
  prints?: boolean;
}

export function DownloadButton({ fetchFile, fileName, describedBy, prints, ...rest }: FileButtonProps) {
  const { papers } = useAccountWords();
  const [busy, run] = useAction();
  const fetchAndUse = () =>
    run(prints ? papers.printFailed : papers.downloadFailed, async () => {
      const file = await (await fetchFile()).blob();
      if (prints) await printFile(file, fileName);
      else saveFile(file, fileName);
    });
  return (
    <Button
      icon={<DownloadIcon />}
      {...rest}
      aria-describedby={describedBy}
      busy={busy}
      onClick={() => void fetchAndUse()}
    />
  );
}

/** Prints a PDF without it being looked at first. */
export function PrintButton(props: Omit<FileButtonProps, 'icon' | 'children' | 'prints'>) {
  const { papers } = useAccountWords();
  return (
    <DownloadButton {...props} prints icon={<PrinterIcon />}>
      {papers.print}
    </DownloadButton>
  );
}
