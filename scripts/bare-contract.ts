import { type ESTree, type Plugin, parseSync, Visitor } from 'vite';

type Span = { start: number; end: number };

const tableFile = /\/contract\/[a-z-]+-endpoints\.ts$/;

/** Replaced by spaces, with the comma behind it, so that line numbers hold and no source map is needed. */
const blank = (code: string, spans: readonly Span[]) =>
  spans.reduce((rest, { start, end }) => {
    const until = end + (/^\s*,/.exec(rest.slice(end))?.[0].length ?? 0);
    return rest.slice(0, start) + rest.slice(start, until).replace(/[^\n]/g, ' ') + rest.slice(until);
  }, code);

/**
 * Strips an endpoint module to each row's method and path and the imports they still need. Throws unless every row is
 * written as `export const name = anyone('…', { … })`, or with another caller, since anything else would be kept.
 */
export function bareRows(code: string): string {
  const { body } = parseSync('endpoints.ts', code).program;
  const imports = body.flatMap((statement) => (statement.type === 'ImportDeclaration' ? statement : []));
  const rows = body.flatMap((statement) => (statement.type === 'ImportDeclaration' ? [] : rowOf(statement)));
  const rest = rows.flatMap(({ properties }) =>
    properties.filter((property) => nameOf(property) !== 'carriesSecrets'),
  );
  const bare = blank(code, rest);
  const used = new Set(blank(bare, imports).match(/[\w$]+/g));
  const unused = imports.filter(({ specifiers }) => !specifiers.some(({ local }) => used.has(local.name)));
  return blank(bare, unused);
}

const nameOf = (property: ESTree.ObjectPropertyKind) =>
  property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '';

function rowOf(statement: ESTree.Directive | ESTree.Statement) {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined;
  const call = declared?.type === 'VariableDeclaration' ? declared.declarations[0]?.init : undefined;
  const row = call?.type === 'CallExpression' ? call.arguments[1] : undefined;
  if (row?.type === 'ObjectExpression') return row;
  throw new Error("nothing but rows may be here: export const name = anyone('…', { … })");
}

/**
 * Strips the endpoint table of its schemas for browser bundles, so that a page which only makes calls loads
 * neither validation rules nor their library. Forms import their own schema by name.
 */
export function bareEndpoints(): Plugin {
  return {
    name: 'bare-endpoints',
    enforce: 'pre',
    transform: {
      filter: { id: tableFile },
      handler: (code) => ({ code: bareRows(code), map: null }),
    },
  };
}

/** Leaves one language of every object that holds both, as `{ status: 404, en: …, fil: … }`, and nothing else of it. */
export function inOneLanguage(code: string, language: string): string {
  const others: Span[] = [];
  new Visitor({
    ObjectExpression({ properties }) {
      const names = properties.map(nameOf);
      if (!names.includes('en') || !names.includes('fil')) return;
      others.push(...properties.filter((property) => nameOf(property) !== language));
    },
  }).visit(parseSync('sentences.ts', code).program);
  return blank(code, others);
}

const bilingual = /\/contract\/(?:errors|wording\/notices)\.ts$/;

/**
 * Splits the languages for browser bundles: somebody who reads English does not load the Filipino
 * beside it, and the other way round. Such a module comes in two, one for the Filipino wording
 * and one for everybody else.
 */
export function oneLanguage(): Plugin {
  return {
    name: 'one-language',
    enforce: 'pre',
    resolveId: {
      filter: { id: /\/(?:errors|notices)\.ts$/ },
      async handler(source, importer = '', options) {
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        if (!found || !bilingual.test(found.id)) return found;
        return `${found.id}?${/\/wording\/fil\b/.test(importer) ? 'fil' : 'en'}`;
      },
    },
    transform: {
      filter: { id: /\.ts\?(?:en|fil)$/ },
      handler: (code, id) => ({ code: inOneLanguage(code, id.slice(id.indexOf('?') + 1)), map: null }),
    },
  };
}

/** A value written without a bracket or a spread calls nothing: a bundler knows that it can go. */
const calls = (code: string, { start, end }: Span) => /\(|\.\.\./.test(code.slice(start, end));

/**
 * Lets a bundler drop every constant of a module that nobody uses: computing it changes nothing else, which a bundler
 * cannot know of calls such as a schema's.
 */
export function pureConstants(code: string): string {
  const values = parseSync('declarations.ts', code).program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') return [];
    return declared.declarations.flatMap(({ id, init }) =>
      id.type === 'Identifier' && init && init.type !== 'ArrowFunctionExpression' && calls(code, init)
        ? init
        : [],
    );
  });
  return values.reduceRight(
    (rest, { start, end }) =>
      `${rest.slice(0, start)}/* @__PURE__ */ (() => (${rest.slice(start, end)}))()${rest.slice(end)}`,
    code,
  );
}

/** Keeps in browser bundles only what they use of the contract and the domain. */
export function onlyWhatIsUsed(): Plugin {
  return {
    name: 'only-what-is-used',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(?:contract|domain)\/[\w/-]+\.ts(?:\?\w+)?$/ },
      handler: (code, id) => ({
        // Sentences are made of nothing else.
        code: id.includes('/wording/') ? code : pureConstants(code),
        map: null,
        moduleSideEffects: false,
      }),
    },
  };
}
