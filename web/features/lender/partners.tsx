import { lender } from '#web/lib/lender.ts';
import { useWords } from '#web/lib/words.ts';
import { Section } from '#web/ui/card.tsx';
import { LandmarkIcon } from '#web/ui/icons.tsx';

/** The banks and wallets this lender works with: their logos where it has given them, else their names. */
export function Partners() {
  const words = useWords();
  const { partnerBanks } = lender();
  if (partnerBanks.length === 0) return null;
  return (
    <Section title={words.lender.partners} headingId="partners-title">
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,5.25rem),1fr))] gap-2.5">
        {partnerBanks.map(({ name, logo }) => (
          <li
            key={name}
            className="flex min-h-18 flex-col items-center justify-center gap-1.5 rounded-card border border-transparent bg-card px-2 py-3 text-center text-14 font-semibold shadow-soft dark:border-line"
          >
            {logo === undefined ? (
              <LandmarkIcon className="size-5 text-leaf" />
            ) : (
              <img
                src={logo}
                alt=""
                loading="lazy"
                className="h-7 max-w-full rounded-small object-contain dark:bg-[#fff] dark:px-1.5 dark:py-0.5"
              />
            )}
            <span className="min-w-0 max-w-full">{name}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
