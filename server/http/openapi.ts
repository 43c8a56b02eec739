import * as z from 'zod/mini';
import * as account from '#contract/account.ts';
import { type Access, type Endpoint, failureCodes } from '#contract/endpoint.ts';
import { type ErrorCode, failures } from '#contract/errors.ts';
import * as exchange from '#contract/exchange.ts';
import * as expected from '#contract/expected.ts';
import * as fields from '#contract/fields.ts';
import * as loan from '#contract/loan.ts';
import * as member from '#contract/member.ts';
import * as notification from '#contract/notification.ts';
import * as document from '#contract/profile.ts';
import * as staff from '#contract/staff.ts';
import * as staffLoan from '#contract/staff-loan.ts';
import * as staffWithdrawal from '#contract/staff-withdrawal.ts';
import * as withdrawal from '#contract/withdrawal.ts';
import { en } from '#contract/wording/en.ts';

/** As much of JSON Schema as the document and its page look into. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  example?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  [other: string]: unknown;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};

type Content = Record<string, { schema: JsonSchema }>;
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, { description: string; content: Content }>;
};

export type OpenApi = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> };
};

type NamedRow = { name: string; row: Endpoint };

/** The endpoint table as an OpenAPI 3.1 document (§api-document). */
export function openApiOf(table: Record<string, Endpoint>): OpenApi {
  const { write, components } = createSchemaWriter();
  const paths: OpenApi['paths'] = {};
  for (const rows of rowsByOperation(table)) {
    const { method, path } = rows[0].row;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(rows, write) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hiram', version: '1', description },
    servers: [{ url: '/' }],
    tags: Object.values(audiences).map(({ tag }) => ({ name: tag })),
    paths,
    components: {
      schemas: { ...components, Error: errorSchema },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The `token` that signing in answers with.' },
      },
    },
  };
}

const description = [
  'JSON in and out. Money is a text with two decimals (`"150000.00"`); a request may also send a number.',
  'Moments are ISO 8601 in UTC. A token that is sent but not valid is a 401 everywhere.',
  'Lists that say so also come as one row a line with `Accept: application/x-ndjson`.',
  'An edit by staff may carry `expected`, what its fields were when it was begun: where they are others by now, nothing is stored and the answer is a 409 `edited_meanwhile`.',
].join(' ');

const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'A sentence to show.' },
    code: { type: 'string', enum: Object.keys(failures) },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'One sentence for each field that failed a rule.',
    },
    accountStatus: { type: 'string', enum: ['suspended'] },
    requestId: { type: 'string' },
    present: {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'null'] },
      description: 'With a 409: what of the record stood in the way, as it is now.',
    },
  },
  required: ['message', 'code'],
};

type Rows = [NamedRow, ...NamedRow[]];

function rowsByOperation(table: Record<string, Endpoint>): Rows[] {
  const groups = new Map<string, Rows>();
  // In what order a module lists its exports is nobody's choice; a reader looks for a path.
  const order = Object.keys(audiences);
  const sortKey = ({ path, method, access }: Endpoint) => [path, method, order.indexOf(access)].join(' ');
  const sorted = Object.entries(table).sort(([, a], [, b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
  for (const [name, row] of sorted) {
    const key = `${row.method} ${row.path}`;
    const group = groups.get(key);
    if (group) group.push({ name, row });
    else groups.set(key, [{ name, row }]);
  }
  return [...groups.values()];
}

type Write = ReturnType<typeof createSchemaWriter>['write'];

/** Two rows on one path (`register` and `createMember`) are one operation: either body, and the answer that fits. */
function operationOf(rows: Rows, write: Write): Operation {
  const [{ name, row: first }] = rows;
  const { body, takesFile } = first;
  return {
    operationId: name,
    summary: rows.map(({ row }) => row.summary).join(' '),
    description: rows.map(({ row }) => audiences[row.access].who).join(' '),
    tags: [audiences[first.access].tag],
    security: rows.map(({ row }): Record<string, string[]> => (row.access === 'anyone' ? {} : { token: [] })),
    parameters: parametersOf(first, write),
    ...(body || takesFile ? { requestBody: { required: true, content: requestContent(rows, write) } } : {}),
    responses: { ...successOf(rows, write), ...failuresOf(rows) },
  };
}

/** From the widest to the narrowest. */
const audiences: Record<Access, { tag: string; who: string }> = {
  anyone: { tag: 'Anyone', who: 'Anyone.' },
  signedIn: { tag: 'Signed in', who: 'Whoever is signed in.' },
  borrower: { tag: 'Borrowers', who: 'A borrower.' },
  admin: { tag: 'Staff', who: 'An admin, from an allowed address.' },
  mainAdmin: { tag: 'Main admin', who: 'The main admin, from an allowed address.' },
};

function parametersOf(row: Endpoint, write: Write): Parameter[] {
  const key: Parameter = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key and body gives the first answer again, with no second effect.',
    schema: { type: 'string', maxLength: 200 },
  };
  const secrets: Parameter = {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: 'Which secrets of the account the answer holds; all of them when it is absent.',
    schema: { type: 'string', enum: ['secrets=none', 'secrets=otpCode', 'secrets=plainPassword'] },
  };
  return [
    ...partParameters(row.params && write(row.params, 'input'), 'path'),
    ...partParameters(row.query && write(row.query, 'input'), 'query'),
    ...(row.idempotent ? [key] : []),
    ...(row.carriesSecrets ? [secrets] : []),
  ];
}

function partParameters(schema: JsonSchema | undefined, place: 'path' | 'query'): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required?.includes(name) ?? false),
    schema: part,
  }));
}

