import { CircleAlertIcon, CircleCheckIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { profile } from '#contract/wording/en-profile.ts';
import { noticesIn, wordNotice } from '#contract/wording/notices.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { creditBand } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { PanelRow } from '#web/panel/lib/details.tsx';
import { ConfirmDialog, FormDialog, StopOr } from '#web/panel/lib/dialogs.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { MemberPhotos } from '#web/panel/lib/member-photos.tsx';
import { useRowWork } from '#web/panel/lib/row-action.tsx';
import { loanRow, memberRow, useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptLoan, useLoanAccount, useMemberRow } from '#web/panel/lib/staff-rows.ts';
import { useToggleMember } from '#web/panel/lib/toggle-member.ts';
import { Button } from '#web/ui/button.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { loanLine, rateText, salaryShare, statusWord, waitingDays } from './loan-text.ts';
import { MemberLoans } from './member-loans.tsx';

const words = panel.loanDecision;

/** Shows what staff weigh before they approve or deny an application (§loan-status). */
export function LoanDecision({ loan }: { loan: StaffLoan }) {
  const { user } = loan;
  const { data: member, refetch } = useMemberRow(user);
  const toggle = useToggleMember();
  const isActivating = useRowWork(memberRow(user.id)) !== undefined;
  const checks = useLoanAccount(loan.id);
  const band = profile.profile.bands[creditBand(user.creditScore).key];
  return (
    <>
      <Burden loan={loan} />
      <MemberPhotos member={member ?? null} />
      <Checks loan={loan}>
        {member?.status === 'pending' && member.isVerified && (
          <Button
            look="secondary"
            size="small"
            busy={isActivating}
            onClick={() => void toggle(member).then(() => Promise.all([refetch(), checks.refetch()]))}
          >
            {panel.members.activate}
          </Button>
        )}
      </Checks>
      <PanelRow
        label={profile.verification.pieces.countryOfWork}
        value={member?.countryOfWork || panel.list.dash}
      />
      <PanelRow
        label={words.reference}
        value={[member?.referenceName, member?.referencePhone].filter(Boolean).join(' · ') || panel.list.dash}
      />
      <PanelRow label={words.band} value={band} />
      <MemberLoans userId={user.id} before={loan.id} />
    </>
  );
}

type Check = { isOpen: boolean; text: string };

/** The server's checks before an approval; undefined until they are read. */
function useChecks(loan: StaffLoan): Check[] | undefined {
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

function Checks({ loan, children }: { loan: StaffLoan; children: ReactNode }) {
  const titleId = useId();
  const checks = useChecks(loan);
  return (
    <section className="pb-4">
      <h3 id={titleId} className="pb-1.5 font-heading text-16 font-bold">
        {words.before}
      </h3>
      <QueryStates
        query={useLoanAccount(loan.id)}
        failedTitle={words.notChecked}
        skeleton={<SkeletonText lines={6} />}
      >
        {() => (
          <ul aria-labelledby={titleId} className="flex flex-col gap-1.5">
            {checks?.map(({ isOpen, text }) => (
              <li key={text} className={`flex gap-2 text-14 ${isOpen ? 'font-semibold text-warn' : ''}`}>
                {isOpen ? (
                  <CircleAlertIcon className="mt-0.5 size-4 shrink-0" />
                ) : (
                  <CircleCheckIcon className="mt-0.5 size-4 shrink-0 text-good" />
                )}
                <span>
                  <span className="sr-only">{isOpen ? words.open : words.checked}</span>
                  {text}
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
      {children && <div className="pt-2">{children}</div>}
    </section>
  );
}

function Burden({ loan }: { loan: StaffLoan }) {
  const salary = Number(loan.user.monthlySalary ?? 0);
  const instalment = Number(loan.monthlyPayment);
  const share = salaryShare(loan);
  const whole = Math.max(instalment, salary);
  return (
    <div className="mb-4 rounded-card bg-sunken p-4">
      <p className="font-heading text-32 font-bold tabular-nums">{showPeso(loan.amount)}</p>
      <p className="text-14">{panel.loanPanel.termsText(loan.termMonths, rateText(loan))}</p>
      <p className="text-14 text-ink-soft wrap-anywhere">{loan.purpose}</p>
      <p className="mt-3 flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          <span className="font-heading text-20 font-bold tabular-nums">{showPeso(loan.monthlyPayment)}</span>{' '}
          <span className="text-14 text-ink-soft">{words.aMonth}</span>
        </span>
        {share !== undefined && (
          <strong className={share > 100 ? 'text-bad' : undefined}>{words.ofSalary(share)}</strong>
        )}
      </p>
      {share !== undefined && (
        <div
          aria-hidden="true"
          className="mt-2 flex h-2.5 overflow-hidden rounded-full bg-line forced-colors:border"
        >
          <span className="bg-leaf" style={{ width: `${(Math.min(instalment, salary) / whole) * 100}%` }} />
          {instalment > salary && <span className="flex-1 bg-bad" />}
        </div>
      )}
      <p className="mt-2 text-12 text-ink-soft">
        {loan.user.monthlySalary === null ? words.noSalary : words.salary(showPeso(loan.user.monthlySalary))}
        {' · '}
        {words.applied(date(loan.createdAt), waitingDays(loan))}
      </p>
    </div>
  );
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

/** The two answers to an application. Approving needs its role; the next step, the release, follows in its place. */
export function DecisionButtons({ loan }: { loan: StaffLoan }) {
  const { roles } = useUser();
  const { decide, stop, busy } = useDecide(loan);
  const [denying, setDenying] = useState(false);
  const [asking, setAsking] = useState(false);
  const open = useChecks(loan)?.filter(({ isOpen }) => isOpen);
  const mayApprove = roles?.includes('approver') === true;
  return (
    <>
      <StopOr stop={stop}>
        <Button look="danger" disabled={busy} onClick={() => setDenying(true)}>
          {words.deny}
        </Button>
      </StopOr>
      <Button
        busy={busy}
        disabled={!mayApprove}
        aria-description={mayApprove ? undefined : panel.approvals.noRole}
        title={mayApprove ? undefined : panel.approvals.noRole}
        onClick={() => (open?.length === 0 ? void decide('approved') : setAsking(true))}
      >
        {panel.withdrawals.approve}
      </Button>
      {asking && (
        <ConfirmDialog
          title={words.approveTitle(loan.loanNumber)}
          text={`${(open ?? [{ text: words.notChecked }]).map(({ text }) => text).join('. ')}.`}
          confirmLabel={panel.withdrawals.approve}
          look="primary"
          onConfirm={() => decide('approved')}
          onStop={stop}
          onClose={() => setAsking(false)}
        />
      )}
      {denying && <DenyDialog loan={loan} onClose={() => setDenying(false)} />}
    </>
  );
}

/** Takes a reason, and shows the message as the borrower will read it. */
function DenyDialog({ loan, onClose }: { loan: StaffLoan; onClose: () => void }) {
  const { decide, ...work } = useDecide(loan);
  const [reason, setReason] = useState('');
  const told = wordNotice(noticesIn('en'), 'loan_status_changed', {
    loanNumber: loan.loanNumber,
    status: statusWord('denied'),
    statusCode: 'denied',
    reason: reason.trim(),
  });
  async function onSubmit() {
    const { ok } = await decide('denied', reason.trim());
    if (ok) onClose();
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
      <TextArea
        {...panel.loanStatus.reason}
        rows={3}
        maxLength={limits.messageMaxLength}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        data-autofocus
      />
      <section aria-label={words.theyRead} className="rounded-card bg-sunken p-4">
        <h3 className="text-12 text-ink-soft">{words.theyRead}</h3>
        <p className="mt-1 font-semibold">{told.title}</p>
        <p className="whitespace-pre-line text-14 wrap-anywhere">{told.message}</p>
      </section>
    </FormDialog>
  );
}
