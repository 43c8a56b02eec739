import { sessionEnded } from './token.ts';

/** Long enough for any browser to have picked up the file. */
const keptMs = 60_000;

const addresses = new Set<string>();

function forget(address: string) {
  URL.revokeObjectURL(address);
  addresses.delete(address);
}

/** An address that the browser finds the file at for a while. */
function addressOf(file: Blob, forMs = keptMs): string {
  const address = URL.createObjectURL(file);
  addresses.add(address);
  // Some browsers read the URL only after the click event, so it is not forgotten at once.
  setTimeout(() => forget(address), forMs);
  return address;
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = addressOf(file);
  link.download = name;
  link.click();
}

/** Long enough to choose a printer in the dialog. */
const printedWithinMs = 600_000;
const loadedWithinMs = 10_000;

let frame: HTMLIFrameElement | undefined;

// Files are personal data: release them with the session. A file that is printed may still be in its dialog.
sessionEnded.listen(() => {
  for (const address of addresses) forget(address);
  frame?.remove();
});

/** Opens the print dialog for a PDF. Where the browser has none for it, the PDF opens in a tab, or else is saved. */
export async function printFile(file: Blob, name: string): Promise<void> {
  const address = addressOf(file, printedWithinMs);
  if (navigator.pdfViewerEnabled && (await printFramed(address))) return;
  if (!window.open(address)) saveFile(file, name);
}

/** Prints from a hidden frame. True if the browser took the request. */
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
