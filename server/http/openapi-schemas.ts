import * as z from 'zod/mini';
import * as account from '#contract/account.ts';
import * as document from '#contract/document.ts';
import * as exchange from '#contract/exchange.ts';
import * as expected from '#contract/expected.ts';
import * as fields from '#contract/fields.ts';
import * as loan from '#contract/loan.ts';
import * as member from '#contract/member.ts';
import * as notification from '#contract/notification.ts';
import * as staff from '#contract/staff.ts';
import * as withdrawal from '#contract/withdrawal.ts';

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
  withdrawal,
];

/** Every schema of the contract that has a name of its own, such as `UserReply`; the parts of an address are written out. */
const named = z.registry<{ id: string }>();
for (const [name, value] of modules.flatMap((module) => Object.entries(module))) {
  if (/^[A-Z](?!.*(?:Params|Query)$)/.test(name) && isSchema(value)) named.add(value, { id: name });
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

/** Schemas of JSON Schema 2020-12, each named one in `components` and elsewhere only referred to. */
export function createSchemaWriter() {
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
