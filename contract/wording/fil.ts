import { sentencesIn } from '#contract/errors.ts';
import { limits } from '#domain/limits.ts';
import type { Wording } from './en.ts';
import { pesos } from './en-every-page.ts';
import { apply } from './fil-apply.ts';
import { contract } from './fil-contract.ts';
import { home } from './fil-home.ts';
import { landing } from './fil-landing.ts';
import { myLoan } from './fil-my-loan.ts';
import { profile } from './fil-profile.ts';
import { core } from './fil-sign-in.ts';
import { signInHelp } from './fil-sign-in-help.ts';
import { wallet } from './fil-wallet.ts';

/**
 * The borrower's app in Filipino, as a lender's staff would say it: the words of banking that people know in English
 * stay (loan, wallet, OTP). A browser loads it only when its reader chose it. Amounts and numbers come from the limits.
 * In the files that the English has, though a browser loads them together.
 */
export const fil: Wording = {
  ...core,
  ...home,
  ...landing,
  ...apply,
  ...contract,
  ...signInHelp,
  ...wallet,
  ...myLoan,
  ...profile,

  errors: /* @__PURE__ */ sentencesIn('fil'),

  validation: {
    ...core.validation,
    otpCodeEmpty: 'Hindi puwedeng walang laman ang OTP code',
    otpCodeSixDigits: `Dapat eksaktong ${limits.otpLength} digits ang OTP code`,
    passwordEmpty: 'Hindi puwedeng walang laman ang password',
    adminEmailAndPassword: 'Pakilagay ang email at ang password',
    ipRequired: 'Pakilagay ang IP address',
    ipInvalid: 'Pakilagay ang wastong IP address o saklaw, gaya ng 203.0.113.7 o 203.0.113.0/24',
    memberStatusUnknown: 'Ang status ay dapat active, pending o suspended',
    withdrawalStatusUnknown: 'Ang status ay dapat pending, approved, completed o rejected',
    balanceNegative: 'Ang balance ay dapat zero o higit pa, na may dalawang decimal lang',
    loanUnknown: 'Pumili ng loan ng miyembrong ito',
    releaseAddsMoney: 'Nailalabas lang ang loan sa disbursement na nagdadagdag ng pera',
    balanceReasonUnknown: 'Pakipili kung bakit nagbago ang balance',
    creditScoreRange: `Ang credit score ay buong numero mula ${limits.staffCreditScoreMin} hanggang ${limits.staffCreditScoreMax}`,
    loanStatusForm: `Ang status ay may ${limits.loanStatusMinLength} hanggang ${limits.loanStatusMaxLength} letra, numero, espasyo, gitling o underscore`,
    reasonUnreadable: 'Ang dahilan ay tekstong kasama ng status',
    staffLoanAmountRange: `Ang halaga ay dapat higit sa zero at hindi lalampas sa ${pesos(limits.staffLoanAmountMaxCentavos)}`,
    staffTermRange: `Ang panahon ay dapat ${limits.loanTermMinMonths} hanggang ${limits.staffLoanTermMaxMonths} buwan`,
    momentInvalid: 'Pakilagay ang petsa at oras ayon sa ISO 8601',
    processedAtOnlyCompleted: 'Ang natapos na withdrawal lang ang may oras ng pagproseso',
    dateUnreadable: 'Isulat ang petsa nang ganito: 2026-11-20',
    dateInFuture: 'Hindi pa dumarating ang araw na ito',
    periodTurned: 'Mas maaga ang huling araw kaysa sa una',
    dateBeforeDisbursement: 'Bago pa na-disburse ang loan ang araw na ito',
    walletPaysToday: 'Ngayong araw lang mailalagay ang pera sa wallet',
    referenceRequired: 'Ibigay ang reference ng transfer',
    reasonRequired: 'Sabihin kung bakit, sa hindi bababa sa tatlong letra',
    amountRequired: 'Maglagay ng halagang higit sa zero, na may hanggang dalawang decimal',
    channelUnknown: 'Piliin kung paano naipadala ang pera',
    paymentStatusUnknown: 'Ang status ay dapat confirmed, rejected o reversed',
    statusUnknown: 'Pumili ng status sa listahan',
    actionUnknown: 'Piliin ang gagawin',
    deferralMonths: `Maglagay ng 1 hanggang ${limits.deferralMaxMonths} buwan`,
    notReversible: 'Pumili ng waiver, deferral o write-off na babawiin',
    aboveLateCharges: 'Higit ito sa multang dapat bayaran',
    aboveCredit: 'Higit ito sa natitirang sobra',
    decisionUnknown: 'Aprubahan o tanggihan',
    settlementTooFarAhead: `Pumili ng araw sa loob ng susunod na ${limits.settlementAheadDays} araw`,
    staffRoleUnknown: 'Pumili ng mga role sa listahan',
    memberUnknown: 'Pakipili ang miyembro',
    titleRequired: 'Kailangan ang pamagat',
    messageRequired: 'Kailangan ang mensahe',
    notificationTypeUnknown: 'Hindi maipapadala ang ganitong mensahe',
    roleUnknown: 'Ang role ay dapat admin o member',
    pageInvalid: 'Walang ganitong pahina sa listahan',
    versionUnknown: 'Pakilagay ang bersyon ng kontrata',
    processedAtRange: 'Ang oras ng pagproseso ay dapat mula sa paghiling hanggang ngayon',
  },
};
