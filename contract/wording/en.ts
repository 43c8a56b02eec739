import { limits } from '#domain/limits.ts';
import { type Centavos, formatWholePeso } from '#domain/money.ts';

const pesos = (amountCentavos: number) => formatWholePeso(amountCentavos as Centavos);

/**
 * Every word a borrower reads, in English: word for word the spec's where the spec has it. It is also the shape of
 * every other language (`type Wording`), so a sentence missing there does not compile. What only staff read stands in
 * `panel.ts`, which a borrower's browser never loads.
 */
export const en = {
  /** One sentence for each rule of spec section 5; schemas name them by key. */
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
    bankNameRequired: 'Bank name is required',
    bankAccountNumberRequired: 'Account number is required',
    otpCodeEmpty: 'OTP code cannot be empty',
    otpCodeSixDigits: `OTP code must be exactly ${limits.otpLength} digits`,
    passwordEmpty: 'Password cannot be empty',
    adminEmailAndPassword: 'Please fill in both email and password',
    ipRequired: 'Please enter an IP address',
    ipInvalid: 'Please enter a valid IP address or range, such as 203.0.113.7 or 203.0.113.0/24',
    usernameRequired: 'Username is required',
    memberStatusUnknown: 'Status must be active, pending or suspended',
    withdrawalStatusUnknown: 'Status must be pending, approved, completed or rejected',
    balanceNegative: 'Balance must be zero or more, with at most two decimals',
    balanceReasonUnknown: 'Please choose why the balance changes',
    amountTooLarge: 'That amount is larger than we can keep',
    creditScoreRange: `Credit score must be a whole number from ${limits.staffCreditScoreMin} to ${limits.staffCreditScoreMax}`,
    loanStatusForm: `A status has ${limits.loanStatusMinLength} to ${limits.loanStatusMaxLength} letters, digits, spaces, dashes or underscores`,
    staffLoanAmountRange: `Amount must be above zero and at most ${pesos(limits.staffLoanAmountMaxCentavos)}`,
    staffTermRange: `Term must be ${limits.loanTermMinMonths} to ${limits.staffLoanTermMaxMonths} months`,
    nothingToChange: 'There is nothing to change in this request',
    momentInvalid: 'Please give a date and time in ISO 8601 form',
    processedAtOnlyCompleted: 'Only a completed withdrawal has a time of processing',
    memberUnknown: 'Please choose a member',
    titleRequired: 'Title is required',
    messageRequired: 'Message is required',
    notificationTypeUnknown: 'This kind of message cannot be sent',
    roleUnknown: 'Role must be admin or member',
    pageInvalid: 'This page of the list does not exist',
    documentUnknown: 'Please upload the image again',
    textTooLong: 'Please use a shorter text',
    textUnreadable: 'This text has characters that cannot be stored',
  },

  /** One sentence for each error code (contract section 1). */
  errors: {
    malformed: 'This request could not be read',
    validation_failed: 'Please check what you entered',
    insufficient_funds: 'Insufficient funds',
    invalid_otp: 'Invalid or expired OTP code',
    wrong_password: 'Your current password is not right',
    foreign_document: 'Please upload the image again',
    invalid_idempotency_key: 'The retry key of this request could not be read',
    not_signed_in: 'Please sign in to go on',
    invalid_credentials: 'Please check your credentials',
    forbidden: 'Access denied',
    account_suspended: 'Your account has been suspended. Please contact support.',
    ip_not_allowed: 'The panel cannot be used from this address',
    main_admin_only: 'Only the main admin may do this',
    verification_required: 'Please complete your profile and documents first',
    main_admin_protected: 'The main admin cannot be deleted, suspended or demoted',
    not_found: 'This was not found',
    method_not_allowed: 'This cannot be done here',
    already_registered: 'You already have an account, please login',
    phone_taken: 'Another account has this phone number',
    email_taken: 'Another admin has this email',
    idempotency_key_reused: 'This request was already sent with other details',
    balance_changed: 'The balance has changed meanwhile. Please look at it again.',
    withdrawal_final: 'This withdrawal is already completed or rejected',
    withdrawal_transition: 'This withdrawal cannot take that status',
    own_address: 'This entry keeps your own access. Remove the others first.',
    ip_already_listed: 'This address is already on the list',
    too_large: 'This is too large',
    not_an_image: 'Please choose a photo: JPEG, PNG, WebP, GIF or HEIC',
    unsupported_media_type: 'This kind of content cannot be read here',
    too_many_tries: 'Too many tries. Please wait a little and try again.',
    headers_too_large: 'This request is too large',
    internal: 'Something went wrong on our side. Nothing was changed.',
    overloaded: 'Many people are signing in right now. Please try again in a moment.',
    database_unavailable: 'We cannot reach our records right now. Please try again in a moment.',
  },

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

  /** What a DELETE or a sign-out answers with. */
  done: {
    signedOut: 'You have been logged out successfully',
    passwordChanged: 'Your password was changed',
    deleted: 'Deleted',
  },
};

export type Wording = typeof en;
export type ValidationKey = keyof Wording['validation'];
export type NoticeKey = keyof Wording['notices'];
