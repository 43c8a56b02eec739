import type { ServicingTerms } from '#domain/amortisation.ts';
import { type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { type EventRefusal, refundOf, refusalOf } from '#domain/event-refusal.ts';
import { type WalletMovement, walletMovements } from '#domain/journal.ts';
import {
  type AppliedReceipt,
  foldEvents,
  foldOneMore,
  type LoanEvent,
  type LoanFold,
  standingOn,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import { findAccount } from '#server/store/account-store.ts';
import { type EventDraft, eventOf } from './loan-event.ts';
import { agreedTerms, type LoanContext, laterOf, latestDayOf, type ServicedLoan } from './serviced-loan.ts';

/** The effect of one more event on a loan and on the wallet. */
export type Effect = {
  terms: ServicingTerms;
  draft: EventDraft;
  event: LoanEvent;
  /** Pays out at once the credit that the event makes. */
  refund: EventDraft | undefined;
  /** The loan's events, with this one and its refund. */
  events: LoanEvent[];
  before: LoanFold;
  after: LoanFold;
  /** Numbers of the instalments that it changes. */
  changed: Set<number>;
  /** In order. */
  walletMovements: WalletMovement[];
};

/**
 * Tries an event out, without writing. Fails with what `refusalOf` names, and as moving the money would:
 * `insufficient_funds`, `already_withdrawn`.
 */
export async function tryEvent({ deps, reader, serviced }: LoanContext, draft: EventDraft): Promise<Effect> {
  const { loan } = serviced;
  const isRelease = draft.kind === 'disbursement';
  const terms = isRelease
    ? await agreedTerms(reader, loan, draft.valueDate)
    : (serviced.terms ?? fail('not_disbursed'));
  const account = await findAccount(reader, loan.accountId);
  // A closed account is not found.
  const effect = effectOf(deps, { ...serviced, terms }, draft, { hasWallet: account !== undefined });
  let balance = account?.balanceCentavos ?? 0;
  // The wallet may not go below zero in between either.
  for (const { amount } of effect.walletMovements) {
    balance += amount;
    if (balance >= 0) continue;
    if (draft.kind === 'cancellation') fail('already_withdrawn');
    fail('insufficient_funds', { status: 409 });
  }
  return effect;
}

/**
 * The two folds of an event: before it, and after it and the refund of its credit. A closed account gets no refund: its
 * credit is handed back in cash. Fails with what `refusalOf` names.
 */
export function effectOf(
  deps: Deps,
  serviced: ServicedLoan & { terms: ServicingTerms },
  draft: EventDraft,
  { hasWallet }: { hasWallet: boolean },
): Effect {
  const { terms, eventRows, events: earlier } = serviced;
  const event = eventOf({ ...draft, sequence: (eventRows.at(-1)?.sequence ?? 0) + 1 });
  const before = foldEvents(terms, earlier);
  const refusal = refusalOf(before, earlier, event, judgedOn(deps, serviced, event.date));
  if (refusal) refuse(refusal);
  const applied = [...earlier, event];
  const folded = foldEvents(terms, applied);
  const credit = hasWallet ? refundOf(before, folded, applied, event) : undefined;
  const refund: EventDraft | undefined = credit && {
    kind: 'refund',
    valueDate: credit.date,
    amountCentavos: credit.amount,
    isAuto: true,
  };
  const refunding = refund && eventOf({ ...refund, sequence: event.sequence + 1 });
  const events = refunding ? [...applied, refunding] : applied;
  const after = refunding ? foldOneMore(folded, applied, refunding) : folded;
  const changed = after.rows.filter(({ dueDate, paid, left }, index) => {
    const was = before.rows[index];
    return was?.dueDate !== dueDate || was.paid !== paid || was.left !== left;
  });
  return {
    terms,
    draft,
    event,
    refund,
    events,
    before,
    after,
    changed: new Set(changed.map(({ number }) => number)),
    walletMovements: walletMovements(terms, events).filter(({ ofEvent }) => ofEvent >= event.sequence),
  };
}

/** The day on which an event counts as recorded: its own day if that was before the loan came into these books. */
function judgedOn(deps: Deps, { eventRows, terms }: ServicedLoan, date: ManilaDate): ManilaDate {
  const released = eventRows.findLast(({ kind }) => kind === 'disbursement');
  return released && date < manilaDate(released.createdAt) ? date : latestDayOf(deps, terms);
}

export function appliedReceiptOf({ event, after }: Effect): AppliedReceipt {
  const receipt = after.receipts.find(({ ofEvent }) => ofEvent === event.sequence);
  if (!receipt) throw new Error('a receipt was applied to nothing');
  return receipt;
}

/** The loan after the event, today. If the clock was set back since an event was recorded, on that event's day. */
export function standingAfter(deps: Deps, { terms, events, after }: Effect) {
  const last = events.reduce((latest, { date }) => laterOf(latest, date), latestDayOf(deps, terms));
  return standingOn(after, last);
}

/** Refusals that are about a field of the form. */
const fieldRefusals = {
  before_disbursement: ['valueDate', 'dateBeforeDisbursement'],
  above_late_charges_owed: ['amount', 'aboveLateCharges'],
  above_credit: ['amount', 'aboveCredit'],
  no_instalment: ['amount', 'instalmentNothing'],
  no_such_event: ['reverses', 'notReversible'],
  not_reversible: ['reverses', 'notReversible'],
} as const;

const isOfField = (refusal: EventRefusal): refusal is keyof typeof fieldRefusals => refusal in fieldRefusals;

function refuse(refusal: EventRefusal): never {
  if (!isOfField(refusal)) fail(refusal === 'already_written_off' ? 'loan_closed' : refusal);
  const [field, rule] = fieldRefusals[refusal];
  return refuseField(field, rule);
}
