import { amortise, presentValueOfLater, type ServicingTerms } from './amortisation.ts';
import { addDays, addMonths, daysBetween, type ManilaDate, monthsBetween } from './calendar.ts';
import {
  chargeOf,
  countUnpaid,
  lateChargeCap,
  latenessFrom,
  lateSpans,
  stopLateness,
} from './late-charge.ts';
import { limits } from './limits.ts';
import { type Centavos, centavos, roundHalfUpDivide, sum } from './money.ts';
import { type PaymentChannel, paymentChannels } from './payment.ts';

/** `outdated`: what the request was about has changed. */
export const approvalOutcomes = ['approved', 'rejected', 'withdrawn', 'outdated'] as const;

export type ApprovalOutcome = (typeof approvalOutcomes)[number];

export const loanEventKinds = [
  'disbursement',
  'cancellation',
  'receipt',
  'reversal',
  'waiver',
  'deferral',
  'refund',
  'write_off',
] as const;

export type LoanEventKind = (typeof loanEventKinds)[number];

/** States that do not depend on the day: `open` includes overdue loans. */
export const storedLoanStates = ['open', 'settled', 'completed', 'written_off', 'cancelled'] as const;

export type StoredLoanState = (typeof storedLoanStates)[number];

export const loanStates = ['not_disbursed', 'overdue', ...storedLoanStates] as const;

export type LoanState = (typeof loanStates)[number];

/** The days past due from which a loan is in each bucket. */
export const bucketStarts = { current: 0, '1-30': 1, '31-60': 31, '61-90': 61, '91+': 91 };

export type Bucket = keyof typeof bucketStarts;

/** The buckets, from current to latest. */
export const buckets = Object.keys(bucketStarts) as Bucket[];

export const instalmentStates = ['pending', 'partly_paid', 'overdue', 'paid', 'settled'] as const;

export type InstalmentState = (typeof instalmentStates)[number];

export const loanEventChannels = [...paymentChannels, 'direct', 'recorded'] as const;

export type LoanEventChannel = (typeof loanEventChannels)[number];

/** Everything that staff do to a loan (§four-eyes). */
export const loanStepKinds = [
  'disbursement',
  'cancellation',
  'payment',
  'confirmation',
  'payment_reversal',
  'waiver',
  'deferral',
  'write_off',
  'refund',
  'reversal',
] as const;

export type LoanStepKind = (typeof loanStepKinds)[number];

/**
 * Raise it whenever the same events fold to another position, or more is stored of them: at the next start, what an
 * earlier edition stored is folded again.
 */
export const foldEdition = 4;

/** `date` is the value date, not the day of recording. */
export type LoanEvent = { sequence: number; date: ManilaDate } & (
  | { kind: 'disbursement'; channel: 'wallet' | 'direct' | 'recorded' }
  | { kind: 'cancellation' }
  | { kind: 'receipt'; amountCentavos: Centavos; channel: PaymentChannel; settlement?: boolean }
  | { kind: 'reversal'; reverses: number }
  | { kind: 'waiver'; amountCentavos: Centavos }
  | { kind: 'deferral'; months: number }
  /** `auto`: paid into the wallet right after the event that made the credit; otherwise handed back in cash. */
  | { kind: 'refund'; amountCentavos: Centavos; auto: boolean }
  | { kind: 'write_off' }
);

export type InstalmentPosition = ReturnType<typeof instalmentsOf>[number];

export type AppliedReceipt = ReturnType<typeof startReceipt>;

export type Settlement = NonNullable<ReturnType<typeof settlementOf>>;

export type LoanPosition = ReturnType<typeof position>;

/** A loan after its events, independent of the day. */
export type LoanFold = ReturnType<typeof startFold>;

type FoldedRow = LoanFold['rows'][number];

const NOTHING = centavos(0);

/** A loan at the end of a day: figures, instalments, receipts, and what settles it then (§position-of-a-loan). */
export function position(terms: ServicingTerms, events: readonly LoanEvent[], asOf: ManilaDate) {
  const fold = foldEvents(terms, events, asOf);
  const settlement = settlementOf(fold, asOf);
  return { asOf, ...standingOn(fold, asOf), receipts: fold.receipts, ...(settlement && { settlement }) };
}

/** Expects a fold without events after the day. */
export function standingOn(fold: LoanFold, asOf: ManilaDate) {
  return { account: accountOf(fold, asOf), instalments: instalmentsOf(fold, asOf) };
}

