import * as z from 'zod/mini';
import { type ManilaDate, parseManilaDate } from '#domain/calendar.ts';
import type { Centavos } from '#domain/money.ts';
import type { LoanStepKind } from '#domain/servicing.ts';
import { fail } from '#server/failure.ts';
import { findAccount } from '#server/store/account-store.ts';
import { type Approval, insertApproval, readOpenApprovals } from '#server/store/approval-store.ts';
import { findNewestTerms } from '#server/store/loan-terms-store.ts';
import { findPayment, type Payment } from '#server/store/payment-store.ts';
import {
  type Authority,
  AwaitsApproval,
  auditedTask,
  type Bars,
  hasAuthority,
  hasStaffOtherThan,
  requireRole,
  requireTurn,
} from './four-eyes.ts';
import type { Author, EventDraft } from './loan-event.ts';
import { type Effect, tryEvent } from './loan-event-trial.ts';
import { findBorrower } from './own-account.ts';
import { auditLoan, type LoanContext, type LoanWork } from './serviced-loan.ts';

/** A step with every choice made, in centavos and Manila days: what a request stores. */
type Task = {
  amountCentavos?: Centavos | undefined;
  /** The payment that the step is about. */
  paymentId?: number | undefined;
  /** The sequence of the event that the step undoes. */
  reverses?: number | undefined;
  reason?: string | undefined;
};

/** Fields of tasks. They are read back from requests that earlier versions stored. */
export const taskFields = {
  amount: z.custom<Centavos>(Number.isSafeInteger),
  day: z.custom<ManilaDate>((value) => typeof value === 'string' && parseManilaDate(value) !== undefined),
};

/**
 * A step that staff take on a loan. `takeStep` calls `plan`, `draft`, `needsSecondPerson` and `record` in this order; a
 * preview leaves out `record`, and an approval begins with the stored task.
 */
export type LoanStep<Form, StepTask extends Task, Done extends object> = {
  kind: LoanStepKind;
  /** The role that may take the step; for some steps the task decides. */
  role: Authority | ((task: StepTask) => Authority);
  task: z.ZodMiniType<StepTask>;
  /** Turns the form into a task. Refuses what need not wait for the loan's events to be refused. */
  plan(work: LoanContext, form: Form): StepTask | Promise<StepTask>;
  /** Present if the loan decides the amount, as the principal left does of a write-off. A request is for this amount only. */
  amountOf?(work: LoanContext, task: StepTask): Centavos;
  /** The event to record. Fails with what prevents it now; `tryEvent` then fails with what the loan's own events forbid. */
  draft(work: LoanContext, task: StepTask): EventDraft | Promise<EventDraft>;
  /** Fingerprints of the other facts that a request rests on, such as the bank account of a release. Requests of earlier versions have none. */
  fingerprints?(work: LoanContext): Promise<Record<string, string>>;
  /** True if it decides what somebody else recorded, who is then a maker. */
  isDecision?: boolean;
  /** Further people who neither ask for it nor decide a request while another may, such as staff who raised the wallet that pays. */
  barred?(work: LoanContext, payment?: Payment): Promise<Pick<Bars, 'barred' | 'refusal'>>;
  /** True if it takes a second person, as long as there is one who may decide. */
  needsSecondPerson(work: LoanContext, task: StepTask, effect: Effect): boolean | Promise<boolean>;
  /** Writes the event and all that follows from it. The caller holds the loan's lock. */
  record(work: LoanWork, trial: Trial<StepTask>): Promise<Done>;
};

/** Any step, for code that has a stored request and no form. */
// biome-ignore lint/suspicious/noExplicitAny: the task of a request is checked by the step's own schema
export type AnyLoanStep = LoanStep<never, any, object>;

/** A step tried out: if it `waits`, a second person decides first, or else `author` records it now. */
export type Trial<Planned> = Effect & {
  task: Planned;
  author: Author;
  waits: boolean;
};

/** Takes a step: records it, or asks a second person if it takes two and another may decide (§four-eyes). */
export async function takeStep<Form, Planned extends Task, Done extends object>(
  step: LoanStep<Form, Planned, Done>,
  work: LoanWork,
  form: Form,
): Promise<Done | AwaitsApproval> {
  return finishStep(step, work, await tryStep(step, work, form));
}

/**
 * Works out what a step would do, and writes nothing. Taking and previewing a step share it, and it fails as
 * the step would.
 */
export async function tryStep<Form, Planned extends Task, Done extends object>(
  step: LoanStep<Form, Planned, Done>,
  work: LoanContext,
  form: Form,
): Promise<Trial<Planned>> {
  const planned = await planStep(step, work, form);
  const effect = await tryEvent(work, await step.draft(work, planned.task));
  return decideStep(step, work, planned, effect);
}

