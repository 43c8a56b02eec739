import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import * as schema from '#server/store/schema.ts';

type DrizzleKit = Pick<typeof import('drizzle-kit/api'), 'generateDrizzleJson' | 'generateMigration'>;
// Its ES module asks for packages that only other databases need.
const kit: DrizzleKit = createRequire(import.meta.url)('drizzle-kit/api');

const folder = 'server/store/migrations';
const readJson = (file: string) => JSON.parse(readFileSync(`${folder}/meta/${file}`, 'utf8'));
const tags: string[] = readJson('_journal.json').entries.map(({ tag }: { tag: string }) => tag);

it('every migration of the journal is there', () => {
  expect(tags.filter((tag) => !existsSync(`${folder}/${tag}.sql`))).toEqual([]);
});

it('only the newest snapshot is kept, which the next migration is made from', () => {
  const newest = `${tags.at(-1)?.slice(0, 4)}_snapshot.json`;
  expect(readdirSync(`${folder}/meta`).toSorted()).toEqual([newest, '_journal.json']);
});

it('the schema has a migration: npx drizzle-kit generate --name what_changed', async () => {
  const newest = readJson(`${tags.at(-1)?.slice(0, 4)}_snapshot.json`);
  expect(await kit.generateMigration(newest, kit.generateDrizzleJson(schema, newest.id))).toEqual([]);
});
