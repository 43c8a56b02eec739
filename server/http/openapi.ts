import * as z from 'zod/mini';
import * as account from '#contract/account.ts';
import * as collection from '#contract/collection.ts';
import * as expected from '#contract/edit-conflict.ts';
import { type Access, type Endpoint, failureCodes } from '#contract/endpoint.ts';
import { type ErrorCode, failures } from '#contract/errors.ts';
import * as exchange from '#contract/exchange.ts';
import * as fields from '#contract/fields.ts';
import * as loan from '#contract/loan.ts';
import * as member from '#contract/member.ts';
import * as notification from '#contract/notification.ts';
import * as privacy from '#contract/privacy.ts';
import * as document from '#contract/profile.ts';
import * as servicing from '#contract/servicing.ts';
import * as staff from '#contract/staff.ts';
import * as staffLoan from '#contract/staff-loan.ts';
import * as staffWithdrawal from '#contract/staff-withdrawal.ts';
import * as withdrawal from '#contract/withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { paramsOf } from './route.ts';

/** JSON Schema as Zod writes it: no part is `true` or `false`. */
interface JsonSchema extends z.core.JSONSchema.BaseSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

type Parameter = { name: string; in: string; required: boolean; description?: string; schema: JsonSchema };
type Content = Record<string, { schema: JsonSchema }>;
type Responses = Record<string, { description: string; headers?: Record<string, object>; content: Content }>;
type Operation = ReturnType<typeof operationOf>;
export type OpenApi = ReturnType<typeof openApiOf>;

type NamedRow = { name: string; row: Endpoint };

/** The endpoint table as an OpenAPI 3.1 document (§api-document). */
export function openApiOf(table: Record<string, Endpoint>) {
  const { write, components } = createSchemaWriter();
  const paths: Record<string, Record<string, Operation>> = {};
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
      schemas: { ...components, Error: errorSchema } as Record<string, JsonSchema>,
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
  'An edit by staff may carry `expected`, the values that its form was opened with: if a stored value differs, nothing is stored and the answer is a 409 `edited_meanwhile`.',
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
  // Modules list their exports in no useful order; readers look for a path.
  const order = Object.keys(audiences);
  const sortKey = ({ path, method, access }: Endpoint) => [path, method, order.indexOf(access)].join(' ');
  const sorted = Object.entries(table).sort(([, a], [, b]) => (sortKey(a) < sortKey(b) ? -1 : 1));
  for (const [name, row] of sorted) {
    const key = `${row.method} ${row.path}`;
    const [first, ...others] = groups.get(key) ?? [];
    groups.set(key, first ? [first, ...others, { name, row }] : [{ name, row }]);
  }
  return [...groups.values()];
}

type Write = ReturnType<typeof createSchemaWriter>['write'];

/** Two rows on one path (`register` and `createMember`) are one operation: either body, and its reply. */
function operationOf(rows: Rows, write: Write) {
  const [{ name, row: first }] = rows;
  return {
    operationId: name,
    summary: rows.map(({ row }) => row.summary).join(' '),
    description: rows.map(({ row }) => audiences[row.access].who).join(' '),
    tags: [audiences[first.access].tag],
    security: rows.map(({ row }): Record<string, string[]> => (row.access === 'anyone' ? {} : { token: [] })),
    parameters: parametersOf(first, write),
    ...((first.body || first.takesFile) && {
      requestBody: { required: true, content: requestContent(rows, write) },
    }),
    responses: { ...successOf(rows, write), ...failuresOf(rows) },
  };
}

/** The audiences, from the widest to the narrowest. */
const audiences: Record<Access, { tag: string; who: string }> = {
  anyone: { tag: 'Anyone', who: 'Anyone.' },
  signedIn: { tag: 'Signed in', who: 'Whoever is signed in.' },
  borrower: { tag: 'Borrowers', who: 'A borrower.' },
  admin: { tag: 'Staff', who: 'An admin, from an allowed address.' },
  mainAdmin: { tag: 'Main admin', who: 'The main admin, from an allowed address.' },
};

const headers: Record<'idempotent' | 'carriesSecrets', Omit<Parameter, 'in' | 'required'>> = {
  idempotent: {
    name: 'Idempotency-Key',
    description: 'The same key and body gives the first answer again, with no second effect.',
    schema: { type: 'string', maxLength: 200 },
  },
  carriesSecrets: {
    name: 'Prefer',
    description: 'Which secrets of the account the answer holds; all of them when it is absent.',
    schema: { type: 'string', enum: ['secrets=none', 'secrets=otpCode', 'secrets=plainPassword'] },
  },
};

