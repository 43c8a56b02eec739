import { limits } from '#domain/limits.ts';
import { account } from './en-account.ts';
import { pesos } from './en-core.ts';
import { home } from './en-home.ts';
import { offer } from './en-offer.ts';

/**
 * Every word a borrower reads, in English (`tests/web/exact-wording.test.ts` holds the sentences that must stay as they
 * are). It is also the shape of every other language (`type Wording`), so a sentence missing there does not compile.
 * What only staff read is in `panel.ts`, which a borrower's browser never loads. It has four parts, because a module
 * goes into a browser's chunk whole: the sign-in screen loads `en-core.ts`, the dashboard `en-home.ts` too, and wallet,
 * profile and application load the rest.
 */
export const en = {
  ...home,
  ...offer,
  ...account,

  /** Those of `en-core.ts`, and the rules of what only staff can send. */
  validation: {
    ...home.validation,
    otpCodeEmpty: 'OTP code cannot be empty',
    otpCodeSixDigits: `OTP code must be exactly ${limits.otpLength} digits`,
    passwordEmpty: 'Password cannot be empty',
    adminEmailAndPassword: 'Please fill in both email and password',
    ipRequired: 'Please enter an IP address',
    ipInvalid: 'Please enter a valid IP address or range, such as 203.0.113.7 or 203.0.113.0/24',
    memberStatusUnknown: 'Status must be active, pending or suspended',
    withdrawalStatusUnknown: 'Status must be pending, approved, completed or rejected',
    balanceNegative: 'Balance must be zero or more, with at most two decimals',
    loanUnknown: 'Please choose a loan of this member',
    releaseAddsMoney: 'Only a disbursement that adds money releases a loan',
    balanceReasonUnknown: 'Please choose why the balance changes',
    creditScoreRange: `Credit score must be a whole number from ${limits.staffCreditScoreMin} to ${limits.staffCreditScoreMax}`,
    loanStatusForm: `A status has ${limits.loanStatusMinLength} to ${limits.loanStatusMaxLength} letters, digits, spaces, dashes or underscores`,
    reasonUnreadable: 'A reason is a text that goes with a status',
    staffLoanAmountRange: `Amount must be above zero and at most ${pesos(limits.staffLoanAmountMaxCentavos)}`,
    staffTermRange: `Term must be ${limits.loanTermMinMonths} to ${limits.staffLoanTermMaxMonths} months`,
    momentInvalid: 'Please give a date and time in ISO 8601 form',
    processedAtOnlyCompleted: 'Only a completed withdrawal has a time of processing',
    memberUnknown: 'Please choose a member',
    titleRequired: 'Title is required',
    messageRequired: 'Message is required',
    notificationTypeUnknown: 'This kind of message cannot be sent',
    roleUnknown: 'Role must be admin or member',
    pageInvalid: 'This page of the list does not exist',
    versionUnknown: 'Please give the version of the contract',
    processedAtRange: 'The time of processing must lie between the request and now',
  },
};

export type Wording = typeof en;
export type ValidationKey = keyof Wording['validation'];
