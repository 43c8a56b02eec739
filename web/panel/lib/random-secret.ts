/** Without the letters and digits that are mistaken for one another when a password is read out. */
const clearCharacters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const digits = '0123456789';
const issuedPasswordLength = 12;

/** Characters drawn evenly: what of a random byte would favour the first ones is thrown away. */
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

/** A one-time code to be set for a member. */
export const randomCode = (length: number): string => draw(digits, length);

/** A password to be issued, which its owner changes later. */
export const randomPassword = (): string => draw(clearCharacters, issuedPasswordLength);
