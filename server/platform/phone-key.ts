import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The part of a `phoneKey` that somebody searches for who writes some of a number; undefined for what is none. */
export function phoneKeyPart(text: string): string | undefined {
  const digits = text.replace(/[\s()\p{Dash_Punctuation}]/gu, '');
  return /^\+?\d+$/.test(digits) ? digits.replace(/^0/, '+63') : undefined;
}

/** The international form, Philippine unless it says; what is no possible number, as typed (§phone-numbers). */
export function phoneKey(text: string): string {
  // `extract: false`, or any sentence with a number in it would be that number's account.
  const number = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'PH', extract: false });
  if (!number?.isPossible()) return text.replace(/[\s\p{Dash_Punctuation}]/gu, '');
  return number.ext ? `${number.number};ext=${number.ext}` : number.number;
}