/** The settlement of the loan on a day, by the events so far; undefined if nothing is owed. */
export function settlementOn(
  terms: ServicingTerms,
  events: readonly LoanEvent[],
  date: ManilaDate,
): Settlement | undefined {
  return settlementOf(foldEvents(terms, events, date), date);
}

/** The settlement on some agreed due dates if everything before was paid on time, as a contract states it. */
export function settlementsAhead(terms: ServicingTerms) {
  const { startDate, termMonths, monthlyPaymentCentavos: amountCentavos } = terms;
  // A principal of a few centavos has instalments of zero, which no rate discounts to it.
  if (amountCentavos === 0) return [];
  const dueDates = amortise(terms).rows.map(({ dueDate }) => dueDate);
  return limits.settlementShownAfter.flatMap((afterInstalment) => {
    const date = dueDates[afterInstalment - 1];
    if (!date || afterInstalment === termMonths) return [];
    const receipts = dueDates.slice(0, afterInstalment).map(
      (due, index): LoanEvent => ({
        sequence: index + 2,
        date: due,
        kind: 'receipt',
        amountCentavos,
        channel: 'cash',
      }),
    );
    const disbursed: LoanEvent = { sequence: 1, date: startDate, kind: 'disbursement', channel: 'direct' };
    const settlement = settlementOn(terms, [disbursed, ...receipts], date);
    return settlement ? [{ afterInstalment, date, amount: settlement.amount }] : [];
  });
}

/** Applies the events that count, by value date: not those of later days, nor reversed ones. */
export function foldEvents(terms: ServicingTerms, events: readonly LoanEvent[], asOf?: ManilaDate): LoanFold {
  const fold = startFold(terms);
  for (const event of eventsThatCount(events, asOf)) applyEvent(fold, event);
  return fold;
}

/**
 * The fold after each event that counts, in their order: the same object each time, so it has to be read before the next
 * one is asked for. `nextDate` is the day of the event after it.
 */
export function* foldStepByStep(terms: ServicingTerms, events: readonly LoanEvent[]) {
  const fold = startFold(terms);
  const counting = eventsThatCount(events);
  for (const [index, event] of counting.entries()) {
    applyEvent(fold, event);
    yield { event, fold, nextDate: counting[index + 1]?.date };
  }
}

/** The principal that counts as out: none of a loan that was cancelled or written off (§portfolio). */
export const shareOfPortfolio = (fold: LoanFold): Centavos =>
  fold.isDisbursed && !fold.cancelledOn && !fold.writtenOff ? principalLeft(fold) : NOTHING;

/** True if the loan is one of the portfolio on a day: it is open, with principal or something due. */
export function isInPortfolio(fold: LoanFold, date: ManilaDate): boolean {
  if (shareOfPortfolio(fold) > 0) return true;
  const { state, dueNow } = accountOf(fold, date);
  return (state === 'open' || state === 'overdue') && dueNow > 0;
}

/** The oldest instalment that is not paid. */
export const oldestUnpaid = (fold: LoanFold): FoldedRow | undefined => unpaidRows(fold)[0];

/**
 * Adds one event, the newest by sequence, to a fold of `events`. An event dated last is applied to `fold` itself; any
 * other folds everything again.
 */
export function foldOneMore(fold: LoanFold, events: readonly LoanEvent[], event: LoanEvent): LoanFold {
  const isApplied = event.kind !== 'reversal' && event.kind !== 'disbursement';
  if (!isApplied || events.some(({ date }) => date > event.date)) {
    return foldEvents(fold.terms, [...events, event]);
  }
  applyEvent(fold, event);
  return fold;
}

/**
 * The events that are not reversed, by value date and sequence. A reversal counts on every day, whatever its own. A
 * loan disbursed again after a cancellation starts over. Of its earlier events only refunds count, because that money
 * may have to come back.
 */
export function eventsThatCount(events: readonly LoanEvent[], asOf?: ManilaDate): LoanEvent[] {
  const starts = events.flatMap(({ kind, sequence }) => (kind === 'disbursement' ? [sequence] : []));
  const start = starts.length > 1 ? Math.max(...starts) : 0;
  const reversed = reversedAmong(events);
  return events
    .filter(
      ({ sequence, date, kind }) =>
        !reversed.has(sequence) &&
        (sequence >= start || kind === 'refund') &&
        (asOf === undefined || date <= asOf),
    )
    .sort(byDay);
}

