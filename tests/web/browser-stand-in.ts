import { beforeEach, vi } from 'vitest';
import { loadCurrentWords } from '#web/lib/language.tsx';

/** A request as the app made it, before it left. */
export type SentRequest = RequestInit & { address: string; headers: Record<string, string> };

/** Stands between the app and the server: hands a request on, loses its answer, or answers in the server's place. */
type Network = (forward: () => Promise<Response>, request: SentRequest) => Promise<Response>;

const plainNetwork: Network = (forward) => forward();
const fetchOfNode = globalThis.fetch;

/** The error that a browser throws when there is no answer. */
export const noAnswer = () => new TypeError('Failed to fetch');

/**
 * The few things of a browser that `web/lib` touches, for tests in Node: storage, address bar, events of the window, and
 * a `fetch` that knows the page's origin. Everything the app asks for goes to the server at `origin` over a real
 * connection. Call it at the top of the file; every test starts with an empty one.
 */
export function standInBrowser(origin = 'http://127.0.0.1:1') {
  const stored = new Map<string, string>();
  const requests: SentRequest[] = [];
  const visited: string[] = [];
  let page = new EventTarget();
  let network = plainNetwork;

  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, String(value)),
    removeItem: (key: string) => void stored.delete(key),
  };
  const root = { lang: 'en', dataset: {} };
  const location = { pathname: '/' };

  function reset() {
    stored.clear();
    requests.length = 0;
    visited.length = 0;
    page = new EventTarget();
    network = plainNetwork;
    root.lang = 'en';
    location.pathname = '/';
  }

  vi.stubGlobal('localStorage', localStorage);
  vi.stubGlobal('history', { pushState: (_state: unknown, _title: string, to: string) => visited.push(to) });
  vi.stubGlobal('location', location);
  vi.stubGlobal('document', { documentElement: root, getElementById: () => null });
  for (const name of ['addEventListener', 'removeEventListener'] as const) {
    vi.stubGlobal(name, (type: string, listener: () => void) => page[name](type, listener));
  }
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const request = { ...init, address, headers: (init.headers ?? {}) as Record<string, string> };
    requests.push(request);
    return network(() => fetchOfNode(new URL(address, origin), init), request);
  });
  beforeEach(async () => {
    reset();
    // Files share the app's modules, and the language that one of them chose would be the next one's.
    await loadCurrentWords();
  });

  return {
    /** The contents of local storage. */
    stored,
    /** Every request made, the first one first. */
    requests,
    /** Where the app led to. */
    visited,
    /** Where the page is. */
    location,
    /** The document's root element. */
    root,
    /** Puts something between the app and the server until the test is over. */
    setNetwork(next: Network) {
      network = next;
    },
    /** Answers every request so, in the server's place. */
    answer: (body: BodyInit | null, init: ResponseInit = {}) => {
      network = async () => new Response(body, init);
    },
    /** Lets the window hear of something: 'online'. */
    tell: (type: string, details: object = {}) => page.dispatchEvent(Object.assign(new Event(type), details)),
    /** Another tab of this browser changed what is stored. */
    storedElsewhere(key: string | null, value?: string) {
      if (key === null) stored.clear();
      else if (value === undefined) stored.delete(key);
      else stored.set(key, value);
      page.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value ?? null }));
    },
    /** The one request that was made. */
    theRequest(): SentRequest {
      const [request] = requests;
      if (!request || requests.length > 1) throw new Error(`${requests.length} requests were made`);
      return request;
    },
  };
}
