import type { FieldDef } from 'pg';

/** A statement that the session has parsed, or is about to. `fields` is undefined when it returns no rows. */
export type Statement = { name: string; isParsed: boolean; fields?: FieldDef[] };

/** Statements by their text, the least recently used first to go. */
export type StatementCache = {
  use(text: string): Statement;
  forget(text: string): void;
  /** Names that fell out since the last call: the session must close them. */
  takeFallen(): string[];
};

export function createStatementCache(limit: number): StatementCache {
  const statements = new Map<string, Statement>();
  let fallen: string[] = [];
  let made = 0;

  function forget(text: string): void {
    const statement = statements.get(text);
    if (!statement) return;
    statements.delete(text);
    if (statement.isParsed) fallen.push(statement.name);
  }

  function use(text: string): Statement {
    const known = statements.get(text);
    if (known) {
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const [oldest] = statements.keys();
    if (statements.size >= limit && oldest !== undefined) forget(oldest);
    made += 1;
    const statement = { name: `s${made}`, isParsed: false };
    statements.set(text, statement);
    return statement;
  }

  function takeFallen(): string[] {
    if (fallen.length === 0) return fallen;
    const taken = fallen;
    fallen = [];
    return taken;
  }

  return { use, forget, takeFallen };
}
