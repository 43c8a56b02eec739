import { sessionEnded } from './token.ts';

/** Long enough for any browser to have taken the file over. */
const keptMs = 60_000;

const addresses = new Set<string>();

function forget(address: string) {
  URL.revokeObjectURL(address);
  addresses.delete(address);
}

// What was saved is somebody's own: it goes from memory with them.
sessionEnded.listen(() => {
  for (const address of addresses) forget(address);
});

/** Saves a file that is in memory, under this name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  addresses.add(address);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers read the address only after the click is over.
  setTimeout(() => forget(address), keptMs);
}
