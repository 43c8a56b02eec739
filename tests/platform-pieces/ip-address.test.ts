import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalIp, canonicalIpRange, ipRangeCovers, networkOf } from '#server/platform/ip-address.ts';

describe('canonicalIpRange', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.7/25', '203.0.113.0/25'],
    ['203.0.113.200/25', '203.0.113.128/25'],
    ['203.0.113.7/0', '0.0.0.0/0'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
    ['2001:db8::1/0', '::/0'],
    ['::', '::'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['::ffff:203.0.113.7/120', '203.0.113.0/24'],
    ['::ffff:203.0.113.7/96', '0.0.0.0/0'],
    ['::ffff:203.0.113.7/128', '203.0.113.7'],
  ])('reads %s as %s', (text, canonical) => {
    expect(canonicalIpRange(text)).toBe(canonical);
  });

  it.each([
    ...[
      '',
      'localhost',
      '10.1',
      '10.1.2',
      '1',
      '2130706433',
      '0x7f.1',
      '0x7f.0.0.1',
      '010.0.0.1',
      '10.0.0.08',
    ],
    ...[
      '256.1.1.1',
      '1.2.3.4.5',
      '1.2.3.4/33',
      '1.2.3.4/-1',
      '1.2.3.4/',
      '1.2.3.4/8/8',
      '1.2.3.4/08',
      '1.2.3.4/ 8',
    ],
    ...['1.2.3.4/255.0.0.0', '1.2.3.4:80', '*', '10.0.0.*', '10.0.0.1-10.0.0.9'],
    ...[
      '2001:db8::1/129',
      'fe80::1%eth0',
      '1::2::3',
      ':::',
      '[::1]',
      '::ffff:010.0.0.1',
      '2001:db8',
      'g::1',
      '::ffff:1.2.3.4/95',
    ],
    ...['1.2.3.4\n5.6.7.8', '１.2.3.4'],
  ])('refuses %j', (text) => {
    expect(canonicalIpRange(text)).toBeUndefined();
  });

  it('is its own canonical form, and covers the address it was made from', () => {
    const ranges = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(ranges, ([address, prefixLength]) => {
        // Mapped addresses, whose prefix counts differently, have their rows in the table above.
        fc.pre(!(address.includes(':') && canonicalIp(address)?.includes('.')));
        const range = canonicalIpRange(`${address}/${prefixLength}`);
        expect(range).toBeDefined();
        expect(canonicalIpRange(range ?? '')).toBe(range);
        expect(ipRangeCovers(range ?? '', address)).toBe(true);
      }),
    );
  });
});

describe('ipRangeCovers', () => {
  it.each([
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.7', '::ffff:203.0.113.7', true],
    ['::ffff:203.0.113.0/120', '203.0.113.9', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '198.51.100.1', false],
    ['::/0', '::ffff:198.51.100.1', false],
    ['2001:db8::/32', '2001:db8:1:2::3', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['203.0.113.0/24', 'nonsense', false],
    ['nonsense', '203.0.113.7', false],
    ['10.0.0.0/8', '10.1', false],
  ])('%s covers %s: %s', (range, address, covers) => {
    expect(ipRangeCovers(range, address)).toBe(covers);
  });
});

describe('canonicalIp', () => {
  it.each([
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
    ['2001:DB8::0:1', '2001:db8::1'],
    ['127.0.0.1/32', undefined],
    ['127.1', undefined],
    ['fe80::1%eth0', undefined],
    ['', undefined],
  ])('reads %s as %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
    ['2001:DB8:0:7::', '2001:db8:0:7::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['', 'unknown', '203.0.113.7:443', '_hidden', '1.2.3.4/24'])('of %j is none', (text) => {
    expect(networkOf(text)).toBeUndefined();
  });
});
