import { limits } from '#domain/limits.ts';
import { noticesIn } from './notices.ts';

/**
 * The English of the wallet and the profile, apart from `en-home.ts` so that the dashboard does not load it. See
 * `en.ts`.
 */
export const account = {
  notices: /* @__PURE__ */ noticesIn('en'),

  /** On the sign-in screen, beside the sign-in itself: for whoever was signed out, or cannot sign in. */
  signedOut: {
    title: 'Why you were signed out',
    expired: `You stay signed in for ${limits.borrowerSessionDays} days. It ends sooner when your password is changed, on another phone or by our staff, or when your account is closed. If you asked for none of these, call us.`,
    suspended:
      'Our staff have put your account on hold. Your loan and your money stay as they are. Call us, and we will tell you why and what to do.',
  },

  forgot: {
    text: 'Call us. Our staff will make sure that it is you and set a new password for you.',
    have: 'Have these ready',
    things: ['The phone number of your account', 'A valid ID', 'Your loan number, if you have a loan'],
    lostPhone:
      'If your phone is lost or stolen, call from any other phone. We can lock your account so that nobody gets in.',
    neverAsk:
      'Our staff never ask for your password or a one-time code. Do not tell them to anybody who calls or writes.',
  },

  /** The wallet's balance, with the warning shown in every installation (§never-pay). */
  wallet: {
    balance: 'Wallet balance',
    showBalance: 'Show balance',
    hideBalance: 'Hide balance',
    balanceHidden: 'The balance is hidden',
    neverPay: 'You never pay to receive your loan. If anyone asks you to, report it.',
  },

  /** What was told to the borrower, by staff or by the product itself. */
  messages: {
    latest: 'Latest message',
    title: 'Messages',
    none: 'No messages yet',
    noneNew: 'No new messages',
    noneText: 'Messages from our staff, and every change they make to your account, appear here.',
    openContract: 'Open the contract',
    accessTitle: 'Changed since you last looked',
    accessClose: 'I have read this',
    all: (count: number) => `All messages (${count})`,
    failed: 'Your messages could not be loaded',
    memberStatus: { active: 'Active', pending: 'Pending', suspended: 'Suspended' },
  },

  /** How far the current application is, and what the main loan costs, in short. */
  application: {
    title: 'Application',
    none: 'No pending loan application found.',
    noneText: 'Once you apply, you can follow every step here.',
    failed: 'Your application could not be loaded',
    eitherWay: 'We’ll tell you either way',
    toWallet: 'To your wallet',
    preview: 'Loan preview',
    previewNone: 'Once you have applied, you’ll see what your loan costs here.',
    amount: 'Amount',
    papers: 'Contract and payment schedule',
  },

  /** Taking money out of the wallet (§withdrawing). */
  withdrawal: {
    start: 'Withdraw money',
    unavailable: 'Unavailable to request a withdrawal',
    title: 'Withdraw Funds',
    lead: 'You confirm it with a one-time code from our staff.',
    amount: 'Amount',
    inWallet: (balance: string) => `${balance} in the wallet`,
    allOfIt: 'All',
    toProfile: 'This is the bank account in your profile.',
    toOther: 'This is not the bank account in your profile, so our staff check it before money goes out.',
    continue: 'Continue',
    codeTitle: 'Enter OTP Code',
    codeLead: `Ask our staff for your ${limits.otpLength}-digit code. It works once.`,
    code: 'OTP code',
    noCode: 'No code yet?',
    requestCode: 'Request a code',
    codeRequestFailed: 'The code could not be requested',
    codeHint: `After ${limits.otpMaxWrongTries} wrong tries a code no longer works.`,
    youWithdraw: 'You withdraw',
    to: 'To',
    left: 'Left in the wallet',
    leftUnknown: 'Your balance could not be read just now',
    endingIn: (digits: string) => `account ending in ${digits}`,
    confirm: 'Confirm',
    approved: 'Withdrawal approved',
    approvedText: ({ amount, bankName }: { amount: string; bankName: string }) =>
      `${amount} is on its way to ${bankName}.`,
    submitted: 'Withdrawal submitted',
    submittedText: 'Our staff will check the bank account first.',
    failed: 'Withdrawal failed',
    unknown: 'We do not know whether it went through',
    unknownText: 'If it did, it is in your withdrawals. Look there before you try again.',
    list: 'Withdrawals',
    all: (count: number) => `All (${count})`,
    fewer: 'Fewer',
    none: 'No withdrawals yet',
    noneText: 'Your withdrawals appear here, with where the money went.',
    listFailed: 'Your withdrawals could not be loaded',
    returned: 'Returned to your wallet',
    sent: (date: string) => `Sent ${date}`,
    statuses: {
      pending: 'Pending',
      approved: 'Approved',
      completed: 'Completed',
      rejected: 'Rejected',
    },
  },

  /** Who the borrower is (§profile-fields). Every part says in one line why it is asked. */
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
    trendNone: 'No change yet',
    trend: (percent: string) => `${percent}% since the last change`,
    checklist: 'What an application needs',
    complete: 'Your profile is complete',
    completeText: 'Next, choose an amount. You see the whole cost before you agree.',
    pieceThere: 'there',
    pieceMissing: 'missing',
    personal: 'Personal Information',
    personalWhy: 'It tells us who is borrowing, and where to send your money.',
    edit: 'Edit personal information',
    view: 'View personal information',
    viewTitle: 'What we know about you',
    memberSince: 'Member since',
    notGiven: 'Not given',
    showNumber: 'Show number',
    hideNumber: 'Hide number',
    groups: {
      person: { title: 'You', why: 'So we know who is borrowing and can reach you.' },
      work: { title: 'Work', why: 'So the repayment fits what you earn.' },
      reference: {
        title: 'Reference',
        why: 'Someone who knows you, and knows that you named them. We call them only if we cannot reach you, and erase their details with your account.',
      },
      bank: { title: 'Bank', why: 'Where your withdrawals go. Our staff check any other account first.' },
    },
    save: 'Save',
    saved: 'Profile updated',
    account: 'Account',
    changePassword: 'Change password',
    passwordWhy: 'Afterwards every other phone is signed out.',
    passwordIssued: 'Our staff set your password. Choose your own, so that only you know it.',
    languageWhy: 'For this phone only.',
  },

  /** The sentences under which a form is sent, kept with the date; registration has its own (`consent-service.ts`). */
  consents: {
    profile: (lender: string) =>
      `By saving you agree that ${lender} keeps these details and uses them for what is said beside them.`,
    documents: (lender: string) =>
      `By adding a photo you agree that ${lender} keeps it to make sure that you are who you say.`,
    application: (lender: string) =>
      `By submitting you agree that ${lender} uses your profile and documents to decide on this application and, if it is approved, to manage the loan.`,
  },

  /** A borrower's rights over what is kept about them (RA 10173). */
  privacy: {
    title: 'Your data',
    why: 'What we keep about you is yours to see, to take along, and to have deleted.',
    download: 'Download my data',
    downloadNote: 'A ZIP file with everything we keep about you, photos included.',
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

  /** The identity documents (§photos). Their names are `verification.pieces`. */
  documents: {
    title: 'Documents',
    why: 'The ID shows who you are, the selfie that the ID is yours. Only you and our staff can see them.',
    acceptedIds: 'Accepted IDs, if still valid:',
    ids: 'National ID (PhilSys), passport, driver’s license, UMID, SSS, PRC, postal or voter’s ID.',
    howTo:
      'Fill the frame with the card, flat and in good light. For the selfie, face the light, without a cap or mask.',
    add: 'Add a photo',
    change: 'Change the photo',
    preparing: 'Preparing',
    uploading: 'Uploading',
    percent: (percent: number) => `${percent}%`,
    uploaded: 'Document uploaded',
    blurred: 'This photo looks blurred. If you can’t read the small print, take it again.',
    blurredFace: 'This photo looks blurred. If your face is not clear, take it again.',
    takeAgain: 'Take it again',
    keep: 'Keep it',
    refresh: 'Refresh documents',
    refreshed: 'Documents refreshed',
    loading: 'Loading the photo',
    loadFailed: 'The photo could not be loaded',
    // None of these may hold the name of a file input, or looking for 'Selfie' finds two things.
    open: {
      idFrontUrl: 'See the front side',
      idBackUrl: 'See the back side',
      selfieUrl: 'See the picture of you',
    },
  },

  /** The contract and the payment schedule on the screen (§contract, §schedule). */
  papers: {
    title: 'Loan papers',
    why: 'What was agreed, and when each payment is due.',
    contract: 'Loan contract',
    schedule: 'Payment schedule',
    noLoanTitle: 'No Loan Application',
    noLoanText: 'Once you have applied for a loan, you’ll see its contract and payment schedule here.',
    applyNow: 'APPLY NOW',
    contractFailed: 'Your loan contract could not be loaded',
    scheduleFailed: 'Your payment schedule could not be loaded',
    noContract: 'No loan contract available',
    noContractText: 'Our staff can tell you what was agreed for this loan.',
    noSchedule: 'No payment schedule available',
    noScheduleText: 'Our staff can tell you when your payments are due.',
    lender: 'Lender',
    borrower: 'Borrower',
    purpose: 'Purpose',
    document: 'Document',
    issued: 'Issued',
    lateCharge: 'Late charge',
    version: 'Version',
    replaced: ({ version, replaced, date }: { version: number; replaced: number; date: string }) =>
      `Version ${version} replaced version ${replaced} on ${date}.`,
    notAgreed: 'Not agreed by the borrower',
    notAgreedText: (date: string) =>
      `Our staff changed the terms to these on ${date}, and you have not accepted them yet. If you do not agree, contact us.`,
    acceptText: 'Read what it costs and when you pay before you accept. There is no need to accept right away.',
    accept: (version: number) => `Accept version\u00a0${version}`,
    accepted: 'Terms accepted',
    acceptedText: (version: number) => `You agreed to version ${version} of your contract.`,
    acceptedOn: (date: string) => `You accepted this version on ${date}.`,
    acceptFailed: 'The terms were not accepted',
    downloadVersion: (version: number) => `Download version ${version}`,
    fingerprint: 'Fingerprint (SHA-256) of the figures above, which nobody can change',
    download: 'Download PDF',
    downloadOther: 'PDF in Filipino',
    downloading: 'Preparing the PDF',
    downloadFailed: 'The file could not be downloaded',
    toCalendar: 'Add due dates to my calendar',
    toTable: 'Download as CSV',
    preparingFile: 'Preparing the file',
    leftToPay: 'Left to pay',
    leftSpoken: ({ total, count, last }: { total: string; count: number; last: string }) =>
      `${total} left to pay in ${count} equal payments, nothing after ${last}`,
    number: 'No.',
    dueDate: 'Due date',
    amount: 'Amount',
    leftAfter: 'Left after',
    status: 'Status',
    rowStatuses: { pending: 'Pending' },
  },
};
