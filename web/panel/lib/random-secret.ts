/** Without characters easily confused when read out. */
const clearCharacters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const digits = '0123456789';
const issuedPasswordLength = 12;

/** Uniform: bytes that would favour the first characters are discarded. */
function draw(alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < fair && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

export const randomCode = (length: number): string => draw(digits, length);

export const randomPassword = (): string => draw(clearCharacters, issuedPasswordLength);
