import { limits } from '#domain/limits.ts';
import { below } from './en-home-below.ts';

const ordinal = (day: number) =>
  `${day}${{ one: 'st', two: 'nd', few: 'rd' }[ordinals.select(day) as string] ?? 'th'}`;
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

type Times = { day: number; times: number };

export const apply = {
  /** The cost of a loan, in addition to the words of `landing.cost` (§quote). */
  quote: {
    title: 'What it costs',
    /** The whole loan in a sentence; a month may be shorter than the day. */
    sentence: ({ get, pay, day, times, from }: Record<'get' | 'pay' | 'from', string> & Times) =>
      `You get ${get}. You pay ${pay} on the ${ordinal(day)}${day > 28 ? ', or the last day of a shorter month' : ''}, ${times} times, from ${from}.`,
    ofSalary: (percent: number) =>
      `Each payment is ${percent}% of the monthly salary in your profile${percent > 100 ? ', more than you earn' : ''}.`,
    allRates: 'All rates',
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
    ...below.apply,
    amount: 'Loan amount',
    exactAmount: 'Exact amount (₱)',
    term: 'Term (months)',
    purpose: 'Purpose',
    otherTerm: 'Other',
    termHint: `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} months`,
    purposeHint: 'What the money is for, in your own words',
    review: 'Review application',
    reviewTitle: 'Check before you submit',
    reviewText: 'Our staff look at your application first. You owe nothing until the loan is released.',
    agreeTo: 'What you agree to',
    allFigures: 'All figures',
    terms: 'Terms',
    back: 'Back',
    submit: 'Submit application',
    submitting: 'Submitting...',
    /** An earlier application is not decided yet. */
    underReview: (loanNumber: string) => `${loanNumber} is under review.`,
    seeIt: 'See how far it is',
    secondTitle: 'Do you mean a second application?',
    secondText: ({ loanNumber, amount }: Record<'loanNumber' | 'amount', string>) =>
      `${loanNumber}, ${amount}, is still under review. This one would be decided on its own.`,
    notMeant: 'No, do not send it',
    meant: 'Yes, send a second one',
    submitted: 'Loan application submitted',
    submittedText: 'Your loan application has been submitted for review.',
    failed: 'Application failed',
    /** The toast says that it was submitted. `by`: the day, where the lender promises one. */
    done: (by: string) => (by ? `You’ll hear from us by ${by}` : 'Our staff look at it next'),
    doneText: (by: string): string => (by ? 'Our staff look at it next.' : 'We’ll let you know either way.'),
    number: 'Loan number',
  },
};
