import { addressOf, saveFile } from './save-file.ts';
import { sessionEnded } from './token.ts';

/** Long enough to choose a printer in the dialog. */
const printedWithinMs = 600_000;
const loadedWithinMs = 10_000;

let frame: HTMLIFrameElement | undefined;

// What is printed is personal data, and the dialog may still be open.
sessionEnded.listen(() => frame?.remove());

/** Opens the print dialog for a PDF. Where the browser has none for it, the PDF opens in a tab, or else is saved. */
export async function printFile(file: Blob, name: string): Promise<void> {
  const address = addressOf(file, printedWithinMs);
  if (navigator.pdfViewerEnabled && (await printFramed(address))) return;
  if (!window.open(address)) saveFile(file, name);
}

/** Whether the browser took the request to print. */
async function printFramed(address: string): Promise<boolean> {
  frame?.remove();
  const framed = document.createElement('iframe');
  frame = framed;
  // Some browsers do not print what is not drawn.
  Object.assign(framed.style, { position: 'fixed', width: '1px', height: '1px', opacity: '0', border: '0' });
  framed.ariaHidden = 'true';
  framed.tabIndex = -1;
  const isLoaded = new Promise<boolean>((resolve) => {
    framed.onload = () => resolve(true);
    setTimeout(() => resolve(false), loadedWithinMs);
  });
  framed.src = address;
  document.body.append(framed);
  try {
    if (!(await isLoaded)) throw new Error('the PDF was not shown');
    framed.contentWindow?.focus();
    framed.contentWindow?.print();
    return true;
  } catch {
    // Viewers of another origin cannot be asked.
    framed.remove();
    return false;
  }
}
