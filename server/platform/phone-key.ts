import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { plainNumber } from '#domain/text.ts';

/** The part of `phoneKey` that matches a partial number typed in a search; undefined if the text is none. */
export function phoneKeyPart(text: string): string | undefined {
  const digits = plainNumber(text).replace(/[\s()\p{Dash_Punctuation}]/gu, '');
  return /^\+?\d+$/.test(digits) ? digits.replace(/^0/, '+63') : undefined;
}

/** The international form, Philippine by default; an impossible number stays as typed (§phone-numbers). */
export function phoneKey(text: string): string {
  const typed = plainNumber(text);
  // `extract: false`, or any sentence with a number in it would match that number's account.
  const number = parsePhoneNumberFromString(typed, { defaultCountry: 'PH', extract: false });
  if (!number?.isPossible()) return typed.replace(/[\s\p{Dash_Punctuation}]/gu, '');
  return number.ext ? `${number.number};ext=${number.ext}` : number.number;
}
