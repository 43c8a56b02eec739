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
import { type Centavos, centavos, roundHalfUpDivide } from './money.ts';

export const paymentChannels = [
  'cash',
  'bank_transfer',
  'instapay',
  'pesonet',
  'gcash',
  'maya',
  'cheque',
  'wallet',
] as const;

export type PaymentChannel = (typeof paymentChannels)[number];

/** Channels whose payments leave no trace elsewhere that has a number. */
const channelsWithoutReference: readonly PaymentChannel[] = ['cash', 'wallet'];

export const needsReference = (channel: PaymentChannel): boolean =>
  !channelsWithoutReference.includes(channel);

/** `submitted` waits for somebody to confirm it; `reversed` keeps its receipt number, marked. */
export const paymentStatuses = ['submitted', 'confirmed', 'rejected', 'reversed', 'withdrawn'] as const;

/** Payments of which each channel has a reference only once: the others never count. */
export const livePaymentStatuses = ['submitted', 'confirmed'] as const satisfies readonly PaymentStatus[];

export type PaymentStatus = (typeof paymentStatuses)[number];

/** What became of a request: `outdated` when what it was about is another by now. */
export const approvalOutcomes = ['approved', 'rejected', 'withdrawn', 'outdated'] as const;

export type ApprovalOutcome = (typeof approvalOutcomes)[number];

/**
 * A reference as it is compared: its letters without accents, and its digits by value, in whatever script they were typed.
 * Banks print the same one with and without spaces and dashes. Letters other than A to Z are left as they are.
 */
export function referenceKey(reference: string): string {
  const digits = /\p{Nd}/u;
  const plain = Array.from(reference.normalize('NFKD'), (char) =>
    digits.test(char) ? String(digitValue(char, digits)) : char,
  );
  return plain
    .join('')
    .toUpperCase()
    .replace(/[\p{M}\p{P}\p{Z}\p{Cc}\p{Cf}\p{Sc}\p{Sk}\p{Sm}]/gu, '');
}

