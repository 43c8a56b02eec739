import type { CurrencyCode } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';

/** The words below the fold of the dashboard and of the dialogs over it, which load with it. */
export const below = {
  /** The three slides, on the landing page and on the dashboard. */
  carousel: {
    name: 'What we offer',
    role: 'carousel',
    slideRole: 'slide',
    pause: 'Pause the slides',
    play: 'Play the slides',
    goTo: (number: number, title: string) => `Slide ${number}: ${title}`,
    slides: {
      fastCash: { title: 'Fast Cash Loans', text: 'Apply in minutes and follow every step here.' },
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

  /** Facts about the lender in addition to its registration. */
  moreFrom: (lender: string) => `More from ${lender}`,

  company: {
    partners: 'Partners',
    regulators: 'Regulators',
    opensNewView: 'The registry opens in a new view.',
    details: 'Company details',
    companyName: 'Company name',
    registrationNumber: 'Registration number',
    authorityNumber: 'Certificate of Authority number',
    registrationDate: 'Registration date',
    status: 'Status',
    address: 'Address',
    hours: 'Support hours',
    branches: 'Branches',
  },

  /** Pesos in other currencies (§converter). */
  converter: {
    title: 'Currency converter',
    amount: 'Amount',
    currency: 'Currency',
    names: {
      USD: 'US Dollar',
      EUR: 'Euro',
      GBP: 'British Pound',
      JPY: 'Japanese Yen',
      AUD: 'Australian Dollar',
      CAD: 'Canadian Dollar',
      SGD: 'Singapore Dollar',
      HKD: 'Hong Kong Dollar',
    } satisfies Record<CurrencyCode, string>,
    live: 'Live',
    fallback: 'Fallback',
    rate: (rate: string, code: string) => `₱1 = ${rate} ${code}`,
    liveNote: (moment: string) => `Live rates, read ${moment}.`,
    fallbackNote: (moment: string) =>
      `Live rates were last asked for on ${moment}, without an answer. These are fallback rates; the real ones may differ.`,
    unreachableNote: 'The rates could not be read. These are fallback rates; the real ones may differ.',
    trend: 'simulated trend, 7 days',
    trendLabel: ({ code, low, high }: { code: string; low: string; high: string }) =>
      `Simulated trend over 7 days: one peso between ${low} and ${high} ${code}`,
  },

  /** The application dialog until its form has loaded; the rest is in `en-apply.ts`. */
  apply: {
    title: 'Apply for a Loan',
    loading: 'Opening the application',
    overdueFirst: (loanNumber: string) =>
      `While loan ${loanNumber} is overdue, the app offers no new application. Once what is overdue is paid, you can apply here again. Do you need one now? Call us.`,
  },

  /** The prompt to complete a profile; the other words about it are in `en-home.ts`. */
  verification: { requiredTitle: 'Verification Required', verifyNow: 'VERIFY NOW' },
};
