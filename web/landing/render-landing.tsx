import { renderToStaticMarkup } from 'react-dom/server';
import type { Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { LandingDocument } from './landing-document.tsx';

export type LandingLanguage = 'en' | 'fil';

/** Addresses of the page's own files, as the build named them. */
export type LandingAssets = {
  styles: readonly string[];
  scripts: readonly string[];
  fonts: readonly string[];
};

const wordings: Record<LandingLanguage, Wording> = { en, fil };

/**
 * The landing page as a whole HTML document. The server calls it once at start for each language; what it shows of the
 * lender is this installation's own.
 */
export function renderLanding(page: {
  lender: Lender;
  language: LandingLanguage;
  assets: LandingAssets;
  /** What this installation lends at, in basis points a month. */
  monthlyRate: number;
}): string {
  const words = wordings[page.language];
  return `<!doctype html>${renderToStaticMarkup(<LandingDocument {...page} words={words} />)}`;
}
