import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Form = { body: Buffer; etag: string };

/** An HTML page kept in memory in every form a browser may ask for, so that no request spends time on it. */
export type StoredPage = { plain: Form; br: Form; gzip: Form };

export async function storePage(html: string): Promise<StoredPage> {
  const text = Buffer.from(html);
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const [brotlied, gzipped] = await Promise.all([
    promisify(brotliCompress)(text, { params }),
    promisify(gzip)(text, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return {
    plain: { body: text, etag: `"${hash}"` },
    br: { body: brotlied, etag: `"${hash}-br"` },
    gzip: { body: gzipped, etag: `"${hash}-gzip"` },
  };
}

/** Sends a page to be revalidated at each visit: 304 when the browser has this very one (§caching). */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: StoredPage, status = 200) {
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
    .split(',');
  const accepts = (name: string) =>
    offers.some((offer) => {
      const [coding = '', ...rest] = offer.split(';').map((part) => part.trim());
      return coding === name && !rest.some((part) => /^q=0(?:\.0*)?$/.test(part));
    });
  if (accepts('br')) return 'br';
  return accepts('gzip') ? 'gzip' : 'plain';
}

/** A proxy that compresses for itself marks the tag as weak; the page is still the same. */
function hasPage(known: string | undefined, etag: string): boolean {
  if (known === undefined) return false;
  return known.trim() === '*' || known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