/** Unicode has the decimal digits of each script in tens, from zero up. */
function digitValue(digit: string, digits: RegExp): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (digits.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/** Whether a key is made of what banks print. A letter of another script may only look like one of these. */
export const isPlainReferenceKey = (key: string): boolean => /^[A-Z0-9]*$/.test(key);

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

/** The states that do not depend on the day that a loan is looked at: `open` also while something is overdue. */
export const storedLoanStates = ['open', 'settled', 'completed', 'written_off', 'cancelled'] as const;

export type StoredLoanState = (typeof storedLoanStates)[number];

export const loanStates = ['not_disbursed', 'overdue', ...storedLoanStates] as const;

export type LoanState = (typeof loanStates)[number];

/** By the days past due. */
export const buckets = ['current', '1-30', '31-60', '61-90', '91+'] as const;

export type Bucket = (typeof buckets)[number];

export const instalmentStates = ['pending', 'partly_paid', 'overdue', 'paid', 'settled'] as const;

export type InstalmentState = (typeof instalmentStates)[number];

/** Of an event that has one: a payment’s, or a release’s. */
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
 * Higher by one whenever the same events come to another position than before: stored positions of an earlier edition are
 * folded anew at the next start.
 */
export const foldEdition = 3;

/** What happened to a loan. `date` is the value date: the day it counts from, not the day it was recorded. */
export type LoanEvent = { sequence: number; date: ManilaDate } & (
  | { kind: 'disbursement'; channel: 'wallet' | 'direct' | 'recorded' }
  | { kind: 'cancellation' }
  | { kind: 'receipt'; amountCentavos: Centavos; channel: PaymentChannel; settlement?: boolean }
  | { kind: 'reversal'; reverses: number }
  | { kind: 'waiver'; amountCentavos: Centavos }
  | { kind: 'deferral'; months: number }
  /** `auto`: put into the borrower's wallet right after the event that made the credit; else handed back in cash. */
  | { kind: 'refund'; amountCentavos: Centavos; auto: boolean }
  | { kind: 'write_off' }
);

export type InstalmentPosition = ReturnType<typeof instalmentsOf>[number];

/** What a receipt went to. `instalments` holds what each one got, by its number. */
export type AppliedReceipt = {
  ofEvent: number;
  date: ManilaDate;
  amount: Centavos;
  interest: Centavos;
  principal: Centavos;
  lateCharges: Centavos;
  credit: Centavos;
  instalments: Record<string, Centavos>;
  settles: boolean;
};

export type Settlement = NonNullable<ReturnType<typeof settlementOf>>;

export type LoanPosition = ReturnType<typeof position>;

/** A loan after its events, before anybody asks for a day. */
export type LoanFold = ReturnType<typeof startFold>;

type FoldedRow = LoanFold['rows'][number];

const NOTHING = centavos(0);

/** Where a loan stands at the end of a day: a function of its terms and of what happened up to then. */
export function position(terms: ServicingTerms, events: readonly LoanEvent[], asOf: ManilaDate) {
  const fold = foldEvents(terms, events, asOf);
  const settlement = settlementOf(fold, asOf);
  return { asOf, ...standingOn(fold, asOf), receipts: fold.receipts, ...(settlement && { settlement }) };
}

/** Account and instalments of a fold that holds what happened up to the day, and nothing later. */
export function standingOn(fold: LoanFold, asOf: ManilaDate) {
  return { account: accountOf(fold, asOf), instalments: instalmentsOf(fold, asOf) };
}

/** What ends the loan on a day by what has happened so far; undefined when there is nothing to end. */
export function settlementOn(
  terms: ServicingTerms,
  events: readonly LoanEvent[],
  date: ManilaDate,
): Settlement | undefined {
  return settlementOf(foldEvents(terms, events, date), date);
}

/** What settling costs on some agreed due dates when everything up to them was paid, as a contract tells it beforehand. */
export function settlementsAhead(terms: ServicingTerms) {
  const { startDate, termMonths, monthlyPaymentCentavos: amountCentavos } = terms;
  // A principal of a few centavos has instalments of nothing, which no rate makes worth it.
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

/** Applies the events that count, in the order of their value dates: those of later days or reversed are left out. */
export function foldEvents(terms: ServicingTerms, events: readonly LoanEvent[], asOf?: ManilaDate): LoanFold {
  const fold = startFold(terms);
  for (const event of eventsThatCount(events, asOf)) applyEvent(fold, event);
  return fold;
}

/**
 * A fold of `events` with one more, the newest by sequence: what is dated last is applied to `fold` itself, anything else
 * has all folded anew.
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
 * The events that are not reversed, by value date and sequence. A reversal counts on every day, whatever its own. Disbursed
 * again after a cancellation, a loan begins anew: of what was before, only refunds still count, which may have to be returned.
 */
export function eventsThatCount(events: readonly LoanEvent[], asOf?: ManilaDate): LoanEvent[] {
  const starts = events.flatMap(({ kind, sequence }) => (kind === 'disbursement' ? [sequence] : []));
  const start = starts.length > 1 ? Math.max(...starts) : 0;
  const reversed = new Set(events.flatMap((event) => (event.kind === 'reversal' ? [event.reverses] : [])));
  return events
    .filter(
      ({ sequence, date, kind }) =>
        !reversed.has(sequence) &&
        (sequence >= start || kind === 'refund') &&
        (asOf === undefined || date <= asOf),
    )
    .sort((one, other) =>
      one.date === other.date ? one.sequence - other.sequence : one.date < other.date ? -1 : 1,
    );
}

/** Whether the loan is over. A refund of money that turned out not to have come keeps it open until it is given back. */
export function isClosed(fold: LoanFold, date: ManilaDate): boolean {
  return fold.cancelledOn !== undefined || (isPaidUp(fold, date) && refundToReturn(fold) === 0);
}

/**
 * The day since which the loan has been closed; undefined while it is open. Not the first day on which it ever was: the
 * payment that closed it may be followed by a refund that has to be given back.
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

/** Whether no instalment and no late charge is owed any more, so that whatever is paid now is credit. */
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
      // Has done its work in choosing the events that count.
      break;
  }
}

