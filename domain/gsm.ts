/** The GSM 7-bit basic alphabet, in which 160 characters are one text message, without its escape. */
const basicAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

export const smsMaxLength = 160;

const inAlphabet = new Set(basicAlphabet);

export const isGsmText = (text: string): boolean => [...text].every((letter) => inAlphabet.has(letter));

/** Signs that have another name in the alphabet. */
const written: Record<string, string> = {
  '₱': 'PHP ',
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '•': '*',
  ' ': ' ',
  đ: 'd',
  ł: 'l',
};

/** In the basic alphabet: letters outside it are written without their marks, and what has no such form is left out. */
export const gsmText = (text: string): string =>
  [...text.normalize('NFC')]
    .map((letter) => {
      if (inAlphabet.has(letter)) return letter;
      const other = written[letter];
      if (other !== undefined) return other;
      const bare = [...letter.normalize('NFKD').replace(/\p{M}/gu, '')];
      return bare.filter((one) => inAlphabet.has(one)).join('');
    })
    .join('');
