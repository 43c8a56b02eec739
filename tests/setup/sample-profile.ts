import { type ProfileField, profileFieldNames, profileFields } from '#domain/profile.ts';

const samples: Record<(typeof profileFields)[ProfileField]['kind'], (number: number) => string> = {
  text: (number) => `${number} Rizal Street, Baler`,
  name: (number) => `Sample Name ${number}`,
  email: (number) => `sample.${number}@example.com`,
  phone: (number) => `091900000${String(number).padStart(2, '0')}`,
  accountNumber: (number) => `88776655${String(number).padStart(4, '0')}`,
  pesos: (number) => `${41_000 + number}.00`,
};

/** A profile with every field there is, each with a value of its own. */
export const sampleProfile = Object.fromEntries(
  profileFieldNames.map((name, index) => [name, samples[profileFields[name].kind](index + 1)]),
) as Record<ProfileField, string>;
