import type { InstallationFacts, Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import {
  type DateLanguage,
  formatManilaDate,
  formatManilaInstant,
  type ManilaDate,
  manilaDate,
  manilaTime,
} from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { type BasisPoints, basisPoints } from '#domain/rates.ts';

/** Used if the page embeds no lender, which only happens when our server did not write it, as under a dev server. */
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

/** The lender of this installation, embedded in the page by the server (`<script id="installation">`). */
export const lender = (): Lender => facts().lender;

/**
 * Returns the lender's brand. The sample lender alone falls back to the product's mark if there is no logo.
 */
export const brandOf = ({ name, tradeName = name, logo, isSample }: Lender) => ({
  name: tradeName,
  picture: logo,
  hasMark: isSample,
});

export const brand = () => brandOf(lender());

/** Basis points a month: the rate of every quote shown before applying. */
export const monthlyRate = (): BasisPoints => basisPoints(facts().monthlyRate);

/** The server is so far ahead of this device's clock, as its replies say. */
let serverAheadMs = 0;

const clockToleranceMs = 60_000;

/** Takes over the server's clock from the `Date` of a reply (§server-day). Within a minute that says more of the network. */
export function setClock(date: string | null): void {
  const aheadMs = Date.parse(date ?? '') - Date.now();
  if (Math.abs(aheadMs - serverAheadMs) > clockToleranceMs) serverAheadMs = aheadMs;
}

/** A moment of this device's clock as the installation counts, which may be a demo that began on another day. */
const momentOf = (deviceMs: number) => new Date(deviceMs + serverAheadMs + (facts().demo?.aheadMs ?? 0));

/** The present moment of this installation. */
export const now = (): Date => momentOf(Date.now());

export const today = (): ManilaDate => manilaDate(now());

/** When something was read by this device's clock: the time, and before today the day too. */
export function readMoment(at: number, language: DateLanguage): string {
  const moment = momentOf(at);
  return manilaDate(moment) === today() ? manilaTime(moment) : formatManilaInstant(moment, language);
}

/** Returns the line above every page; undefined in an installation for customers. */
export function ribbonText(
  shell: Wording['shell'],
  language: DateLanguage,
  { lender: { isSample }, demo }: InstallationFacts = facts(),
): string | undefined {
  if (!isSample) return undefined;
  const { sampleRibbon, demoRibbon } = shell;
  return demo ? `${sampleRibbon} · ${demoRibbon(formatManilaDate(demo.startedOn, language))}` : sampleRibbon;
}

function facts(): InstallationFacts {
  if (known) return known;
  const text = document.getElementById('installation')?.textContent?.trim();
  const none = { lender: unnamedLender, monthlyRate: limits.loanRateBorrowerDefaultBasisPoints };
  known = text ? (JSON.parse(text) as InstallationFacts) : none;
  return known;
}
