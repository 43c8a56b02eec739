import type { Language } from './language.tsx';
import { lender } from './lender.ts';
import { isTokenKept, keptStore } from './token.ts';

/** Not in TypeScript's library: https://www.w3.org/TR/trusted-types/. */
type TrustedTypes = {
  createPolicy(
    name: string,
    rules: { createScriptURL(): string },
  ): { createScriptURL(text: string): unknown };
};

let registered: Promise<unknown> | undefined;

/** Has pages answered without a network from now on. Nothing happens where a browser, or its owner, does not want it. */
export async function answerOffline(): Promise<void> {
  registered ??= register().catch(() => undefined);
  await registered;
}

async function register(): Promise<void> {
  const script = '/sw.js';
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('offline-page', { createScriptURL: () => script });
  // Browsers with such policies take no text here.
  await navigator.serviceWorker?.register((policy?.createScriptURL(script) ?? script) as string);
}

/** Notes what `web/public/sw.js` shows without a network, until the token goes. */
export async function keepKnown(language: Language, lines: readonly string[]): Promise<void> {
  if (!isTokenKept()) return;
  const { name, tradeName = name } = lender();
  const kept = new Response(JSON.stringify({ language, lender: tradeName, lines }));
  try {
    await (await globalThis.caches?.open(keptStore))?.put('/known', kept);
    // Signed out meanwhile, in this tab or another.
    if (!isTokenKept()) await caches.delete(keptStore);
  } catch {
    // Without room, or denied: the page then says only that there is no connection.
  }
}
