import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { loanAccountPath } from '#contract/routes.ts';
import { ApprovalDecision, ReasonForm, type StaffApproval } from '#contract/servicing.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { daysBetween, manilaDate } from '#domain/calendar.ts';
import type { ApprovalOutcome } from '#domain/servicing.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { today } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { useUser } from '#web/lib/session.tsx';
import { PanelLink, SidePanel, Warning } from '#web/panel/lib/details.tsx';
import { ConfirmDialog, FormDialog, StopOr } from '#web/panel/lib/dialogs.tsx';
import { date, dateTime, showPeso } from '#web/panel/lib/format.ts';
import { keepFocusInList } from '#web/panel/lib/list-table.tsx';
import { borrowerName } from '#web/panel/lib/list-view.ts';
import { useStaffAction, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { refreshLoan } from '#web/panel/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { reasonText } from './loan-text.ts';
import { PreviewPart, usePreview } from './step-preview.tsx';

const words = panel.approvals;

/** The days for which a request has waited. */
export const ageDays = ({ askedAt }: StaffApproval): number =>
  daysBetween(manilaDate(new Date(askedAt)), today());

type DetailsProps = { approval: StaffApproval; refusal: string | undefined; onClose: () => void };

/** A request beside the list: who asks for what, what it does in figures, and the decision. */
export function ApprovalDetails({ approval, refusal, onClose }: DetailsProps) {
  const { id, kind, loanId, loanNumber, decision, mayDecide } = approval;
  const isOpen = decision === null;
  // Somebody who may not decide a request is refused its preview too: the loan's account has the figures.
  const preview = usePreview(loanId, mayDecide ? { step: 'approval', approvalId: id } : undefined);
  return (
    <SidePanel
      overline={`${words.request(id)} · ${home.dashboard.loanNumber(loanNumber)}`}
      title={`${words.asks[kind]} · ${borrowerName(approval)}`}
      onClose={onClose}
      actions={isOpen && <Buttons approval={approval} isPossible={!preview.error} />}
    >
      <div className="flex flex-col gap-4">
        {refusal && <Warning>{words.refused(refusal)}</Warning>}
        {isOpen && <WhyNot approval={approval} />}
        {mayDecide && <PreviewPart preview={preview} label={words.effect} />}
        {decision && !refusal && <Decided approval={approval} outcome={decision} />}
        <Facts approval={approval} />
        <p className="text-12 text-ink-soft wrap-anywhere">
          {words.asked(approval.askedByName, dateTime(approval.askedAt))}
          {isOpen && ` · ${words.askedAgo(ageDays(approval))}`}
        </p>
        <PanelLink look="secondary" href={loanAccountPath(loanId)}>
          {panel.servicing.openAccount}
        </PanelLink>
      </div>
    </SidePanel>
  );
}

function Facts({ approval: { payload, payment, reason, decision } }: { approval: StaffApproval }) {
  const { facts } = words;
  const { columns: heads } = panel.payments;
  const { amount = payment?.amount, channel = payment?.channel, months } = payload;
  const day = payload.valueDate ?? payload.date ?? payment?.valueDate;
  const rows = [
    { term: heads.amount, value: amount && showPeso(amount) },
    { term: heads.channel, value: channel && panel.servicing.channels[channel] },
    { term: panel.loanStep.months, value: months },
    { term: facts.date, value: day && date(day) },
    { term: heads.reference, value: payload.reference ?? payment?.reference },
    { term: heads.receipt, value: payment?.receiptNumber },
    { term: heads.reason, value: reasonText(payload.reason || payment?.reason || '') },
    { term: facts.decisionReason, value: decision === 'rejected' && reason },
  ];
  return <DefinitionRows size={14} rows={rows} />;
}

function Decided({ approval, outcome }: { approval: StaffApproval; outcome: ApprovalOutcome }) {
  const { decidedByName, decidedAt } = approval;
  return (
    <div className="text-14 text-ink-soft">
      <p className="flex flex-wrap items-center gap-2">
        <StatusChip tone={tones.approval[outcome]}>{words.decisions[outcome]}</StatusChip>
        {decidedAt &&
          (outcome === 'outdated'
            ? dateTime(decidedAt)
            : words.decided(decidedByName ?? '', dateTime(decidedAt)))}
      </p>
      {outcome === 'outdated' && <p className="mt-2">{words.outdatedText}</p>}
    </div>
  );
}

/** Says why this person may not decide, or that nobody else may. */
function WhyNot({ approval: { mayDecide, whyNot, askedBy, payment } }: { approval: StaffApproval }) {
  const { id } = useUser();
  const isOwn = askedBy === id;
  if (mayDecide) return isOwn && <Warning>{words.ownAlone}</Warning>;
  if (whyNot === 'role_missing') return <Warning>{words.noRole}</Warning>;
  const isRecorder = payment?.recordedBy === id;
  return <Warning>{isOwn ? words.own : isRecorder ? words.ownPayment : words.ownBorrower}</Warning>;
}

function Buttons({ approval, isPossible }: { approval: StaffApproval; isPossible: boolean }) {
  const { mayDecide, askedBy } = approval;
  const user = useUser();
  const isOwn = askedBy === user.id;
  const { busy, stop, decide } = useDecision(approval);
  const [declining, setDeclining] = useState(false);
  return (
    <>
      {(isOwn || user.isMainAdmin) && <WithdrawButton approval={approval} isOwn={isOwn} />}
      {mayDecide && (
        <>
          <StopOr stop={stop}>
            <Button look="danger" disabled={busy} onClick={() => setDeclining(true)}>
              {words.decline}
            </Button>
          </StopOr>
          <Button busy={busy} disabled={!isPossible} onClick={() => void decide('approved')}>
            {panel.withdrawals.approve}
          </Button>
          {declining && <DeclineDialog approval={approval} onClose={() => setDeclining(false)} />}
        </>
      )}
    </>
  );
}

/** Sends the decisions that take no reason. */
function useDecision({ id, kind, loanNumber }: StaffApproval) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.decideApproval);
  /** The focus goes to the row that takes the decided one's place. */
  async function decide(decision: 'approved' | 'withdrawn') {
    const text = decision === 'approved' ? words.approvedText : words.declinedText;
    await act(send({ params: { id }, body: { decision } }), {
      done: { title: words.decisions[decision], description: text(words.asks[kind], loanNumber) },
    });
    await refreshLoan();
    keepFocusInList();
  }
  return { busy: state === 'sending' || state === 'checking', stop, decide };
}

