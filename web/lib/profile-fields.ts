import { factsOf, type ProfileFacts, type ProfileField, profileFieldNames } from '#domain/profile.ts';
import type { TextFieldProps } from '#web/ui/text-field.tsx';
import { typedAmount } from './format.ts';

// The borrower's form and the staff's share this.

/** The keyboard and the attributes with which each kind of text is typed. */
export const inputOf: Record<ProfileFacts[ProfileField]['kind'], Partial<TextFieldProps>> = {
  text: {},
  name: { autoCapitalize: 'words' },
  email: { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  phone: { type: 'tel', inputMode: 'tel' },
  accountNumber: { inputMode: 'numeric' },
  pesos: { inputMode: 'decimal', prefix: '₱' },
};

const isPesos = (name: ProfileField) => factsOf(name).kind === 'pesos';

/** Returns the attributes of a field of the profile. */
export function profileInput(name: ProfileField): Partial<TextFieldProps> {
  const { kind, autoComplete = 'off' } = factsOf(name);
  return { ...inputOf[kind], autoComplete };
}

/** Returns the parser of typed text, for `form.field`. */
export const profileReading = (name: ProfileField) => (isPesos(name) ? typedAmount : undefined);

export type TypedProfile = Record<ProfileField, string>;

/** A profile as the form holds it: every value a text, whole pesos without their centavos. */
export function typedProfile(profile: { readonly [Name in ProfileField]?: unknown }): TypedProfile {
  const typed = (name: ProfileField) => {
    const text = String(profile[name] ?? '');
    return isPesos(name) ? text.replace(/\.00$/, '') : text;
  };
  return Object.fromEntries(profileFieldNames.map((name) => [name, typed(name)])) as TypedProfile;
}
