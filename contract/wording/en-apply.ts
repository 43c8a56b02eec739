import { limits } from '#domain/limits.ts';
import { home } from './en-home.ts';

/** What a loan costs, and applying for one. */
export const apply = {
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
    afterDeferral: (term: string) => `${term}, after the deferral`,
    failed: 'We couldn’t work out the cost',
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
