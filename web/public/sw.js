/**
 * Answers page loads of borrowers where there is no network, and nothing else: no page, script or reply is ever kept, so that
 * the newest version is there at the next load. The only thing stored is what `web/lib/offline.ts` notes for this page.
 */
/** The types of workers and of pages exclude each other. @type {any} */
const worker = self;

/** The same names as in `web/lib/offline.ts`. */
const store = 'known';
const note = '/known';

const words = {
  en: {
    title: 'No connection',
    text: 'This page needs the internet, and we cannot be reached right now.',
    again: 'Try again',
  },
  fil: {
    title: 'Walang koneksyon',
    text: 'Kailangan ng internet ng page na ito, at hindi kami maabot ngayon.',
    again: 'Subukan ulit',
  },
};

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (/** @type {any} */ event) =>
  // The page is asked for while the worker starts: on a slow phone that takes a quarter of a second.
  event.waitUntil(Promise.all([worker.clients.claim(), worker.registration.navigationPreload?.enable()])),
);

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { mode, url } = event.request;
  if (mode !== 'navigate' || /^\/(?:management|admin|api)/.test(new URL(url).pathname)) return;
  event.respondWith(answer(event));
});

/** @param {any} event */
async function answer(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

async function offlinePage() {
  const kept = await (await caches.open(store)).match(note);
  /** @type {{ language: 'en' | 'fil', lender: string, lines: string[] } | undefined} */
  const known = await kept?.json();
  const language = known?.language ?? (/^(?:fil|tl)\b/.test(navigator.language) ? 'fil' : 'en');
  const { title, text, again } = words[language];
  const [lead, ...rest] = known?.lines ?? [];
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:15vh auto;padding:0 1.25rem;color:light-dark(#10233f,#e8eef7);background:light-dark(#f6f4ef,#0b1526)}
h1{font-size:1.5rem;margin:0 0 .5rem}section{border:1px solid light-dark(#d5d9e0,#2b3a52);border-radius:1rem;padding:1rem 1.25rem;margin:1.5rem 0}
section p{margin:0}b{font-size:1.25rem}a{display:inline-block;padding:.75rem 1.5rem;border-radius:.75rem;background:#0b6b5b;color:#fff;font-weight:600;text-decoration:none}</style>
<h1>${title}</h1><p>${text}</p>
${lead ? `<section aria-label="${escaped(known?.lender ?? '')}"><p><b>${escaped(lead)}</b></p>${rest.map((line) => `<p>${escaped(line)}</p>`).join('')}</section>` : ''}
<a href="">${again}</a></html>`;
  return new Response(html, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
    },
  });
}