function parametersOf(row: Endpoint, write: Write): Parameter[] {
  const partsOf = (schema: z.ZodMiniType | undefined, place: 'path' | 'query') => {
    const { properties = {}, required = [] } = schema ? write(schema, 'input') : {};
    return Object.entries(properties).map(([name, part]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: part,
    }));
  };
  const flags = (['idempotent', 'carriesSecrets'] as const).filter((flag) => row[flag]);
  return [
    ...partsOf(paramsOf(row), 'path'),
    ...partsOf(row.query, 'query'),
    ...flags.map((flag) => ({ ...headers[flag], in: 'header', required: false })),
  ];
}

const either = (schemas: JsonSchema[]): JsonSchema => {
  const [only] = schemas;
  return schemas.length === 1 && only ? only : { anyOf: schemas };
};

function requestContent(rows: Rows, write: Write): Content {
  if (rows[0].row.takesFile) {
    const file: JsonSchema = { type: 'string', contentMediaType: 'application/octet-stream' };
    return {
      'multipart/form-data': { schema: { type: 'object', properties: { file }, required: ['file'] } },
    };
  }
  const bodies = rows.flatMap(({ row }) => (row.body ? [write(row.body, 'input')] : []));
  return { 'application/json': { schema: either(bodies) } };
}

/**
 * Describes the answer to a success. Where a second person has to decide first, the open
 * request may come in its place.
 */
function successOf(rows: Rows, write: Write): Responses {
  const [{ row }] = rows;
  const waiting = servicing.AwaitingReply;
  const replies = rows.flatMap((one) => (one.row.reply ? alternativesOf(one.row.reply) : []));
  const answer = (description: string, some: z.ZodMiniType[]) => ({
    description,
    content: successContent(row, either(some.map((reply) => write(reply, 'output')))),
  });
  const done = answer(
    'Done.',
    replies.filter((reply) => reply !== waiting),
  );
  return {
    [row.status ?? 200]: { ...done, ...(row.pageRows !== undefined && { headers: { Link: link } }) },
    ...(replies.includes(waiting) && { 202: answer('It waits for a second person.', [waiting]) }),
  };
}

function alternativesOf(reply: z.ZodMiniType): z.ZodMiniType[] {
  const { options } = reply._zod.def as { options?: z.ZodMiniType[] };
  return options?.includes(servicing.AwaitingReply) ? options : [reply];
}

const link: Pick<Parameter, 'description' | 'schema'> = {
  description: 'Where the list goes on, as `<address>; rel="next"`; absent on its last page.',
  schema: { type: 'string' },
};

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
  const types = fileTypes[produces]?.map((type) => {
    const schema: JsonSchema = {
      type: 'string',
      ...(!type.startsWith('text/') && { contentEncoding: 'binary' }),
    };
    return [type, { schema }] as const;
  });
  return types ? Object.fromEntries(types) : json;
}

export const failuresListed = (row: Endpoint): { code: ErrorCode; status: number }[] => [
  ...failureCodes(row).map((code) => ({ code, status: failures[code].status })),
  ...(row.conflicts ?? []).map((code) => ({ code, status: 409 })),
  ...(row.unauthorised ?? []).map((code) => ({ code, status: 401 })),
];

function failuresOf(rows: Rows): Responses {
  const listed = rows.flatMap(({ row }) => failuresListed(row));
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const responses = [...new Set(listed.map(({ status }) => status))].map((status) => {
    const codes = new Set(listed.flatMap((one) => (one.status === status ? [one.code] : [])));
    const description = [...codes].map((code) => `\`${code}\`: ${en.errors[code]}`).join(' · ');
    return [status, { description, content }] as const;
  });
  return Object.fromEntries(responses);
}

const modules = [
  ...[account, collection, document, exchange, expected, fields, loan, member, notification],
  ...[privacy, servicing, staff, staffLoan, staffWithdrawal, withdrawal],
];

