import { ScrollTextIcon } from 'lucide-react';
import { useState } from 'react';
import * as calls from '#contract/loan-account-endpoints.ts';
import type { LoanAccount } from '#contract/servicing.ts';
import { isSameAllocation } from '#domain/allocation.ts';
import { useAction } from '#web/lib/action.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { call, fetchReply } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { DownloadButton, PrintButton } from '#web/lib/download-button.tsx';
import type { Language } from '#web/lib/language.tsx';
import { contractPath, isPaidOff } from '#web/lib/loan-standing.ts';
import { MoreButton } from '#web/lib/older-rows.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { QuietButton } from '#web/ui/button.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { readAfterPaying } from './after-paying.tsx';
import { useAllocationText } from './allocation-text.ts';

type Payment = LoanAccount['payments'][number];
type Paper = typeof calls.readClearancePdf | typeof calls.readStatementPdf | typeof calls.readStatementTable;

/** Money that counts is green, what is still being checked plain, and what does not count struck out. */
const looks: Partial<Record<Payment['status'], string>> = { confirmed: 'text-good', submitted: 'text-ink' };

export function PaymentList({ account }: { account: LoanAccount }) {
  const { myLoan } = useAccountWords();
  const [all, setAll] = useState(false);
  const { payments } = account;
  // The newest, and what is still to be confirmed.
  const shown = payments.filter(({ status }, index) => all || index === 0 || status === 'submitted');
  return (
    <CardSection
      title={myLoan.receipts}
      action={
        (all || shown.length < payments.length) && (
          <MoreButton all={all} onAll={setAll} count={payments.length} controls="receipts" />
        )
      }
      className="py-1.5"
    >
      {payments.length === 0 ? (
        <p className="py-2 text-14 text-ink-soft">
          <b className="font-semibold text-ink">{myLoan.noReceipts}.</b> {myLoan.noReceiptsText}
        </p>
      ) : (
        <ul id="receipts" className="divide-y divide-line">
          {shown.map((payment) => (
            <PaymentRow key={payment.id} account={account} payment={payment} />
          ))}
        </ul>
      )}
    </CardSection>
  );
}

function PaymentRow({ account, payment }: { account: LoanAccount; payment: Payment }) {
  const { myLoan, papers, pay, language, date, peso } = useAccountWords();
  const { amount, channel, status, valueDate, receiptNumber, reference, note, sentAmount } = payment;
  const isOwn = account.submitted.some((sent) => sent.id === payment.id);
  const counts = status === 'confirmed';
  const id = `payment-${payment.id}`;
  const [busy, run] = useAction();
  const takeBack = () =>
    run(pay.withdrawFailed, async () => {
      try {
        await call(calls.withdrawOwnPayment, { params: { id: account.loanId, paymentId: payment.id } });
        toast({ title: pay.withdrawn, description: pay.withdrawnText });
      } finally {
        // Staff may have decided it since.
        readAfterPaying();
      }
    });
  const receipt = {
    look: 'quiet',
    size: 'compact',
    describedBy: id,
    fetchFile: () =>
      fetchReply(calls.readReceiptPdf, {
        params: { id: account.loanId, number: receiptNumber ?? '' },
        query: { lang: language },
      }),
    fileName: `${receiptNumber}.pdf`,
  } as const;
  return (
    <li className="py-3">
      <div id={id} className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <div className="min-w-0 flex-[1_1_9rem]">
          <p className="text-14 font-semibold">{myLoan.paidOn(date(valueDate))}</p>
          <p className="text-12 text-ink-soft wrap-anywhere">
            {[myLoan.channels[channel], receiptNumber ?? reference].filter(Boolean).join(' · ')}
          </p>
        </div>
        <div className="ml-auto flex flex-col items-end gap-1.5">
          <p className={`font-semibold tabular-nums ${looks[status] ?? 'text-ink-soft line-through'}`}>
            {peso(amount)}
          </p>
          {status !== 'confirmed' && (
            <StatusChip tone={tones.payment[status]}>{myLoan.paymentStatuses[status]}</StatusChip>
          )}
        </div>
      </div>
      {note && (
        <p className="mt-1 text-14 wrap-anywhere">
          <span className="text-ink-soft">{pay.note}</span> {note}
          {sentAmount && ` ${pay.youWrote(peso(sentAmount))}`}
        </p>
      )}
      {isOwn && status === 'submitted' && (
        <QuietButton
          className="-mb-2 -ml-3.5"
          busy={busy}
          aria-describedby={id}
          onClick={() => void takeBack()}
        >
          {pay.withdrawThis}
        </QuietButton>
      )}
      {counts && <WhereItWent account={account} payment={payment} />}
      {receiptNumber && (
        <span className="-mb-2 -ml-3.5 flex flex-wrap">
          <DownloadButton {...receipt} busyLabel={papers.downloading}>
            {myLoan.downloadReceipt}
          </DownloadButton>
          <PrintButton {...receipt} busyLabel={papers.downloading} />
        </span>
      )}
    </li>
  );
}

