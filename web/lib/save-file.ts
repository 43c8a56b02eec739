import { sessionEnded } from './token.ts';

/** Long enough for any browser to have picked up the file. */
const keptMs = 60_000;

const addresses = new Set<string>();

function forget(address: string) {
  URL.revokeObjectURL(address);
  addresses.delete(address);
}

// Saved files are personal data: release them with the session.
sessionEnded.listen(() => {
  for (const address of addresses) forget(address);
});

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  addresses.add(address);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers read the URL only after the click event.
  setTimeout(() => forget(address), keptMs);
}
