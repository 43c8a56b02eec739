import { limits } from '#domain/limits.ts';

/** Marks in a page that one of the strings has run; `ran` is read by the test. */
const run = 'globalThis.ran=1';

/**
 * Texts from people who want to see what happens. None is longer than 23 characters, so
 * that five fit in one field.
 */
const strings = [
  // Markup and script
  `<b onclick=${run}>`,
  '<img src onerror=ran=1>',
  '<svg onload=ran=1>',
  '"><script>ran=1</script'.slice(0, 23),
  "';ran=1;//",
  'javascript:ran=1',
  '</title><i>',
  '<!-- -->]]>',
  '&lt;i&gt;&#60;',
  '<base href=//x.test>',
  // Templates and formats
  '{{7*7}}',
  '$' + '{7*7}',
  '<%= 7*7 %>',
  '#{7*7}',
  '%s%n%x%d',
  '$& $1 $$',
  // Spreadsheets
  '=cmd|calc!A1',
  '+1+1',
  '-1-1',
  '@SUM(1)',
  '\u0009=1+1'.trim(),
  'a,"b";c',
  // SQL, paths, protocol
  "' or 1=1 --",
  '../../etc/passwd',
  '\\0 %00 \u2400',
  'END:VCALENDAR\\n',
  'BEGIN:VALARM',
  // Words that a program might take for nothing
  'null',
  'undefined',
  'NaN -0 1e400',
  '[object Object]',
  'constructor __proto__',
  // Writing that is not as wide or as straight as Latin
  '\u202eevil\u202d',
  '\u2067\u05d0\u05d1\u05d2',
  'مرحبا بالعالم',
  'a\u200bb\u200cc\ufeffd\u00ade',
  `e${'\u0301'.repeat(20)}`,
  '👩‍👩‍👧‍👦🏳️‍🌈👍🏽',
  '漢字仮名交じり文',
  'ﷺ﷽ 𒐫',
];

export const hostileStrings: readonly string[] = strings;

/** Returns a text of so many characters without a place to break; fields are filled with it. */
const unbroken = (length: number) => 'W'.repeat(length);

export type HostileTexts = {
  /** For fields of up to 120 characters. */
  short: string;
  /** For fields of up to 500. */
  long: string;
  message: string;
};

const inGroupsOf = 5;

/** All of the strings, a few together, as the texts of one account each; and one account whose texts never break. */
export const hostileTexts: readonly HostileTexts[] = [
  ...Array.from({ length: Math.ceil(strings.length / inGroupsOf) }, (_, group) => {
    const text = strings.slice(group * inGroupsOf, (group + 1) * inGroupsOf).join(' ');
    return { short: text, long: `${text} `.repeat(4).trim(), message: `${text}\n${text}` };
  }),
  {
    short: unbroken(limits.shortTextMaxLength),
    long: unbroken(300),
    message: unbroken(300),
  },
];
