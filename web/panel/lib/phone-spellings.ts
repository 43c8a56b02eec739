const plainMobile = /^09\d{9}$/;

/** Search keys of a phone: as typed, without spaces and dashes, and with either prefix (0 or +63). */
export function phoneSpellings(phone: string): string {
  // Fast path: most are in this form, in lists of a hundred thousand.
  if (plainMobile.test(phone)) return `${phone}\n+63${phone.slice(1)}`;
  const digits = phone.replace(/[^\d+]/g, '');
  const local = digits.replace(/^\+?63/, '0');
  return [phone, digits, local, local.replace(/^0/, '+63')].join('\n');
}
