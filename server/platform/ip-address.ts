import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = { network: Address; prefixLength: number };

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** The IPv4 addresses within IPv6 (`::ffff:0:0/96`). */
const MAPPED_PREFIX_BITS = IPV6_BITS - IPV4_BITS;

/**
 * An address or CIDR range in its canonical form (§allow-list): host bits cleared, IPv6 shortened, an IPv4-mapped IPv6
 * written as its IPv4, a range of one written as the address. Undefined for anything else: short forms (`10.1`), octal
 * or hexadecimal parts, zones (`fe80::1%eth0`).
 */
export function canonicalIpRange(text: string): string | undefined {
  const range = readRange(text.trim());
  if (!range) return undefined;
  const network = range.network.toString();
  return range.prefixLength === bitsOf(range.network) ? network : `${network}/${range.prefixLength}`;
}

/** A single address in canonical form; undefined for anything else. */
export function canonicalIp(address: string): string | undefined {
  return readAddress(address.trim())?.toString();
}

/** A customer's network: the IPv4 address itself, or the IPv6 /64, all of which is theirs. */
export function networkOf(address: string): string | undefined {
  // A link-local address includes the interface it was received on.
  const read = readAddress(address.trim().replace(/%.*$/, ''));
  return read && canonicalIpRange(read.kind() === 'ipv6' ? `${read}/64` : read.toString());
}

/** False if either is invalid. No IPv6 range covers IPv4, not even `::/0`: allowing one never allows both. */
export function ipRangeCovers(range: string, address: string): boolean {
  const read = readRange(range.trim());
  const candidate = readAddress(address.trim());
  if (!read || !candidate || read.network.kind() !== candidate.kind()) return false;
  return candidate.match(read.network, read.prefixLength);
}

function readRange(text: string): Range | undefined {
  const [addressText = '', prefixText, ...more] = text.split('/');
  if (more.length > 0) return undefined;
  const written = parseStrictly(addressText);
  if (!written) return undefined;
  const prefixLength = prefixText === undefined ? bitsOf(written) : readPrefix(prefixText, bitsOf(written));
  if (prefixLength === undefined) return undefined;
  if (!isMapped(written)) return withoutHostBits(written, prefixLength);
  // A wider range around mapped addresses would mix both families.
  if (prefixLength < MAPPED_PREFIX_BITS) return undefined;
  return withoutHostBits(written.toIPv4Address(), prefixLength - MAPPED_PREFIX_BITS);
}

function readAddress(text: string): Address | undefined {
  const address = parseStrictly(text);
  return address && isMapped(address) ? address.toIPv4Address() : address;
}

/** Node's own check comes first, because ipaddr.js reads `10.1` and `0x7f.1` as the C library does. */
function parseStrictly(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  // A URL writes a dotted end in hexadecimal: ipaddr.js takes the obsolete `::1.2.3.4` for a mapped address.
  return ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));
}

function readPrefix(text: string, bits: number): number | undefined {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(text)) return undefined;
  const prefixLength = Number(text);
  return prefixLength <= bits ? prefixLength : undefined;
}

function withoutHostBits(address: Address, prefixLength: number): Range {
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return { network: family.networkAddressFromCIDR(`${address}/${prefixLength}`), prefixLength };
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

const bitsOf = (address: Address) => (address.kind() === 'ipv4' ? IPV4_BITS : IPV6_BITS);
