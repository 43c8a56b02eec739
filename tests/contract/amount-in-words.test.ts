import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountInWords } from '#contract/amount-in-words.ts';
import { centavos } from '#domain/money.ts';

describe('an amount in words', () => {
  it.each([
    [1, 'One centavo', 'Isang sentimo'],
    [50, 'Fifty centavos', 'Limampung sentimo'],
    [1_00, 'One peso', 'Isang piso'],
    [1_01, 'One peso and one centavo', 'Isang piso at isang sentimo'],
    [4_04, 'Four pesos and four centavos', 'Apat na piso at apat na sentimo'],
    [11_00, 'Eleven pesos', 'Labing-isang piso'],
    [21_17, 'Twenty-one pesos and seventeen centavos', 'Dalawampu’t isang piso at labimpitong sentimo'],
    [100_00, 'One hundred pesos', 'Isang daang piso'],
    [101_00, 'One hundred one pesos', 'Isang daan at isang piso'],
    [
      419_90,
      'Four hundred nineteen pesos and ninety centavos',
      'Apat na raan at labinsiyam na piso at siyamnapung sentimo',
    ],
    [600_00, 'Six hundred pesos', 'Anim na raang piso'],
    [1_000_00, 'One thousand pesos', 'Isang libong piso'],
    [1_500_00, 'One thousand five hundred pesos', 'Isang libo at limang daang piso'],
    [
      16_250_00,
      'Sixteen thousand two hundred fifty pesos',
      'Labing-anim na libo, dalawang daan at limampung piso',
    ],
    [
      133_750_05,
      'One hundred thirty-three thousand seven hundred fifty pesos and five centavos',
      'Isang daan at tatlumpu’t tatlong libo, pitong daan at limampung piso at limang sentimo',
    ],
    [900_000_00, 'Nine hundred thousand pesos', 'Siyam na raang libong piso'],
    [1_000_000_00, 'One million pesos', 'Isang milyong piso'],
    [1_000_001_00, 'One million one pesos', 'Isang milyon at isang piso'],
    [
      1_250_000_00,
      'One million two hundred fifty thousand pesos',
      'Isang milyon, dalawang daan at limampung libong piso',
    ],
    [
      99_999_999_99,
      'Ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine pesos and ninety-nine centavos',
      'Siyamnapu’t siyam na milyon, siyam na raan at siyamnapu’t siyam na libo, siyam na raan at siyamnapu’t siyam na piso at siyamnapu’t siyam na sentimo',
    ],
  ])('%i centavos is %s', (amount, en, fil) => {
    expect(amountInWords(centavos(amount), 'en')).toBe(en);
    expect(amountInWords(centavos(amount), 'fil')).toBe(fil);
  });

  it('reads back as the amount, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_99 }), (amount) => {
        expect(readBack(amountInWords(centavos(amount), 'en'), 'en')).toBe(amount);
        expect(readBack(amountInWords(centavos(amount), 'fil'), 'fil')).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });
});

const dictionaries = {
  en: {
    small: {
      ...numbered('one two three four five six seven eight nine ten eleven twelve', 1, 1),
      ...numbered('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13, 1),
      ...numbered('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
    },
    hundred: ['hundred'],
    scale: { thousand: 1e3, million: 1e6 },
    unit: { peso: 100, pesos: 100, centavo: 1, centavos: 1 },
  },
  fil: {
    small: {
      ...numbered('isa dalawa tatlo apat lima anim pito walo siyam sampu', 1, 1),
      ...numbered('labing-isa labindalawa labintatlo labing-apat labinlima', 11, 1),
      ...numbered('labing-anim labimpito labingwalo labinsiyam', 16, 1),
      ...numbered('dalawampu tatlumpu apatnapu limampu animnapu pitumpu walumpu siyamnapu', 20, 10),
    },
    hundred: ['daan', 'raan'],
    scale: { libo: 1e3, milyon: 1e6 },
    unit: { piso: 100, sentimo: 1 },
  },
};

function numbered(words: string, first: number, step: number): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word, index) => [word, first + index * step]));
}

function readBack(text: string, language: 'en' | 'fil'): number {
  const { hundred } = dictionaries[language];
  const small: Record<string, number> = dictionaries[language].small;
  const scale: Record<string, number> = dictionaries[language].scale;
  const unit: Record<string, number> = dictionaries[language].unit;
  const known = (word: string) => word in small || hundred.includes(word) || word in scale || word in unit;
  let [total, whole, group] = [0, 0, 0];
  const plain = text.toLowerCase().replaceAll('’t', ' ').replaceAll(',', ' ');
  for (const written of plain.split(/\s+/)) {
    // English joins tens and ones by a hyphen; Filipino links a word to the next by `ng`, `g` or `na`.
    const choices = [written, written.replace(/ng$/, ''), written.replace(/g$/, '')];
    for (const word of choices.some(known) ? [choices.find(known) ?? ''] : written.split('-')) {
      if (word === 'and' || word === 'at' || word === 'na') continue;
      if (!known(word)) throw new Error(`no number has the word ${word}`);
      if (word in small) group += small[word] ?? 0;
      else if (hundred.includes(word)) group *= 100;
      else if (word in scale) {
        whole += group * (scale[word] ?? 0);
        group = 0;
      } else {
        total += (whole + group) * (unit[word] ?? 0);
        [whole, group] = [0, 0];
      }
    }
  }
  return total;
}
