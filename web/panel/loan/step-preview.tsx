import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import * as api from '#contract/api.ts';
import type { Sent } from '#contract/endpoint.ts';
import type { LoanPreview } from '#contract/servicing.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { call } from '#web/lib/call.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { readKey } from '#web/lib/query.tsx';
import { AgreementWarning, CreditsWarning } from '#web/panel/lib/before-release.tsx';
import { date as dateText, showPeso } from '#web/panel/lib/format.ts';
import { allocationLines } from './loan-text.ts';

const words = panel.loanStep;

export type PreviewBody = Sent<typeof api.previewLoan, 'body'>;

/** The pause after typing before the server is asked what a step would do. */
const previewDebounceMs = 300;

/**
 * Asks what a step would do, again a moment after its form last changed. `body` is undefined while it is
 * incomplete.
 */
export function usePreview(loanId: number, body: PreviewBody | undefined): UseQueryResult<LoanPreview> {
  const text = JSON.stringify(body) ?? '';
  const rested = useDebounced(text, previewDebounceMs);
  return useQuery({
    queryKey: [...readKey(api.previewLoan, { params: { id: loanId } }), rested],
    queryFn: ({ signal }) =>
      call(api.previewLoan, { params: { id: loanId }, body: JSON.parse(rested), signal }),
    enabled: rested !== '' && text !== '',
    gcTime: 0,
    staleTime: 0,
  });
}

type PreviewProps = {
  preview: UseQueryResult<LoanPreview>;
  /**
   * Names a request that waits for approval, to tell it from others on the page. Its approver knows that it
   * waits.
   */
  label?: string;
};

export function PreviewPart({ preview, label }: PreviewProps) {
  const errorText = useErrorText();
  const { data, error, fetchStatus } = preview;
  const isAsking = fetchStatus === 'fetching';
  return (
    <section aria-label={label ?? words.seen} aria-busy={isAsking}>
      {error ? (
        <div role="alert" className="rounded-control bg-bad-tint px-4 py-3 text-14 text-bad">
          <p className="font-semibold">{words.cannot}</p>
          <p>{errorText(error)}</p>
        </div>
      ) : data ? (
        <BeforeAfter preview={data} isDeciding={label !== undefined} />
      ) : (
        <p className="rounded-card bg-sunken p-4 text-14 text-ink-soft">
          {isAsking ? words.working : words.needsInput}
        </p>
      )}
    </section>
  );
}

const nothing = showPeso('0.00');

/** The figures compared, the most important first. */
const compared: readonly (readonly [label: string, read: (standing: LoanPreview['before']) => string])[] = [
  [words.figures.state, ({ account }) => panel.servicing.states[account.state]],
  [words.figures.dueNow, ({ account }) => showPeso(account.dueNow)],
  [words.figures.overdue, ({ account }) => showPeso(account.overdue)],
  [words.figures.late, ({ account }) => showPeso(account.lateChargesOwed)],
  [words.figures.principal, ({ account }) => showPeso(account.principalLeft)],
  [
    words.figures.next,
    ({ account: { nextDueDate, nextDueAmount } }) =>
      nextDueDate ? words.onDate(showPeso(nextDueAmount), dateText(nextDueDate)) : panel.list.dash,
  ],
  [words.figures.last, ({ instalments }) => dateText(instalments.at(-1)?.dueDate ?? '')],
  [words.figures.credit, ({ account }) => showPeso(account.credit)],
  [home.payment.parts.toReturn, ({ account }) => showPeso(account.refundToReturn)],
  [words.figures.writtenOff, ({ account }) => showPeso(account.writeOffAmount)],
  [words.figures.rebate, ({ account }) => showPeso(account.rebate)],
  [words.figures.wallet, ({ walletBalance }) => showPeso(walletBalance)],
];

function BeforeAfter({ preview, isDeciding }: { preview: LoanPreview; isDeciding: boolean }) {
  const { before, after, receipt, waitsFor, isAlone, walletCredits, changesBeforeAgreement } = preview;
  const rows = compared.map(([label, read]) => ({ label, now: read(before), next: read(after) }));
  const same = rows.filter(({ now, next }) => now === next && now !== nothing && now !== panel.list.dash);
  return (
    <div className="@container rounded-card bg-sunken p-4">
      {(waitsFor || isAlone) && !isDeciding && (
        <p className="mb-3 rounded-control bg-warn-tint px-3 py-2 text-14 text-warn">
          {isAlone && words.alone}
          {waitsFor === 'approval' && words.needsApproval}
          {waitsFor === 'confirmation' && words.needsConfirmation}
        </p>
      )}
      <div className="mb-3 flex flex-col gap-2 empty:hidden">
        <CreditsWarning credits={walletCredits} />
        <AgreementWarning changes={changesBeforeAgreement} />
      </div>
      <table className="w-full text-14 @max-[18rem]:text-12">
        <caption className="pb-1 text-left font-heading text-16 font-bold">{words.seen}</caption>
        <thead>
          <tr className="text-12 text-ink-soft">
            <td />
            <th scope="col" className="py-1 pl-3 text-right font-semibold">
              {words.now}
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-semibold">
              {words.after}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(({ now, next }) => now !== next)
            .map(({ label, now, next }) => (
              <tr key={label} className="border-t border-line">
                <th scope="row" className="py-1.5 text-left font-normal text-ink-soft">
                  {label}
                </th>
                <td className="py-1.5 pl-3 text-right @max-[18rem]:pl-2 tabular-nums text-ink-soft">{now}</td>
                <td className="py-1.5 pl-3 text-right @max-[18rem]:pl-2 font-bold tabular-nums">{next}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {same.length > 0 && (
        <p className="border-t border-line pt-2 text-12 text-ink-soft">
          {words.unchanged}:{' '}
          {same.map(({ label, now }) => words.figure(label.toLowerCase(), now)).join(' · ')}
        </p>
      )}
      {receipt && (
        <p className="mt-3 text-14">
          <span className="font-semibold">{words.goesTo}: </span>
          {allocationLines(receipt).join(' · ')}
        </p>
      )}
    </div>
  );
}
