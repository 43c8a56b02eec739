// `npm run pictures`: screenshots of every state the browser tests pass through, in every size, light and dark, both
// languages, for review in `.cache/pictures/index.html`. `npm run pictures -- wallet panel` limits it to test files
// whose name contains one of these words.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireNodeVersion } from './node-version.mjs';

requireNodeVersion();
const { cacheDir, PlainFailure, rootDir, runScript } = await import('./project.mjs');
const { prepareTests, runVitest } = await import('./vitest-run.mjs');

const picturesDir = join(cacheDir, 'pictures');
const testsDir = join('tests', 'browser');
/** The files that walk through states rather than permissions. */
const walks = /^(sweep|panel|admin-sign-in).*\.test\.ts$/;

/** @param {string[]} words */
function chosenFiles(words) {
  const files = readdirSync(join(rootDir, testsDir)).filter((name) => walks.test(name));
  const chosen = files.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
  if (chosen.length === 0) throw new PlainFailure(`No pictures are taken in ${words.join(' or ')}.`);
  return chosen.map((name) => join(testsDir, name));
}

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** @param {string} title @param {string} body */
const htmlPage = (
  title,
  body,
) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<style>body{font:14px/1.4 system-ui;margin:24px;background:#888}figure{display:inline-block;vertical-align:top;margin:0 16px 24px 0}
figcaption{max-width:320px}img{display:block;width:320px}a{color:inherit}</style><h1>${title}</h1>${body}`;

/** One page per size and colour scheme, and an index. Returns the number of pictures. */
function writePages() {
  const looks = readdirSync(picturesDir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  let count = 0;
  for (const { name: look } of looks) {
    const pictures = readdirSync(join(picturesDir, look)).sort();
    count += pictures.length;
    const figures = pictures.map((file) => {
      const address = escaped(`${encodeURIComponent(look)}/${encodeURIComponent(file)}`);
      return `<figure><a href="${address}"><img loading="lazy" alt="" src="${address}"></a><figcaption>${escaped(file.slice(0, -4))}</figcaption></figure>`;
    });
    writeFileSync(join(picturesDir, `${look}.html`), htmlPage(look, figures.join('\n')));
  }
  const links = looks.map(({ name }) => `<li><a href="${name}.html">${name}</a></li>`);
  writeFileSync(join(picturesDir, 'index.html'), htmlPage('Pictures', `<ul>${links.join('')}</ul>`));
  return count;
}

await runScript(async () => {
  const files = chosenFiles(process.argv.slice(2));
  const buildDir = await prepareTests();
  rmSync(picturesDir, { recursive: true, force: true });
  const env = { PICTURES_DIR: picturesDir, TEST_BUILD_DIR: buildDir, TEST_WORKERS: '3' };
  const results = await runVitest({ name: 'pictures', projects: ['browser'], env, args: files });
  console.log(`\n${writePages()} pictures: ${join(picturesDir, 'index.html')}`);
  if (results.some(({ failed }) => failed > 0)) process.exit(1);
});
