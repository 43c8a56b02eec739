const plainMobile = /^09\d{9}$/;

/** How a phone is found by a search: as typed, without its spaces and dashes, and in either of its two beginnings. */
export function phoneSpellings(phone: string): string {
  // Most are written so, and a hundred thousand of them are looked at.
  if (plainMobile.test(phone)) return `${phone}\n+63${phone.slice(1)}`;
  const digits = phone.replace(/[^\d+]/g, '');
  const local = digits.replace(/^\+?63/, '0');
  return [phone, digits, local, local.replace(/^0/, '+63')].join('\n');
}
