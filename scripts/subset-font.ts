// Makes the two heading-font files in web/ui/fonts from Fontsource's Bricolage Grotesque (SIL OFL 1.1, licence beside
// them). Run by hand when the font, the letters or the currencies change; the output is committed, so builds never need it:
//
//   node --import tsx scripts/subset-font.ts
//
// Two files, because the peso's sign, like those of some currencies, is only in the foundry's latin-ext file and a subsetter
// cannot move outlines between files. The stylesheet gives each its unicode-range.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
// @ts-expect-error: the package has no types
import subsetFont from 'subset-font';
import { currencies } from '#domain/exchange.ts';

const budgetBytes = 25_000;

// One optical size throughout: opsz 12 is cut for captions and looks coarse at 40 px, 96 is too tight at 16 px.
const opticalSize = 36;
const weights = { min: 600, max: 800 };

// Tabular figures for amounts, kerning for headings (half of the file, so every letter left out counts twice).
const features = ['kern', 'tnum'];

// English, and Filipino with its dictionary accents; no programming punctuation.
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const accented = 'ÑñÁáÉéÍíÓóÚúàâèêìîòôùû';
const marks = ' \u00a00123456789.,:;!?%&+-−–—/()#$@*=×·•…€£¥\'"‘’“”';

const sources = dirname(
  createRequire(import.meta.url).resolve('@fontsource-variable/bricolage-grotesque/package.json'),
);
const target = join(import.meta.dirname, '..', 'web', 'ui', 'fonts');

const latin = letters + accented + marks;
const otherSigns = new Set(
  [...currencies.flatMap(({ symbol }) => [...symbol])].filter((sign) => !latin.includes(sign)),
);
const signs = ['₱', ...otherSigns].join('');

const files = [
  { from: 'latin', to: 'bricolage-latin.woff2', text: latin },
  { from: 'latin-ext', to: 'bricolage-peso.woff2', text: signs },
];

await mkdir(target, { recursive: true });
let totalBytes = 0;
for (const { from, to, text } of files) {
  const source = await readFile(join(sources, 'files', `bricolage-grotesque-${from}-opsz-normal.woff2`));
  const font = await subsetFont(source, text, {
    targetFormat: 'woff2',
    keepFeatures: features,
    variationAxes: { opsz: opticalSize, wght: weights },
    noHinting: true,
  });
  await writeFile(join(target, to), font);
  totalBytes += font.byteLength;
  console.log(`${to}  ${font.byteLength} bytes, ${[...text].length} characters`);
}
const styles = join(target, 'fonts.css');
const css = await readFile(styles, 'utf8');
const range = [...signs].map((sign) => `U+${sign.codePointAt(0)?.toString(16).toUpperCase()}`).join(', ');
await writeFile(styles, css.replace(/(?<=bricolage-peso[^}]*unicode-range: )[^;]+/, range));
await writeFile(join(target, 'OFL.txt'), await readFile(join(sources, 'LICENSE')));

if (totalBytes > budgetBytes) {
  console.error(`${totalBytes} bytes together, over the budget of ${budgetBytes}`);
  process.exitCode = 1;
}
