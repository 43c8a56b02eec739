import type { Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import { brandOf } from '#web/lib/lender.ts';
import faviconUrl from '#web/ui/favicon.svg?no-inline';
import { Ribbon } from '#web/ui/ribbon.tsx';
import { CostCard } from './cost-card.tsx';
import { LandingCarousel } from './landing-carousel.tsx';
import { LandingFooter, PaymentOptions, Promises } from './landing-facts.tsx';
import { LandingHeader } from './landing-header.tsx';
import type { LandingAssets, LandingLanguage } from './render-landing.tsx';

export type LandingPageProps = {
  lender: Lender;
  language: LandingLanguage;
  words: Wording;
  assets: LandingAssets;
  /** Basis points a month. */
  monthlyRate: number;
};

/** Everything between the doctype and the end. It reads and its links work without script. */
export function LandingDocument(page: LandingPageProps) {
  const { lender, language, words } = page;
  return (
    <html lang={language}>
      <LandingHead {...page} />
      <body className={lender.isSample ? 'has-ribbon' : undefined}>
        <a
          href="#content"
          className="sr-only rounded-control bg-card p-3 font-semibold text-leaf focus:not-sr-only focus:absolute focus:left-4 focus:top-4 focus:z-30"
        >
          {words.shell.skipToContent}
        </a>
        {lender.isSample && <Ribbon>{words.shell.sampleRibbon}</Ribbon>}
        <LandingHeader lender={lender} words={words} language={language} />
        {/* On a wide screen the cost stands beside the headline and ends with the carousel below it. */}
        <main
          id="content"
          className="mx-auto -mt-14 flex max-w-120 flex-col gap-7 px-5 pb-8 wide:grid wide:max-w-256 wide:grid-cols-2 wide:gap-x-6"
        >
          <LandingCarousel words={words.carousel} />
          <CostCard words={words.landing.cost} monthlyRate={page.monthlyRate} />
          <Promises words={words.landing.promises} />
          <PaymentOptions title={words.landing.payments} channels={lender.payoutChannels} />
        </main>
        <LandingFooter lender={lender} language={language} words={words.lender} />
      </body>
    </html>
  );
}

function LandingHead({ lender, words, assets }: LandingPageProps) {
  return (
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content="#10233f" />
      <meta name="format-detection" content="telephone=no" />
      <title>{words.landing.title(brandOf(lender).name)}</title>
      <meta name="description" content={words.landing.description} />
      <link rel="icon" href={lender.logo ?? faviconUrl} />
      {assets.fonts.map((font) => (
        <link key={font} rel="preload" as="font" type="font/woff2" href={font} crossOrigin="" />
      ))}
      {assets.styles.map((sheet) => (
        <link key={sheet} rel="stylesheet" href={sheet} />
      ))}
      {assets.scripts.map((script) => (
        <script key={script} type="module" src={script} />
      ))}
    </head>
  );
}
