import type { CurrencyCode } from '#domain/exchange.ts';
import { limits } from '#domain/limits.ts';

/** What is below the fold of the dashboard, and loaded with it. */
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
      fastCash: {
        title: 'Fast Cash Loans',
        text: 'Apply in minutes and follow every step here.',
      },
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

  /** What is told of the lender beside its registration. */
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
      `No live rates on ${moment}. These are fallback rates; the real ones may differ.`,
    unreachableNote: 'The rates could not be read. These are fallback rates; the real ones may differ.',
    trend: 'simulated trend, 7 days',
    trendLabel: ({ code, low, high }: { code: string; low: string; high: string }) =>
      `Simulated trend over 7 days: one peso between ${low} and ${high} ${code}`,
  },
};
