import * as z from 'zod/mini';
import type { ServicingTerms } from '#domain/amortisation.ts';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { refundOf } from '#domain/event-refusal.ts';
import { walletMovements } from '#domain/journal.ts';
import type { Centavos } from '#domain/money.ts';
import type { LoanEvent, LoanStepKind } from '#domain/servicing.ts';
import { fail } from '#server/failure.ts';
import { Awaiting } from '#server/idempotency.ts';
import { findAccount } from '#server/store/account-store.ts';
import { type Approval, insertApproval, readOpenApprovals } from '#server/store/approval-store.ts';
import { findNewestTerms } from '#server/store/loan-terms-store.ts';
import { findPayment, type Payment } from '#server/store/payment-store.ts';
import {
  type Asker,
  auditedTask,
  type Bars,
  mayAnother,
  mayAsk,
  requireRole,
  requireTurn,
  viewApproval,
} from './four-eyes.ts';
import {
  type Author,
  agreedTerms,
  auditLoan,
  type EventDraft,
  eventOf,
  foldWith,
  type LoanPlan,
  type LoanWork,
  type Outcome,
} from './loan-events-service.ts';

/** A step with every choice made, in centavos and Manila days: what a request stores. */
type Task = {
  amountCentavos?: Centavos | undefined;
  /** The payment, or the event's sequence, that the step is about. */
  paymentId?: number | undefined;
  reverses?: number | undefined;
  reason?: string | undefined;
};

export const kept = {
  amount: z.custom<Centavos>(Number.isSafeInteger),
  day: z.custom<ManilaDate>((value) => typeof value === 'string' && parseManilaDate(value) !== undefined),
};

type Parts<Form, Planned extends Task, Done extends object> = {
  kind: LoanStepKind;
  /** The role that it takes; of some steps the task decides. */
  asker: Asker | ((task: Planned) => Asker);
  task: z.ZodMiniType<Planned>;
  /** If the loan decides the amount, not the form. A request is for this amount only. */
  amountOf?: (work: LoanPlan, task: Planned) => Centavos;
  /** Turns the form into a task. Fails as asking does. */
  plan(work: LoanPlan, form: Form): Planned | Promise<Planned>;
  /** The event to record. Fails with whatever prevents it now, except what the fold refuses. */
  draft(work: LoanPlan, task: Planned): EventDraft | Promise<EventDraft>;
  /** Fingerprints of what else the maker saw. Requests of earlier versions have none. */
  seen?(work: LoanPlan): Promise<Record<string, string>>;
  /** It decides what somebody else recorded. */
  isDecision?: boolean;
  /** Further people who neither ask for it nor decide a request while another may. */
  barred?(work: LoanPlan, payment?: Payment): Promise<Pick<Bars, 'barred' | 'told'>>;
  /** Whether it takes a second person, if one may decide. */
  needsApproval(work: LoanPlan, task: Planned, trial: Trial): boolean | Promise<boolean>;
  /** The caller holds the loan's lock. */
  run(work: LoanWork, task: Planned, author: Author, trial: Trial): Promise<Done>;
};

/** An outcome with the refund of credit that the event requires; `moved`: the change of the wallet. */
export type Trial = Outcome & {
  terms: ServicingTerms;
  refund: EventDraft | undefined;
  all: LoanEvent[];
  moved: number;
};

export type AwaitsApproval = Awaiting<ReturnType<typeof viewApproval>>;

/** What a step would do to the loan and the wallet. Fails as the step would. */
export async function tryOut({ deps, reader, serviced }: LoanPlan, draft: EventDraft): Promise<Trial> {
  const { loan } = serviced;
  const isRelease = draft.kind === 'disbursement';
  const terms = isRelease
    ? await agreedTerms(reader, loan, draft.valueDate)
    : (serviced.terms ?? fail('not_disbursed'));
  const outcome = foldWith(deps, { ...serviced, terms }, draft);
  const { event, events, fold } = outcome;
  const account = () => findAccount(reader, loan.accountId);
  const over = refundOf(terms, events, event, fold);
  // A closed account gets none: its credit is handed back in cash.
  const refund: EventDraft | undefined =
    over && (await account())
      ? { kind: 'refund', valueDate: over.date, amountCentavos: over.amount, isAuto: true }
      : undefined;
  const all = refund ? [...events, eventOf({ ...refund, sequence: event.sequence + 1 })] : events;
  const movements = walletMovements(terms, all).filter(({ ofEvent }) => ofEvent >= event.sequence);
  // In order, as they will be recorded: the whole payment is taken before the refund comes back.
  let moved = 0;
  let lowest = 0;
  for (const { amount } of movements) {
    moved += amount;
    lowest = Math.min(lowest, moved);
  }
  if (lowest < 0 && ((await account())?.balanceCentavos ?? 0) + lowest < 0) {
    if (draft.kind === 'cancellation') fail('already_withdrawn');
    fail('insufficient_funds', { status: 409 });
  }
  return { ...outcome, terms, refund, all, moved };
}

/** What a request is about, apart from its amount: other terms, or another release, make it outdated. */
async function seenOf({ reader, serviced: { loan, rows } }: LoanPlan) {
  const newest = await findNewestTerms(reader, loan.id);
  const released = rows.findLast(({ kind }) => kind === 'disbursement');
  return { termsVersion: newest?.version ?? 0, disbursement: released?.sequence ?? 0 };
}