/**
 * Shows where a payment went: as printed and, if one found or reversed later has
 * changed that, as counted today.
 */
function WhereItWent({ account, payment }: { account: LoanAccount; payment: Payment }) {
  const { myLoan } = useAccountWords();
  const textOf = useAllocationText();
  const event = account.events.find(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment.id);
  const today = account.receipts.find(({ ofEvent }) => ofEvent === event?.sequence);
  const printed = payment.application ?? today;
  if (!printed) return null;
  const differs = today && !isSameAllocation(printed, today);
  const lines = differs
    ? [
        [myLoan.asPrinted, textOf(printed, true)],
        [myLoan.asCountedToday, textOf(today, true)],
        [myLoan.countedAnew, ''],
      ]
    : [[myLoan.wentTo, textOf(printed)]];
  return lines.map(([label, text]) => (
    <p key={label} className="mt-1 text-12 text-ink-soft">
      <span className={differs && text ? 'font-semibold' : ''}>{label}</span> {text}
    </p>
  ));
}

/** The statement and, once the loan is paid off, the clearance certificate; in the reader's language first. */
export function AccountPapers({ account }: { account: LoanAccount }) {
  const { myLoan, papers, payment, language } = useAccountWords();
  const { loanNumber } = account;
  const params = { id: account.loanId };
  const other = language === 'en' ? 'fil' : 'en';
  const rows = [
    ...(isPaidOff(account.account)
      ? [[payment.clearance, myLoan.clearanceOther, calls.readClearancePdf, 'clearance'] as const]
      : []),
    [myLoan.statement, myLoan.statementOther, calls.readStatementPdf, 'statement'] as const,
  ];
  const fileOf = (row: Paper, kind: string, lang: Language, ending = 'pdf') =>
    ({
      look: 'quiet',
      size: 'compact',
      fetchFile: () => fetchReply(row, { params, query: { lang } }),
      fileName: `${loanNumber}-${kind}${lang === 'en' ? '' : `-${lang}`}.${ending}`,
    }) as const;
  return (
    <CardSection
      id="papers"
      title={myLoan.papers}
      padding="none"
      className="divide-y divide-line px-card py-1"
    >
      {rows.map(([words, otherWords, row, kind]) => {
        const id = `paper-${kind}`;
        const file = { ...fileOf(row, kind, language), busyLabel: papers.preparingFile };
        const isStatement = kind === 'statement';
        return (
          <div key={kind} className="flex flex-wrap items-center py-0.5">
            <span id={id} className={isStatement ? '-ml-3.5' : 'my-2'}>
              <DownloadButton {...file} look={isStatement ? 'quiet' : 'primary'}>
                {words}
              </DownloadButton>
            </span>
            <span className="-mr-3.5 ml-auto flex">
              <DownloadButton {...fileOf(row, kind, other)} icon={null}>
                <Short mark={other.toUpperCase()} words={otherWords} />
              </DownloadButton>
              {isStatement && (
                <DownloadButton {...fileOf(calls.readStatementTable, kind, language, 'csv')} icon={null}>
                  <Short mark="CSV" words={myLoan.statementTable} />
                </DownloadButton>
              )}
              <PrintButton {...file} describedBy={id} />
            </span>
          </div>
        );
      })}
      <div>
        <GoLink
          href={contractPath(account.loanId)}
          look="quiet"
          size="compact"
          icon={<ScrollTextIcon />}
          className="-ml-3.5"
        >
          {papers.contract}
        </GoLink>
      </div>
    </CardSection>
  );
}

/** A button's name of which only a mark is seen. */
const Short = ({ mark, words }: { mark: string; words: string }) => (
  <>
    <span aria-hidden="true">{mark}</span>
    <span className="sr-only">{words}</span>
  </>
);
