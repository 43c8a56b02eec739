import fc from 'fast-check';
import { limits } from '#domain/limits.ts';

export const words = (...list: string[]) => fc.constantFrom(...list);
export const digits = (length: number) =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((number) => String(number).padStart(length, '0'));

/** Texts that some interpreter on the way could take for more than text. */
export const oddText = fc.oneof(
  words(
    "' or '1'='1",
    "'); drop table accounts; --",
    '$' + '{7*7}{{7*7}}<%= 7*7 %>',
    '<img src=x onerror=alert(1)>',
    '../../../../etc/passwd',
    '%00%0a%0d',
    'null',
    'undefined',
    'NaN',
    'true',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00y',
    '\u202e\u2066\u200b',
    '\r\nset-cookie: a=b',
    '=cmd|calc!A1',
    'constructor',
    '__proto__',
    '',
    ' ',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer({ min: 100, max: 20_000 }).map((length) => 'ñ'.repeat(length)),
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -1, -0, 0.1, 1e21, 1e308, 2 ** 53, -(2 ** 63), 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], { length: 1e9 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 6 }) },
);

const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`;

/** Bodies that are no plain JSON object. */
export const oddBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  words(
    '',
    '{',
    '{"phone":',
    'null',
    '[]',
    '"text"',
    '{} {}',
    '{"amount":1e400}',
    '{"amount":NaN}',
    '{"isAdmin":true,"isAdmin":false,"balance":1,"balance":2}',
    '{"phone":"09170000001","phone":"09170000002","password":"secret word","fullName":"Ana Reyes"}',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    '{"\\u005f\\u005fproto\\u005f\\u005f":{"isAdmin":true}}',
    '\ufeff{"phone":"x"}',
    deep(4_000),
    '['.repeat(30_000),
  ),
  fc.json({ maxDepth: 8 }),
  fc.constant(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
  fc.constant(`{"fullName":"${'x'.repeat(limits.jsonBodyMaxBytes)}"}`),
);

export const otherTypes = words(
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;;;',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'APPLICATION/JSON',
  '\u00e9',
);
