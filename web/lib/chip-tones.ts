import type { Tone } from '#web/ui/status-chip.tsx';

/** The tone of each state: a chip of another does not compile. A loan's status, free text, has its own (`loan-status.ts`). */
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
  statement: { matched: 'good', perhaps: 'warn', known: 'neutral', unknown: 'bad' },
  statementOutcome: { confirmed: 'good', waiting: 'warn', known: 'neutral', refused: 'bad' },
  message: {
    queued: 'neutral',
    held: 'warn',
    sending: 'neutral',
    sent: 'good',
    delivered: 'good',
    failed: 'bad',
    unknown: 'warn',
    expired: 'neutral',
    cancelled: 'neutral',
  },
  complaint: { open: 'warn', acknowledged: 'neutral', resolved: 'good', withdrawn: 'neutral' },
} as const satisfies Record<string, Record<string, Tone>>;