type DecideProps = {
  approval: StaffApproval;
  decision: 'approved' | 'rejected';
  text: string;
  onClose: () => void;
};

/** Asks before a key decides: a scanner's letters decide nothing. */
export function DecideDialog({ approval, decision, text, onClose }: DecideProps) {
  const { stop, decide } = useDecision(approval);
  if (decision === 'rejected') return <DeclineDialog approval={approval} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={words.approveTitle(words.asks[approval.kind])}
      text={text}
      confirmLabel={panel.withdrawals.approve}
      look="primary"
      onConfirm={() => decide('approved')}
      {...(stop && { onStop: stop })}
      onClose={onClose}
    />
  );
}

/** Closes a request without a decision: for its maker, and for the main admin where nobody else can. */
function WithdrawButton({ approval, isOwn }: { approval: StaffApproval; isOwn: boolean }) {
  const { kind } = approval;
  const { stop, decide } = useDecision(approval);
  const [isAsked, setAsked] = useState(false);
  const label = isOwn ? words.withdraw : words.close;
  const what = words.asks[kind];
  return (
    <>
      <Button look="secondary" onClick={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={(isOwn ? words.withdrawTitle : words.closeTitle)(what)}
          text={kind === 'payment' ? words.withdrawPaymentText : words.withdrawText}
          confirmLabel={label}
          onConfirm={() => decide('withdrawn')}
          onStop={stop}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** A refusal with its reason, which the person who asked reads. */
const DeclineForm = z.extend(ApprovalDecision, ReasonForm.shape);

function DeclineDialog({ approval, onClose }: { approval: StaffApproval; onClose: () => void }) {
  const { id, kind, loanNumber } = approval;
  const { stop, send } = useMoneyCall(api.decideApproval);
  const description = words.declinedText(words.asks[kind], loanNumber);
  const form = useStaffForm(DeclineForm, {
    values: { decision: 'rejected' as const, reason: '' },
    keptAs: `decline ${id}`,
    fields: {
      reason: {
        kind: 'remark',
        label: panel.loanStep.reason,
        hint: words.declineHint,
        rows: 3,
        isFirst: true,
      },
    },
    send: (body) => send({ params: { id }, body }),
    done: { title: words.decisions.rejected, description },
    onAnswered: () => void refreshLoan(),
    onSaved: () => {
      onClose();
      keepFocusInList();
    },
  });
  return (
    <FormDialog
      title={words.declineTitle(words.asks[kind])}
      description={panel.loanStep.of(loanNumber, borrowerName(approval))}
      form={{ ...form, stop }}
      saveLabel={words.decline}
      look="danger"
      onClose={onClose}
    />
  );
}