/** The sequences of those that another one reverses. */
export const reversedAmong = (events: readonly LoanEvent[]): Set<number> =>
  new Set(events.flatMap((event) => (event.kind === 'reversal' ? [event.reverses] : [])));

/** Compares by value date and sequence. */
export const byDay = (one: LoanEvent, other: LoanEvent): number =>
  one.date === other.date ? one.sequence - other.sequence : one.date < other.date ? -1 : 1;

/**
 * True if the loan is over. A refund of money that turned out not to have come keeps it
 * open until it is given back.
 */
export function isClosed(fold: LoanFold, date: ManilaDate): boolean {
  return fold.cancelledOn !== undefined || (isPaidUp(fold, date) && refundToReturn(fold) === 0);
}

/**
 * The day since which the loan has been closed; undefined while it is open. This is not the first day on which it was
 * closed: a refund to return can open it again.
 */
export function closedSince(
  terms: ServicingTerms,
  events: readonly LoanEvent[],
  asOf?: ManilaDate,
): ManilaDate | undefined {
  const days = new Set(eventsThatCount(events, asOf).map(({ date }) => date));
  let since: ManilaDate | undefined;
  for (const day of [...days].toReversed()) {
    if (!isClosed(foldEvents(terms, events, day), day)) break;
    since = day;
  }
  return since;
}

/** True if no instalment and no late charge is owed, so that a payment would be credit. */
function isPaidUp(fold: LoanFold, date: ManilaDate): boolean {
  const isEnded = fold.settledOn !== undefined || fold.cancelledOn !== undefined;
  return isEnded || (unpaidRows(fold).length === 0 && lateChargesOwed(fold, date) === 0);
}

export function lateChargesOwed(fold: LoanFold, date: ManilaDate): Centavos {
  return centavos(lateChargesAccrued(fold, date) - fold.lateChargesPaid - fold.lateChargesWaived);
}

export function principalLeft(fold: LoanFold): Centavos {
  return fold.settledOn ? NOTHING : sum(fold.rows.map((row) => row.principal - principalPaid(row)));
}

function startFold(terms: ServicingTerms) {
  const plan = amortise(terms);
  return {
    terms,
    plan,
    rows: plan.rows.map(({ dueDate, interest, principal }, index) => ({
      number: index + 1,
      agreedDueDate: dueDate,
      dueDate,
      amount: terms.monthlyPaymentCentavos,
      interest,
      principal,
      paid: NOTHING,
      left: terms.monthlyPaymentCentavos,
      lateness: latenessFrom(terms, dueDate),
    })),
    receipts: [] as AppliedReceipt[],
    isDisbursed: false,
    cancelledOn: undefined as ManilaDate | undefined,
    settledOn: undefined as ManilaDate | undefined,
    rebate: NOTHING,
    writtenOff: undefined as { amount: Centavos; recovered: Centavos } | undefined,
    deferrals: 0,
    deferredMonths: 0,
    lateChargesPaid: NOTHING,
    lateChargesWaived: NOTHING,
    credited: NOTHING,
    refunded: NOTHING,
  };
}

function applyEvent(fold: LoanFold, event: LoanEvent): void {
  switch (event.kind) {
    case 'disbursement':
      fold.isDisbursed = true;
      fold.cancelledOn = undefined;
      break;
    case 'cancellation':
      fold.cancelledOn = event.date;
      break;
    case 'receipt':
      applyReceipt(fold, event);
      break;
    case 'waiver': {
      const counted = Math.min(event.amountCentavos, lateChargesOwed(fold, event.date));
      fold.lateChargesWaived = centavos(fold.lateChargesWaived + counted);
      break;
    }
    case 'deferral':
      defer(fold, event.date, event.months);
      break;
    case 'refund':
      fold.refunded = centavos(fold.refunded + event.amountCentavos);
      break;
    case 'write_off':
      fold.writtenOff = { amount: principalLeft(fold), recovered: NOTHING };
      for (const { lateness, left } of unpaidRows(fold)) stopLateness(lateness, event.date, left);
      break;
    case 'reversal':
      // `eventsThatCount` has left out the reversed event.
      break;
    default:
      event satisfies never;
  }
}

type Receipt = LoanEvent & { kind: 'receipt' };

/** The allocation of a receipt, before anything is allocated. `instalments` holds the amount of each, by number. */
const startReceipt = ({ sequence, date, amountCentavos }: Receipt) => ({
  ofEvent: sequence,
  date,
  amount: amountCentavos,
  interest: NOTHING,
  principal: NOTHING,
  lateCharges: NOTHING,
  credit: NOTHING,
  instalments: {} as Record<string, Centavos>,
  settles: false,
});

