import { CircleAlertIcon, CircleCheckIcon } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { StaffLoan } from '#contract/staff-loan.ts';
import { profile } from '#contract/wording/en-profile.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { creditBand } from '#domain/credit.ts';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { PanelRow } from '#web/panel/lib/details.tsx';
import { StopOr } from '#web/panel/lib/dialogs.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { MemberPhotos } from '#web/panel/lib/member-photos.tsx';
import { useRowWork } from '#web/panel/lib/row-action.tsx';
import { memberRow } from '#web/panel/lib/staff-action.ts';
import { useLoanAccount, useMemberRow } from '#web/panel/lib/staff-rows.ts';
import { useToggleMember } from '#web/panel/lib/toggle-member.ts';
import { Button } from '#web/ui/button.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { ApproveDialog, DenyDialog, useChecks, useDecide } from './decision-dialogs.tsx';
import { rateText, salaryShare, waitingDays } from './loan-text.ts';
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

/** The two answers to an application. Approving needs its role; the next step, the release, follows in its place. */
export function DecisionButtons({ loan }: { loan: StaffLoan }) {
  const { decide, stop, busy } = useDecide(loan);
  const [asked, setAsked] = useState<'approve' | 'deny'>();
  const open = useChecks(loan)?.filter(({ isOpen }) => isOpen);
  const mayApprove = useUser().roles?.includes('approver') === true;
  return (
    <>
      <StopOr stop={stop}>
        <Button look="danger" disabled={busy} onClick={() => setAsked('deny')}>
          {words.deny}
        </Button>
      </StopOr>
      <Button
        busy={busy}
        disabled={!mayApprove}
        aria-description={mayApprove ? undefined : panel.approvals.noRole}
        title={mayApprove ? undefined : panel.approvals.noRole}
        onClick={() => (open?.length === 0 ? void decide('approved') : setAsked('approve'))}
      >
        {panel.withdrawals.approve}
      </Button>
      {asked === 'approve' && <ApproveDialog loan={loan} onClose={() => setAsked(undefined)} />}
      {asked === 'deny' && <DenyDialog loan={loan} onClose={() => setAsked(undefined)} />}
    </>
  );
}
