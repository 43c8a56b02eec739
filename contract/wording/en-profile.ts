import { limits } from '#domain/limits.ts';
import type { DocumentPiece, ProfileField } from '#domain/profile.ts';
import { home } from './en-home.ts';
import { below } from './en-home-below.ts';

export const profile = {
  /** The parts of a profile, in addition to the words of Home. */
  verification: {
    ...home.verification,
    ...below.verification,
    pieces: {
      fullName: 'Full name',
      email: 'Email',
      address: 'Address',
      countryOfWork: 'Country of work',
      monthlySalary: 'Monthly salary',
      referenceName: 'Reference name',
      referencePhone: 'Reference phone',
      bankName: 'Bank name',
      bankAccountNumber: 'Account number',
      idFrontUrl: 'Front of ID',
      idBackUrl: 'Back of ID',
      selfieUrl: 'Selfie',
    } satisfies Record<ProfileField | DocumentPiece, string>,
  },

  /** The borrower's own facts (§profile-fields). Every part says in one line why it is asked. */
  profile: {
    credit: 'Credit score',
    creditWhy: 'Our staff look at it when you apply.',
    bands: {
      bad: 'Bad Credit',
      average: 'Average Credit',
      good: 'Good Credit',
      perfect: 'Perfect Credit',
      unknown: 'Unknown',
    },
    creditSpoken: ({ score, max, band }: { score: number; max: number; band: string }) =>
      `Credit score ${score} of ${max}, ${band}`,
    stars: (count: number, outOf: number) => `${count} of ${outOf} stars`,
    trendNone: '0.00%, no change yet',
    trend: (percent: string) => `${percent}% since the last change`,
    complete: 'Your profile is complete',
    completeText: 'Next, choose an amount. You see the whole cost before you agree.',
    personal: 'Personal Information',
    edit: 'Edit personal information',
    view: 'View personal information',
    viewTitle: 'What we know about you',
    memberSince: 'Member since',
    optional: '(optional)',
    notGiven: 'Not given',
    showNumber: 'Show number',
    hideNumber: 'Hide number',
    groups: {
      person: { title: 'You', why: 'So we know who is borrowing and can reach you.' },
      work: { title: 'Work', why: 'So the repayment fits what you earn.' },
      reference: {
        title: 'Reference person',
        why: 'Someone who knows you, and knows that you named them. We call them only if we cannot reach you, and erase their details with your account.',
      },
      bank: { title: 'Bank', why: 'Where your withdrawals go. Our staff check any other account first.' },
    },
    suggestions: (field: string) => `Suggestions: ${field}`,
    part: (number: number) => `Part ${number} of 2`,
    allAtOnce: 'All the questions on one page',
    save: 'Save',
    saved: 'Profile updated',
    account: 'Account',
    signIn: 'Language and sign-in',
    accountText: 'Language, password, your data',
    changePassword: 'Change password',
    passwordWhy: 'Afterwards you are signed out everywhere else.',
    passwordIssued: 'Our staff set your password. Choose your own, so that only you know it.',
    languageWhy: 'On this device only.',
  },

  /** The identity documents (§photos). Their names are `verification.pieces`. */
  documents: {
    title: 'Documents',
    allHere: '3 photos, all here',
    acceptedIds: 'Accepted IDs',
    ids: 'If still valid: National ID (PhilSys), passport, driver’s license, UMID, SSS, PRC, postal or voter’s ID.',
    howTo: {
      idFrontUrl: 'The whole card, flat and in good light.',
      idBackUrl: 'The other side of the same card.',
      selfieUrl: 'Face the light, without a cap or mask.',
    },
    add: 'Add a photo',
    change: 'Change the photo',
    preparing: 'Preparing',
    uploading: 'Uploading',
    uploaded: 'Document uploaded',
    refresh: 'Refresh documents',
    refreshed: 'Documents refreshed',
    loadFailed: 'The photo could not be loaded',
    // None may contain the name of a file input, or a search for 'Selfie' finds two elements.
    open: {
      idFrontUrl: 'See the front side',
      idBackUrl: 'See the back side',
      selfieUrl: 'See the picture of you',
    },
  },

  /** The sentence above a form's button, stored with the date; registration has its own (`consent-service.ts`). */
  consents: {
    profile: (lender: string) =>
      `By saving you agree that ${lender} keeps these details and uses them for the reasons given above each part.`,
    documents: (lender: string) =>
      `By adding a photo you agree that ${lender} keeps it to make sure that you are who you say. Only you and our staff can see it.`,
    application: (lender: string) =>
      `By submitting you agree that ${lender} uses your profile and documents to decide on this application and, if it is approved, to manage the loan.`,
  },

  /** A borrower's rights over what is kept about them (RA 10173). */
  privacy: {
    title: 'Your data',
    why: 'You may see what we keep about you, take a copy of it, and ask us to delete it.',
    download: 'Download my data',
    downloadNote: 'A ZIP file with everything we keep about you, photos included.',
    downloadTitle: 'Download your data?',
    downloadText: 'It holds your photos and everything you told us, so we ask for your password first.',
    downloadSend: 'Download',
    password: 'Your password',
    preparing: 'Preparing your data',
    ask: 'Ask for deletion',
    askTitle: 'Ask us to delete your data?',
    askText: 'Our staff look at your request and then close your account. Until then you can take it back.',
    consequences: [
      'Once it is closed you can no longer sign in. Download your data first.',
      'Your reference person is erased at once. If you never had a loan and no money ever moved, so is everything else.',
      `Otherwise we keep who you are for ${limits.closedAccountKeptYears} years after closing: the Anti-Money Laundering Act (RA 9160) asks lenders to be able to show whose transactions they were. Then your name, contacts, photos and bank details are erased.`,
      'The amounts of loans and wallet stay in the books, without your name.',
    ],
    send: 'Send request',
    sentOn: (date: string) => `Sent on ${date}.`,
    takeBack: 'Take the request back',
    failed: 'We could not see whether you asked for deletion',
  },
};
