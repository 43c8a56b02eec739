import { limits } from '#domain/limits.ts';
import { smallNumber } from './en-contract.ts';
import { pesos } from './en-every-page.ts';

/** The landing page, made to HTML when the server starts. */
export const landing = {
  title: (brand: string) =>
    `${brand}: borrow up to ${pesos(limits.loanAmountMaxCentavos)}, the whole cost up front`,
  description: `Loans from ${pesos(limits.loanAmountMinCentavos)} to ${pesos(limits.loanAmountMaxCentavos)}, online or at our desk. No processing fees, and the whole cost is shown before you agree.`,
  headline: 'Borrow up to',
  headlineAmount: pesos(limits.loanAmountMaxCentavos),
  lead: 'You see the whole cost before you give us your name. No processing fees.',
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
    time: { title: 'Flexible time management', text: 'Pay once a month, always on the same day' },
    fees: { title: 'No processing fees', text: 'You receive the whole amount' },
    process: { title: 'Online and walk-in process', text: 'The same people, the same terms' },
    instalments: {
      title: 'Installments or all at once',
      text: `${limits.loanTermMinMonths} to ${limits.loanTermMaxMonths} equal monthly payments`,
    },
  },
  payments: 'Paid out and repaid through',
};
