import fc from 'fast-check';
import type { Endpoint } from '#contract/endpoint.ts';
import { digits, oddBody, oddText, oddValue, otherTypes, words } from './odd-values.ts';

/** Stand-ins in a drafted request for what is known only when it is sent. */
export const ownFile = 'OWN_FILE_OWN_FILE_OWN_FILE';
export const foreignFile = 'FOREIGN_FILE_FOREIGN_FILE';
export const memberNumber = 987_654_321;
export const ownPhone = 'OWN_PHONE_OWN_PHONE';

/** A request to send, without who sends it and whose ids are meant. */
export type Draft = {
  id: { kind: 'own' | 'foreign' } | { kind: 'odd'; text: string };
  query: string;
  body: { text: string | Buffer; contentType: string | undefined } | undefined;
  headers: Record<string, string>;
  isFromElsewhere: boolean;
};

/** Amounts as high as a loan's, as low as a withdrawal's, and some that are neither. */
const money = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 150_000, max: 2_000_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1_000, max: 20_000 }) },
  { weight: 1, arbitrary: words('150000', '1000.00', '200000.5', '1e5', '99999999') },
);
const document = words(`/api/files/${ownFile}`, `/api/files/${foreignFile}`, '/api/files/nowhere');
const phone = fc.oneof(
  { weight: 1, arbitrary: digits(7).map((number) => `0917${number}`) },
  { weight: 2, arbitrary: words(ownPhone) },
);
const bounded = fc.string({ unit: 'grapheme-ascii', minLength: 3, maxLength: 60 });

/** A value for each field with which nothing is wrong. A field that is not named here gets a short text. */
const fitting: Record<string, fc.Arbitrary<unknown>> = {
  phone,
  referencePhone: phone,
  username: words('admin', '09170000001', 'staff@example.com'),
  email: digits(6).map((number) => `person-${number}@example.com`),
  password: words('borrower password', 'borrower password', 'another password'),
  currentPassword: words('borrower password', 'another password'),
  newPassword: words('borrower password', 'another password'),
  fullName: bounded.map((name) => `Ana ${name}`),
  address: bounded.map((street) => `12 Mabini Street ${street}`),
  amount: money,
  termMonths: fc.integer({ min: 6, max: 50 }),
  monthlySalary: money,
  balance: money,
  expectedBalance: fc.constantFrom(0, '0.00', 50_000),
  reason: words('admin_adjustment', 'disbursement', 'correction'),
  creditScore: fc.integer({ min: 300, max: 850 }),
  status: words('active', 'pending', 'suspended', 'approved', 'completed', 'rejected', 'denied', 'all', ''),
  bankAccountNumber: words('1234567890123'),
  bankName: words('Bank A'),
  idFrontUrl: document,
  idBackUrl: document,
  selfieUrl: document,
  otp: words('482913', '482913', '000000'),
  otpCode: words('482913'),
  processedAt: words('2026-03-10T04:00:00.000Z', '2026-03-10'),
  userId: fc.constant(memberNumber),
  type: words('loan_update'),
  ipAddress: digits(2).map((last) => `203.0.113.${Number(last)}`),
  agreedQuoteHash: fc.string(),
  lang: words('en', 'fil'),
  role: words('admin', 'member'),
  version: words('1', '2'),
  before: words('1', '1000'),
  limit: words('5', '999'),
  search: words('Maria', '%', '_', '0917'),
};

/** Every name that a schema's fields have, whatever is wrapped around it. */
function fieldsOf(schema: unknown, depth = 0): string[] {
  if (typeof schema !== 'object' || schema === null || depth > 8) return [];
  const definition: object = Reflect.get(Reflect.get(schema, '_zod') ?? {}, 'def') ?? {};
  const inner = ['in', 'out', 'innerType'].map((part) => Reflect.get(definition, part));
  const options: unknown[] = Reflect.get(definition, 'options') ?? [];
  return [
    ...Object.keys(Reflect.get(definition, 'shape') ?? {}),
    ...[...inner, ...options].flatMap((part) => fieldsOf(part, depth + 1)),
  ];
}

/** Fields that only fit when they are what the server itself said a moment ago, or beside one special value of another. */
const seldom = new Set(['agreedQuoteHash', 'processedAt', 'username', 'version']);

