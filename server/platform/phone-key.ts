import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The part of a `phoneKey` that somebody searches for who writes some of a number; undefined for what is none. */
export function phoneKeyPart(text: string): string | undefined {
  const digits = text.replace(/[\s()\p{Dash_Punctuation}]/gu, '');
  return /^\+?\d+$/.test(digits) ? digits.replace(/^0/, '+63') : undefined;
}

/**
 * What phone numbers are compared by (§phone-numbers): the international form, where a number
 * without a country is Philippine. What is no possible number compares as typed, without spaces and dashes.
 */
export function phoneKey(text: string): string {
  // `extract: false`, or any sentence with a number in it would be that number's account.
  const number = parsePhoneNumberFromString(text.trim(), { defaultCountry: 'PH', extract: false });
  if (!number?.isPossible()) return text.replace(/[\s\p{Dash_Punctuation}]/gu, '');
  return number.ext ? `${number.number};ext=${number.ext}` : number.number;
}
