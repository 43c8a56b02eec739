import { CalendarIcon, ScrollTextIcon } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useLocation } from 'wouter';
import type { output } from 'zod/mini';
import * as api from '#contract/borrower-endpoints.ts';
import type { Loan, ScheduleRow } from '#contract/loan.ts';
import * as calls from '#contract/loan-account-endpoints.ts';
import { paths } from '#contract/routes.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { mainLoan } from '#domain/loan.ts';
import { withNext } from '#domain/mat.ts';
import type { Centavos } from '#domain/money.ts';
import { leftToPay } from '#domain/quote.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { fetchReply } from '#web/lib/call.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import { deferredMonthsOf, leftToPayOf } from '#web/lib/loan-account.ts';
import { LoanMat } from '#web/lib/loan-mat.tsx';
import { accountMatOf, accountOf, extrasOf } from '#web/lib/loan-standing.ts';
import { amountOf } from '#web/lib/pesos.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { Amount } from '#web/ui/amount.tsx';
import { Button, QuietButton, RowButton } from '#web/ui/button.tsx';
import { Card, CardSection } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { ContractDialog, type Paper, PaperStates } from './contract-dialog.tsx';

/** The main loan's contract and payment schedule (§current-and-main-loan). */
export function LoanPapers() {
  const { papers, shell } = useAccountWords();
  const [, navigate] = useLocation();
  const [paper, setPaper] = useState<Paper>();
  const [looking, setLooking] = useState<Paper>();
  // The loans are read with the page, so that the right dialog opens at once.
  const loans = useRead(api.listOwnLoans);
  const loan = loans.data && mainLoan(loans.data);
  const close = () => setPaper(undefined);

  async function open(wanted: Paper) {
    // Staff may have issued a new version: refetch all of these, so that they agree.
    for (const row of [api.readLoanContract, api.readLoanSchedule, calls.readLoanAccount])
      void refreshReads(row);
    if (loan) void refreshReads(api.listOwnLoans);
    else {
      // The borrower may have applied on another phone meanwhile.
      setLooking(wanted);
      await loans.refetch();
      setLooking(undefined);
    }
    setPaper(wanted);
  }

  return (
    <CardSection id="papers" title={papers.title} padding="none" className="flex flex-col py-1">
      {(['contract', 'schedule'] as const).map((name) => (
        <RowButton
          key={name}
          icon={name === 'contract' ? <ScrollTextIcon /> : <CalendarIcon />}
          busy={looking === name}
          onClick={() => void open(name)}
        >
          {papers[name]}
        </RowButton>
      ))}
      {paper && loans.data && !loan && (
        <Dialog onClose={close} size="small" title={papers.noLoanTitle} description={papers.noLoanText}>
          <DialogActions cancel={{ onClick: close, children: shell.cancel }}>
            <Button onClick={() => navigate(paths.dashboard)} data-autofocus>
              {papers.applyNow}
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {paper === 'contract' && loan && <ContractDialog loanId={loan.id} onClose={close} />}
      {paper === 'schedule' && loan && <ScheduleDialog loan={loan} onClose={close} />}
      {paper && !loans.data && (
        <Dialog onClose={close} title={papers[paper]} closeLabel={shell.close}>
          <QueryStates
            query={loans}
            skeleton={<SkeletonText lines={4} />}
            failedTitle={paper === 'contract' ? papers.contractFailed : papers.scheduleFailed}
          >
            {() => null}
          </QueryStates>
        </Dialog>
      )}
    </CardSection>
  );
}

type Row = output<typeof ScheduleRow>;

/** When each payment is due, and what is left to pay after it (§schedule). */
function ScheduleDialog({ loan, onClose }: { loan: Loan; onClose: () => void }) {
  const { myLoan, papers, shell } = useAccountWords();
  const isDisbursed = accountOf(loan) !== undefined;
  const params = { id: loan.id };
  const agreed = useRead(api.readLoanSchedule, { params, enabled: !isDisbursed });
  const account = useRead(calls.readLoanAccount, { params, enabled: isDisbursed });
  return (
    <Dialog
      onClose={onClose}
      size="paper"
      title={papers.schedule}
      description={loan.loanNumber}
      closeLabel={shell.close}
    >
      {loan.account?.state === 'cancelled' ? (
        <EmptyState title={myLoan.cancelled}>{myLoan.cancelledText}</EmptyState>
      ) : isDisbursed ? (
        <PaperStates query={account} paper="schedule">
          {(shown) => <Schedule loan={loan} rows={shown.instalments} account={shown} />}
        </PaperStates>
      ) : (
        <PaperStates query={agreed} paper="schedule">
          {(rows) => <Schedule loan={loan} rows={rows} />}
        </PaperStates>
      )}
    </Dialog>
  );
}

type ScheduleProps = {
  loan: Loan;
  rows: readonly (Row & { left?: string })[];
  /** The account of a disbursed loan, with its instalments as they are today. */
  account?: LoanAccount;
};

function Schedule({ loan, rows, account }: ScheduleProps) {
  const { contractText, dashboard, landing, papers, date, peso, language } = useAccountWords();
  const asked = { params: { id: loan.id }, query: { lang: language } };
  const { totalCentavos, payments } = leftToPay(rows, ({ amount, left = amount }) => amountOf(left));
  const startsAt = account ? (account.disbursedOn ?? account.asOf) : loan.createdAt;
  const deferredMonths = account ? deferredMonthsOf(account) : 0;
  return (
    <>
      <Card look="sunken">
        <p className="text-14 text-ink-soft">
          {account ? dashboard.withExtras(dashboard.left, extrasOf(account.account)) : landing.cost.total}
        </p>
        <p className="mb-3">
          <Amount size={32}>{peso(account ? leftToPayOf(account) : totalCentavos)}</Amount>
        </p>
        <LoanMat
          loanId={loan.id}
          tiles={account ? accountMatOf(account) : withNext(rows.map(() => 'bare'))}
        />
      </Card>
      <p className="mt-3 text-12 text-ink-soft">
        {contractText.dates({ startDate: date(startsAt), isDisbursed: account !== undefined })}
        {deferredMonths > 0 && ` ${contractText.deferred(deferredMonths)}`}
      </p>
      <PaymentTable payments={payments} />
      <span className="-mx-3 mt-2 block">
        <DownloadButton
          look="quiet"
          size="compact"
          fetchFile={() => fetchReply(api.readLoanTable, asked)}
          fileName={`${loan.loanNumber}.csv`}
          busyLabel={papers.preparingFile}
        >
          {papers.toTable}
        </DownloadButton>
      </span>
      <DialogActions>
        <DownloadButton
          icon={<CalendarIcon />}
          fetchFile={() => fetchReply(api.readLoanCalendar, asked)}
          fileName={`${loan.loanNumber}.ics`}
          busyLabel={papers.preparingFile}
        >
          {papers.toCalendar}
        </DownloadButton>
      </DialogActions>
    </>
  );
}

/** An instalment and what is left to pay once it is paid. */
type Payment = Row & { leftCentavos: Centavos };

const toneOf: Partial<Record<Payment['status'], string>> = {
  overdue: 'font-semibold text-bad',
  partly_paid: 'text-warn',
};

const isPaidRow = ({ status }: Payment) => status === 'paid' || status === 'settled';

/** Groups the payments by year. Paid ones are folded on the screen, but printed. */
function PaymentTable({ payments }: { payments: readonly Payment[] }) {
  const { papers, peso, date } = useAccountWords();
  const paid = payments.filter(isPaidRow).length;
  const [all, setAll] = useState(paid === payments.length);
  const heads = [
    [papers.number, 'pr-2 text-left'],
    [papers.dueDate, 'text-left'],
    [papers.amount, 'text-right'],
    [papers.leftAfter, 'pl-3 text-right max-[30rem]:sr-only'],
  ];
  const yearOf = (payment?: Payment) => payment?.dueDate.slice(0, 4);
  const folds = (payment?: Payment) => !all && payment !== undefined && isPaidRow(payment);
  return (
    <>
      {paid > 0 && paid < payments.length && (
        <QuietButton className="-mx-3 mt-1" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? papers.hidePaid : papers.showPaid(paid)}
        </QuietButton>
      )}
      <table className="mt-1 w-full border-separate border-spacing-0 text-14 sm:mt-3 sm:text-16">
        <caption className="sr-only">{papers.schedule}</caption>
        <thead>
          <tr>
            {heads.map(([title, className]) => (
              <th
                key={title}
                scope="col"
                className={`sticky -top-4 border-b border-line bg-card pb-1.5 pt-4 text-12 font-semibold text-ink-soft sm:-top-7 sm:pb-2.5 ${className}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_tr:not(:last-child)>td]:border-b [&_td]:border-line">
          {payments.map((payment, index) => {
            const { number, dueDate, amount, status, leftCentavos } = payment;
            const before = payments[index - 1];
            return (
              <Fragment key={number}>
                {(yearOf(payment) !== yearOf(before) || folds(before) !== folds(payment)) && (
                  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row takes no focus, and each date says its year
                  <tr aria-hidden="true" className={folds(payment) ? 'hidden print:table-row' : ''}>
                    <td colSpan={4} className="pb-1 pt-4 text-left font-heading text-16 font-bold">
                      {yearOf(payment)}
                    </td>
                  </tr>
                )}
                <tr className={folds(payment) ? 'hidden print:table-row' : 'break-inside-avoid'}>
                  <td className="py-2 sm:py-3 pr-2 text-left align-top text-ink-soft">{number}</td>
                  <td className="py-2 align-top sm:py-3">
                    <span className="sm:inline-block sm:min-w-32">{date(dueDate)}</span>
                    <span
                      className={classNames('block text-12 sm:inline', toneOf[status] ?? 'text-ink-soft')}
                    >
                      {papers.rowStatuses[status]}
                    </span>
                  </td>
                  <td className="py-2 sm:py-3 text-right align-top font-semibold">{peso(amount)}</td>
                  <td className="py-2 sm:py-3 pl-3 text-right align-top text-ink-soft max-[30rem]:sr-only">
                    {peso(leftCentavos)}
                  </td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
