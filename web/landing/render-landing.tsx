import { renderToStaticMarkup } from 'react-dom/server';
import type { Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { LandingDocument } from './landing-document.tsx';

export type LandingLanguage = 'en' | 'fil';

export type LandingAssets = {
  styles: readonly string[];
  scripts: readonly string[];
  fonts: readonly string[];
};

const wordings: Record<LandingLanguage, Wording> = { en, fil };

/** The landing page as a complete HTML document. The server renders it once per language at start-up. */
export function renderLanding(page: {
  lender: Lender;
  language: LandingLanguage;
  assets: LandingAssets;
  /** Basis points a month. */
  monthlyRate: number;
}): string {
  const words = wordings[page.language];
  return `<!doctype html>${renderToStaticMarkup(<LandingDocument {...page} words={words} />)}`;
}
