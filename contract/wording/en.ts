import { sentencesIn } from '#contract/errors.ts';
import { limits } from '#domain/limits.ts';
import { memberStatuses } from '#domain/member.ts';
import { decidedPaymentStatuses } from '#domain/servicing.ts';
import { withdrawalStatuses } from '#domain/withdrawal.ts';
import { apply } from './en-apply.ts';
import { contract } from './en-contract.ts';
import { pesos } from './en-every-page.ts';
import { help } from './en-help.ts';
import { home } from './en-home.ts';
import { below } from './en-home-below.ts';
import { landing } from './en-landing.ts';
import { myLoan } from './en-my-loan.ts';
import { pay } from './en-pay.ts';
import { profile } from './en-profile.ts';
import { signInHelp } from './en-sign-in-help.ts';
import { wallet } from './en-wallet.ts';

const oneOf = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/**
 * Every word a borrower reads, in English (`tests/web/exact-wording.test.ts` holds the sentences that must not change).
 * It is also the shape of every other language (`type Wording`), so a sentence missing there does not compile. Staff's
 * words are in `panel.ts`, which a borrower's browser never loads. A browser loads `en-sign-in.ts` for the sign-in
 * screen, `en-home.ts` with it for the dashboard, and all files for wallet, profile and application; what loads first
 * must not import the rest.
 */
export const en = {
  ...home,
  ...below,
  ...landing,
  ...apply,
  ...contract,
  ...signInHelp,
  ...wallet,
  ...myLoan,
  ...pay,
  ...help,
  ...profile,

  errors: /* @__PURE__ */ sentencesIn('en'),

  /** Those of `en-every-page.ts`, and rules about what only staff can send. */
  validation: {
    ...home.validation,
    nothingToChange: 'There is nothing to change in this request',
    otpCodeEmpty: 'OTP code cannot be empty',
    otpCodeSixDigits: `OTP code must be exactly ${limits.otpLength} digits`,
    passwordEmpty: 'Password cannot be empty',
    adminEmailAndPassword: 'Please fill in both email and password',
    secondStepCodeRequired: 'Please enter the six digits, or a recovery code',
    ipRequired: 'Please enter an IP address',
    ipInvalid: 'Please enter a valid IP address or range, such as 203.0.113.7 or 203.0.113.0/24',
    memberStatusUnknown: `Status must be ${oneOf(memberStatuses)}`,
    withdrawalStatusUnknown: `Status must be ${oneOf(withdrawalStatuses)}`,
    balanceNegative: 'Balance must be zero or more, with at most two decimals',
    releaseTheLoan: 'A balance edit releases no loan. Release the loan instead.',
    balanceReasonUnknown: 'Please choose why the balance changes',
    creditScoreRange: `Credit score must be a whole number from ${limits.staffCreditScoreMin} to ${limits.staffCreditScoreMax}`,
    loanStatusForm: `A status has ${limits.loanStatusMinLength} to ${limits.loanStatusMaxLength} letters, digits, spaces, dashes or underscores`,
    reasonUnreadable: 'A reason is a text that goes with a status',
    staffLoanAmountRange: `Amount must be above zero and at most ${pesos(limits.staffLoanAmountMaxCentavos)}`,
    staffTermRange: `Term must be ${limits.loanTermMinMonths} to ${limits.staffLoanTermMaxMonths} months`,
    momentInvalid: 'Please give a date and time in ISO 8601 form',
    processedAtOnlyCompleted: 'Only a completed withdrawal has a time of processing',
    dateUnreadable: 'Please give a day as 2026-11-20',
    dateTooEarly: 'Days before 1990 cannot be given',
    periodTurned: 'The last day is before the first',
    walletPaysToday: 'Money reaches a wallet today only',
    instalmentNothing: 'These terms would make an instalment of ₱0.00',
    reasonRequired: 'Please say why, in at least three letters',
    amountNotCorrectable: 'Only what a borrower sent can be confirmed with another amount',
    channelUnknown: 'Please choose how the money moved',
    paymentStatusUnknown: `Status must be ${oneOf(decidedPaymentStatuses)}`,
    statusUnknown: 'Please choose a status from the list',
    searchTooShort: 'Please type at least two letters or digits',
    bucketUnknown: 'Please choose 1-30, 31-60, 61-90, 91+ or other',
    contactChannelUnknown: 'Please choose how the borrower was contacted',
    contactOutcomeUnknown: 'Please choose what came of it',
    promiseDate: `A promise is for a day from today to ${limits.promiseAheadDays} days ahead`,
    complaintStatusUnknown: 'Status must be acknowledged or resolved',
    bankReferenceOnlyCompleted: 'Only a completed withdrawal has a reference of the bank',
    actionUnknown: 'Please choose what is to be done',
    deferralMonths: `Please give 1 to ${limits.deferralMaxMonths} months`,
    notReversible: 'Please choose a waiver, deferral or write-off to take back',
    aboveLateCharges: 'This is more than the late charges that are owed',
    aboveCredit: 'This is more than the credit that is left',
    decisionUnknown: 'Please approve or reject',
    staffRoleUnknown: 'Please choose roles from the list',
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

export type ValidationKey = keyof (typeof en)['validation'];

/** The panel is English: other languages leave out what only staff can send or meet. */
export type Wording = Omit<typeof en, 'errors' | 'validation'> & {
  errors: ReturnType<typeof sentencesIn<'fil'>>;
  validation: typeof home.validation;
};
