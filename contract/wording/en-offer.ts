import { limits } from '#domain/limits.ts';
import { pesos } from './en-core.ts';
import { home } from './en-home.ts';

const smallNumber = (count: number) => ['no', 'one', 'two', 'three', 'four'][count] ?? String(count);

/** Goes with every list of due dates: disbursement sets them anew, two months on. */
const dueDates = ({ startDate }: { startDate: string }) =>
  `The due dates count from the day of application, ${startDate}, until disbursement resets them.`;

/**
 * The English of what is offered, what it costs and what is agreed to, which no screen shows at its start. See `en.ts`.
 */
export const offer = {
  /** The landing page, made to HTML when the server starts. */
  landing: {
    title: (brand: string) =>
      `${brand}: borrow up to ${pesos(limits.loanAmountMaxCentavos)}, the whole cost up front`,
    description: `Loans from ${pesos(limits.loanAmountMinCentavos)} to ${pesos(limits.loanAmountMaxCentavos)}, online or at our desk. No processing fees, and the whole cost is shown before you agree.`,
    process: 'Online and walk-in process',
    headline: 'Borrow up to',
    headlineAmount: pesos(limits.loanAmountMaxCentavos),
    lead: 'Apply from your phone or at our desk. No processing fees, and the whole cost is shown before you agree.',
    register: 'Register',
    registerNote: 'New client',
    login: 'Login',
    openAccount: 'Open my account',
    loginNote: 'I have an account',
    cost: {
      title: 'See the cost first',
      amount: 'I need',
      range: `${pesos(limits.loanAmountMinCentavos)} – ${pesos(limits.loanAmountMaxCentavos)}`,
      term: 'Months to repay',
      months: (count: number) => `${count} mo`,
      monthly: 'Monthly repayment',
      total: 'Total repayment',
      costOfCredit: 'Cost of credit',
      effectiveRate: 'Effective rate',
      perMonth: (percent: string) => `${percent}% a month`,
      note: `Add-on interest. The first payment is due ${smallNumber(limits.firstInstalmentAfterMonths)} months after you receive the money. Due dates count from the day you apply, and again from the day the loan is released.`,
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
        text: `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} equal monthly payments`,
      },
    },
    payments: 'Paid out and repaid through',
  },

  /** The terms of a loan contract, as its dialog and its printed form state them (§contract-terms). */
  contractText: {
    dates: dueDates,
    instalments: ({ count, amount }: { count: string; amount: string }) =>
      `Instalments: ${count} equal monthly payments of ${amount}.`,
    firstPayment: ({ startDate }: { startDate: string }) =>
      `First payment: ${smallNumber(limits.firstInstalmentAfterMonths)} months after disbursement. ${dueDates({ startDate })}`,
    lateCharge: ({ percent }: { percent: string }) =>
      `Late charge: ${percent}% per month on an overdue instalment, until it is paid.`,
    freePrepayment:
      'Free prepayment: the loan may be paid early, in part or in full, at any time and without a charge.',
    noFees:
      'No processing fees: nothing is taken off the amount, and the lender bears the documentary stamp tax.',
  },

  /** What a loan costs, beside the words of `landing.cost` (§quote). */
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
    failed: 'The cost could not be worked out',
    incomplete: 'Enter an amount and a term within the limits to see the whole cost.',
    spoken: ({ amount, monthly, months }: { amount: string; monthly: string; months: number }) =>
      `${amount}: ${monthly} a month for ${months} months`,
  },

  /** Applying for a loan, first the form and then the review (§applying). */
  apply: {
    ...home.apply,
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
};
