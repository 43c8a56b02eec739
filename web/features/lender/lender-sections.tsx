import { Building2Icon, ExternalLinkIcon, LandmarkIcon, ShieldCheckIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { below } from '#contract/wording/en-home-below.ts';
import { useWords, useWordsOf } from '#web/lib/home-words.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { Button, buttonStyle } from '#web/ui/button.tsx';
import { CardSection, Section } from '#web/ui/card.tsx';

const CompanyDialog = lazyPart(() => import('./company-dialog.tsx'), 'CompanyDialog');

/** Whom the lender works with and answers to; on a laptop the partners are a row above the rest of Home. */
export const AboutLender = ({ children }: { children: ReactNode }) => (
  <>
    <Partners />
    <div className="*:grow">{children}</div>
    <Regulators />
  </>
);

/** The lender's regulators, with links to verify it, and its own registration facts (§laws). */
function Regulators() {
  const words = useWords();
  const { company } = useWordsOf(below);
  const { regulators, registryUrl } = lender();
  const [showsCompany, setShowsCompany] = useState(false);
  return (
    <CardSection title={company.regulators} className="flex flex-col justify-between">
      {regulators.length > 0 && (
        <ul className="mb-4 flex grow flex-col justify-evenly gap-3">
          {regulators.map(({ name, shortName, logo }) => (
            <li key={name} className="flex items-center gap-3">
              <span
                aria-hidden="true"
                className="flex size-10 shrink-0 items-center justify-center rounded-full bg-leaf-tint text-leaf"
              >
                {logo === undefined ? <ShieldCheckIcon className="size-5" /> : <Mark src={logo} />}
              </span>
              <span className="min-w-0">
                <span className="block font-semibold">{shortName}</span>
                <span className="block text-14 text-ink-soft">{name}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-col gap-2.5">
        <a
          href={registryUrl}
          target="_blank"
          rel="noreferrer"
          aria-describedby="registry-note"
          className={buttonStyle({ look: 'secondary', wide: true })}
        >
          {words.lender.checkWithRegulator}
          <ExternalLinkIcon />
        </a>
        <p id="registry-note" className="-mt-1 text-center text-12 text-ink-soft">
          {company.opensNewView}
        </p>
        <Button
          look="quiet"
          wide
          icon={<Building2Icon />}
          onFocus={CompanyDialog.preload}
          onPointerEnter={CompanyDialog.preload}
          onClick={() => setShowsCompany(true)}
        >
          {company.details}
        </Button>
      </div>
      {showsCompany && <CompanyDialog onClose={() => setShowsCompany(false)} />}
    </CardSection>
  );
}

/** A picture from the lender's folder, on white in the dark too. */
const Mark = ({ src }: { src: string }) => (
  <img
    src={src}
    alt=""
    loading="lazy"
    className="h-7 max-w-full rounded-small object-contain dark:bg-[#fff] dark:px-1.5 dark:py-0.5"
  />
);

function Partners() {
  const { company } = useWordsOf(below);
  const { partnerBanks } = lender();
  if (partnerBanks.length === 0) return null;
  return (
    <Section title={company.partners} className="wide:col-span-3">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,6.75rem),1fr))] gap-2.5">
        {partnerBanks.map(({ name, logo }) => (
          <li
            key={name}
            className="flex min-h-11 items-center justify-center gap-2 rounded-control border border-line bg-card px-2 py-2 text-14 font-semibold"
          >
            {logo === undefined ? <LandmarkIcon className="size-5 text-leaf" /> : <Mark src={logo} />}
            <span className="min-w-0 max-w-full">{name}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