/** Plans the task for somebody who may ask for the step and is not barred from it. */
async function planStep<Form, Planned extends Task>(
  step: LoanStep<Form, Planned, object>,
  work: LoanContext,
  form: Form,
) {
  const { reader, actor, serviced } = work;
  // The role is checked before the form where the form does not decide it: a refusal then tells nothing about
  // the loan.
  if (typeof step.role !== 'function') requireRole(actor, step.role);
  const planned = await step.plan(work, form);
  const role = roleOf(step, planned);
  requireRole(actor, role);
  const payment = planned.paymentId === undefined ? undefined : await findPayment(reader, planned.paymentId);
  const isLastResort = await requireTurn(reader, actor, role, {
    borrower: await findBorrower(work.deps, reader, serviced.loan.accountId),
    ...(step.isDecision && payment && { makers: [payment.recordedBy] }),
    ...(await step.barred?.(work, payment)),
  });
  const task = step.amountOf ? { ...planned, amountCentavos: step.amountOf(work, planned) } : planned;
  return { task, payment, isLastResort };
}

/** Decides who records the step. If nobody else may, one person does what otherwise takes two (§four-eyes). */
async function decideStep<Planned extends Task>(
  step: LoanStep<never, Planned, object>,
  work: LoanContext,
  { task, payment, isLastResort }: { task: Planned; payment: Payment | undefined; isLastResort: boolean },
  effect: Effect,
): Promise<Trial<Planned>> {
  const { reader, actor } = work;
  const takesTwo = await step.needsSecondPerson(work, task, effect);
  // An open request would do it a second time.
  if (takesTwo) await requireNotAsked(step, work, task);
  const makers = [actor.id, ...(payment ? [payment.recordedBy] : [])];
  const waits = takesTwo && (await hasStaffOtherThan(reader, 'approver', makers));
  const author = { actorId: actor.id, isAlone: (takesTwo || isLastResort) && !waits };
  return { ...effect, task, author, waits };
}

/** Records a step that was tried, or stores the request that a second person decides. */
export async function finishStep<Planned extends Task, Done extends object>(
  step: LoanStep<never, Planned, Done>,
  work: LoanWork,
  trial: Trial<Planned>,
): Promise<Done | AwaitsApproval> {
  if (!trial.waits) return step.record(work, trial);
  const { deps, tx, actor, serviced } = work;
  const { id: loanId, accountId } = serviced.loan;
  const approval = await insertApproval(tx, {
    loanId,
    accountId,
    kind: step.kind,
    payload: { ...trial.task, ...(await loanVersion(work)), ...(await step.fingerprints?.(work)) },
    askedBy: actor.id,
    askedAt: deps.clock.now(),
  });
  const after = { approvalId: approval.id, kind: step.kind, ...auditedTask(trial.task) };
  await auditLoan(work, 'approval_asked', after);
  return new AwaitsApproval(approval);
}

/**
 * Works out what a request would do now if `author` recorded it. Returns undefined if the request is
 * outdated.
 */
export async function tryRequest(
  step: AnyLoanStep,
  work: LoanContext,
  approval: Approval,
  author: Author,
): Promise<Trial<unknown> | undefined> {
  const task = await taskOfRequest(step, work, approval);
  if (!task) return undefined;
  const effect = await tryEvent(work, await step.draft(work, task));
  return { ...effect, task, author, waits: false };
}

/**
 * Returns the task of a request; undefined if it has changed since, or if the person who asked may not ask
 * any more.
 */
async function taskOfRequest<Planned extends Task>(
  step: LoanStep<never, Planned, object>,
  work: LoanContext,
  { askedBy, payload }: Approval,
): Promise<Planned | undefined> {
  if (work.serviced.loan.deletedAt) return undefined;
  const parsed = step.task.safeParse(payload);
  const maker = await findAccount(work.reader, askedBy);
  if (!parsed.success || !maker?.isAdmin || maker.status === 'suspended') return undefined;
  if (!hasAuthority(maker, roleOf(step, parsed.data))) return undefined;
  const { termsVersion, disbursement } = await loanVersion(work);
  const fingerprints = Object.entries((await step.fingerprints?.(work)) ?? {});
  const isCurrent =
    payload.termsVersion === termsVersion &&
    payload.disbursement === disbursement &&
    fingerprints.every(([name, value]) => payload[name] === undefined || payload[name] === value);
  const isSameAmount = !step.amountOf || payload.amountCentavos === step.amountOf(work, parsed.data);
  return isCurrent && isSameAmount ? parsed.data : undefined;
}

/** Returns the terms and the release that a request rests on. If either changes, the request is outdated. */
async function loanVersion({ reader, serviced: { loan, eventRows } }: LoanContext) {
  const newest = await findNewestTerms(reader, loan.id);
  const released = eventRows.findLast(({ kind }) => kind === 'disbursement');
  return { termsVersion: newest?.version ?? 0, disbursement: released?.sequence ?? 0 };
}

function roleOf<Planned extends Task>({ role }: LoanStep<never, Planned, object>, task: Planned): Authority {
  return typeof role === 'function' ? role(task) : role;
}

/** Fails with `already_asked`: only one request may be open for the same step and target. */
async function requireNotAsked(
  { kind }: { kind: LoanStepKind },
  { reader, serviced }: LoanContext,
  task: Task,
): Promise<void> {
  const open = await readOpenApprovals(reader, serviced.loan.id);
  const isSame = ({ kind: asked, payload }: Approval) =>
    asked === kind && payload.paymentId === task.paymentId && payload.reverses === task.reverses;
  if (open.some(isSame)) fail('already_asked');
}
