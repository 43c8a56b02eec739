import * as z from 'zod/mini';
import type { LoanActionForm } from '#contract/servicing.ts';
import type { NoticeKind } from '#contract/wording/notices.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import { foldEvents, principalLeft } from '#domain/servicing.ts';
import { fail, refuseField } from '#server/failure.ts';
import { aloneToday, exceedsDayLimitAlone } from './done-alone.ts';
import { moveCash } from './drawer-service.ts';
import type { Authority } from './four-eyes.ts';
import { type EventDraft, marksOf } from './loan-event.ts';
import { recordEvent } from './loan-event-record.ts';
import { type LoanStep, taskFields } from './loan-step.ts';
import { tellBorrower } from './notice-service.ts';
import {
  auditLoan,
  isLongAgo,
  type LoanContext,
  requireDisbursed,
  type ServicedLoan,
  valueDateOf,
} from './serviced-loan.ts';

export type LoanAction = z.output<typeof LoanActionForm>;

const ActionTask = z.object({
  valueDate: taskFields.day,
  reason: z.string(),
  amountCentavos: z.optional(taskFields.amount),
  months: z.optional(z.number()),
  reverses: z.optional(z.number()),
});
type ActionTask = z.output<typeof ActionTask>;

type Action = {
  role: Authority;
  notice: NoticeKind;
  /** The event's facts besides its day and its reason. */
  draft(task: ActionTask, work: LoanContext): Partial<EventDraft>;
  amountOf?(work: LoanContext, task: ActionTask): Centavos;
  /** Absent if it always does. */
  needsSecondPerson?(work: LoanContext, task: ActionTask): boolean | Promise<boolean>;
};

/** The amount that is taken back, for the person who decides. */
function amountOfEvent(
  { eventRows, stored }: ServicedLoan,
  sequence: number | undefined,
): Centavos | undefined {
  const event = eventRows.find((row) => row.sequence === sequence);
  return event?.kind === 'write_off' ? stored?.writtenOffCentavos : (event?.amountCentavos ?? undefined);
}

/** Waives a late charge, defers instalments, writes off, refunds credit in cash, or reverses one of these. */
const actionStep = (
  kind: LoanAction['kind'],
  action: Action,
): LoanStep<Omit<LoanAction, 'kind'>, ActionTask, ServicedLoan> => ({
  kind,
  role: action.role,
  task: ActionTask,
  ...(action.amountOf && { amountOf: action.amountOf }),
  plan({ deps, serviced }, { amount: amountCentavos, months, reverses, valueDate, reason }) {
    requireDisbursed(serviced);
    return {
      amountCentavos: kind === 'reversal' ? amountOfEvent(serviced, reverses) : amountCentavos,
      months,
      reverses,
      reason,
      valueDate: valueDateOf(deps, serviced, valueDate),
    };
  },
  draft: (work, task) => {
    const { valueDate, reason } = task;
    return { kind, valueDate, reason, ...action.draft(task, work) };
  },
  needsSecondPerson: (work, task) =>
    isLongAgo(work.deps, task.valueDate) || (action.needsSecondPerson?.(work, task) ?? true),
  async record(work, trial) {
    const { serviced } = work;
    const { task, author } = trial;
    const { amountCentavos: amount, months, reverses, reason, valueDate } = task;
    const event = await recordEvent(work, author, trial);
    const { loan } = serviced;
    // The person who asked for it hands the credit out.
    if (kind === 'refund' && amount)
      await moveCash(work, author.actorId, { kind: 'refunded', amountCentavos: amount });
    await auditLoan(work, 'loan_serviced', {
      event: kind,
      sequence: event.sequence,
      valueDate,
      months,
      reverses,
      amount: amount && pesosText(amount),
      ...marksOf(author),
    });
    const reversed = serviced.eventRows.find(({ sequence }) => sequence === reverses);
    await tellBorrower(work, loan.accountId, action.notice, {
      loanNumber: loan.loanNumber,
      reason,
      event: reversed?.kind ?? '',
      ...(amount !== undefined && { amount: formatPeso(amount) }),
      ...(months !== undefined && { months: String(months) }),
    });
    return serviced;
  },
});

/** The steps that staff take on a disbursed loan without a payment. */
export const actionSteps = {
  waiver: actionStep('waiver', {
    role: 'encoder',
    notice: 'late_charge_waived',
    draft: ({ amountCentavos }) => ({
      amountCentavos: amountCentavos ?? refuseField('amount', 'amountRequired'),
    }),
    needsSecondPerson(work, { amountCentavos = 0 }) {
      const waived = aloneToday(work).filter(({ kind }) => kind === 'waiver');
      const alone = sum(waived.map((event) => event.amountCentavos ?? 0));
      return (
        amountCentavos + alone > limits.waiverAloneMaxCentavos ||
        exceedsDayLimitAlone(work, 'confirmed', amountCentavos)
      );
    },
  }),
  deferral: actionStep('deferral', {
    role: 'encoder',
    notice: 'instalments_deferred',
    draft: ({ months }) => ({ months: months ?? refuseField('months', 'deferralMonths') }),
  }),
  write_off: actionStep('write_off', {
    role: 'main_admin',
    notice: 'loan_written_off',
    draft: () => ({}),
    // A write-off books the principal left at the end of its day, whatever was paid since.
    amountOf({ serviced: { terms, events } }, { valueDate }) {
      return principalLeft(foldEvents(terms ?? fail('not_disbursed'), events, valueDate));
    },
  }),
  refund: actionStep('refund', {
    role: 'cashier',
    notice: 'credit_refunded',
    draft: ({ amountCentavos }) => ({
      amountCentavos: amountCentavos ?? refuseField('amount', 'amountRequired'),
    }),
  }),
  reversal: actionStep('reversal', {
    role: 'cashier',
    notice: 'loan_change_reversed',
    draft({ reverses }, { serviced }) {
      const reversed = serviced.eventRows.find(({ sequence }) => sequence === reverses);
      // A receipt is reversed with its payment, so that both say the same.
      if (reversed?.kind === 'receipt') refuseField('reverses', 'notReversible');
      return { undoes: reverses };
    },
  }),
};
