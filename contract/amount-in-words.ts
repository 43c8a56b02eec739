import type { DateLanguage } from '#domain/calendar.ts';
import type { Centavos } from '#domain/money.ts';

/** Writes an amount out as a receipt does, so that nobody can add a digit. */
export function amountInWords(amountCentavos: Centavos, language: DateLanguage): string {
  const { pesoOf, centavoOf, and } = languages[language];
  const pesos = Math.floor(amountCentavos / 100);
  const cents = amountCentavos % 100;
  const parts = [
    ...(pesos > 0 || cents === 0 ? [pesoOf(wholeWords(pesos, language), pesos)] : []),
    ...(cents > 0 ? [centavoOf(wholeWords(cents, language), cents)] : []),
  ];
  const text = parts.join(` ${and} `);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const english = {
  below20:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
      ' ',
    ),
  tens: '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' '),
  scales: ['trillion', 'billion', 'million', 'thousand', ''],
  /** Joins tens and ones. */
  joint: '-',
  /** Joins the hundreds and the rest. */
  hundredsJoint: ' ',
  hundredsOf: (count: string) => `${count} hundred`,
  scaleOf: (words: string, scale: string) => `${words} ${scale}`,
  joined: (groups: readonly string[]) => groups.join(' '),
  pesoOf: (words: string, count: number) => `${words} ${count === 1 ? 'peso' : 'pesos'}`,
  centavoOf: (words: string, count: number) => `${words} ${count === 1 ? 'centavo' : 'centavos'}`,
  and: 'and',
};

/** Adds the linker before the word that follows: `isang`, `daang`, `apat na`. */
function linked(words: string): string {
  if (/[aeiou]$/.test(words)) return `${words}ng`;
  return words.endsWith('n') ? `${words}g` : `${words} na`;
}

const filipino: typeof english = {
  below20:
    'sero isa dalawa tatlo apat lima anim pito walo siyam sampu labing-isa labindalawa labintatlo labing-apat labinlima labing-anim labimpito labingwalo labinsiyam'.split(
      ' ',
    ),
  tens: '_ _ dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu'.split(' '),
  scales: ['trilyon', 'bilyon', 'milyon', 'libo', ''],
  joint: '’t ',
  hundredsJoint: ' at ',
  // The d of `daan` softens after a vowel: apat na raan.
  hundredsOf: (count) => `${linked(count)} ${linked(count).endsWith(' na') ? 'raan' : 'daan'}`,
  scaleOf: (words, scale) => `${linked(words)} ${scale}`,
  joined(groups) {
    const last = groups.at(-1) ?? '';
    if (groups.length < 2) return last;
    return `${groups.slice(0, -1).join(', ')}${last.includes(' at ') ? ', ' : ' at '}${last}`;
  },
  pesoOf: (words) => `${linked(words)} piso`,
  centavoOf: (words) => `${linked(words)} sentimo`,
  and: 'at',
};

const languages = { en: english, fil: filipino };

const places = [1e12, 1e9, 1e6, 1e3, 1] as const;

/** Names the groups of three digits, the largest first. */
function wholeWords(whole: number, language: DateLanguage): string {
  const words = languages[language];
  const groups = places.flatMap((place, index) => {
    const group = Math.floor(whole / place) % 1000;
    const scale = words.scales[index];
    if (group === 0) return [];
    return [scale ? words.scaleOf(groupWords(group, words), scale) : groupWords(group, words)];
  });
  return words.joined(groups) || (words.below20[0] ?? '');
}

function groupWords(group: number, { below20, tens, joint, hundredsJoint, hundredsOf }: typeof english) {
  const rest = group % 100;
  const ones = rest % 10;
  const hundreds = group >= 100 ? hundredsOf(below20[Math.floor(group / 100)] ?? '') : '';
  const small =
    rest < 20 ? below20[rest] : `${tens[Math.floor(rest / 10)]}${ones > 0 ? joint + below20[ones] : ''}`;
  return [hundreds, rest > 0 ? small : ''].filter(Boolean).join(hundredsJoint);
}
