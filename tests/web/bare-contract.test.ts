import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as borrower from '#contract/borrower-endpoints.ts';
import { type Endpoint, rowsFor } from '#contract/endpoint.ts';
import * as session from '#contract/session-endpoints.ts';
import * as staff from '#contract/staff-endpoints.ts';
import { bareRows, inOneLanguage, pureConstants } from '../../scripts/bare-contract.ts';

/** Runs a module as a browser gets it. Returns its imports and exports. */
async function run(code: string) {
  const imports = [...code.matchAll(/^import .* from '(.*)';$/gm)].map(([, from]) => from);
  const callers = ['anyone', 'signedIn', 'borrower', 'admin', 'mainAdmin'];
  const makers = callers.map((access) => `const ${access} = (${rowsFor})('${access}');\n`).join('');
  const script = makers + code.replaceAll(/^import .*$/gm, '');
  const rows: Record<string, object> = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  return { imports, rows: { ...rows } };
}

describe('sentences that stand side by side', () => {
  it.each([
    ['en', ['This was not found', 'Loan LN-1: en'], 'Hindi'],
    ['fil', ['Hindi ito nakita', 'Utang LN-1: fil'], 'This'],
  ])('come to a browser in one language: %s', async (language, said, other) => {
    const source = `
export const failures = {
  not_found: { status: 404, en: 'This was not found', fil: 'Hindi ito nakita' },
};
const words = { loan: { en: 'Loan', fil: 'Utang' } };
export const news = {
  en: { message: ({ number }) => \`\${words.loan.en} \${number}: en\` },
  fil: {
    message: ({ number }) => \`\${words.loan.fil} \${number}: fil\`,
  },
};
`;
    const bare = inOneLanguage(source, language);
    expect(bare).not.toContain(other);
    expect(bare.split('\n')).toHaveLength(source.split('\n').length);
    const { rows } = await run(bare);
    const { failures, news } = rows as Record<string, Record<string, Record<string, unknown>>>;
    const message = news?.[language]?.message as (details: object) => string;
    expect(failures).toEqual({ not_found: { [language]: said[0] } });
    expect(message({ number: 'LN-1' })).toBe(said[1]);
  });
});

describe('a constant of the contract', () => {
  const source = `
export const amount = number().check(least(1));
const rules = { amount, reason: text({ min: 3 }) };
export const parse = (typed) => amount.parse(typed);
`;

  it('is marked as one that a bundle may leave out, and stays what it was', async () => {
    const marked = pureConstants(source);
    expect(marked.match(/\/\* @__PURE__ \*\//g)).toHaveLength(2);
    expect(marked).toContain('export const parse = (typed) => amount.parse(typed);');
    const pieces =
      'const number = () => ({ check: (rule) => ({ rule }) }), least = (from) => from, text = (rule) => rule;';
    const { rows } = await run(`${pieces}${marked}export const made = rules;`);
    expect(rows).toMatchObject({ amount: { rule: 1 }, made: { amount: { rule: 1 }, reason: { min: 3 } } });
  });
});

describe('the browser’s endpoint table', () => {
  it.each(Object.entries({ session, borrower, staff }))(
    'calls every row of the %s part as it stands',
    async (name, table) => {
      const source = readFileSync(`contract/${name}-endpoints.ts`, 'utf8');
      const bare = bareRows(source);
      const { imports, rows } = await run(bare);
      expect(rows).toEqual(
        Object.fromEntries(
          Object.entries<Endpoint>(table).map(([key, { method, path, access, carriesSecrets }]) => [
            key,
            { method, path, access, carriesSecrets },
          ]),
        ),
      );
      expect(imports).toEqual(['./endpoint.ts']);
      expect(bare.split('\n')).toHaveLength(source.split('\n').length);
    },
  );

  it('keeps an import that the rest still needs', async () => {
    const source = `import { admin } from './endpoint.ts';
import { Body } from './body.ts';
import { prefix } from './prefix.ts';
export const send = admin(\`POST \${prefix}/things\`, { body: Body, carriesSecrets: true, reply: { Body } });
`;
    const bare = bareRows(source);
    expect(bare).toContain("import { prefix } from './prefix.ts';");
    expect(bare).toMatch(/admin\(`POST \$\{prefix\}\/things`, \{ +carriesSecrets: true, +\}\);/);
    expect(bare).not.toContain('Body');
  });

  it.each([
    ['a row that is not written out', 'const row = { body };\nexport const send = admin("GET /api/x", row);'],
    ['something else than a row', 'export const send = admin("GET /api/x", {});\nsend.body = body;'],
  ])('refuses %s', (_, source) => {
    expect(() => bareRows(source)).toThrow('nothing but rows');
  });
});
