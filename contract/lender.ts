import * as z from 'zod/mini';

const line = z.string().check(z.trim(), z.minLength(1), z.maxLength(300));
const httpUrl = z.string().check(z.regex(/^https?:\/\/[^\s"'<>]+$/));

/**
 * The facts of the lender who runs this installation (setting `LENDER_CONFIG`, contract section 10).
 * `registrationDate` is `YYYY-MM-DD`. `isSample` puts the ribbon on every page.
 */
export const Lender = z.object({
  isSample: z.boolean(),
  name: line,
  registrationNumber: line,
  registrationDate: z.iso.date(),
  status: line,
  address: line,
  registryUrl: httpUrl,
  regulators: z.array(z.object({ name: line, shortName: line })).check(z.maxLength(12)),
  payoutChannels: z.array(line).check(z.minLength(1), z.maxLength(12)),
  partnerBanks: z.array(z.object({ name: line, logo: z.optional(z.string()) })).check(z.maxLength(24)),
  supportPhone: line,
  supportEmail: line,
});
export type Lender = z.output<typeof Lender>;

/** What the server writes into the app's page. `monthlyRate` is the add-on rate in basis points a month. */
export type InstallationFacts = { lender: Lender; monthlyRate: number };
