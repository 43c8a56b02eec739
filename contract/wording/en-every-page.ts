import { limits } from '#domain/limits.ts';
import { type Centavos, formatWholePeso } from '#domain/money.ts';

export const pesos = (amountCentavos: number) => formatWholePeso(amountCentavos as Centavos);

/** The sentence for staff about a phone number that is taken. */
export const phoneTaken = 'Another account has this phone number';

/** The bars around every page, the rules of its forms, and what can go wrong. */
export const everyPage = {
  /** One sentence for each rule that a field can break, by key. Rules that only staff can break are in `panel-validation.ts`. */
  validation: {
    phoneRequired: 'Phone number is required',
    passwordTooShort: `Password must be at least ${limits.passwordMinLength} characters`,
    fullNameRequired: 'Full name is required',
    emailInvalid: 'Valid email is required',
    minimumLoan: `Minimum loan amount is ${pesos(limits.loanAmountMinCentavos)}`,
    maximumLoan: `Maximum loan amount is ${pesos(limits.loanAmountMaxCentavos)}`,
    purposeRequired: 'Please describe the purpose of the loan',
    minimumTerm: `Minimum term is ${limits.loanTermMinMonths} months`,
    maximumTerm: `Maximum term is ${limits.loanTermMaxMonths} months`,
    termWholeMonths: 'Please give the term in whole months',
    minimumWithdrawal: `Minimum withdrawal amount is ${pesos(limits.withdrawalMinCentavos)}`,
    otpSixDigits: `OTP must be exactly ${limits.otpLength} digits`,
    addressRequired: 'Address is required',
    countryOfWorkRequired: 'Country of work is required',
    monthlySalaryRequired: 'Monthly salary is required',
    referenceNameRequired: 'Reference name is required',
    referencePhoneRequired: 'Reference phone is required',
    referencePhoneOwn: 'This is your own number. Please give your reference person’s.',
    bankNameRequired: 'Bank name is required',
    bankAccountNumberRequired: 'Account number is required',
    usernameRequired: 'Username is required',
    twoDecimals: 'Please give at most two decimals',
    amountTooLarge: 'Amount is too large',
    dateInFuture: 'This day is yet to come',
    dateBeforeDisbursement: 'This day is before the loan was released',
    referenceRequired: 'Please give the reference of the transfer',
    referenceTooShort: `A reference has at least ${limits.referenceMinLength} letters or digits`,
    referenceLetters: 'Please type the reference with the letters A to Z and digits only',
    instapayMax: `InstaPay carries at most ${pesos(limits.instapayMaxCentavos)} a payment. Use PESONet, or several payments.`,
    amountRequired: 'Please give an amount above zero, with at most two decimals',
    paidOnRequired: 'Please say on which day you paid',
    aboveOwed: 'This is more than is left to pay',
    proofUsed: 'This photo already proves another payment',
    settlementTooFarAhead: `Please choose a day within the next ${limits.settlementAheadDays} days`,
    languageUnknown: 'Language must be en or fil',
    documentUnknown: 'Please upload the image again',
    textTooLong: 'Please use a shorter text',
    textTooShort: 'This is too short. Please write it out, or leave it empty.',
    complaintCategoryUnknown: 'Please choose what it is about',
    complaintMessage: 'Please say what happened, in at least three letters',
    textUnreadable: 'This text has characters that cannot be stored',
  },

  /** Errors that the app itself reports. An English reply brings its own sentence. */
  errors: {
    validation_failed: 'Please check what you entered',
    not_signed_in: 'Please sign in to go on',
    session_idle: 'You were signed out after a while without activity',
    invalid_credentials: 'Please check your credentials',
    account_suspended: 'Your account has been suspended. Please contact support.',
    verification_required: 'Please complete your profile and documents first',
    ip_not_allowed: 'The panel cannot be used from this address',
    already_registered: 'You already have an account, please login',
    insufficient_funds: 'Insufficient funds',
    too_large: `This is too large. A photo may have at most ${limits.documentMaxBytes / 2 ** 20} MB.`,
    not_an_image: 'Please choose a photo: JPEG, PNG, WebP, GIF or HEIC',
  },

  /** The reply to a DELETE or a sign-out. */
  done: {
    signedOut: 'You have been logged out successfully',
    requestTakenBack: 'Your request was taken back',
  },

  lender: {
    registration: (number: string) => `SEC Registration No. ${number}`,
    authority: (number: string) => `Certificate of Authority No. ${number}`,
    /** The sentence that SEC MC 19, s. 2019 wants borrowers told along with these numbers. */
    studyFirst: 'Study the terms and conditions in the Disclosure Statement before you proceed with a loan.',
    registered: (date: string) => `Registered ${date}`,
    checkWithRegulator: 'Check with the regulator',
    support: 'Questions or a complaint?',
    officer: 'Data protection officer',
  },

  /** The bars around every page of the borrower's app. */
  shell: {
    skipToContent: 'Skip to the content',
    sampleRibbon: 'Sample lender, not a licensed company',
    demoRibbon: (date: string) => `Demo calendar, started on ${date}`,
    latinLetters: 'Please write it in Latin letters, as on your ID: our papers cannot print this.',
    offline: 'You are offline. What you see may not be the latest.',
    menu: 'Menu',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    home: 'Home',
    dashboard: 'Dashboard',
    myLoan: 'My loan',
    help: 'Help',
    wallet: 'Wallet',
    messages: 'Messages',
    profile: 'Profile',
    login: 'Login',
    logout: 'Logout',
    panelIsForDesktop: 'The admin panel is for desktop only',
    tabBar: 'Main',
    tabHome: 'HOME',
    tabWallet: 'WALLET',
    tabProfile: 'PROFILE',
    language: 'Language',
    english: 'English',
    filipino: 'Filipino',
    notifications: 'Notifications',
    notification: 'Notification',
    dismiss: 'Dismiss',
    close: 'Close',
    cancel: 'Cancel',
    loading: 'Loading',
    retry: 'Retry',
    tryAgain: 'Please try again',
    requestFailed: 'Request failed',
    uploadFailed: 'Upload failed',
    updateFailed: 'Update failed',
    waitSeconds: (count: number) =>
      `Too many tries. Please wait ${count} ${count === 1 ? 'second' : 'seconds'} and try again.`,
    waitMinutes: (count: number) => `Too many tries. Please wait ${count} minutes and try again.`,
    noConnection: 'We could not reach the server. Check your connection and try again.',
    serverTrouble: 'The server could not answer. Please try again in a moment.',
    startFailed: 'We could not open your account',
    startFailedNote: 'You are still signed in. Press Retry in a moment.',
    pageFailed: 'This page could not be shown',
    pageFailedNote: 'What you have sent is safe. Try again, or reload the page if that does not help.',
    reload: 'Reload',
    /** A money request whose answer was lost (§lost-answers). */
    checking:
      'The connection broke. We are checking whether it went through, so please do not send it again.',
    unsettled:
      'We could not find out whether it went through. Press the button again: it will not be done twice.',
  },

  notFound: {
    title: 'Page not found',
    code: '404',
    text: 'There is nothing at this address. It may be mistyped, or the page may have moved.',
    toStart: 'Go to the start page',
  },

  accessDenied: {
    title: 'Access Denied',
    text: 'This part is for the lender’s staff. Sign in with a staff account to open it.',
    toAdminLogin: 'Admin login',
  },
};