function applyReceipt(
  fold: LoanFold,
  { sequence, date, amountCentavos, settlement: isAskedFor = false }: LoanEvent & { kind: 'receipt' },
): void {
  const receipt: AppliedReceipt = {
    ofEvent: sequence,
    date,
    amount: amountCentavos,
    interest: NOTHING,
    principal: NOTHING,
    lateCharges: NOTHING,
    credit: NOTHING,
    instalments: {},
    settles: false,
  };
  if (isPaidUp(fold, date)) receipt.credit = amountCentavos;
  else if (!settles(fold, receipt, isAskedFor)) applyToRows(fold, receipt);
  if (fold.writtenOff) {
    fold.writtenOff.recovered = centavos(fold.writtenOff.recovered + receipt.principal);
  }
  fold.lateChargesPaid = centavos(fold.lateChargesPaid + receipt.lateCharges);
  fold.credited = centavos(fold.credited + receipt.credit);
  fold.receipts.push(receipt);
}

/** Ends the loan when the receipt covers what that takes, and it is meant to. */
function settles(fold: LoanFold, receipt: AppliedReceipt, isAskedFor: boolean): boolean {
  const { date, amount } = receipt;
  const unpaid = unpaidRows(fold);
  if (!isAskedFor && unpaid.filter(({ dueDate }) => dueDate > date).length < 2) return false;
  // Late charges take the longest to work out, and most receipts fall short without them.
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

/** Due rows oldest first, then late charges, what is to be returned, and the rows to come; the rest is credit. */
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

/** Moves what is unpaid, counted from the start. A late charge that ran up to the day stays. */
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
    // A payment reversed since may leave it late even so; the days before the deferral are in what ran already.
    countUnpaid(row.lateness, date, NOTHING);
  }
}

/** Due date of an instalment after all deferrals, and after `furtherMonths` more. */
export function deferredDueDate(fold: LoanFold, rowNumber: number, furtherMonths = 0): ManilaDate {
  const agreedMonths = limits.firstInstalmentAfterMonths + rowNumber - 1;
  return addMonths(fold.terms.startDate, agreedMonths + fold.deferredMonths + furtherMonths);
}

/** What ends the loan on a day, and what other methods would ask for. */
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

/** What ends the loan apart from late charges; below zero where more was paid in advance than the rows are worth. */
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

/** What two customary methods would ask for, to set beside ours. */
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
  const daysPastDue = oldest ? Math.max(0, daysBetween(oldest.dueDate, asOf)) : 0;
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
    daysPastDue,
    bucket: bucketOf(daysPastDue),
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

function bucketOf(daysPastDue: number): Bucket {
  if (daysPastDue === 0) return 'current';
  if (daysPastDue <= 30) return '1-30';
  if (daysPastDue <= 60) return '31-60';
  return daysPastDue <= 90 ? '61-90' : '91+';
}

function instalmentsOf(fold: LoanFold, asOf: ManilaDate) {
  // A cancelled loan's rows stay as they were on that day.
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
 * Why instalments have a late charge: the days that each was unpaid, and what each stretch alone comes to. `graceEnd` is
 * the last day on which paying it in full would have cost nothing more, `cap` the most that the charge can come to.
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
        ...{ from: span.from, to: span.to, unpaid: span.unpaid },
        charge: chargeOf(terms, [span]),
      })),
    };
  });
}

export function refundToReturn({ refunded, credited }: LoanFold): Centavos {
  return centavos(Math.max(0, refunded - credited));
}

function principalPaid({ paid, interest }: FoldedRow): Centavos {
  // Of a loan whose rows fall short of its amount, interest is negative, and nothing paid is still nothing.
  return paid === 0 ? NOTHING : centavos(Math.max(0, paid - interest));
}

function unpaidRows({ rows }: LoanFold): FoldedRow[] {
  return rows.filter(({ left }) => left > 0);
}

function sum(amounts: readonly number[]): Centavos {
  return centavos(amounts.reduce((total, amount) => total + amount, 0));
}
