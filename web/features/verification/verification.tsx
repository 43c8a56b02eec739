import { CheckIcon, ChevronRightIcon, ShieldCheckIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { stepPath } from '#contract/routes.ts';
import { useWords } from '#web/lib/home-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { useVerificationSteps, VerificationLead } from '#web/lib/verification-lead.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, DeepHead } from '#web/ui/card.tsx';
import { StepNumber } from '#web/ui/step-number.tsx';

type TwoStepsProps = {
  /** The page asks for both steps further down. */
  isBelow?: boolean;
  /** Below *Start*. */
  children?: ReactNode;
};

/** The two steps that somebody new has to do first (§verified-account). */
export function TwoSteps({ isBelow = false, children }: TwoStepsProps) {
  const { verification: words } = useWords();
  const [, navigate] = useLocation();
  const steps = useVerificationSteps();
  const present = steps.find(({ missing }) => missing > 0);
  return (
    <section aria-labelledby="steps-title">
      <Card padding="none" className="@container overflow-hidden">
        <DeepHead className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4">
          <div className="flex-[1_1_18rem]">
            <VerificationLead id="steps-title" isStrip={isBelow} />
          </div>
          <div className="flex w-full flex-col gap-1 wide:max-w-80">
            {present && (
              <Button look="mango" size="large" wide onClick={() => navigate(stepPath(present.step))}>
                {words.start}
              </Button>
            )}
            {children}
          </div>
        </DeepHead>
        <ol className="divide-y divide-line empty:hidden @3xl:grid @3xl:grid-cols-2 @3xl:divide-x @3xl:divide-y-0">
          {(isBelow ? [] : steps).map(({ step, title, text, missing }, index) => (
            <li key={step} className="relative flex flex-wrap gap-x-3.5 gap-y-1 p-card">
              <StepNumber isPresent={step === present?.step}>
                {missing === 0 ? <CheckIcon className="size-4.5" /> : index + 1}
              </StepNumber>
              <div className="min-w-0 flex-[1_1_11rem]">
                <h3 className="font-semibold">
                  {missing === 0 ? (
                    title
                  ) : (
                    <Link
                      href={stepPath(step)}
                      className="flex items-center justify-between after:absolute after:inset-0"
                    >
                      {title}
                      <ChevronRightIcon className="size-5 shrink-0 text-ink-soft" />
                    </Link>
                  )}
                </h3>
                <p className="text-14 text-ink-soft">{missing === 0 ? words.done : text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Card>
    </section>
  );
}

/** Stands beside the borrower's name, once profile and documents are complete (§verified-account). */
export function Verified() {
  const { verification } = useWords();
  return (
    useUser().isVerified && (
      <p className="flex items-center gap-1.5 text-14 text-ink-soft">
        <ShieldCheckIcon className="size-4.5 text-good" />
        {verification.verified}
      </p>
    )
  );
}