function applyReceipt(fold: LoanFold, event: Receipt): void {
  const receipt = startReceipt(event);
  if (isPaidUp(fold, event.date)) receipt.credit = event.amountCentavos;
  else if (!trySettle(fold, receipt, event.settlement === true)) applyToRows(fold, receipt);
  if (fold.writtenOff) {
    fold.writtenOff.recovered = centavos(fold.writtenOff.recovered + receipt.principal);
  }
  fold.lateChargesPaid = centavos(fold.lateChargesPaid + receipt.lateCharges);
  fold.credited = centavos(fold.credited + receipt.credit);
  fold.receipts.push(receipt);
}

function trySettle(fold: LoanFold, receipt: AppliedReceipt, isAskedFor: boolean): boolean {
  const { date, amount } = receipt;
  const unpaid = unpaidRows(fold);
  if (!isAskedFor && unpaid.filter(({ dueDate }) => dueDate > date).length < 2) return false;
  // Late charges are slow to compute, and most receipts fall short without them.
  if (amount < endingBeforeCharges(fold, date)) return false;
  const settlement = settlementOf(fold, date);
  if (!settlement || settlement.rebate <= 0 || amount < settlement.amount) return false;
  const owed = centavos(settlement.comparison.noRebate - settlement.rebate);
  receipt.lateCharges = lateChargesOwed(fold, date);
  receipt.principal = principalLeft(fold);
  receipt.interest = centavos(owed - receipt.lateCharges - receipt.principal);
  receipt.credit = centavos(amount - owed);
  receipt.settles = true;
  for (const row of unpaid) {
    stopLateness(row.lateness, date, row.left);
    row.left = NOTHING;
  }
  fold.settledOn = date;
  fold.rebate = settlement.rebate;
  return true;
}

/** Due instalments oldest first, then late charges, a refund to return, and later instalments; the rest is credit. */
function applyToRows(fold: LoanFold, receipt: AppliedReceipt): void {
  const { date } = receipt;
  let rest: number = receipt.amount;
  const pay = (row: FoldedRow) => {
    if (rest === 0) return;
    const part = Math.min(rest, row.left);
    rest -= part;
    payRow(receipt, row, centavos(part));
  };
  const unpaid = unpaidRows(fold);
  for (const row of unpaid) if (row.dueDate <= date) pay(row);
  if (rest > 0) {
    receipt.lateCharges = centavos(Math.min(rest, lateChargesOwed(fold, date)));
    rest -= receipt.lateCharges;
  }
  const returned = Math.min(rest, refundToReturn(fold));
  rest -= returned;
  for (const row of unpaid) if (row.dueDate > date) pay(row);
  receipt.credit = centavos(returned + rest);
}

function payRow(receipt: AppliedReceipt, row: FoldedRow, part: Centavos): void {
  const { date } = receipt;
  const principalBefore = principalPaid(row);
  countUnpaid(row.lateness, date, row.left);
  row.paid = centavos(row.paid + part);
  row.left = centavos(row.left - part);
  if (row.left === 0) stopLateness(row.lateness, date, row.left);
  const principal = principalPaid(row) - principalBefore;
  receipt.principal = centavos(receipt.principal + principal);
  receipt.interest = centavos(receipt.interest + part - principal);
  receipt.instalments[row.number] = part;
}

/** Moves unpaid instalments, counted from the start. Late charges up to the day stay. */
function defer(fold: LoanFold, date: ManilaDate, months: number): void {
  fold.deferrals += 1;
  fold.deferredMonths += months;
  for (const row of unpaidRows(fold)) {
    const spans = lateSpans(row.lateness, date, row.left);
    row.dueDate = deferredDueDate(fold, row.number);
    row.lateness = {
      ...latenessFrom(fold.terms, row.dueDate, spans),
      isStopped: row.lateness.isStopped,
    };
    // If a payment reversed later makes it late, the days before the deferral are already counted.
    countUnpaid(row.lateness, date, NOTHING);
  }
}

/** Due date of an instalment after all deferrals, and `furtherMonths` later. */
export function deferredDueDate(fold: LoanFold, rowNumber: number, furtherMonths = 0): ManilaDate {
  const agreedMonths = limits.firstInstalmentAfterMonths + rowNumber - 1;
  return addMonths(fold.terms.startDate, agreedMonths + fold.deferredMonths + furtherMonths);
}

