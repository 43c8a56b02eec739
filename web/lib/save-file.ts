import { sessionEnded } from './token.ts';

/** Long enough for any browser to have picked up the file. */
const keptMs = 60_000;

const addresses = new Set<string>();

function forget(address: string) {
  URL.revokeObjectURL(address);
  addresses.delete(address);
}

// Files are personal data: release them with the session.
sessionEnded.listen(() => {
  for (const address of addresses) forget(address);
});

/** An address that the browser finds the file at for a while. */
export function addressOf(file: Blob, forMs = keptMs): string {
  const address = URL.createObjectURL(file);
  addresses.add(address);
  // Not at once: some browsers read the URL only after the click event.
  setTimeout(() => forget(address), forMs);
  return address;
}

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = addressOf(file);
  link.download = name;
  link.click();
}
