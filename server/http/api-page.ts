import type { JsonSchema, OpenApi, Operation, Parameter } from './openapi.ts';

/** The API document as one page to read: no script, nothing loaded from anywhere. */
export function apiPage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = document.tags.map(({ name: tag }) => ({
    tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag)),
  }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text(document.info.title)} API</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<header>
<h1>${text(document.info.title)} API</h1>
<p>${prose(document.info.description)}</p>
<p>The same as <a href="/api/openapi.json">OpenAPI ${text(document.openapi)}</a>.</p>
</header>
<div class="columns">
<nav aria-label="Endpoints">${groups.map(({ tag, operations: listed }) => `<h2>${text(tag)}</h2><ul>${listed.map(navItem).join('')}</ul>`).join('')}<h2>Shapes</h2><ul>${Object.keys(document.components.schemas).map(shapeLink).join('')}</ul></nav>
<main>
${groups.map(({ tag, operations: listed }) => `<h2>${text(tag)}</h2>${listed.map((one) => section(one, document.components.schemas)).join('')}`).join('')}
<h2>Shapes</h2>
${Object.entries(document.components.schemas).map(shape).join('')}
</main>
</div>
</body>
</html>
`;
}

/** The named schemas: a body's fields are shown where it is sent, an answer's behind its link. */
type Shapes = Record<string, JsonSchema>;

type Listed = { path: string; method: string; operation: Operation };

const anchor = ({ operation }: Listed) => `endpoint-${operation.operationId}`;

const badge = (method: string) => `<span class="method ${method.toLowerCase()}">${method}</span>`;

const navItem = (listed: Listed) =>
  `<li><a href="#${anchor(listed)}">${badge(listed.method)} ${text(listed.path.replace(/^\/api/, ''))}</a></li>`;

const shapeLink = (name: string) => `<li><a href="#shape-${text(name)}">${text(name)}</a></li>`;

function section(listed: Listed, shapes: Shapes): string {
  const { path, method, operation } = listed;
  const { requestBody, parameters, responses } = operation;
  const answers = Object.entries(responses);
  return `<section id="${anchor(listed)}">
<h3>${badge(method)} <code>${text(path)}</code></h3>
<p>${prose(operation.summary)} <span class="who">${text(operation.description)}</span></p>
${parameters.length > 0 ? table('Parameters', ['Name', 'In', 'Form'], parameters.map(parameterRow)) : ''}
${requestBody ? content('Body', requestBody.content, shapes) : ''}
${answers
  .filter(([status]) => status < '300')
  .map(([status, answer]) => content(`Answer ${status}`, answer.content))
  .join('')}
<details><summary>Failures</summary>${table(
    '',
    ['Status', 'Codes'],
    answers
      .filter(([status]) => status >= '300')
      .map(([status, answer]) => [status, failureList(answer.description)]),
  )}</details>
</section>`;
}

const failureList = (description: string) => description.split(' · ').map(prose).join('<br>');

const parameterRow = ({ name, in: place, required, schema, description }: Parameter) => [
  fieldName(name, required),
  place,
  `${form(schema)}${description === undefined ? '' : `<br>${prose(description)}`}`,
];

function content(
  title: string,
  byType: Operation['responses'][string]['content'],
  shapes: Shapes = {},
): string {
  const types = Object.keys(byType);
  const [written] = Object.values(byType).map((one) => one.schema);
  const schema = (written?.$ref && shapes[nameIn(written.$ref)]) || written;
  const isJson = types[0] === 'application/json';
  const heading = isJson && types.length === 1 ? title : `${title}: ${types.join(' or ')}`;
  if (!schema || (!isJson && !schema.properties)) return `<h4>${text(heading)}</h4>`;
  return `<h4>${text(heading)}</h4>${schema.properties ? fieldTable(schema) : `<p>${form(schema)}</p>`}`;
}

const shape = ([name, schema]: [string, JsonSchema]) =>
  `<section id="shape-${text(name)}"><h3>${text(name)}</h3>${schema.properties ? fieldTable(schema) : `<p>${form(schema)}</p>`}</section>`;

const fieldTable = ({ properties = {}, required = [] }: JsonSchema) =>
  table(
    '',
    ['Field', 'Form'],
    Object.entries(properties).map(([name, schema]) => [
      fieldName(name, required.includes(name)),
      form(schema),
    ]),
  );

function table(title: string, heads: string[], rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => `<td>${cell}</td>`).join('');
  return `${title === '' ? '' : `<h4>${text(title)}</h4>`}<div class="table"><table><thead><tr>${heads.map((head) => `<th scope="col">${text(head)}</th>`).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</tbody></table></div>`;
}

const fieldName = (name: string, required: boolean) =>
  `<code>${text(name)}</code>${required ? '' : ' <span class="optional">optional</span>'}`;

/** A schema in words: `text, 2 to 120 characters`, `list of LoanReply`. Already escaped. */
function form(schema: JsonSchema): string {
  if (schema.$ref) {
    const name = nameIn(schema.$ref);
    return `<a href="#shape-${text(name)}">${text(name)}</a>`;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(form))].join(' or ');
  if (schema.enum)
    return schema.enum.map((value) => `<code>${text(JSON.stringify(value))}</code>`).join(', ');
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`;
  if (schema.items) return `list of ${form(schema.items)}`;
  if (schema.properties)
    return `object with ${Object.keys(schema.properties)
      .map((key) => `<code>${text(key)}</code>`)
      .join(', ')}`;
  return [typeWords(schema), ...rules(schema)].map(text).join(', ');
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

const words: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

function typeWords({ type = 'anything' }: JsonSchema): string {
  return [type]
    .flat()
    .map((one) => words[one] ?? one)
    .join(' or ');
}

function rules({
  minLength,
  maxLength,
  minimum,
  maximum,
  format,
  description,
  example,
}: JsonSchema): string[] {
  const length = range(minLength === 0 ? undefined : minLength, maxLength);
  const size = range(minimum, maximum);
  return [
    ...(length ? [`${length} characters`] : []),
    ...(size ? [size] : []),
    ...(format ? [format] : []),
    ...(description ? [description] : []),
    ...(example === undefined ? [] : [`such as ${JSON.stringify(example)}`]),
  ];
}

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

/** The page's own style sheet, in the product's colours. */
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