/** All fields as they should be, some left out, and in every second draft some of them spoilt. */
function fields(schema: unknown): fc.Arbitrary<Record<string, unknown>> {
  const names = [...new Set(fieldsOf(schema))];
  if (names.length === 0) return fc.constant({});
  const fit = (name: string) => fitting[name] ?? bounded;
  const record = (keys: string[], pick: (name: string) => fc.Arbitrary<unknown>, requiredKeys: string[]) =>
    fc.record(Object.fromEntries(keys.map((name) => [name, pick(name)])), { requiredKeys });
  const usual = names.filter((name) => !seldom.has(name) && !name.startsWith('expected'));
  const whole = record(usual, fit, usual);
  const spoilt = fc.dictionary(words(...names), oddValue, { maxKeys: 3 });
  const few = fc
    .subarray(names, { minLength: 1, maxLength: Math.min(2, names.length) })
    .chain((some) => record(some, fit, some));
  return fc.oneof(
    whole,
    few,
    record(names, fit, []),
    fc.tuple(whole, spoilt).map(([all, some]) => ({ ...all, ...some })),
    record(names, () => oddValue, []),
  );
}

function bodies(row: Endpoint): fc.Arbitrary<Draft['body']> {
  const json = fields(row.body).map((value) => ({
    text: JSON.stringify(value) ?? '',
    contentType: 'application/json',
  }));
  const odd = oddBody.map((text) => ({ text, contentType: 'application/json' }));
  const mistyped = fc
    .tuple(
      fc.oneof(
        oddBody,
        fields(row.body).map((value) => JSON.stringify(value)),
      ),
      otherTypes,
    )
    .map(([text, contentType]) => ({ text, contentType }));
  return fc.oneof(
    { weight: row.body ? 12 : 1, arbitrary: json },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: mistyped },
    { weight: row.body ? 1 : 12, arbitrary: fc.constant(undefined) },
  );
}

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** `String(value)`, save for objects: an odd one may have a field `toString` that is no function. */
const asText = (value: unknown) =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 2_000);

function queries(row: Endpoint): fc.Arbitrary<string> {
  const fit = fields(row.query).map((values) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${percent(asText(value))}`)
      .join('&'),
  );
  const odd = words(
    '__proto__=1',
    'search[]=a',
    'a&b&c',
    '=',
    '%',
    '%ff=%fe',
    'lang=en&lang=fil',
    '?',
    '&'.repeat(500),
  );
  return fc.oneof(
    { weight: row.query ? 8 : 1, arbitrary: fit },
    { weight: 1, arbitrary: odd },
    { weight: row.query ? 1 : 10, arbitrary: fc.constant('') },
  );
}

const odderHeaders = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 2,
    arbitrary: words('key-1', 'key-2', 'é', 'k'.repeat(300)).map((key) => ({ 'idempotency-key': key })),
  },
  { weight: 2, arbitrary: fc.constant({ accept: 'application/x-ndjson' }) },
  {
    weight: 1,
    arbitrary: words('127.0.0.1', '::1', 'x').map((address) => ({
      'x-forwarded-for': address,
      'x-http-method-override': 'DELETE',
      forwarded: `for=${address}`,
    })),
  },
);

const oddId = fc.oneof(
  words(
    '0',
    '-1',
    '1.5',
    '1e3',
    '9'.repeat(15),
    '9'.repeat(300),
    'null',
    '3',
    '1 or 1=1',
    '../3',
    '%',
    '%00',
  ),
  oddText.map((text) => percent(text.slice(0, 100))),
);

/** Requests for one row of the endpoint table: fitting, nearly fitting, and wrong in every way there is. */
export const draftsFor = (row: Endpoint): fc.Arbitrary<Draft> =>
  fc.record({
    id: fc.oneof(
      { weight: 4, arbitrary: fc.constant<Draft['id']>({ kind: 'own' }) },
      { weight: 4, arbitrary: fc.constant<Draft['id']>({ kind: 'foreign' }) },
      { weight: 2, arbitrary: oddId.map((text): Draft['id'] => ({ kind: 'odd', text })) },
    ),
    query: queries(row),
    body: bodies(row),
    headers: odderHeaders,
    isFromElsewhere: fc.integer({ min: 0, max: 19 }).map((number) => number === 0),
  });
