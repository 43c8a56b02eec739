import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { noticesIn, wordNotice } from '#contract/wording/notices.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { ConfirmDialog, FormDialog } from '#web/panel/lib/dialogs.tsx';
import { showPeso } from '#web/panel/lib/format.ts';
import { keepFocusInList } from '#web/panel/lib/list-table.tsx';
import { loanRow, useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptLoan, useLoanAccount } from '#web/panel/lib/staff-rows.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { loanLine, salaryShare, statusWord } from './loan-text.ts';

const words = panel.loanDecision;

type Check = { isOpen: boolean; text: string };

/** The server's checks before an approval; undefined until they are read. */
export function useChecks(loan: StaffLoan): Check[] | undefined {
  const found = useLoanAccount(loan.id).data?.loan.checks;
  if (!found) return undefined;
  const { isActivated, isVerified, isOwnReference, undecided, overdue } = found;
  const share = salaryShare(loan);
  const facts = { isActivated, isVerified, isOtherReference: !isOwnReference };
  return [
    ...(Object.keys(facts) as (keyof typeof facts)[]).map((name) => {
      const [checked, open] = words.checks[name] as [string, string];
      return { isOpen: !facts[name], text: facts[name] ? checked : open };
    }),
    {
      isOpen: share === undefined || share > limits.salaryShareMaxPercent,
      text: words.salaryShare(share),
    },
    { isOpen: undecided.length > 0, text: words.undecided(undecided) },
    { isOpen: overdue.length > 0, text: words.overdue(overdue) },
  ];
}

/** Sets a loan's status, unless it is no longer the one that was `seen`. */
export function useDecide(loan: StaffLoan) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.updateLoan);
  function decide(status: string, reason = '', seen = loan.status) {
    const body = { status, expected: { status: seen }, ...(reason && { reason }) };
    return act(send({ params: { id: loan.id }, body }).then(acceptLoan), {
      done: panel.loanStatus.saved(loan.loanNumber, statusWord(status)),
      failedTitle: panel.toasts.updateFailed,
      row: loanRow(loan.id),
    });
  }
  return { decide, stop, busy: state === 'sending' || state === 'checking' };
}

type DialogProps = { loan: StaffLoan; onClose: () => void };

/** Asks before an approval, and says in a line what speaks against it. */
export function ApproveDialog({ loan, onClose }: DialogProps) {
  const { decide, stop } = useDecide(loan);
  const { isFetching } = useLoanAccount(loan.id);
  const open = useChecks(loan)?.filter(({ isOpen }) => isOpen);
  const isClear = open?.length === 0;
  const said = (open ?? [{ text: words.notChecked }]).map(({ text }) => text).join('. ');
  return (
    <ConfirmDialog
      title={(isClear ? words.askApprove : words.approveTitle)(loan.loanNumber)}
      text={
        isClear ? (
          `${loanLine(loan)}. ${words.nothingOpen(showPeso(loan.monthlyPayment))}`
        ) : open === undefined && isFetching ? (
          <SkeletonText lines={2} />
        ) : (
          `${loanLine(loan)}. ${said}.`
        )
      }
      confirmLabel={panel.withdrawals.approve}
      look="primary"
      onConfirm={() => decide('approved')}
      {...(stop && { onStop: stop })}
      onClose={onClose}
    />
  );
}

const otherReason = 'other';

const reasonChoices = [
  { value: '', label: words.chooseReason },
  ...words.reasons.map((value) => ({ value, label: value })),
  { value: otherReason, label: words.otherReason },
];

/**
 * Asks for a reason, and shows the message as the borrower will read it. Opened by a key, the focus starts on no
 * field: what a scanner types next, and its Enter, then do nothing.
 */
export function DenyDialog({ loan, onClose, byKey = false }: DialogProps & { byKey?: boolean }) {
  const { decide, ...work } = useDecide(loan);
  const [chosen, setChosen] = useState('');
  const [own, setOwn] = useState('');
  const [isTried, setTried] = useState(false);
  const isOwn = chosen === otherReason;
  const reason = (isOwn ? own : chosen).trim();
  const told = wordNotice(noticesIn('en'), 'loan_status_changed', {
    loanNumber: loan.loanNumber,
    status: statusWord('denied'),
    statusCode: 'denied',
    reason,
  });
  async function onSubmit() {
    setTried(true);
    if (reason === '') return;
    const { ok } = await decide('denied', reason);
    if (!ok) return;
    onClose();
    keepFocusInList();
  }
  return (
    <FormDialog
      title={words.denyTitle(loan.loanNumber)}
      description={loanLine(loan)}
      look="danger"
      saveLabel={words.deny}
      form={{ ...work, onSubmit }}
      onClose={onClose}
    >
      <p className="text-14 text-ink-soft">{words.reasonNote}</p>
      <SelectField
        label={words.reason}
        options={reasonChoices}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        error={isTried && chosen === '' ? words.reasonMissing : ''}
        data-autofocus={!byKey || undefined}
      />
      {isOwn && (
        <TextArea
          label={words.ownWords}
          rows={3}
          maxLength={limits.messageMaxLength}
          value={own}
          onChange={(event) => setOwn(event.target.value)}
          error={isTried && reason === '' ? words.ownWordsMissing : ''}
        />
      )}
      <section aria-label={words.theyRead} className="rounded-card bg-sunken p-4">
        <h3 className="text-12 text-ink-soft">{words.theyRead}</h3>
        <p className="mt-1 font-semibold">{told.title}</p>
        <p className="whitespace-pre-line text-14 wrap-anywhere">{told.message}</p>
      </section>
    </FormDialog>
  );
}
