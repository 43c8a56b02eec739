import type { output } from 'zod/mini';
import type { LoanActionForm } from '#contract/servicing.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin } from '#domain/member.ts';
import { type Centavos, formatPeso, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { audit } from './audit-service.ts';
import { marksOf } from './disbursement-service.ts';
import { type Plan, requireRole, type Task, withFourEyes } from './four-eyes.ts';
import {
  type Author,
  type EventDraft,
  foldWith,
  isLongAgo,
  type LoanWork,
  lockServicedLoan,
  recordEvent,
  type ServicedLoan,
  valueDateOf,
} from './loan-servicing.ts';
import { tellBorrower } from './notice-service.ts';
import type { Staff } from './session-service.ts';

export type LoanAction = output<typeof LoanActionForm>;

/** An action as it is recorded, kept while it waits for a second person. */
export type LoanActionTask = Task &
  Omit<LoanAction, 'amount' | 'valueDate'> & { valueDate: ManilaDate; amountCentavos?: Centavos | undefined };

/**
 * Does something to a disbursed loan that no payment does: waives a late charge, moves instalments, writes off, gives credit
 * back in cash, or takes one of these back. Fails with `not_found`, `not_disbursed`, `loan_closed`,
 * `deferral_not_possible`, `already_reversed`, `main_admin_only` and `role_missing`.
 */
export async function actOnLoan(deps: Deps, tx: Tx, staff: Staff, loanId: number, action: LoanAction) {
  const serviced = await lockServicedLoan(tx, loanId);
  const work = { deps, tx, staff, serviced };
  const plan = planLoanAction(work, action);
  foldWith(serviced, loanActionDraft(serviced, plan.task));
  return withFourEyes(work, plan, (author) => runLoanAction(work, plan.task, author));
}

/** Fails as `actOnLoan` does, apart from what the fold refuses. */
export function planLoanAction(
  { deps, staff, serviced }: LoanWork<Reader>,
  action: LoanAction,
): Plan<LoanActionTask> {
  const { amount: amountCentavos, valueDate: given, ...asked } = action;
  const { kind } = asked;
  if (kind === 'write_off' && !isMainAdmin(staff.account)) fail('main_admin_only');
  requireRole(staff, kind === 'refund' ? 'cashier' : 'encoder');
  if (!serviced.stored || serviced.stored.state === 'cancelled') fail('not_disbursed');
  const valueDate = valueDateOf(deps, serviced, given);
  const task = { ...asked, amountCentavos, valueDate };
  const isLarge =
    kind === 'waiver' ? (amountCentavos ?? 0) > limits.waiverAloneMaxCentavos : kind !== 'deferral';
  return { task, takesTwo: isLarge || isLongAgo(deps, valueDate) };
}

export async function runLoanAction(work: LoanWork, task: LoanActionTask, author: Author) {
  const { deps, tx, staff, serviced } = work;
  const { kind, amountCentavos: amount, months, reason } = task;
  const event = await recordEvent(work, author, loanActionDraft(serviced, task));
  const { loan } = serviced;
  await audit(deps, tx, staff, {
    action: 'loan_serviced',
    on: { loan: loan.id },
    after: {
      event: kind,
      sequence: event.sequence,
      valueDate: task.valueDate,
      amount: amount && pesosText(amount),
      months,
      reverses: task.reverses,
      ...marksOf(author),
    },
  });
  const reversed = serviced.rows.find(({ sequence }) => sequence === task.reverses);
  await tellBorrower(deps, tx, loan.accountId, noticeOf[kind] as 'loan_change_reversed', {
    loanNumber: loan.loanNumber,
    reason,
    event: reversed?.kind ?? '',
    ...(amount !== undefined && { amount: formatPeso(amount) }),
    ...(months !== undefined && { months: String(months) }),
  });
  return serviced;
}

const noticeOf = {
  waiver: 'late_charge_waived',
  deferral: 'instalments_deferred',
  write_off: 'loan_written_off',
  refund: 'credit_refunded',
  reversal: 'loan_change_reversed',
} as const satisfies Record<LoanAction['kind'], string>;

export function loanActionDraft({ rows }: ServicedLoan, task: LoanActionTask): EventDraft {
  const { kind, valueDate, reason } = task;
  const draft = { kind, valueDate, reason };
  switch (kind) {
    case 'waiver':
    case 'refund':
      if (task.amountCentavos === undefined) refuseField('amount', 'amountRequired');
      return { ...draft, amountCentavos: task.amountCentavos };
    case 'deferral':
      if (task.months === undefined) refuseField('months', 'deferralMonths');
      return { ...draft, months: task.months };
    case 'reversal': {
      const reversed = rows.find(({ sequence }) => sequence === task.reverses);
      // A receipt is reversed with its payment, so that both say the same.
      if (reversed?.kind === 'receipt') return refuseField('reverses', 'notReversible');
      return { ...draft, undoes: task.reverses };
    }
    case 'write_off':
      return draft;
  }
}
