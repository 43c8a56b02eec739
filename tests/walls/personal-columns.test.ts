import { readFileSync } from 'node:fs';
import { getTableColumns, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { profileFieldNames } from '#domain/profile.ts';
import * as schema from '#server/store/schema.ts';
import { columns } from '#tests/setup/personal-columns.ts';

it('every column of the schema is declared personal or not', () => {
  const stored = Object.entries(schema).flatMap(([name, table]) =>
    is(table, PgTable) ? Object.keys(getTableColumns(table)).map((column) => `${name}.${column}`) : [],
  );
  const declared = Object.entries(columns).flatMap(([name, { personal = [], other }]) =>
    [...personal, ...other].map((column) => `${name}.${column}`),
  );
  expect(declared.sort()).toEqual(stored.sort());
});

it('docs/privacy.md says what each field of a profile is kept for', () => {
  const page = readFileSync('docs/privacy.md', 'utf8');
  expect(profileFieldNames.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
