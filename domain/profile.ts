import { limits } from './limits.ts';
import { hasLetterOrDigit } from './text.ts';

type Facts = {
  /** The part of the form that asks for it. Fields of `reference` and of `bank` only make sense together. */
  group: 'person' | 'work' | 'reference' | 'bank';
  /** How it is typed, checked, compared and shown. `pesos` are stored as centavos. */
  kind: 'text' | 'name' | 'email' | 'phone' | 'accountNumber' | 'pesos';
  minLength?: number;
  maxLength?: number;
  maxCentavos?: number;
  /** May stay empty, which reads as null. */
  isOptional?: true;
  /** An account without it is not verified (§verified-account). */
  isForVerification?: true;
  /** Members are found by it. Lists of loans and withdrawals search by name, phone and email only. */
  isSearched?: true;
  /** Erased when the account is closed, not only when its books may be erased too (`docs/privacy.md`). */
  isErasedAtClosing?: true;
  /** The values that the form offers to choose from, instead of typing. */
  suggests?: 'countries' | 'banks';
  /** The value that a first form begins with, since most people would type it. */
  firstValue?: string;
  /** The browser's name for it (HTML, `autocomplete`). */
  autoComplete?: string;
};

/**
 * The fields of a profile in the order they are asked for (§profile-fields). Forms, replies, columns, search, edit
 * conflicts, erasure, log and archive are derived from this table.
 */
export const profileFields = {
  fullName: {
    group: 'person',
    kind: 'name',
    minLength: limits.fullNameMinLength,
    isForVerification: true,
    isSearched: true,
    autoComplete: 'name',
  },
  email: { group: 'person', kind: 'email', isOptional: true, isSearched: true, autoComplete: 'email' },
  address: {
    group: 'person',
    kind: 'text',
    minLength: limits.addressMinLength,
    maxLength: limits.longTextMaxLength,
    isForVerification: true,
    autoComplete: 'street-address',
  },
  countryOfWork: {
    group: 'work',
    kind: 'text',
    minLength: limits.countryOfWorkMinLength,
    suggests: 'countries',
    firstValue: 'Philippines',
    autoComplete: 'country-name',
  },
  monthlySalary: {
    group: 'work',
    kind: 'pesos',
    maxCentavos: limits.monthlySalaryMaxCentavos,
    isForVerification: true,
  },
  referenceName: {
    group: 'reference',
    kind: 'name',
    minLength: limits.referenceNameMinLength,
    isErasedAtClosing: true,
  },
  referencePhone: {
    group: 'reference',
    kind: 'phone',
    minLength: limits.referencePhoneMinLength,
    isErasedAtClosing: true,
  },
  bankName: {
    group: 'bank',
    kind: 'name',
    minLength: limits.bankNameMinLength,
    isForVerification: true,
    suggests: 'banks',
  },
  bankAccountNumber: {
    group: 'bank',
    kind: 'accountNumber',
    minLength: limits.bankAccountNumberMinLength,
    isForVerification: true,
  },
} as const satisfies Record<string, Facts>;

export type ProfileFacts = typeof profileFields;
export type ProfileField = keyof ProfileFacts;
export type ProfileGroup = ProfileFacts[ProfileField]['group'];

type FieldWith<Fact extends keyof Facts> = {
  [Name in ProfileField]: ProfileFacts[Name] extends Record<Fact, true> ? Name : never;
}[ProfileField];

export const factsOf = (name: ProfileField): Facts => profileFields[name];

export const profileFieldNames = Object.keys(profileFields) as ProfileField[];

export const fieldsWith = <Fact extends keyof Facts>(fact: Fact) =>
  profileFieldNames.filter((name) => factsOf(name)[fact]) as FieldWith<Fact>[];

export const profileGroups = [...new Set(profileFieldNames.map((name) => profileFields[name].group))];

export const fieldsOf = (group: ProfileGroup) =>
  profileFieldNames.filter((name) => profileFields[name].group === group);

/** Documents required for verification (§verified-account). */
export const documentPieces = ['idFrontUrl', 'idBackUrl', 'selfieUrl'] as const;

export type DocumentPiece = (typeof documentPieces)[number];

export const isDocumentPiece = (piece: string): piece is DocumentPiece =>
  (documentPieces as readonly string[]).includes(piece);

/** In display order. */
export const profilePieces = [...fieldsWith('isForVerification'), ...documentPieces];

export type ProfilePiece = (typeof profilePieces)[number];

export type DemandedField = Exclude<ProfileField, FieldWith<'isOptional'>>;

/** Everything a borrower is asked for: the form requires more than verification does. */
export const demandedPieces = [
  ...(profileFieldNames.filter((name) => !factsOf(name).isOptional) as DemandedField[]),
  ...documentPieces,
];

export type DemandedPiece = (typeof demandedPieces)[number];

type Profile<Piece extends string> = { readonly [Name in Piece]?: string | number | null | undefined };

/** The pieces that verification still lacks. Text without a letter or digit is missing; a salary of 0 is not. */
export function missingForVerification(profile: Profile<ProfilePiece>): ProfilePiece[] {
  return missingOf(profilePieces, profile);
}

/**
 * Returns what the borrower is still asked for: nothing once the account is verified, even
 * if other fields are blank.
 */
export function missingPieces(profile: Profile<DemandedPiece>): DemandedPiece[] {
  return isVerified(profile) ? [] : missingOf(demandedPieces, profile);
}

function missingOf<Piece extends string>(pieces: readonly Piece[], profile: Profile<Piece>): Piece[] {
  return pieces.filter((piece) => !hasLetterOrDigit(String(profile[piece] ?? '')));
}

export function isVerified(profile: Profile<ProfilePiece>): boolean {
  return missingForVerification(profile).length === 0;
}
