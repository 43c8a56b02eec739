import * as z from 'zod/mini';
import { csvPieces } from '#contract/csv.ts';
import type { Endpoint } from '#contract/endpoint.ts';

type JsonSchema = { properties?: Record<string, JsonSchema>; items?: JsonSchema; anyOf?: JsonSchema[] };

/** The fields of a reply's rows by their paths, such as `lastPayment.date`: known even where a list is empty. */
function pathsOf({ properties, anyOf = [] }: JsonSchema): string[] {
  const parts = properties ?? anyOf.find((one) => one.properties)?.properties ?? {};
  return Object.entries(parts).flatMap(([name, part]) => {
    const inner = pathsOf(part);
    return inner.length > 0 ? inner.map((path) => `${name}.${path}`) : [name];
  });
}

const valueAt = (item: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], item);

const cellOf = (value: unknown): string | number | null =>
  typeof value === 'number' ? value : value === null || value === undefined ? null : String(value);

/** Returns a writer that turns rows of this list into lines of CSV. The first chunk has the heads. */
export function tableWriter({ csv, reply }: Endpoint) {
  const { items = {} } = z.toJSONSchema(reply as z.ZodMiniType, {
    io: 'output',
    unrepresentable: 'any',
  }) as JsonSchema;
  const columns =
    csv === true ? pathsOf(items).map((path) => [path, path] as const) : Object.entries(csv ?? {});
  const table = columns.map(([head, path]) => ({
    head,
    value: (item: unknown) => cellOf(valueAt(item, path)),
  }));
  return {
    head: [...csvPieces(table, [])].join(''),
    rows: (items: readonly unknown[]) => [...csvPieces(table, items)].slice(1).join(''),
  };
}

/** A report as CSV: a line for each figure, named by its path. */
export function reportTable(report: unknown): string {
  const lines = (value: unknown, path: string): { path: string; value: unknown }[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, part]) => lines(part, path === '' ? name : `${path}.${name}`))
      : [{ path, value }];
  const columns = [
    { head: 'figure', value: ({ path }: { path: string }) => path },
    { head: 'value', value: ({ value }: { value: unknown }) => cellOf(value) },
  ];
  return [...csvPieces(columns, lines(report, ''))].join('');
}
