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
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PanelLink, Warning } from './lib/details.tsx';
import { ConfirmDialog, FormDialog, StopOr } from './lib/dialogs.tsx';
import { date, dateTime, showPeso } from './lib/format.ts';
import { borrowerName } from './lib/list-view.ts';
import { useStaffAction, useStaffForm } from './lib/staff-action.ts';
import { WaitingPage } from './lib/waiting-page.tsx';
import { PreviewPart, refreshLoan, usePreview } from './loan/loan-step-dialog.tsx';

const words = panel.approvals;

/** Previews loaded at once; the rest on request, or a long list would ask for all of them. */
const shownAtOnce = 5;

const others = {
  title: words.others,
  isFor: ({ decision, mayDecide }: StaffApproval) => decision === null && !mayDecide,
};

/** Requests that need a second person, open and decided (§four-eyes). */
export default function ApprovalsPage() {
  return (
    <WaitingPage
      list={api.listApprovals}
      words={words}
      waiting="open"
      besides={[api.previewLoan]}
      others={others}
    >
      {(approval, index) => <ApprovalCard approval={approval} isShown={index < shownAtOnce} />}
    </WaitingPage>
  );
}

function ApprovalCard({ approval, isShown }: { approval: StaffApproval; isShown: boolean }) {
  const { id, kind, loanId, loanNumber, decision, mayDecide } = approval;
  const isOpen = decision === null;
  const [shows, setShows] = useState(isShown);
  // Somebody who may not decide a request is refused its preview too: the loan's account has the figures.
  const preview = usePreview(loanId, mayDecide && shows ? { step: 'approval', approvalId: id } : undefined);
  const titleId = `approval-${id}`;
  return (
    <article aria-labelledby={titleId}>
      <Card className="grid grid-cols-[minmax(16rem,2fr)_minmax(0,3fr)] items-start gap-6">
        <div className="flex flex-col gap-3">
          <div>
            <h2 id={titleId} className="font-heading text-20 font-bold wrap-anywhere">
              {words.asks[kind]} · {borrowerName(approval)}
            </h2>
            <p className="-ml-3 text-14">
              <PanelLink wide={false} href={loanAccountPath(loanId)}>
                {home.dashboard.loanNumber(loanNumber)}
              </PanelLink>
            </p>
            <p className="text-12 text-ink-soft wrap-anywhere">
              {words.request(id)}
              {isOpen && ` · ${words.askedAgo(daysBetween(manilaDate(new Date(approval.askedAt)), today()))}`}
              <span className="block">{words.asked(approval.askedByName, dateTime(approval.askedAt))}</span>
            </p>
          </div>
          <Facts approval={approval} />
          {isOpen ? (
            <Decide approval={approval} isPossible={!preview.error} />
          ) : (
            <Decided approval={approval} outcome={decision} />
          )}
        </div>
        {mayDecide &&
          (shows ? (
            <PreviewPart preview={preview} label={words.seen(id)} />
          ) : (
            <Button look="secondary" className="justify-self-start" onClick={() => setShows(true)}>
              {words.showFigures}
            </Button>
          ))}
      </Card>
    </article>
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
    { term: heads.reason, value: payload.reason || payment?.reason },
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

/** The buttons, or why this person may not decide. */
function Decide({ approval, isPossible }: { approval: StaffApproval; isPossible: boolean }) {
  const { mayDecide, whyNot, askedBy } = approval;
  const user = useUser();
  const isOwn = askedBy === user.id;
  const isRecorder = approval.payment?.recordedBy === user.id;
  const notYours = isOwn ? words.own : isRecorder ? words.ownPayment : words.ownBorrower;
  const { busy, stop, decide } = useDecision(approval);
  const [declining, setDeclining] = useState(false);
  return (
    <>
      {whyNot === 'role_missing' && <Warning>{words.noRole}</Warning>}
      {whyNot === 'own_request' && <Warning>{notYours}</Warning>}
      {mayDecide && isOwn && <Warning>{words.ownAlone}</Warning>}
      <div className="flex flex-wrap gap-2.5">
        {mayDecide && (
          <>
            <Button busy={busy} disabled={!isPossible} onClick={() => void decide('approved')}>
              {panel.withdrawals.approve}
            </Button>
            <StopOr stop={stop}>
              <Button look="danger" disabled={busy} onClick={() => setDeclining(true)}>
                {words.decline}
              </Button>
            </StopOr>
            {declining && <DeclineDialog approval={approval} onClose={() => setDeclining(false)} />}
          </>
        )}
        {(isOwn || user.isMainAdmin) && <WithdrawButton approval={approval} isOwn={isOwn} />}
      </div>
    </>
  );
}

/** Sends the decisions that take no reason. */
function useDecision({ id, kind, loanNumber }: StaffApproval) {
  const act = useStaffAction();
  const { state, stop, send } = useMoneyCall(api.decideApproval);
  async function decide(decision: 'approved' | 'withdrawn') {
    const text = decision === 'approved' ? words.approvedText : words.declinedText;
    await act(send({ params: { id }, body: { decision } }), {
      done: { title: words.decisions[decision], description: text(words.asks[kind], loanNumber) },
    });
    await refreshLoan();
  }
  return { busy: state === 'sending' || state === 'checking', stop, decide };
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
    onSaved: onClose,
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
