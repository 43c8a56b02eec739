import { BlockList } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '#server/deps.ts';
import { hourMs } from '#server/platform/clock.ts';
import { canonicalIp } from '#server/platform/ip-address.ts';
import type { Sender } from '#server/services/allowed-ip-service.ts';

declare module 'fastify' {
  interface FastifyRequest {
    sender: Sender;
    /** Came through a proxy that TRUST_PROXY does not name: the allow-list would see the proxy's address. */
    isSenderHidden: boolean;
  }
}

const forwardingHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
];

/** True if a proxy forwarded the request, or its sender pretends so. */
export const isPassedOn = ({ headers }: FastifyRequest): boolean =>
  forwardingHeaders.some((name) => headers[name] !== undefined);

/**
 * Finds who sent each request (§forwarded-addresses), at once: a connection that is gone has no address any more. Logs
 * what an operator has to mend, and shows the first unnamed proxy in Settings; anybody can send these headers.
 */
export function findSenders(app: FastifyInstance, deps: Deps): void {
  const isTrusted = trustOf(deps.config.trustProxy);
  let unreadableSinceMs = Number.NEGATIVE_INFINITY;
  app.decorateRequest('sender');
  app.decorateRequest('isSenderHidden', false);

  app.addHook('onRequest', (request, _reply, done) => {
    // A connection that has just ended has none.
    const read = readAddress(request.socket.remoteAddress ?? '');
    const peer = read ?? '0.0.0.0';
    const isNamed = isTrusted(peer);
    const header = headerOf(request);
    const direct = { address: peer, isAddressKnown: read !== undefined };
    request.sender = isNamed && isPassedOn(request) ? walk(peer, header, isTrusted) : direct;
    request.isSenderHidden = !isNamed && isPassedOn(request);

    if (deps.met.unnamedProxy === undefined && request.isSenderHidden) {
      deps.met.unnamedProxy = peer;
      deps.log.warn(
        'a request carried headers of a proxy that TRUST_PROXY does not name: if it is yours, name it; until then every address that is seen is the proxy’s',
      );
    }
    const nowMs = deps.clock.now().getTime();
    // A clock that was set back does not silence the log for long.
    const isNews = Math.abs(nowMs - unreadableSinceMs) >= hourMs;
    if (isNamed && !request.sender.isAddressKnown && isNews) {
      unreadableSinceMs = nowMs;
      deps.log.warn(
        { proxy: request.sender.address, shape: shapeOf(header) },
        'a proxy that TRUST_PROXY names sent an X-Forwarded-For that names no address: its requests count as its own, and staff are refused where addresses are restricted',
      );
    }
    done();
  });
}

/** True for the addresses of proxies that TRUST_PROXY names. */
export function trustOf(ranges: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    if (prefix === undefined) trusted.addAddress(network, familyOf(network));
    else trusted.addSubnet(network, Number(prefix), familyOf(network));
  }
  return (address) => trusted.check(address, familyOf(address));
}

const familyOf = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4');

const known = (address: string): Sender => ({ address, isAddressKnown: true });

/** Node joins a header that is sent more than once. */
const headerOf = ({ headers }: FastifyRequest): string => String(headers['x-forwarded-for'] ?? '');

/**
 * Back from the server, proxy by proxy, up to the first address that is no named proxy's: what stands before it is that
 * client's own claim. Where an entry cannot be read, its proxy counts as the sender. Split at each comma, also within
 * quotes: a quotation mark that a client left open must not swallow the proxy's entry.
 */
function walk(peer: string, header: string, isTrusted: (address: string) => boolean): Sender {
  // Empty elements of a list are ignored (RFC 9110, 5.6.1).
  const entries = header.split(',').flatMap((text) => text.trim() || []);
  let nearest = peer;
  for (const entry of entries.reverse()) {
    const address = readNode(entry);
    if (address === undefined) return { address: nearest, isAddressKnown: false };
    if (!isTrusted(address)) return known(address);
    nearest = address;
  }
  return { address: nearest, isAddressKnown: entries.length > 0 };
}

const longestNode = 200;
const port = '(?::(?:\\d{0,5}|_[A-Za-z0-9._-]+))?';
const inBrackets = new RegExp(`^\\[([^\\]]*:[^\\]]*)\\]${port}$`);
const dotted = new RegExp(`^([\\d.]+)${port}$`);

/** An address with or without a port, as RFC 7239 (section 6) and RFC 3986 write them; also within `for=` and quotes. */
function readNode(entry: string): string | undefined {
  if (entry.length > longestNode) return undefined;
  const pairs = entry.split(';').map((pair) => pair.trim());
  const named = pairs.flatMap((pair) => /^for\s*=\s*(.*)$/i.exec(pair)?.[1] ?? []);
  if (named.length > 1 || (named.length === 0 && pairs.length > 1)) return undefined;
  const [written = entry] = named;
  const quoted = /^"(.*)"$/.exec(written)?.[1];
  const node = quoted === undefined ? written : quoted.replace(/\\(.)/g, '$1').trim();
  return readAddress(inBrackets.exec(node)?.[1] ?? dotted.exec(node)?.[1] ?? node);
}

/** A zone means something on one machine only. */
export const readAddress = (text: string): string | undefined =>
  canonicalIp(text.includes(':') ? text.replace(/%[^\s%]+$/, '') : text);

const shapeMaxLength = 100;

/** Enough to see what a proxy sends, without anybody's address: `999.9.999.99:99999`. The proxy's own entry is last. */
function shapeOf(header: string): string {
  const shape = header
    .replace(/\p{L}/gu, 'a')
    .replace(/\p{N}/gu, '9')
    .replace(/[^\x20-\x7e]/g, '?');
  return shape.length > shapeMaxLength ? `…${shape.slice(-shapeMaxLength)}` : shape;
}
