import { limits } from '#domain/limits.ts';
import { commonHeads, titles } from './panel-every-page.ts';

export const members = {
  title: titles.members,
  search: 'Search members',
  add: 'Add member',
  none: 'No members found',
  noneText: 'Everyone who registers appears here. You can also add walk-in members.',
  rows: { one: 'member', many: 'members' },
  figures: { pending: 'Pending', active: 'Active', suspended: 'Suspended', total: 'All' },
  hasCode: 'OTP code set',
  columns: {
    ...commonHeads,
    balance: 'Balance',
    score: 'Score',
    joined: 'Joined',
    email: 'Email',
    verified: 'Verified',
    id: 'Id',
  },
  yes: 'yes',
  no: 'no',
  verifiedIn: (place: string) => `Verified · ${place}`,
  noDocuments: 'no documents',
  documentsOf: (count: number, total: number) => `${count} of ${total} documents`,
  incomplete: 'profile incomplete',
  completeFilter: 'To activate',
  documents: 'Documents',
  activate: 'Activate',
  deactivate: 'Deactivate',
  deleted: 'Member deleted',
  deactivateTitle: (name: string) => `Deactivate ${name}?`,
  deactivateText: (name: string) =>
    `${name} is signed out immediately and cannot sign in, apply or withdraw. You can activate the account again.`,
  activated: (name: string) => `${name} is active.`,
  deactivated: (name: string) => `${name} is suspended and signed out.`,
  isNow: (status: string) => `The status has changed in the meantime: it is now ${status}.`,
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: ({ name, balance }: { name: string; balance: string }) =>
    `${name}’s account is permanently removed from every list and can no longer sign in. The wallet holds ${balance}. Money, open withdrawals and outstanding loans must be settled first. Loans, withdrawals and the ledger are kept as records; the reference person is erased, and so is everything else if there are no records to keep.`,
};

export const deletion = {
  filter: 'Asked for deletion',
  note: 'asked for deletion',
  title: (date: string) => `Asked for deletion on ${date}`,
  text: (years: number) =>
    `Settle loans and wallet, then delete the member. The reference person is erased immediately. A member with no loans and no transactions is erased completely; otherwise the identity is kept for ${years} years as a record.`,
};

/** Members with the same number (§shared-numbers). */
export const sharedPhone = {
  filter: 'Sharing a number',
  note: 'shares this number',
};

/** Members whose wallet staff credited without a loan. */
export const credit = {
  filter: 'Credit without a loan',
  note: 'credit without a loan',
  noteOn: (date: string) => `credit without a loan, ${date}`,
};

/** Members who asked for a one-time code and have none yet. */
export const codeRequest = {
  filter: 'Waiting for a code',
  since: (when: string) => `Waiting for a code since ${when}`,
};

/** Adding and editing a member (§editing-members). */
export const memberForm = {
  editTitle: 'Edit member',
  editText: (name: string) => `Only the fields you change in ${name}’s account are saved.`,
  addText: 'For walk-in members. They sign in with their phone number.',
  phone: 'Phone number',
  passwordHint: 'Leave empty to generate one.',
  account: 'Account',
  groups: { person: 'Person', work: 'Work', reference: 'Reference person', bank: 'Bank' },
  saved: 'Member updated',
  created: 'Member created',
  saveFirst: 'Save member first',
  saveFirstText: 'You can add photos once the member is saved.',
  issuedTitle: 'The new member’s password',
  issuedText: (name: string) =>
    `Give it to ${name}. Staff who may set passwords can look it up for seven days, or until the member sets their own.`,
  done: 'Done',
};

export const memberDocuments = {
  of: (name: string) => `${name}’s identity documents`,
  isVerified: 'The profile is complete, with all three documents.',
  missing: 'Still missing',
};

/** Staff’s view of the photos. */
export const memberPhotos = {
  title: 'Photos',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  rotate: (name: string) => `Rotate: ${name}`,
  failed: 'The photo could not be loaded.',
};

export const memberPanel = {
  overline: (id: number) => `Member ${id}`,
  shortDocuments: { idFrontUrl: 'Front', idBackUrl: 'Back', selfieUrl: 'Selfie' },
  open: { idFrontUrl: 'View the front', idBackUrl: 'View the back', selfieUrl: 'View the member’s selfie' },
  noDocument: 'none',
  balance: 'Wallet balance',
  adjust: 'Adjust',
  adjustHidden: ' the balance',
  newBalance: 'New balance',
  reason: 'Reason',
  reasons: { admin_adjustment: 'Adjustment', correction: 'Correction' },
  releaseInstead: 'Release the loan instead',
  change: (before: string, after: string) => `${before} → ${after}`,
  difference: (difference: string) => `${difference} in the ledger`,
  saveBalance: 'Change balance',
  balanceTitle: (name: string) => `Change ${name}’s balance?`,
  balanceText: ({ before, after, difference }: { before: string; after: string; difference: string }) =>
    `From ${before} to ${after}. The ledger records ${difference}, and the member is notified.`,
  balanceSame: 'This is already the balance.',
  balanceMoved: ({ before, now }: { before: string; now: string }) =>
    `The balance was ${before} when you opened this and is now ${now}. What you typed is still here: check it and save again.`,
  score: 'Credit score',
  scoreHint: (min: number, max: number) => `${min} to ${max}`,
  newScore: 'New credit score',
  scoreNow: (score: number) => `now ${score}`,
  editHidden: ' the credit score',
  saveScore: 'Save score',
  hoursLeft: (hours: number) => (hours < 1 ? 'under an hour left' : `${hours} h left`),
  issued: 'issued, not yet changed',
  /** A screen reader hears each `of` after 'Show', 'Set' and 'Generate'. */
  code: {
    label: 'OTP code',
    of: ' the OTP code',
    unset: 'no code set',
    input: { label: 'New OTP code', hint: `${limits.otpLength} digits, for one withdrawal` },
    saveLabel: 'Save code',
    saved: 'OTP Code Updated',
    byText: 'texted to the borrower',
    textedToo: 'It was texted to the member: nobody has to read it out.',
    textsHint: `${limits.otpLength} digits, for one withdrawal. Where the member’s codes are texted, so is this one, in place of a message that it was set.`,
  },
  password: {
    label: 'Password',
    of: ' the password',
    input: { label: 'New password', hint: 'The member is notified and signed out everywhere.' },
    saveLabel: 'Save password',
    saved: 'Password Updated',
  },
  accountHidden: ' the account number',
  more: 'Personal information',
  since: 'Member since',
  recent: 'Recent',
  allRecent: 'All entries',
  revealFailed: 'Could not be shown',
};
