import { limits } from './limits.ts';

/** The states of an account (spec section 4): registered and unreviewed, reviewed, or forced out. */
export const memberStatuses = ['active', 'pending', 'suspended'] as const;

export type MemberStatus = (typeof memberStatuses)[number];

/** The personal information a verified account has (spec section 4). */
export const personalPieces = [
  'fullName',
  'address',
  'monthlySalary',
  'bankName',
  'bankAccountNumber',
] as const;

/** The documents a verified account has (spec section 4). */
export const documentPieces = ['idFrontUrl', 'idBackUrl', 'selfieUrl'] as const;

/** All that verification asks for, in the order in which it is shown. */
export const profilePieces = [...personalPieces, ...documentPieces] as const;

export type ProfilePiece = (typeof profilePieces)[number];

/** All that a borrower is asked for on the way there: the form takes its fields together (spec section 5, Profile). */
export const demandedPieces = [
  'fullName',
  'address',
  'countryOfWork',
  'monthlySalary',
  'referenceName',
  'referencePhone',
  'bankName',
  'bankAccountNumber',
  ...documentPieces,
] as const;

export type DemandedPiece = (typeof demandedPieces)[number];

type Profile<Piece extends string> = { readonly [Name in Piece]?: string | number | null | undefined };

/** The part of a profile that verification looks at; more fields may be beside it. */
export type VerifiableProfile = Profile<ProfilePiece>;

const HIDDEN_DIGIT = '•';
const ACCOUNT_GROUP_LENGTH = 4;
const SHOWN_DIGITS = 4;

/** The `accountStatus` of the wire, derived from the status (contract section 2): pending blocks nothing. */
export function accountStatus(status: MemberStatus): 'active' | 'suspended' {
  return status === 'suspended' ? 'suspended' : 'active';
}

/** What a staff member's Activate or Deactivate leads to: active → suspended, any other → active (spec section 4). */
export function toggledStatus(status: MemberStatus): 'active' | 'suspended' {
  return status === 'active' ? 'suspended' : 'active';
}

/**
 * The personal fields and documents that are still missing before an account is verified. Blank text is missing;
 * a salary of 0 is not.
 */
export function missingForVerification(profile: VerifiableProfile): ProfilePiece[] {
  return missingOf(profilePieces, profile);
}

/** What the borrower still has to give before the account is verified; nothing of one that is, whatever it lacks. */
export function missingPieces(profile: Profile<DemandedPiece>): DemandedPiece[] {
  return isVerified(profile) ? [] : missingOf(demandedPieces, profile);
}

function missingOf<Piece extends string>(pieces: readonly Piece[], profile: Profile<Piece>): Piece[] {
  return pieces.filter((piece) => String(profile[piece] ?? '').trim() === '');
}

/** Whether all personal information and all three documents are present (spec section 4). */
export function isVerified(profile: VerifiableProfile): boolean {
  return missingForVerification(profile).length === 0;
}

/** Whether this is the main admin: an admin whose phone is 'admin' or whose id is 3 (spec section 6). */
export function isMainAdmin(account: { id: number; phone: string; isAdmin: boolean }): boolean {
  return account.isAdmin && (account.id === limits.mainAdminId || account.phone === limits.mainAdminPhone);
}

/**
 * An account number in groups of four, counted from the end so that the last four stand together:
 * '12345678901' → '123 4567 8901'. Spaces and dashes as typed are dropped.
 */
export function groupAccountNumber(accountNumber: string): string {
  const characters = accountNumberCharacters(accountNumber);
  const first = characters.length % ACCOUNT_GROUP_LENGTH;
  const groups = first === 0 ? [] : [characters.slice(0, first).join('')];
  for (let start = first; start < characters.length; start += ACCOUNT_GROUP_LENGTH) {
    groups.push(characters.slice(start, start + ACCOUNT_GROUP_LENGTH).join(''));
  }
  return groups.join(' ');
}

/**
 * The same with all but the last four hidden: '••• •••• 8901'. A number of four or fewer, which no rule lets in,
 * is hidden whole.
 */
export function maskAccountNumber(accountNumber: string): string {
  const characters = accountNumberCharacters(accountNumber);
  const hiddenCount = characters.length > SHOWN_DIGITS ? characters.length - SHOWN_DIGITS : characters.length;
  return groupAccountNumber(HIDDEN_DIGIT.repeat(hiddenCount) + characters.slice(hiddenCount).join(''));
}

function accountNumberCharacters(accountNumber: string): string[] {
  return [...accountNumber.replace(/[\s\p{Dash_Punctuation}]/gu, '')];
}
