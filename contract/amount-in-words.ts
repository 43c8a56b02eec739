import type { DateLanguage } from '#domain/calendar.ts';
import type { Centavos } from '#domain/money.ts';

/** An amount as a receipt writes it out, so that nobody adds a digit. */
export function amountInWords(amountCentavos: Centavos, language: DateLanguage): string {
  const { wholeOf, pesoOf, centavoOf, and } = languages[language];
  const pesos = Math.floor(amountCentavos / 100);
  const cents = amountCentavos % 100;
  const parts = [
    ...(pesos > 0 || cents === 0 ? [pesoOf(wholeOf(pesos), pesos)] : []),
    ...(cents > 0 ? [centavoOf(wholeOf(cents), cents)] : []),
  ];
  const text = parts.join(` ${and} `);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const scales = [1e12, 1e9, 1e6, 1e3, 1] as const;

/** The groups of three digits that are not zero, largest first, with the place of their name. */
const groupsOf = (whole: number) =>
  scales
    .map((scale, place) => ({ place, group: Math.floor(whole / scale) % 1000 }))
    .filter(({ group }) => group > 0);

const english = {
  below20:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
      ' ',
    ),
  tens: '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  scales: ['trillion', 'billion', 'million', 'thousand', ''],
  /** Between tens and ones. */
  joint: '-',
  /** Between the hundreds and the rest. */
  and: ' ',
  hundredsOf: (count: string) => `${count} hundred`,
};

const filipino = {
  below20:
    'sero isa dalawa tatlo apat lima anim pito walo siyam sampu labing-isa labindalawa labintatlo labing-apat labinlima labing-anim labimpito labingwalo labinsiyam'.split(
      ' ',
    ),
  tens: '_ _ dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu'.split(' '),
  scales: ['trilyon', 'bilyon', 'milyon', 'libo', ''],
  joint: '’t ',
  and: ' at ',
  // The d of `daan` softens after a vowel: apat na raan.
  hundredsOf: (count: string) => `${linked(count)} ${linked(count).endsWith(' na') ? 'raan' : 'daan'}`,
};

function groupWords({ below20, tens, joint, and, hundredsOf }: typeof english, group: number): string {
  const rest = group % 100;
  const ones = rest % 10;
  const hundreds = group >= 100 ? hundredsOf(below20[Math.floor(group / 100)] ?? '') : '';
  const small =
    rest < 20 ? below20[rest] : `${tens[Math.floor(rest / 10)]}${ones > 0 ? joint + below20[ones] : ''}`;
  return [hundreds, rest > 0 ? small : ''].filter(Boolean).join(and);
}

const englishWhole = (whole: number): string =>
  groupsOf(whole)
    .map(({ group, place }) => `${groupWords(english, group)} ${english.scales[place]}`.trim())
    .join(' ') || 'zero';

/** With the linker before the word that follows: `isang`, `daang`, `apat na`. */
function linked(words: string): string {
  if (/[aeiou]$/.test(words)) return `${words}ng`;
  return words.endsWith('n') ? `${words}g` : `${words} na`;
}

function filipinoWhole(whole: number): string {
  const groups = groupsOf(whole).map(({ group, place }) => {
    const words = groupWords(filipino, group);
    const scale = filipino.scales[place];
    return scale ? `${linked(words)} ${scale}` : words;
  });
  const last = groups.pop() ?? filipino.below20[0] ?? '';
  if (groups.length === 0) return last;
  return `${groups.join(', ')}${last.includes(' at ') ? ', ' : ' at '}${last}`;
}

const languages: Record<
  DateLanguage,
  {
    wholeOf: (whole: number) => string;
    pesoOf: (words: string, count: number) => string;
    centavoOf: (words: string, count: number) => string;
    and: string;
  }
> = {
  en: {
    wholeOf: englishWhole,
    pesoOf: (words, count) => `${words} ${count === 1 ? 'peso' : 'pesos'}`,
    centavoOf: (words, count) => `${words} ${count === 1 ? 'centavo' : 'centavos'}`,
    and: 'and',
  },
  fil: {
    wholeOf: filipinoWhole,
    pesoOf: (words) => `${linked(words)} piso`,
    centavoOf: (words) => `${linked(words)} sentimo`,
    and: 'at',
  },
};