/** The settlement on a day, and its amount by other methods. */
function settlementOf(fold: LoanFold, date: ManilaDate) {
  if (!fold.isDisbursed || isClosed(fold, date)) return undefined;
  const { terms, rows } = fold;
  const owed = lateChargesOwed(fold, date);
  const noRebate = centavos(sum(rows.map(({ amount, paid }) => amount - paid)) + owed);
  const owedToo = isCoolingOff(terms, date) ? 0 : owed;
  const beforeReturn = isPaidUp(fold, date) ? 0 : Math.max(0, endingBeforeCharges(fold, date) + owedToo);
  return {
    date,
    amount: centavos(beforeReturn + refundToReturn(fold)),
    rebate: centavos(noRebate - beforeReturn),
    comparison: { noRebate, ...otherRebates(terms, noRebate, date) },
  };
}

/** The settlement before late charges; negative if prepayments exceed the value of the instalments. */
function endingBeforeCharges({ terms, plan, rows, receipts }: LoanFold, date: ManilaDate): number {
  if (isCoolingOff(terms, date)) {
    return terms.amountCentavos - sum(receipts.map(({ amount, credit }) => amount - credit));
  }
  const dueLeftLessAdvance = sum(
    rows.map(({ agreedDueDate, left, paid }) => (agreedDueDate <= date ? left : -paid)),
  );
  return dueLeftLessAdvance + presentValueOfLater(terms, plan, date);
}

function isCoolingOff({ startDate, coolingOffDays }: ServicingTerms, date: ManilaDate): boolean {
  return daysBetween(startDate, date) <= coolingOffDays;
}

/** The settlement by two customary methods, for comparison. */
function otherRebates(terms: ServicingTerms, noRebate: Centavos, date: ManilaDate) {
  const { startDate, termMonths } = terms;
  const cost = BigInt(terms.monthlyPaymentCentavos) * BigInt(termMonths) - BigInt(terms.amountCentavos);
  const allMonths = limits.firstInstalmentAfterMonths + termMonths - 1;
  const { months, days } = monthsBetween(startDate, date);
  const monthsLeft = Math.max(0, allMonths - (days === 0 ? months : months + 1));
  const lastDueDate = addMonths(startDate, allMonths);
  const daysLeft = Math.max(0, daysBetween(date, lastDueDate));
  const less = (share: number, whole: number) =>
    centavos(
      Number(roundHalfUpDivide(BigInt(noRebate) * BigInt(whole) - cost * BigInt(share), BigInt(whole))),
    );
  return {
    ruleOf78: less(monthsLeft * (monthsLeft + 1), allMonths * (allMonths + 1)),
    proRataByDays: less(daysLeft, daysBetween(startDate, lastDueDate)),
  };
}

function accountOf(fold: LoanFold, asOf: ManilaDate) {
  const state = stateOf(fold, asOf);
  const isOwed = state !== 'not_disbursed' && state !== 'cancelled';
  const unpaid = isOwed ? unpaidRows(fold) : [];
  const leftOf = (rows: readonly FoldedRow[]) => sum(rows.map(({ left }) => left));
  const ifOwed = (amount: Centavos) => (isOwed ? amount : NOTHING);
  const principal = ifOwed(principalLeft(fold));
  const due = leftOf(unpaid.filter(({ dueDate }) => dueDate <= asOf));
  const owed = ifOwed(lateChargesOwed(fold, asOf));
  const toReturn = ifOwed(refundToReturn(fold));
  const [oldest] = unpaid;
  const next = unpaid.find(({ dueDate }) => dueDate >= asOf);
  const days = daysPastDue(oldest?.dueDate, asOf);
  return {
    state,
    principalLeft: principal,
    interestLeft: centavos(leftOf(unpaid) - principal),
    due,
    overdue: leftOf(unpaid.filter(({ dueDate }) => dueDate < asOf)),
    lateChargesAccrued: ifOwed(lateChargesAccrued(fold, asOf)),
    lateChargesPaid: ifOwed(fold.lateChargesPaid),
    lateChargesWaived: ifOwed(fold.lateChargesWaived),
    lateChargesOwed: owed,
    refundToReturn: toReturn,
    dueNow: centavos(due + owed + toReturn),
    daysPastDue: days,
    bucket: buckets.findLast((bucket) => bucketStarts[bucket] <= days) ?? 'current',
    nextDueDate: next?.dueDate ?? null,
    nextDueAmount: next?.left ?? NOTHING,
    credit: ifOwed(centavos(Math.max(0, fold.credited - fold.refunded))),
    settledOn: fold.settledOn ?? null,
    rebate: ifOwed(fold.rebate),
    writeOffAmount: ifOwed(fold.writtenOff?.amount ?? NOTHING),
  };
}

