import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

/**
 * Vitest's global setup: the files of a run share one PostgreSQL server, which starts when the first of them asks for it.
 * A run whose files all use the embedded engine starts none.
 */
export default async function setup(): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined;
  const door = http.createServer(async (_request, response) => {
    started ??= startPostgresServer();
    try {
      response.end((await started).url);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  // Workers are started after this and inherit it.
  process.env.TEST_POSTGRES_DOOR = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  return async () => {
    door.close();
    await (await started)?.stop();
  };
}

let asked: Promise<string> | undefined;

/** A superuser's connection to the server that the files of this run share. `TEST_DATABASE_URL` may name another. */
export function postgresOfRun(): Promise<string> {
  asked ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : askAtTheDoor();
  return asked;
}

async function askAtTheDoor(): Promise<string> {
  const door = process.env.TEST_POSTGRES_DOOR;
  if (!door) throw new Error('only files of the project `api` share a PostgreSQL server');
  const response = await fetch(door);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
