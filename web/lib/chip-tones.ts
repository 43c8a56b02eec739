import type { Withdrawal } from '#contract/withdrawal.ts';
import type { ComplaintStatus } from '#domain/complaint.ts';
import type { PromiseState } from '#domain/contact.ts';
import type { MemberStatus } from '#domain/member.ts';
import type { ApprovalOutcome, InstalmentState, LoanState, PaymentStatus } from '#domain/servicing.ts';
import type { Tone } from '#web/ui/status-chip.tsx';

/** The tone of every state that a chip shows; a loan's status is free text and has its own (`loan-status.ts`). */
export const tones = {
  member: { active: 'good', pending: 'warn', suspended: 'bad' },
  instalment: { pending: 'neutral', partly_paid: 'warn', overdue: 'bad', paid: 'good', settled: 'good' },
  payment: { submitted: 'warn', confirmed: 'good', rejected: 'bad', reversed: 'bad', withdrawn: 'neutral' },
  account: {
    not_disbursed: 'neutral',
    open: 'good',
    overdue: 'bad',
    settled: 'neutral',
    completed: 'neutral',
    written_off: 'bad',
    cancelled: 'warn',
  },
  approval: { approved: 'good', rejected: 'bad', withdrawn: 'neutral', outdated: 'warn' },
  promise: { open: 'warn', kept: 'good', broken: 'bad' },
  withdrawal: { pending: 'warn', approved: 'neutral', completed: 'good', rejected: 'bad' },
  complaint: { open: 'warn', acknowledged: 'neutral', resolved: 'good' },
} as const satisfies {
  member: Record<MemberStatus, Tone>;
  instalment: Record<InstalmentState, Tone>;
  payment: Record<PaymentStatus, Tone>;
  account: Record<LoanState, Tone>;
  approval: Record<ApprovalOutcome, Tone>;
  promise: Record<PromiseState, Tone>;
  withdrawal: Record<Withdrawal['status'], Tone>;
  complaint: Record<ComplaintStatus, Tone>;
};
