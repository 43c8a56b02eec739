/**
 * Texts as they are kept and compared (§text). A person who types sees neither an invisible mark nor how an accent is
 * encoded, so neither makes a difference.
 */

/** Zero-width joiners: between letters they shape words of Arabic and Indic scripts. */
const joiners = /([\p{L}\p{M}]?)([\u200C\u200D])[\u200C\u200D]*(?=(\p{L}?))/gu;

/**
 * Returns text in NFC, without format characters: direction overrides, zero-width spaces, soft
 * hyphens, byte order marks.
 */
export const plainText = (text: string): string =>
  text
    .replace(/(?![\u200C\u200D])\p{Cf}/gu, '')
    .replace(joiners, (_, before: string, joiner: string, after: string) =>
      before && after ? before + joiner : before,
    )
    .normalize('NFC');

/** Also takes out variation selectors and fillers, which are letters to Unicode, and the blank of braille. */
const withoutBlanks = (text: string): string =>
  text.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, '');

/** Counts the characters of a plain text that can be seen. */
export const shownLength = (text: string): number => withoutBlanks(text).trim().length;

/** Combining marks and punctuation alone say nothing. */
export const hasLetterOrDigit = (text: string): boolean => /[\p{L}\p{N}]/u.test(withoutBlanks(text));

/**
 * A number, reference or code as it is kept: `tel:` and invisible marks dropped, digits of any script by their value, one
 * kind of space.
 */
export const plainNumber = (text: string): string =>
  digitsByValue(withoutBlanks(plainText(text)).normalize('NFKC'))
    .replace(/\s+/g, ' ')
    .trim()
    .replace(scheme, readUri);

/** Matches a telephone link that somebody copied. */
const scheme = /^tel:(?:\/\/)?(.*)$/i;

const readUri = (_: string, number: string): string =>
  number.replace(/%2B/gi, '+').replace(/%20/g, ' ').trimStart();

const otherDigit = /(?!\d)\p{Nd}/gu;

export const digitsByValue = (text: string): string =>
  text.replace(otherDigit, (digit) => String(digitValue(digit)));

/** Unicode has the decimal digits of each script in tens, from zero up. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** Regular expressions that JavaScript and PostgreSQL read alike. */
export const searchMarks = {
  apostrophes: String.raw`[\x60\u00B4\u02B9-\u02BD\u02C8\u2018\u2019\u201B\u2032]`,
  unseen: String.raw`[\u0300-\u036F\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]`,
  spaces: String.raw`\s{2,}|[^\S ]`,
};
const apostrophes = new RegExp(searchMarks.apostrophes, 'g');
const unseen = new RegExp(searchMarks.unseen, 'g');
const spaces = new RegExp(searchMarks.spaces, 'g');

/** Most texts: they need no more than lower case, and lists have a hundred thousand of them. */
const plainLetters = /^[!-_a-~]*(?: [!-_a-~]+)*$/;

/**
 * A text as searched (§search): case, accents, apostrophes and runs of spaces make no difference. `schema.ts` folds
 * columns alike.
 */
export const foldText = (text: string): string =>
  plainLetters.test(text)
    ? text.toLowerCase()
    : text.replace(apostrophes, "'").normalize('NFKD').replace(unseen, '').toLowerCase().replace(spaces, ' ');

const notOnPaper =
  /(?!\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic})\p{L}|\p{Extended_Pictographic}/u;

/** True if the papers' font has the letters of a name (§paper-letters). */
export const isOnPaper = (text: string): boolean => !notOnPaper.test(text);
