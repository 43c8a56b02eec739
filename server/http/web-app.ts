import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { InstallationFacts } from '#contract/lender.ts';
import { isAppPath, paths } from '#contract/routes.ts';
import { colourStyle } from '#server/lender-colour.ts';
import type { LenderPicture } from '#server/lender-file.ts';
import { type Clock, dayMs } from '#server/platform/clock.ts';

/** The first sight of a page; a page of the panel has its path. */
type Sight = 'sign-in' | 'register' | 'borrower' | `/${string}`;

/** `web/landing/render-landing.tsx` and `web/app/first-sight.tsx`. */
type LandingBundle = {
  renderLanding(page: InstallationFacts & { language: 'en' | 'fil'; assets: unknown }): string;
  renderFirstSight(facts: InstallationFacts, sight: Sight): string;
};

export type WebBuild = { directory: string; landingBundle: string; landingAssets: string };

export type WebApp = Awaited<ReturnType<typeof loadWebApp>>;

/**
 * Loads the web build and renders its pages: the landing page in both languages, and the app's, with this
 * installation's facts.
 */
export async function loadWebApp(
  { directory, landingBundle, landingAssets }: WebBuild,
  facts: InstallationFacts,
) {
  const { renderLanding, renderFirstSight }: LandingBundle = await import(pathToFileURL(landingBundle).href);
  const assets: unknown = JSON.parse(await readFile(landingAssets, 'utf8'));
  const html = await readFile(path.join(directory, 'index.html'), 'utf8');
  const app = withFacts(html, facts);
  const store = (html: string) => storePage(inColour(html, facts));
  const [index, en, fil] = await Promise.all([
    store(app),
    store(renderLanding({ ...facts, assets, language: 'en' })),
    store(renderLanding({ ...facts, assets, language: 'fil' })),
  ]);
  const sights = new Map<Sight, Promise<StoredPage>>();
  const pageWith = (sight: Sight) => {
    const page =
      sights.get(sight) ?? store(app.replace('<body>', (body) => body + renderFirstSight(facts, sight)));
    sights.set(sight, page);
    return page;
  };
  const icon = /<link rel="icon"[^>]*href="\/([^"]+)"/.exec(html)?.[1] ?? 'favicon.svg';
  return {
    directory,
    lender: facts.lender,
    /** The product's mark, for a lender without a logo. */
    readIcon: () => readFile(path.join(directory, icon)),
    index,
    /** The app's page with what is seen at first, by its path; it is made when somebody first asks for it. */
    pageOf: async (screen: `/${string}`, isRegistering: boolean): Promise<StoredPage> => {
      if (screen === paths.adminLogin) return index;
      if (screen.startsWith(paths.management)) return pageWith(screen);
      if (screen !== paths.signIn && screen !== paths.customerLogin) return pageWith('borrower');
      return pageWith(screen === paths.signIn && isRegistering ? 'register' : 'sign-in');
    },
    landing: { en, fil },
    securityContact: facts.lender.supportEmail,
    /** The app's page with the path's status: the app shows its screen or its own 404. */
    sendUnknownPath: (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
      sendPage(request, reply, index, isAppPath(pathOf(request)) ? 200 : 404),
  };
}

const inColour = (html: string, { lender }: InstallationFacts) =>
  html.replace('</head>', `${colourStyle(lender.colour)}</head>`);

const factsElement = /<script[^>]*\bid="installation"[^>]*>[^<]*<\/script>/;

/** Embeds the facts as data that no browser runs. `<` is escaped, so that no text can end the element. */
export function withFacts(html: string, facts: InstallationFacts): string {
  const { name, tradeName = name, logo } = facts.lender;
  const json = JSON.stringify(facts).replaceAll('<', '\\u003c');
  const element = `<script type="application/json" id="installation">${json}</script>`;
  const title = `<title>${tradeName.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</title>`;
  // The replacements are functions, since `$` is special in a replacement string.
  const own = html
    .replace('<title>Hiram</title>', () => title)
    .replace(/<link rel="icon"[^>]*>/, (icon) =>
      logo === undefined ? icon : `<link rel="icon" href="${logo}">`,
    );
  if (factsElement.test(own)) return own.replace(factsElement, () => element);
  return own.replace('</head>', () => `${element}</head>`);
}

const securityTextMs = 180 * dayMs;

/** Serves the landing page, the app's screens and their files (§routes, §caching). */
export async function serveWebApp(app: FastifyInstance, web: WebApp, clock: Clock): Promise<void> {
  const { directory, landing, securityContact } = web;
  await app.register(fastifyStatic, {
    root: directory,
    // Files that existed at start have a route, others have none: no invented path reaches the disk.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, file) => {
      const isHashed = path.relative(directory, file).startsWith(`assets${path.sep}`);
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      response.setHeader('vary', 'accept-encoding');
    },
  });
  // RFC 9116: how to report a vulnerability of this installation.
  app.get('/.well-known/security.txt', async (_, reply) => {
    const expires = new Date(clock.now().getTime() + securityTextMs).toISOString();
    return reply
      .type('text/plain; charset=utf-8')
      .send(`Contact: mailto:${securityContact}\nExpires: ${expires}\nPreferred-Languages: en, fil\n`);
  });
  app.get<{ Querystring: { lang?: unknown } }>(paths.landing, async (request, reply) =>
    sendPage(request, reply, request.query.lang === 'fil' ? landing.fil : landing.en),
  );
  for (const screen of Object.values(paths)) {
    if (screen !== paths.landing)
      app.get<{ Querystring: { register?: unknown } }>(screen, async (request, reply) =>
        sendPage(request, reply, await web.pageOf(screen, request.query.register === 'true')),
      );
  }
}

/** An SVG opened on its own is a page: it may be displayed but run nothing. */
const pictureHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
};

/** The logos and QR codes named in the lender's file, each under a path with a hash. */
export function serveLenderPictures(app: FastifyInstance, pictures: readonly LenderPicture[] = []): void {
  for (const { path: address, contentType, bytes } of pictures)
    app.get(address, async (_request, reply) => reply.headers(pictureHeaders).type(contentType).send(bytes));
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? '';

type StoredPage = Awaited<ReturnType<typeof storePage>>;

/** An HTML page, kept in memory in every encoding, so that it is compressed once. */
async function storePage(html: string) {
  const text = Buffer.from(html);
  const tag = hash('sha256', text, 'base64url').slice(0, 22);
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const [brotlied, gzipped] = await Promise.all([
    promisify(brotliCompress)(text, { params }),
    promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return {
    plain: { body: text, etag: `"${tag}"` },
    br: { body: brotlied, etag: `"${tag}-br"` },
    gzip: { body: gzipped, etag: `"${tag}-gzip"` },
  };
}

/** Revalidated at each visit: 304 if the browser has this version (§caching). */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: StoredPage, status = 200) {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const { body, etag } = page[encoding];
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag });
  if (status === 200 && hasPage(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== 'plain') reply.header('content-encoding', encoding);
  return reply.code(status).type('text/html; charset=utf-8').send(body);
}

function encodingFor(accepted: string | string[] | undefined): keyof StoredPage {
  const offers = String(accepted ?? '')
    .toLowerCase()
    .replace(/\s/g, '')
    .split(',');
  const accepts = (name: string) =>
    offers.some((offer) => {
      const [coding, ...rest] = offer.split(';');
      return coding === name && !rest.some((part) => /^q=0(?:\.0*)?$/.test(part));
    });
  return (['br', 'gzip'] as const).find(accepts) ?? 'plain';
}

/** A proxy that compresses marks the tag as weak; the page is the same. */
function hasPage(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