/** Every schema of the API with a name, such as `UserReply`. Parts of a path are inlined. */
const named = z.registry<{ id: string }>();
for (const [name, value] of modules.flatMap((module) => Object.entries(module))) {
  if (/^[A-Z](?!.*(?:Params|Query)$)/.test(name) && isSchema(value)) named.add(value, { id: name });
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** JSON Schema 2020-12: named schemas go into `components` and are referenced elsewhere. */
function createSchemaWriter() {
  const components: Record<string, JsonSchema> = {};

  const write = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
    // Wrapped, so that a named schema is referenced and not inlined.
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
  // The format says it in a word; the pattern is unreadable.
  if (json.format !== undefined) delete json.pattern;
  Object.assign(json, explanations.get(schema));
}

const explanations = new Map<unknown, JsonSchema>([
  [fields.moneyReply, { pattern: '^-?\\d+\\.\\d{2}$', description: 'Pesos', example: '150000.00' }],
  [fields.ratePercentReply, { description: 'Percent', example: '3.666672' }],
  [fields.monthlyRateReply, { description: 'Percent a month', example: 2.5 }],
]);

function withOurRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** The API document as one HTML page without scripts or external resources. */
export function apiPage({ info, openapi, tags, paths, components: { schemas } }: OpenApi): string {
  const listed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = tags.map(({ name }) => ({
    tag: `<h2>${text(name)}</h2>`,
    its: listed.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const title = `${text(info.title)} API`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${prose(info.description)}</p>
<p>The same as <a href="/api/openapi.json">OpenAPI ${text(openapi)}</a>.</p>
</header>
<div class="columns">
<nav aria-label="Endpoints">
${all(groups, ({ tag, its }) => `${tag}<ul>${all(its, navItem)}</ul>`)}
<h2>Shapes</h2><ul>${all(Object.keys(schemas), (name) => `<li>${shapeLink(name)}</li>`)}</ul>
</nav>
<main>
${all(groups, ({ tag, its }) => `${tag}${all(its, (one) => section(one, schemas))}`)}
<h2>Shapes</h2>
${all(Object.entries(schemas), shape)}
</main>
</div>
</body>
</html>
`;
}

const all = <Item>(items: readonly Item[], write: (item: Item) => string) => items.map(write).join('');

/** The named schemas: a request body lists its fields in place, a reply links to them. */
type Shapes = Record<string, JsonSchema>;

type Listed = { path: string; method: string; operation: Operation };

const badge = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

const navItem = ({ path, method, operation }: Listed) =>
  `<li><a href="#endpoint-${operation.operationId}">${badge(method)} ${text(path.replace(/^\/api/, ''))}</a></li>`;

const shapeLink = (name: string) => `<a href="#shape-${text(name)}">${text(name)}</a>`;

function section({ path, method, operation }: Listed, shapes: Shapes): string {
  const { operationId, summary, description, requestBody, parameters, responses } = operation;
  const answers = Object.entries(responses);
  const failures = answers.filter(([status]) => status >= '300');
  return `<section id="endpoint-${operationId}">
<h3>${badge(method)} <code>${text(path)}</code></h3>
<p>${prose(summary)} <span class="who">${text(description)}</span></p>
${parameters.length > 0 ? table('Parameters', ['Name', 'In', 'Form'], parameters.map(parameterRow)) : ''}
${requestBody ? content('Body', requestBody.content, shapes) : ''}
${all(answers, ([status, answer]) => (status < '300' ? content(`Answer ${status}`, answer.content) : ''))}
<details><summary>Failures</summary>
${table(
  '',
  ['Status', 'Codes'],
  failures.map(([status, failure]) => [status, failure.description.split(' · ').map(prose).join('<br>')]),
)}</details>
</section>`;
}

const parameterRow = ({ name, in: place, required, schema, description }: Parameter) => [
  fieldName(name, required),
  place,
  `${form(schema)}${description === undefined ? '' : `<br>${prose(description)}`}`,
];

function content(title: string, byType: Content, shapes: Shapes = {}): string {
  const types = Object.keys(byType);
  const [written] = Object.values(byType).map((one) => one.schema);
  const schema = (written?.$ref && shapes[nameIn(written.$ref)]) || written;
  const isJson = types[0] === 'application/json';
  const heading = isJson && types.length === 1 ? title : `${title}: ${types.join(' or ')}`;
  return `<h4>${text(heading)}</h4>${schema && (isJson || schema.properties) ? fieldsOf(schema) : ''}`;
}

const shape = ([name, schema]: [string, JsonSchema]) =>
  `<section id="shape-${text(name)}"><h3>${text(name)}</h3>${fieldsOf(schema)}</section>`;

function fieldsOf(schema: JsonSchema): string {
  const { properties, required = [] } = schema;
  if (!properties) return `<p>${form(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, part]) => [
    fieldName(name, required.includes(name)),
    form(part),
  ]);
  return table('', ['Field', 'Form'], rows);
}

function table(title: string, heads: string[], rows: string[][]): string {
  const heading = title && `<h4>${text(title)}</h4>`;
  const head = all(heads, (one) => `<th scope="col">${text(one)}</th>`);
  const body = all(rows, (row) => `<tr>${all(row, (cell) => `<td>${cell}</td>`)}</tr>`);
  return `${heading}<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const fieldName = (name: string, required: boolean) =>
  `<code>${text(name)}</code>${required ? '' : ' <span class="optional">optional</span>'}`;

/** A schema in words: `text, 2 to 120 characters`, `list of LoanReply`. Already escaped. */
function form(schema: JsonSchema): string {
  if (schema.$ref) return shapeLink(nameIn(schema.$ref));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(form))].join(' or ');
  const codes = (values: unknown[]) =>
    values.map((value) => `<code>${text(String(value))}</code>`).join(', ');
  const fixed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (fixed) return codes(fixed.map((value) => JSON.stringify(value)));
  if (schema.items) return `list of ${form(schema.items)}`;
  if (schema.properties) return `object with ${codes(Object.keys(schema.properties))}`;
  const { type = 'anything', format, description, example } = schema;
  const types = [type].flat().map((one) => words[one] ?? one);
  const length = range(schema.minLength || undefined, schema.maxLength);
  const parts = [
    types.join(' or '),
    length && `${length} characters`,
    range(schema.minimum, schema.maximum),
    format,
    description,
    example !== undefined && `such as ${JSON.stringify(example)}`,
  ];
  return parts.flatMap((part) => (part ? [text(part)] : [])).join(', ');
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

const words: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

function range(from: number | undefined, to: number | undefined): string | undefined {
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? undefined : `at most ${to}`;
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const text = (value: string) => value.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

/** A sentence in which `such words` are code. */
const prose = (value: string) => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');

const styles = `
:root { --paper: #f6f4ef; --card: #fff; --line: #e2e6ec; --ink: #10233f; --soft: #4a5a70; --leaf: #0b6e5f; --tint: #e3f2ee; --warn: #8a5a00; --bad: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #0b1420; --card: #141f2e; --line: #2a3747; --ink: #eaf0f7; --soft: #a8b5c5; --leaf: #4fc4ae; --tint: #12332f; --warn: #f2c266; --bad: #ff9e94 }
}
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
header, .columns { max-width: 75rem; margin: 0 auto; padding: 1.5rem }
header p { max-width: 45rem; color: var(--soft); margin: .5rem 0 }
h1 { font-size: 2rem; line-height: 2.375rem; margin: 0 }
h2 { font-size: 1.25rem; margin: 2rem 0 .75rem }
h3 { font-size: 1rem; margin: 0 0 .5rem; overflow-wrap: anywhere }
h4 { font-size: .875rem; margin: 1rem 0 .25rem; color: var(--soft) }
a { color: var(--leaf) }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--leaf); outline-offset: 2px }
code { font: .875em ui-monospace, "Roboto Mono", "Liberation Mono", monospace }
.columns { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: 2rem; padding-top: 0 }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding-bottom: 2rem; font-size: .875rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: .25rem 0; text-decoration: none; color: var(--ink); overflow-wrap: anywhere }
nav a:hover { color: var(--leaf) }
section { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 1.25rem; margin-bottom: 1rem }
section p { margin: .25rem 0 }
section:target { border-color: var(--leaf) }
.method { display: inline-block; min-width: 3.6rem; padding: 0 .4rem; border-radius: .5rem; background: var(--tint); color: var(--leaf); font-size: .75rem; font-weight: 600; text-align: center }
.method.put, .method.patch { color: var(--warn) }
.method.delete { color: var(--bad) }
.who, .optional { color: var(--soft) }
.optional { font-size: .75rem }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .875rem }
th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
th { color: var(--soft); font-weight: 600; border-top: 0 }
td:first-child { width: 14rem }
details { margin-top: 1rem }
summary { cursor: pointer; font-size: .875rem; font-weight: 600 }
@media (max-width: 50rem) {
  .columns { grid-template-columns: minmax(0, 1fr) }
  nav { position: static; max-height: none }
}
`;