function stateOf(fold: LoanFold, asOf: ManilaDate): LoanState {
  if (!fold.isDisbursed) return 'not_disbursed';
  if (fold.cancelledOn) return 'cancelled';
  if (isClosed(fold, asOf)) return fold.settledOn ? 'settled' : 'completed';
  if (fold.writtenOff) return 'written_off';
  return unpaidRows(fold).some(({ dueDate }) => dueDate < asOf) ? 'overdue' : 'open';
}

/** Since the oldest unpaid instalment was due. In SQL `isPastDue` of `server/store/spans.ts` asks for it. */
export const daysPastDue = (oldestDueOn: ManilaDate | null | undefined, asOf: ManilaDate): number =>
  oldestDueOn ? Math.max(0, daysBetween(oldestDueOn, asOf)) : 0;

function instalmentsOf(fold: LoanFold, asOf: ManilaDate) {
  // The instalments of a cancelled loan stay as they were on that day.
  const date = fold.cancelledOn ?? asOf;
  return fold.rows.map((row) => ({
    number: row.number,
    dueDate: row.dueDate,
    amount: row.amount,
    interest: row.interest,
    principal: row.principal,
    paid: row.paid,
    left: row.left,
    lateCharge: lateChargeOf(fold, row, date),
    status: instalmentState(row, fold.isDisbursed ? date : fold.terms.startDate),
  }));
}

function instalmentState({ amount, paid, left, dueDate }: FoldedRow, date: ManilaDate): InstalmentState {
  if (left === 0) return paid === amount ? 'paid' : 'settled';
  if (dueDate < date) return 'overdue';
  return paid > 0 ? 'partly_paid' : 'pending';
}

function lateChargesAccrued(fold: LoanFold, date: ManilaDate): Centavos {
  return sum(fold.rows.map((row) => lateChargeOf(fold, row, date)));
}

function lateChargeOf({ terms }: LoanFold, { lateness, left }: FoldedRow, date: ManilaDate): Centavos {
  return chargeOf(terms, lateSpans(lateness, date, left));
}

/**
 * Why instalments have a late charge: the periods in which each was unpaid, and the charge for each alone. `graceEnd`
 * is the last day on which full payment would have been free of a charge, `cap` the maximum.
 */
export function lateChargeReasons(terms: ServicingTerms, events: readonly LoanEvent[], asOf: ManilaDate) {
  const fold = foldEvents(terms, events, asOf);
  if (!fold.isDisbursed) return [];
  const date = fold.cancelledOn ?? asOf;
  return fold.rows.flatMap((row) => {
    const charge = lateChargeOf(fold, row, date);
    const [first, ...others] = lateSpans(row.lateness, date, row.left);
    if (charge === 0 || !first) return [];
    return {
      number: row.number,
      dueDate: first.dueDate,
      graceEnd: addDays(first.dueDate, terms.graceDays),
      charge,
      cap: lateChargeCap(terms),
      spans: [first, ...others].map((span) => ({
        from: span.from,
        to: span.to,
        unpaid: span.unpaid,
        charge: chargeOf(terms, [span]),
      })),
    };
  });
}

/** Everything that is still to be paid if nothing is settled early. */
export const leftToPay = ({
  principalLeft,
  interestLeft,
  lateChargesOwed,
  refundToReturn,
}: LoanPosition['account']): Centavos =>
  centavos(principalLeft + interestLeft + lateChargesOwed + refundToReturn);

/**
 * Returns the amount by which refunds exceed the credit. This happens when a payment is reversed after its
 * credit was paid out (§refunds).
 */
export function refundToReturn({ refunded, credited }: LoanFold): Centavos {
  return centavos(Math.max(0, refunded - credited));
}

function principalPaid({ paid, interest }: FoldedRow): Centavos {
  // If the instalments add up to less than the amount, interest is negative; without a payment none is repaid.
  return paid === 0 ? NOTHING : centavos(Math.max(0, paid - interest));
}

function unpaidRows({ rows }: LoanFold): FoldedRow[] {
  return rows.filter(({ left }) => left > 0);
}