const either = (schemas: JsonSchema[]): JsonSchema => {
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: schemas };
};

function requestContent(rows: Rows, write: Write): Content {
  if (rows[0].row.takesFile) {
    const file = { type: 'string', contentMediaType: 'application/octet-stream' };
    return {
      'multipart/form-data': { schema: { type: 'object', properties: { file }, required: ['file'] } },
    };
  }
  const bodies = rows.flatMap(({ row }) => (row.body ? [write(row.body, 'input')] : []));
  return { 'application/json': { schema: either(bodies) } };
}

function successOf(rows: Rows, write: Write): Operation['responses'] {
  const [{ row }] = rows;
  const replies = rows.flatMap((one) => (one.row.reply ? [write(one.row.reply, 'output')] : []));
  return { [row.status ?? 200]: { description: 'Done.', content: successContent(row, either(replies)) } };
}

const fileTypes: Partial<Record<NonNullable<Endpoint['produces']>, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/webp'],
  pdf: ['application/pdf'],
  zip: ['application/zip'],
  html: ['text/html'],
  calendar: ['text/calendar'],
  csv: ['text/csv'],
};

function successContent({ produces = 'json' }: Endpoint, reply: JsonSchema): Content {
  const json = { 'application/json': { schema: reply } };
  if (produces === 'jsonOrLines') return { ...json, 'application/x-ndjson': { schema: reply.items ?? {} } };
  const types = fileTypes[produces];
  if (!types) return json;
  const schemaOf = (type: string): JsonSchema =>
    type.startsWith('text/') ? { type: 'string' } : { type: 'string', contentEncoding: 'binary' };
  return Object.fromEntries(types.map((type) => [type, { schema: schemaOf(type) }]));
}

function failuresOf(rows: Rows): Operation['responses'] {
  const codesOfStatus = new Map<number, Set<ErrorCode>>();
  for (const code of rows.flatMap(({ row }) => failureCodes(row))) {
    const status = failures[code].status;
    codesOfStatus.set(status, (codesOfStatus.get(status) ?? new Set()).add(code));
  }
  const responses = [...codesOfStatus].map(([status, codes]) => {
    const description = [...codes].map((code) => `\`${code}\`: ${en.errors[code]}`).join(' · ');
    const schema = { $ref: '#/components/schemas/Error' };
    return [status, { description, content: { 'application/json': { schema } } }] as const;
  });
  return Object.fromEntries(responses);
}

const modules = [
  account,
  document,
  exchange,
  expected,
  fields,
  loan,
  member,
  notification,
  staff,
  staffLoan,
  staffWithdrawal,
  withdrawal,
];

/** Every schema of the API that has a name of its own, such as `UserReply`; the parts of an address are written out. */
const named = z.registry<{ id: string }>();
for (const [name, value] of modules.flatMap((module) => Object.entries(module))) {
  if (/^[A-Z](?!.*(?:Params|Query)$)/.test(name) && isSchema(value)) named.add(value, { id: name });
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Schemas of JSON Schema 2020-12, each named one in `components` and elsewhere only referred to. */
function createSchemaWriter() {
  const components: Record<string, JsonSchema> = {};

  /** What a schema takes (`input`) or gives (`output`). */
  const write = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
    // Wrapped, so that a named schema is itself referred to and not written out.
    const written = z.toJSONSchema(z.object({ it: schema }), {
      io,
      metadata: named,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => explain(zodSchema, jsonSchema as JsonSchema),
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> };
    for (const [name, component] of Object.entries(written.$defs ?? {})) {
      const { id: _, ...rest } = withOurRefs(component);
      components[name] = rest;
    }
    return withOurRefs(written.properties?.it ?? {});
  };

  return { write, components };
}

function explain(schema: unknown, json: JsonSchema): void {
  // The format says it in a word; the pattern behind it is a wall of signs.
  if (json.format !== undefined) delete json.pattern;
  if (schema === fields.moneyReply) {
    Object.assign(json, { pattern: '^\\d+\\.\\d{2}$', description: 'Pesos', example: '150000.00' });
  }
  if (schema === fields.ratePercentReply)
    Object.assign(json, { description: 'Percent', example: '3.666672' });
  if (schema === fields.monthlyRateReply)
    Object.assign(json, { description: 'Percent a month', example: 2.5 });
}

function withOurRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
