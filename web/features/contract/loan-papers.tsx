import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import { mainLoan } from '#domain/loan.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { CalendarIcon, ScrollTextIcon } from '#web/ui/icons.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { ContractDialog } from './contract-dialog.tsx';
import { NoLoanDialog } from './no-loan-dialog.tsx';
import { ScheduleDialog } from './schedule-dialog.tsx';

type Paper = 'contract' | 'schedule';

/** The main loan's contract and payment schedule (§current-and-main-loan). */
export function LoanPapers({ id }: { id: string }) {
  const { papers } = useAccountWords();
  const [paper, setPaper] = useState<Paper>();
  const [looking, setLooking] = useState<Paper>();
  // Asked for with the page, so that a press opens the right dialog at once.
  const loans = useRead(api.listOwnLoans);
  const loan = loans.data && mainLoan(loans.data);
  const close = () => setPaper(undefined);

  async function open(wanted: Paper) {
    // Staff may have made a new version since any of them was last read, and all of them shall tell of the same one.
    for (const row of [api.readLoanContract, api.readLoanSchedule]) void refreshReads(row);
    if (loan) void refreshReads(api.listOwnLoans);
    else {
      // One may have been applied for since, on another phone.
      setLooking(wanted);
      await loans.refetch();
      setLooking(undefined);
    }
    setPaper(wanted);
  }

  return (
    <Section id={id} title={papers.title} headingId={`${id}-title`}>
      <Card className="flex flex-col gap-2">
        <p className="mb-1 text-14 text-ink-soft">{papers.why}</p>
        <Button
          look="secondary"
          wide
          icon={<ScrollTextIcon className="size-4.5 shrink-0" />}
          busy={looking === 'contract'}
          onClick={() => void open('contract')}
        >
          {papers.contract}
        </Button>
        <Button
          look="secondary"
          wide
          icon={<CalendarIcon className="size-4.5 shrink-0" />}
          busy={looking === 'schedule'}
          onClick={() => void open('schedule')}
        >
          {papers.schedule}
        </Button>
      </Card>
      {paper && loans.data && !loan && <NoLoanDialog onClose={close} />}
      {paper === 'contract' && loan && <ContractDialog loanId={loan.id} onClose={close} />}
      {paper === 'schedule' && loan && <ScheduleDialog loan={loan} onClose={close} />}
      {paper && !loans.data && <PaperOutOfReach paper={paper} loans={loans} onClose={close} />}
    </Section>
  );
}

/** Stands in where it could not be found out whether there is a loan at all. */
function PaperOutOfReach({
  paper,
  loans,
  onClose,
}: {
  paper: Paper;
  loans: ReturnType<typeof useRead<typeof api.listOwnLoans>>;
  onClose: () => void;
}) {
  const { papers, shell } = useAccountWords();
  return (
    <Dialog open onClose={onClose} title={papers[paper]} closeLabel={shell.close}>
      <QueryStates
        query={loans}
        skeleton={<SkeletonText lines={4} />}
        failedTitle={paper === 'contract' ? papers.contractFailed : papers.scheduleFailed}
      >
        {() => null}
      </QueryStates>
    </Dialog>
  );
}
