import type { InstallationFacts, Lender } from '#contract/lender.ts';
import { limits } from '#domain/limits.ts';
import { type BasisPoints, basisPoints } from '#domain/rates.ts';

/** What stands in when the page carries no lender: only where no server of ours wrote it, as under a dev server. */
const unnamedLender: Lender = {
  isSample: true,
  name: 'Hiram (no lender set)',
  registrationNumber: '-',
  registrationDate: '2014-11-14',
  status: '-',
  address: '-',
  registryUrl: 'https://example.com/',
  regulators: [],
  payoutChannels: [],
  partnerBanks: [],
  supportPhone: '-',
  supportEmail: '-',
};

let known: InstallationFacts | undefined;

/** The lender of this installation, as the server wrote it into the page (`<script id="installation">`). Read once. */
export const lender = (): Lender => facts().lender;

/** What stands in the bar on top of its pages. Without a logo of its own only the sample has the product's mark. */
export const brandOf = ({ name, tradeName = name, logo, isSample }: Lender) => ({
  name: tradeName,
  picture: logo,
  hasMark: isSample,
});

export const brand = () => brandOf(lender());

/** What this installation lends at, in basis points a month: the rate of every quote shown before applying. */
export const monthlyRate = (): BasisPoints => basisPoints(facts().monthlyRate);

function facts(): InstallationFacts {
  known ??= readFacts();
  return known;
}

function readFacts(): InstallationFacts {
  const text = document.getElementById('installation')?.textContent?.trim();
  if (text) return JSON.parse(text);
  return { lender: unnamedLender, monthlyRate: limits.loanRateBorrowerDefaultBasisPoints };
}
