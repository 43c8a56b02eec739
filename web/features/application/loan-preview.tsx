import { Link } from 'wouter';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan } from '#contract/loan.ts';
import { paths } from '#contract/routes.ts';
import { mainLoan } from '#domain/loan.ts';
import { shownPercent } from '#domain/rates.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import { loanStatusTone, loanStatusWord } from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { ChevronRightIcon } from '#web/ui/icons.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';

/**
 * What the main loan costs, in short (spec section 9): the figures agreed to, not figures worked out anew. Where the list of loans cannot be read nothing stands here: the
 * application above says so and offers to read it again.
 */
export function LoanPreview() {
  const { application, shell } = useAccountWords();
  const { data: loans, isError } = useRead(api.listOwnLoans);
  if (!loans && isError) return null;
  const loan = loans && mainLoan(loans);
  return (
    <Section title={application.preview} headingId="preview-title">
      <Card>
        {!loans && <PreviewShape label={shell.loading} />}
        {loans && !loan && <p className="text-14 text-ink-soft">{application.previewNone}</p>}
        {loan && <Preview loan={loan} />}
      </Card>
    </Section>
  );
}

function Preview({ loan }: { loan: Loan }) {
  const { application, landing, loanStatus } = useAccountWords();
  const { peso } = useFormats();
  const { amount, monthlyPayment, termMonths, quote } = loan;
  const figures = [
    { id: 'amount', term: application.amount, value: peso(amount) },
    { id: 'monthly', term: landing.cost.monthly, value: `${peso(monthlyPayment)} × ${termMonths}` },
  ];
  if (quote) {
    const rate = landing.cost.perMonth(shownPercent(quote.effectiveMonthlyRate));
    figures.push(
      { id: 'cost', term: landing.cost.costOfCredit, value: peso(quote.costOfCredit) },
      { id: 'rate', term: landing.cost.effectiveRate, value: rate },
    );
  }
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
        <h3 className="font-semibold">{loan.loanNumber}</h3>
        <StatusChip wraps tone={loanStatusTone(loan.status)}>
          {loanStatusWord(loan.status, loanStatus)}
        </StatusChip>
      </div>
      <DefinitionRows size={14} rows={figures} />
      <Link
        href={`${paths.profile}#papers`}
        className="-mx-2 -mb-2.5 mt-2 flex min-h-11 items-center justify-between gap-2 rounded-control px-2 text-14 font-semibold text-leaf hover:bg-leaf-tint"
      >
        {application.papers}
        <ChevronRightIcon className="size-4.5 shrink-0" />
      </Link>
    </>
  );
}

function PreviewShape({ label }: { label: string }) {
  return (
    <Loading label={label}>
      <span className="flex flex-col gap-3.5">
        {['w-28', 'w-40', 'w-28', 'w-24'].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are their positions
          <span key={index} className="flex justify-between gap-3">
            <Skeleton className="h-4 w-24" />
            <Skeleton className={`h-4 ${width}`} />
          </span>
        ))}
      </span>
    </Loading>
  );
}