const paymentIn = async ({ reader }: LoanPlan, { paymentId }: Task) =>
  paymentId === undefined ? undefined : findPayment(reader, paymentId);

/**
 * A step on a loan in all its modes: previewed, done at once or asked for, and done once a second person has agreed
 * (§four-eyes). Only this function knows a step's form and task.
 */
export function loanStep<Form, Planned extends Task, Done extends object>(step: Parts<Form, Planned, Done>) {
  const { kind, asker } = step;
  const askerOf = (task: Planned) => (typeof asker === 'function' ? asker(task) : asker);

  async function prepare(work: LoanPlan, form: Form) {
    const { reader, actor, serviced } = work;
    if (typeof asker !== 'function') requireRole(actor, asker);
    const planned = await step.plan(work, form);
    requireRole(actor, askerOf(planned));
    const payment = await paymentIn(work, planned);
    const isBarred = await requireTurn(reader, actor, askerOf(planned), {
      borrower: await findAccount(reader, serviced.loan.accountId),
      ...(step.isDecision && payment && { makers: [payment.recordedBy] }),
      ...(await step.barred?.(work, payment)),
    });
    const task = step.amountOf ? { ...planned, amountCentavos: step.amountOf(work, planned) } : planned;
    const trial = await tryOut(work, await step.draft(work, task));
    const takesTwo = await step.needsApproval(work, task, trial);
    // An open request would do it a second time.
    if (takesTwo) await requireNotAsked(work, task);
    // If nobody else may, one person does what otherwise takes two (§four-eyes).
    const makers = [actor.id, ...(payment ? [payment.recordedBy] : [])];
    const waits = takesTwo && (await mayAnother(reader, 'approver', makers));
    return { task, trial, waits, isAlone: (takesTwo || isBarred) && !waits };
  }

  /** Fails with `already_asked`: only one request may be open for the same step and target. */
  async function requireNotAsked({ reader, serviced }: LoanPlan, task: Planned): Promise<void> {
    const open = await readOpenApprovals(reader, serviced.loan.id);
    const isSame = ({ kind: asked, payload }: Approval) =>
      asked === kind && payload.paymentId === task.paymentId && payload.reverses === task.reverses;
    if (open.some(isSame)) fail('already_asked');
  }

  /** Does what is prepared, or stores it as a request. */
  async function finish(
    work: LoanWork,
    { task, trial, waits, isAlone }: Awaited<ReturnType<typeof prepare>>,
  ) {
    const { deps, tx, actor, serviced } = work;
    if (!waits) return step.run(work, task, { actorId: actor.id, isAlone }, trial);
    const { id: loanId, accountId } = serviced.loan;
    const approval = await insertApproval(tx, {
      loanId,
      accountId,
      kind,
      payload: { ...task, ...(await seenOf(work)), ...(await step.seen?.(work)) },
      askedBy: actor.id,
      askedAt: deps.clock.now(),
    });
    await auditLoan(work, 'approval_asked', { approvalId: approval.id, kind, ...auditedTask(task) });
    return new Awaiting(viewApproval(approval));
  }

  /** The task of a request; undefined if it has changed since, or the person who asked may not ask any more. */
  async function recall(work: LoanPlan, { askedBy, payload }: Approval) {
    if (work.serviced.loan.deletedAt) return undefined;
    const parsed = step.task.safeParse(payload);
    const maker = await findAccount(work.reader, askedBy);
    if (!parsed.success || !maker?.isAdmin || maker.status === 'suspended') return undefined;
    if (!mayAsk(maker, askerOf(parsed.data))) return undefined;
    const { termsVersion, disbursement } = await seenOf(work);
    const fingerprints = Object.entries((await step.seen?.(work)) ?? {});
    const isSeen =
      payload.termsVersion === termsVersion &&
      payload.disbursement === disbursement &&
      fingerprints.every(([name, value]) => payload[name] === undefined || payload[name] === value);
    const isAmount = !step.amountOf || payload.amountCentavos === step.amountOf(work, parsed.data);
    return isSeen && isAmount ? parsed.data : undefined;
  }

  return {
    prepare,
    finish,
    barred: async (work: LoanPlan) => step.barred?.(work),
    /** Does it, or asks for a second person if it takes two and another may decide. */
    take: async (work: LoanWork, form: Form) => finish(work, await prepare(work, form)),
    async preview(work: LoanPlan, form: Form) {
      const { task, trial, waits, isAlone } = await prepare(work, form);
      return { task, trial, waitsFor: waits ? ('approval' as const) : null, isAlone };
    },
    /** What a request would do now; undefined if it is outdated. */
    async previewAsked(work: LoanPlan, approval: Approval) {
      const task = await recall(work, approval);
      return task && tryOut(work, await step.draft(work, task));
    },
    /** Does what a request asks for; undefined if it is outdated. */
    async doAsked(work: LoanWork, approval: Approval, author: Author) {
      const task = await recall(work, approval);
      return task && step.run(work, task, author, await tryOut(work, await step.draft(work, task)));
    },
  };
}
