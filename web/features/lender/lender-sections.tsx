import { ExternalLinkIcon, LandmarkIcon, type LucideIcon, ShieldCheckIcon } from 'lucide-react';
import { useState } from 'react';
import { below } from '#contract/wording/en-home-below.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useWords } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { buttonStyle, QuietButton } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';

const CompanyDialog = lazyPart(() => import('./company-dialog.tsx'), 'CompanyDialog');

/** Whom the lender works with and answers to, with links to verify it, and its own registration facts (§laws). */
export function AboutLender() {
  const words = useWords();
  const { company } = useWordsOf(below);
  const { partnerBanks, regulators, registryUrl } = lender();
  const [showsCompany, setShowsCompany] = useState(false);
  return (
    <Card className="flex flex-col gap-4">
      {partnerBanks.length > 0 && (
        <Section isQuiet title={company.partners}>
          <ul className="flex flex-wrap gap-x-4 gap-y-2">
            {partnerBanks.map(({ name, logo }) => (
              <li key={name} className="flex items-center gap-1.5 text-14">
                <Mark src={logo} or={LandmarkIcon} />
                {name}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section isQuiet title={company.regulators}>
        <ul className="flex flex-col gap-2">
          {regulators.map(({ name, shortName, logo }) => (
            <li key={name} className="flex items-center gap-3 text-14">
              <Mark src={logo} or={ShieldCheckIcon} />
              <p className="min-w-0 text-ink-soft">
                <b className="block font-semibold text-ink">{shortName}</b>
                {name}
              </p>
            </li>
          ))}
        </ul>
        <div className="-mx-3.5 -mb-2 flex flex-wrap justify-between">
          <a
            href={registryUrl}
            target="_blank"
            rel="noreferrer"
            aria-describedby="registry-note"
            className={buttonStyle({ look: 'quiet', size: 'compact' })}
          >
            {words.lender.checkWithRegulator}
            <ExternalLinkIcon />
          </a>
          <QuietButton
            onFocus={CompanyDialog.preload}
            onPointerEnter={CompanyDialog.preload}
            onClick={() => setShowsCompany(true)}
          >
            {company.details}
          </QuietButton>
        </div>
        <p id="registry-note" className="sr-only">
          {company.opensNewView}
        </p>
        {showsCompany && <CompanyDialog onClose={() => setShowsCompany(false)} />}
      </Section>
    </Card>
  );
}

/** A picture from the lender's folder, on white in the dark too. */
const Mark = ({ src, or: Icon }: { src: string | undefined; or: LucideIcon }) =>
  src === undefined ? (
    <Icon aria-hidden="true" className="size-5 shrink-0 text-leaf" />
  ) : (
    <img
      src={src}
      alt=""
      loading="lazy"
      className="h-7 max-w-full rounded-small object-contain dark:bg-[#fff] dark:px-1.5 dark:py-0.5"
    />
  );
