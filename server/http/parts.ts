import type { ZodMiniType } from 'zod/mini';
import type { ValidationKey } from '#contract/wording/en.ts';
import { en } from '#contract/wording/en.ts';
import { fail } from '#server/failure.ts';

type Part = 'params' | 'query' | 'body';

type Issue = { path: PropertyKey[]; message: string };

/**
 * Reads one part of a request with its schema. A path that does not read is not there (404); a body or a query that
 * fails a rule is a 400 with one sentence a field, the first of which is the message (§errors).
 */
export function readPart(schema: ZodMiniType | undefined, value: unknown, part: Part): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  if (part === 'params') fail('not_found');
  failWithFields(read.error.issues);
}

function failWithFields(issues: readonly Issue[]): never {
  const fields: Record<string, string> = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    if (field !== '' && !(field in fields)) fields[field] = sentenceOf(issue);
  }
  const [first] = issues;
  if (!first || (first.path.length === 0 && !isKey(first.message))) fail('malformed');
  fail('validation_failed', { message: sentenceOf(first), fields });
}

const isKey = (text: string): text is ValidationKey => Object.hasOwn(en.validation, text);

const sentenceOf = (issue: Issue) =>
  isKey(issue.message) ? en.validation[issue.message] : en.errors.validation_failed;
