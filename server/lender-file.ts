import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Lender } from '#contract/lender.ts';
import { refuse } from './settings.ts';

/**
 * The lender's facts from the JSON file that LENDER_CONFIG names (contract section 10). Throws a `SettingError` that
 * names the setting, the file and the first field that is wrong.
 */
export function readLender(file: string): Lender {
  const where = path.resolve(file);
  const read = Lender.safeParse(parseJson(where, readText(where)));
  if (read.success) return read.data;
  const [first] = read.error.issues;
  refuse('LENDER_CONFIG', `names ${where}, in which ${fieldName(first?.path ?? [])} ${ruleOf(first)}`);
}

function readText(where: string): string {
  try {
    return readFileSync(where, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
    refuse('LENDER_CONFIG', `names ${where}, which cannot be read (${reason})`);
  }
}

function parseJson(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    refuse('LENDER_CONFIG', `names ${where}, which is not valid JSON`);
  }
}

/** `['regulators', 0, 'name']` → `"regulators[0].name"`. */
function fieldName(steps: readonly PropertyKey[]): string {
  if (steps.length === 0) return 'the whole';
  const name = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
  return `"${name.replace(/^\./, '')}"`;
}

type Issue = NonNullable<ReturnType<typeof Lender.safeParse>['error']>['issues'][number];

function ruleOf(issue: Issue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return `is missing or not of the type ${issue.expected}`;
    case 'too_small':
      return 'must not be empty';
    case 'too_big':
      return `must not be longer than ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'date'
        ? 'must be a date such as 2014-11-14'
        : 'must begin with http:// or https://';
    default:
      return 'is not valid';
  }
}
