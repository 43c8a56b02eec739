import { limits } from '#domain/limits.ts';
import { type Centavos, formatWholePeso } from '#domain/money.ts';
import { core } from './en-core.ts';

const pesos = (amountCentavos: number) => formatWholePeso(amountCentavos as Centavos);

const smallNumber = (count: number) => ['no', 'one', 'two', 'three', 'four'][count] ?? String(count);

/**
 * Every word a borrower reads, in English: word for word the spec's where the spec has it. It is also the shape of
 * every other language (`type Wording`), so a sentence missing there does not compile. What only staff read stands in
 * `panel.ts`, which a borrower's browser never loads.
 */
export const en = {
  ...core,

  /** The product's own notices to a borrower about a staff change (contract section 6); `details` fills them. */
  notices: {
    balance_changed: {
      title: 'Your wallet balance was changed',
      message: ({ before = '', after = '' }: Record<string, string>) => `From ${before} to ${after}.`,
    },
    otp_set: {
      title: 'A one-time code was set for you',
      message: ({ hours = '' }: Record<string, string>) =>
        `Ask our staff for it when you withdraw. It works once, for ${hours} hours.`,
    },
    password_set: {
      title: 'Our staff set a new password for you',
      message: () => 'If you did not ask for this, contact us at once.',
    },
    bank_details_changed: {
      title: 'Your bank details were changed',
      message: () => 'Our staff changed them. If you did not ask for this, contact us at once.',
    },
    status_changed: {
      title: 'Your account status was changed',
      message: ({ status = '' }: Record<string, string>) => `It is now: ${status}.`,
    },
    loan_status_changed: {
      title: 'Your loan status was changed',
      message: ({ loanNumber = '', status = '' }: Record<string, string>) => `Loan ${loanNumber}: ${status}.`,
    },
    loan_terms_changed: {
      title: 'Your loan terms were changed',
      message: ({
        loanNumber = '',
        amount = '',
        termMonths = '',
        monthlyPayment = '',
      }: Record<string, string>) =>
        `Loan ${loanNumber}: ${amount} over ${termMonths} months, ${monthlyPayment} a month. Your contract shows the new version.`,
    },
    withdrawal_status_changed: {
      title: 'Your withdrawal was updated',
      message: ({ withdrawalNumber = '', status = '' }: Record<string, string>) =>
        `Withdrawal ${withdrawalNumber}: ${status}.`,
    },
  },

  /** The three slides, on the landing page and on the dashboard. */
  carousel: {
    name: 'What we offer',
    role: 'carousel',
    slideRole: 'slide',
    pause: 'Pause the slides',
    play: 'Play the slides',
    goTo: (number: number, title: string) => `Slide ${number}: ${title}`,
    slides: {
      fastCash: {
        title: 'Fast Cash Loans',
        text: 'Send your application in minutes; follow every step of it here.',
      },
      digital: {
        title: 'Digital Lending',
        text: 'Register, send your documents and withdraw, all from your phone.',
      },
      flexible: {
        title: 'Flexible Terms',
        text: `Choose ${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months, and pay early whenever you like.`,
      },
    },
  },

  /** The landing page, made to HTML when the server starts. */
  landing: {
    title: 'Hiram: borrow up to ₱2,000,000, the whole cost said first',
    description: `Loans from ${pesos(limits.loanAmountMinCentavos)} to ${pesos(limits.loanAmountMaxCentavos)}, online or at our desk. No processing fees, and the whole cost is shown before you agree.`,
    skipToContent: 'Skip to the content',
    process: 'Online and walk-in process',
    headline: 'Borrow up to',
    headlineAmount: pesos(limits.loanAmountMaxCentavos),
    lead: 'Apply from your phone or at our desk. No processing fees, and the whole cost is shown before you agree.',
    register: 'Register',
    registerNote: 'New client',
    login: 'Login',
    loginNote: 'I have an account',
    cost: {
      title: 'What it costs, first',
      amount: 'I need',
      range: `${pesos(limits.loanAmountMinCentavos)} – ${pesos(limits.loanAmountMaxCentavos)}`,
      term: 'Months to repay',
      months: (count: number) => `${count} mo`,
      monthly: 'Monthly repayment',
      total: 'You repay in all',
      costOfCredit: 'Cost of credit',
      effectiveRate: 'Effective rate',
      perMonth: (percent: string) => `${percent}% a month`,
      note: 'Add-on interest. The first payment is due two months after you receive the money.',
      sampleOf: (amount: string, months: number) => `${amount} over ${months} months`,
      request: 'Request now',
    },
    promises: {
      name: 'What we promise',
      time: { title: 'Flexible time management', text: 'Pay monthly, on dates you know from the start' },
      fees: { title: 'No processing fees', text: 'You receive the whole amount' },
      process: { title: 'Walk in or online', text: 'The same people, the same terms' },
      instalments: {
        title: 'Installments or all at once',
        text: `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months, always equal`,
      },
    },
    payments: 'Paid out and repaid through',
  },

  /** The terms of a loan contract, as its dialog and its printed form state them (spec section 9). */
  contractText: {
    instalments: ({ count, amount }: { count: string; amount: string }) =>
      `Instalments: ${count} equal monthly payments of ${amount}.`,
    firstPayment: ({ startDate }: { startDate: string }) =>
      `First payment: ${smallNumber(limits.firstInstalmentAfterMonths)} months after disbursement. The due dates of the schedule count from ${startDate}.`,
    lateCharge: ({ percent }: { percent: string }) =>
      `Late charge: ${percent}% per month on an overdue instalment, until it is paid.`,
    freePrepayment:
      'Free prepayment: the loan may be paid early, in part or in full, at any time and without a charge.',
    noFees:
      'No processing fees: nothing is taken off the amount, and the lender bears the documentary stamp tax.',
  },

  /** A loan's status and how far its application is; a custom status is shown as staff wrote it. */
  loanStatus: {
    words: {
      pending: 'Pending',
      approved: 'Approved',
      denied: 'Denied',
      account_issue: 'Account issue',
      rejected: 'Rejected',
      active: 'Active',
      completed: 'Completed',
    },
    /** One sentence on what the status means for the borrower. */
    notes: {
      pending: 'Our staff are checking your application.',
      approved: 'Our staff release the money to your wallet next.',
      denied: 'This application was not approved. You may apply again.',
      account_issue: 'Something in your account needs attention. Please contact our staff.',
      rejected: 'This application was not approved. You may apply again.',
      active: 'The money was released to your wallet.',
      completed: 'This loan is paid in full. Thank you.',
    },
    progress: 'Progress of the application',
    steps: {
      submitted: 'Submitted',
      under_review: 'Under review',
      decision: 'Decision',
      released: 'Released',
    },
    stepStates: { done: 'done', current: 'now', todo: 'not yet', failed: 'stopped here' },
  },

  /** The head of the dashboard and its loan card. */
  dashboard: {
    greeting: 'Magandang araw,',
    refresh: 'Refresh',
    refreshed: 'Your loan and account are up to date.',
    loanNumber: (loanNumber: string) => `Loan ${loanNumber}`,
    loanTerms: (months: number, monthlyPayment: string) => `${months} months · ${monthlyPayment} a month`,
    nextDue: (date: string) => `Next payment due ${date}`,
    firstDueIfApproved: (date: string) => `If approved, first due ${date}`,
    noLoan: 'No active loans',
    noLoanText: 'Once you apply, your loan stands here: its status, what it costs and what is due next.',
    loanFailed: 'Your loan could not be loaded',
    loanNotRefreshed: 'This may not be the latest',
    apply: 'Apply for a loan',
  },

  /** Whether profile and documents are complete, and what follows from it (spec sections 4 and 5). */
  verification: {
    verified: 'Account verified',
    verifiedText: 'You can apply and withdraw.',
    notVerified: 'Account not verified',
    missing: (count: number) =>
      count === 1 ? 'One thing is still missing.' : `${count} things are still missing.`,
    complete: 'Complete your profile',
    requiredTitle: 'Verification Required',
    stillMissing: 'Still missing',
    verifyNow: 'VERIFY NOW',
    pieces: {
      fullName: 'Full name',
      address: 'Address',
      monthlySalary: 'Monthly salary',
      bankName: 'Bank name',
      bankAccountNumber: 'Account number',
      idFrontUrl: 'Front of ID',
      idBackUrl: 'Back of ID',
      selfieUrl: 'Selfie',
    },
  },

  /** What a loan costs, beside the words of `landing.cost` (contract section 7). */
  quote: {
    title: 'What it costs',
    interest: 'Interest rate',
    addOn: (percent: string) => `${percent}% a month, add-on`,
    effectiveYear: 'Effective rate a year',
    perYear: (percent: string) => `${percent}% a year`,
    simpleYear: 'Simple rate a year',
    upfrontCharges: 'Upfront charges',
    netProceeds: 'You receive',
    firstDue: 'First due date',
    lastDue: 'Last due date',
    incomplete: 'Give an amount and a term within the limits, and the whole cost stands here.',
    spoken: ({ amount, monthly, months }: { amount: string; monthly: string; months: number }) =>
      `${amount}: ${monthly} a month for ${months} months`,
  },

  /** Applying for a loan, first the form and then the review (spec sections 2, 5 and 8). */
  apply: {
    title: 'Apply for a Loan',
    loading: 'Opening the application',
    loadFailed: 'The application could not be opened',
    amount: 'Loan amount',
    exactAmount: 'Exact amount (₱)',
    term: 'Term (months)',
    purpose: 'Purpose',
    termHint: `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months`,
    purposeHint: 'What the money is for, in your own words',
    review: 'Review application',
    reviewTitle: 'Check before you submit',
    reviewText: 'Our staff look at your application first. You owe nothing until the loan is released.',
    terms: 'Terms',
    back: 'Back',
    submit: 'Submit application',
    submitting: 'Submitting...',
    submitted: 'Loan application submitted',
    submittedText: 'Your loan application has been submitted for review.',
    failed: 'Application failed',
  },

  /** Pesos in other currencies (spec sections 2 and 9). */
  converter: {
    title: 'Currency converter',
    amount: 'Amount',
    currency: 'Currency',
    live: 'Live',
    fallback: 'Fallback',
    rate: (rate: string, code: string) => `₱1 = ${rate} ${code}`,
    liveNote: (moment: string) => `Live rates, read ${moment}.`,
    fallbackNote: (moment: string) =>
      `No live rates on ${moment}. These are fallback rates; the real ones may differ.`,
    unreachableNote: 'The rates could not be read. These are fallback rates; the real ones may differ.',
    trend: 'simulated trend, 7 days',
    trendLabel: ({ code, low, high }: { code: string; low: string; high: string }) =>
      `Simulated trend over 7 days: one peso between ${low} and ${high} ${code}`,
  },

  /** The wallet's balance, with the warning that stands in every installation (spec section 2). */
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
    noneText: 'What our staff write to you, and every change they make to your account, stands here.',
    all: (count: number) => `All messages (${count})`,
    failed: 'Your messages could not be loaded',
    memberStatus: { active: 'Active', pending: 'Pending', suspended: 'Suspended' },
  },

  /** How far the current application is, and what the main loan costs, in short. */
  application: {
    title: 'Application',
    none: 'No pending loan application found.',
    noneText: 'Once you apply, you follow every step of it here.',
    failed: 'Your application could not be loaded',
    eitherWay: 'We tell you, either way',
    toWallet: 'To your wallet',
    preview: 'Loan preview',
    previewNone: 'What your loan costs stands here once you have applied.',
    amount: 'Amount',
    papers: 'Contract and payment schedule',
  },

  /** Taking money out of the wallet (spec sections 4 and 5, contract section 5). */
  withdrawal: {
    start: 'Withdraw money',
    unavailable: 'Unavailable to request a withdrawal',
    title: 'Withdraw Funds',
    lead: 'You confirm it with a one-time code from our staff.',
    amount: 'Amount',
    inWallet: (balance: string) => `${balance} in the wallet`,
    toProfile: 'This is the bank account in your profile.',
    toOther: 'This is not the bank account in your profile, so our staff check it before money goes out.',
    continue: 'Continue',
    codeTitle: 'Enter OTP Code',
    codeLead: `Ask our staff for your code of ${limits.otpLength} digits. It works once.`,
    code: 'OTP code',
    codeHint: `After ${limits.otpMaxWrongTries} wrong tries a code no longer works.`,
    youWithdraw: 'You withdraw',
    to: 'To',
    left: 'Left in the wallet',
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
    noneText: 'What you take out of the wallet stands here, with where it went.',
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

  /** Who the borrower is (spec sections 2, 4 and 5). Every part says in one line why it is asked. */
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
    trend: (percent: string) => `${percent}% since the last change`,
    checklist: 'What an application needs',
    pieceThere: 'there',
    pieceMissing: 'missing',
    personal: 'Personal Information',
    personalWhy: 'It tells us who borrows, and where your money goes.',
    edit: 'Edit personal information',
    view: 'View personal information',
    viewTitle: 'What we know about you',
    email: 'Email',
    countryOfWork: 'Country of work',
    referenceName: 'Reference name',
    referencePhone: 'Reference phone',
    memberSince: 'Member since',
    notGiven: 'Not given',
    showNumber: 'Show number',
    hideNumber: 'Hide number',
    groups: {
      you: { title: 'You', why: 'So that we know who borrows, and can reach you.' },
      work: { title: 'Work', why: 'So that the repayment fits what you earn.' },
      reference: { title: 'Reference', why: 'Somebody who knows you and agreed to be asked about you.' },
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

  /** The identity documents (contract section 3). Their names are `verification.pieces`. */
  documents: {
    title: 'Documents',
    why: 'They show that you are you. Only you and our staff can see them.',
    add: 'Add a photo',
    change: 'Change the photo',
    preparing: 'Preparing',
    uploading: 'Uploading',
    percent: (percent: number) => `${percent}%`,
    uploaded: 'Document uploaded',
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

  /** The contract and the payment schedule on the screen (spec sections 2 and 9, contract section 7). */
  papers: {
    title: 'Loan papers',
    why: 'What was agreed, and when each payment is due.',
    contract: 'Loan contract',
    schedule: 'Payment schedule',
    noLoanTitle: 'No Loan Application',
    noLoanText: 'Once you have applied for a loan, its contract and its payment schedule stand here.',
    applyNow: 'APPLY NOW',
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
    englishBinds: 'The paper that is signed is in English; this is a translation of its terms.',
    fingerprint: 'Fingerprint (SHA-256) of the figures above, which nobody can change',
    download: 'Download PDF',
    downloading: 'Preparing the PDF',
    downloadFailed: 'The PDF could not be downloaded',
    leftToPay: 'Left to pay',
    leftSpoken: ({ total, count, last }: { total: string; count: number; last: string }) =>
      `${total} left to pay in ${count} equal payments, nothing after ${last}`,
    number: 'No.',
    dueDate: 'Due date',
    amount: 'Amount',
    leftAfter: 'Left after it',
    status: 'Status',
    rowStatuses: { pending: 'Pending' },
  },
};

export type Wording = typeof en;
export type ValidationKey = keyof Wording['validation'];
export type NoticeKey = keyof Wording['notices'];
