import fc from 'fast-check';
import * as api from '#contract/api.ts';
import type { ManilaDate } from '#domain/calendar.ts';
import { type Centavos, centavos } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import { basisPoints } from '#domain/rates.ts';
import type { LoanEvent } from '#domain/servicing.ts';
import { preciseMonthlyRate } from '#tests/domain/precise-rate.ts';
import { liveThrough, positionByDay } from '#tests/domain/servicing-by-day.ts';
import { type Deed, keyed, loanOf, paymentOf, someKey } from './model-deed.ts';
import { type Judge, type Model, malformed, type Request, refused, type Verdict } from './model-request.ts';
import {
  centavosOf,
  hourMs,
  instalmentCentavos,
  isOut,
  type Loan,
  type LoanAccount,
  manilaYear,
  move,
  type Payment,
  type Person,
  pesos,
  staffId,
} from './oracle.ts';

// The commands about a loan from its disbursement on. What its events come to is lived through day by day.

const submitted = (facts: Omit<Payment, 'status' | 'ofEvent' | 'serial'>): Payment => ({
  ...facts,
  status: 'submitted',
  ofEvent: undefined,
  serial: null,
});

export const dayOf = (nowMs: number, daysAgo = 0) =>
  new Date(nowMs + (8 - 24 * daysAgo) * hourMs).toISOString().slice(0, 10) as ManilaDate;

const invalid = refused(400, 'validation_failed');

/** An event without its place among the others. */
type Draft = LoanEvent extends infer Event
  ? Event extends LoanEvent
    ? Omit<Event, 'sequence'>
    : never
  : never;

/**
 * Returns the terms of a disbursed loan: 2 % a month for what is late, ten days of grace, at most 24
 * %, three days to cool off.
 */
function termsFrom(loan: Loan, startDate: ManilaDate): LoanAccount['terms'] {
  const amount = instalmentCentavos(loan);
  const schedule = Array.from({ length: loan.termMonths }, (_, index) => ({
    number: index + 1,
    amountCentavos: amount,
  }));
  const rate = preciseMonthlyRate({ schedule, netProceedsCentavos: loan.amountCentavos });
  return {
    amountCentavos: centavos(loan.amountCentavos),
    termMonths: loan.termMonths,
    monthlyPaymentCentavos: centavos(amount),
    effectiveMonthlyRate: (rate * 100).toFixed(6),
    startDate,
    lateChargeRate: basisPoints(200),
    graceDays: 10,
    lateChargeCap: basisPoints(2_400),
    coolingOffDays: 3,
  };
}

/** Since its last disbursement. Of what was before, refunds alone may have to be returned. */
function lifeOf({ terms, events }: LoanAccount): LoanEvent[] {
  const start = events.findLast(({ kind }) => kind === 'disbursement')?.sequence ?? 0;
  return events.flatMap((event) => {
    if (event.sequence >= start) return [event];
    return event.kind === 'refund' ? [{ ...event, date: terms.startDate }] : [];
  });
}

const lastDay = (events: readonly LoanEvent[]) =>
  events
    .map(({ date }) => date)
    .toSorted()
    .at(-1) as ManilaDate;

export const livedThrough = (account: LoanAccount, day: ManilaDate) =>
  positionByDay(account.terms, lifeOf(account), day);

function livingOf(events: readonly LoanEvent[]): LoanEvent[] {
  const reversed = events.flatMap((event) => (event.kind === 'reversal' ? [event.reverses] : []));
  return events.filter(({ sequence }) => !reversed.includes(sequence));
}

/** The account with one event more. */
function withEvent({ terms, events }: LoanAccount, draft: Draft): LoanAccount & { event: LoanEvent } {
  const event = { ...draft, sequence: events.length + 1 } as LoanEvent;
  const longer: LoanAccount = { terms, events: [...events, event], stored: undefined as never };
  // Stored is what holds on the last day of any event, one taken back too.
  longer.stored = positionByDay(terms, lifeOf(longer), lastDay(longer.events));
  return { ...longer, event };
}

/** The loan after one event more, with what it moves and what follows for its status. */
function happen(loan: Loan, draft: Draft, nowMs: number, actorId = staffId): LoanEvent {
  if (!loan.account) throw new Error('a loan without an account lives no life');
  const before = loan.account;
  const { event, ...after } = withEvent(before, draft);
  loan.account = after;
  const wallet = (type: string, amountCentavos: number) =>
    move(loan.owner, { type, amountCentavos, actorId, withdrawalId: null }, nowMs);
  if (event.kind === 'disbursement' && event.channel === 'wallet')
    wallet('disbursement', loan.amountCentavos);
  if (event.kind === 'cancellation') wallet('disbursement_reversal', -loan.amountCentavos);
  if (event.kind === 'receipt') {
    if (event.channel === 'wallet') wallet('loan_payment', -event.amountCentavos);
  }
  if (event.kind === 'reversal') {
    const taken = before.events.find(({ sequence }) => sequence === event.reverses);
    if (taken?.kind === 'receipt' && taken.channel === 'wallet')
      wallet('loan_payment_reversal', taken.amountCentavos);
  }
  const refund = loan.owner.isDeleted ? undefined : refundAfter(before, after, event);
  if (refund) {
    const { event: _, ...refunded } = withEvent(after, { kind: 'refund', auto: true, ...refund });
    loan.account = refunded;
    wallet('loan_refund', refund.amountCentavos);
  }
  const { state } = loan.account.stored.account;
  const isEnded = state === 'settled' || state === 'completed';
  if (state === 'cancelled') loan.status = 'approved';
  else if (isEnded && loan.status !== 'completed') {
    loan.status = 'completed';
    loan.owner.notices += 1;
  } else if (!isEnded && loan.status === 'completed') loan.status = 'active';
  return event;
}

/** Credit goes to the wallet at once, on the first day on which that leaves nothing more to be returned on any day. */
function refundAfter(before: LoanAccount, after: LoanAccount, cause: LoanEvent) {
  if (cause.kind === 'disbursement' || cause.kind === 'refund') return undefined;
  const credited = (account: LoanAccount) =>
    livedThrough(account, lastDay(account.events)).receipts.reduce(
      (sum, { credit }) => sum + Number(credit),
      0,
    );
  const refunded = livingOf(lifeOf(after)).reduce(
    (sum, event) => sum + (event.kind === 'refund' ? event.amountCentavos : 0),
    0,
  );
  const [then, now] = [credited(before), credited(after)];
  const amount = Math.min(now - then, now - refunded);
  if (amount <= 0) return undefined;
  const end = lastDay(after.events);
  const toReturn = (events: LoanEvent[]) =>
    [...liveThrough(after.terms, events, end).toReturnByDay.values()].join();
  const without = toReturn(lifeOf(after));
  const refundOn = (date: ManilaDate): LoanEvent => ({
    sequence: after.events.length + 1,
    kind: 'refund',
    auto: true,
    date,
    amountCentavos: centavos(amount),
  });
  const days = [cause.date, ...after.events.map(({ date }) => date)].toSorted();
  const date = days.find(
    (day) => day >= cause.date && toReturn([...lifeOf(after), refundOn(day)]) === without,
  );
  return { date: date ?? cause.date, amountCentavos: centavos(amount) };
}

/** The ways to release a loan, with the days before today from which it is taken over. */
const releases: Record<string, (nowMs: number) => Record<string, unknown>> = {
  'into the wallet': () => ({ channel: 'wallet' }),
  directly: (nowMs) => ({ channel: 'direct', reference: 'B 1', date: dayOf(nowMs, 2) }),
  'as of 70 days ago': (nowMs) => ({ channel: 'recorded', date: dayOf(nowMs, 70) }),
  'as of 200 days ago': (nowMs) => ({ channel: 'recorded', date: dayOf(nowMs, 200) }),
  'into the wallet yesterday': (nowMs) => ({ channel: 'wallet', date: dayOf(nowMs, 1) }),
  tomorrow: (nowMs) => ({ channel: 'recorded', date: dayOf(nowMs, -1) }),
  'without a reference': () => ({ channel: 'direct' }),
  'by pigeon': () => ({ channel: 'pigeon' }),
};

const recent = fc.constantFrom(0, 0, 0, 1, 2);

export const disburse: fc.Arbitrary<Deed> = fc
  .record({
    which: recent,
    how: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.constantFrom('into the wallet', 'directly', 'as of 70 days ago', 'as of 200 days ago'),
      },
      { weight: 1, arbitrary: fc.constantFrom(...Object.keys(releases)) },
    ),
    key: someKey,
  })
  .map(({ which, how, key }) => ({
    words: keyed(`disburse loan ${which} from the last ${how}`, key),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = requireLoan(model, which);
      const body = releases[how]?.(model.nowMs) ?? {};
      const request: Request = { row: api.disburseLoan, by: 'staff', params: { id: loan.id }, body, key };
      return { request, judge: judgeDisbursement(loan, how, body) };
    },
  }));

function judgeDisbursement(loan: Loan, how: string, body: Record<string, unknown>): Judge {
  return (model) => {
    if (how === 'by pigeon') return malformed;
    if (loan.isDeleted) return refused(404, 'not_found');
    const today = dayOf(model.nowMs);
    const date = (body.date ?? today) as ManilaDate;
    const channel = body.channel as 'wallet' | 'direct' | 'recorded';
    if (date > today || (channel === 'wallet' && date !== today)) return invalid;
    if (channel === 'direct' && !body.reference) return invalid;
    if (loan.owner.isDeleted) return refused(404, 'not_found');
    if (isOut(loan)) return refused(409, 'already_disbursed');
    if (loan.status !== 'approved' && loan.status !== 'active') return refused(409, 'loan_not_approved');
    if (loan.isUnagreed) return refused(409, 'terms_not_agreed');
    if (channel === 'wallet' && loan.owner.status === 'suspended') return refused(409, 'account_suspended');
    return {
      status: 201,
      reply: { loanId: loan.id, disbursedOn: date },
      happened: () => {
        loan.account = {
          terms: termsFrom(loan, date),
          events: loan.account?.events ?? [],
          stored: undefined as never,
        };
        happen(loan, { kind: 'disbursement', channel, date }, model.nowMs);
        loan.status = 'active';
        loan.versions += 1;
        loan.owner.notices += 1;
        if (channel === 'wallet') loan.releasedCentavos = loan.amountCentavos;
        model.audited.loan_disbursed += 1;
      },
    };
  };
}

export const cancel: fc.Arbitrary<Deed> = fc
  .record({ which: recent, key: someKey })
  .map(({ which, key }) => ({
    words: keyed(`cancel the disbursement of loan ${which} from the last`, key),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = requireLoan(model, which);
      const body = { reason: 'The borrower changed their mind' };
      const request: Request = {
        row: api.cancelDisbursement,
        by: 'staff',
        params: { id: loan.id },
        body,
        key,
      };
      return {
        request,
        judge: () => {
          const { account, owner } = loan;
          if (loan.isDeleted) return refused(404, 'not_found');
          if (!account || !isOut(loan)) return refused(409, 'not_disbursed');
          const life = lifeOf(account);
          const released = life.find(({ kind }) => kind === 'disbursement');
          if (released?.kind !== 'disbursement' || released.channel !== 'wallet')
            return refused(409, 'not_in_wallet');
          if (livingOf(life).some(({ kind }) => kind === 'receipt')) return refused(409, 'has_payments');
          if (model.payments.some((payment) => payment.loan === loan && payment.status === 'submitted'))
            return refused(409, 'payment_waiting');
          if (account.stored.account.refundToReturn > 0n) return refused(409, 'refund_to_return');
          if (owner.balanceCentavos < loan.amountCentavos) return refused(409, 'already_withdrawn');
          return {
            status: 201,
            reply: { account: { state: 'cancelled', principalLeft: '0.00' } },
            happened: () => {
              happen(loan, { kind: 'cancellation', date: dayOf(model.nowMs) }, model.nowMs);
              loan.releasedCentavos = null;
              owner.notices += 1;
              model.audited.disbursement_cancelled += 1;
            },
          };
        },
      };
    },
  }));

/** Amounts by name; what settles is asked of the days lived through. */
const amounts: Record<string, (loan: Loan, today: ManilaDate) => number | string> = {
  'an instalment': (loan) => pesos(instalmentCentavos(loan)),
  'two and a half': (loan) => pesos(Math.floor(instalmentCentavos(loan) * 2.5)),
  'a little': () => '777.77',
  'what settles it': (loan, today) => pesos(settlementOf(loan, today)),
  'a centavo less than settles it': (loan, today) => pesos(Math.max(1, settlementOf(loan, today) - 1)),
  'more than settles it': (loan, today) => pesos(settlementOf(loan, today) + 50_001),
  everything: (loan) => pesos(instalmentCentavos(loan) * loan.termMonths + 100_00),
  nothing: () => 0,
  'less than nothing': () => -5,
  'more than there is money': () => '1000000000000.01',
  'half a centavo': () => '5.005',
};
const wrongAmounts = ['nothing', 'less than nothing', 'more than there is money', 'half a centavo'];

const settlementOf = ({ account }: Loan, today: ManilaDate): number =>
  account ? Number(livedThrough(account, today).settlement?.amount ?? 1_000_00) || 1 : 1_000_00;

export const receive: fc.Arbitrary<Deed> = fc
  .record({
    which: recent,
    amount: fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom(...Object.keys(amounts).filter((name) => !wrongAmounts.includes(name))),
      },
      { weight: 1, arbitrary: fc.constantFrom(...wrongAmounts) },
    ),
    channel: fc.constantFrom<PaymentChannel>('cash', 'cash', 'cash', 'wallet', 'gcash', 'cheque'),
    daysAgo: fc.constantFrom(0, 0, 0, 0, 3, 40, 100, -1),
    reference: fc.option(fc.constantFrom('R 0001', 'r-0001', 'R 0002', 'R 0003', 'R 0004'), { freq: 6 }),
    isSettlement: fc.boolean(),
    hasReason: fc.constantFrom(true, true, true, false),
    key: someKey,
  })
  .map(({ which, amount, channel, daysAgo, reference, isSettlement, hasReason, key }) => ({
    words: keyed(
      `pay ${amount} by ${channel}${reference ? ` (${reference})` : ''} ${daysAgo} days ago${isSettlement ? ' to settle' : ''} on loan ${which} from the last${hasReason ? '' : ' without a reason'}`,
      key,
    ),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = requireLoan(model, which);
      const body = {
        amount: amounts[amount]?.(loan, dayOf(model.nowMs)) ?? 1,
        channel,
        ...(daysAgo !== 0 && { valueDate: dayOf(model.nowMs, daysAgo) }),
        ...(reference !== null && { reference }),
        ...(isSettlement && { settlement: true }),
        ...(hasReason && { reason: 'Asked for at the counter' }),
      };
      const request: Request = { row: api.recordPayment, by: 'staff', params: { id: loan.id }, body, key };
      return { request, judge: judgePayment(loan, body, wrongAmounts.includes(amount)) };
    },
  }));

type PaymentBody = {
  amount: number | string;
  channel: PaymentChannel;
  valueDate?: ManilaDate;
  reference?: string;
  settlement?: boolean;
  reason?: string;
};

function judgePayment(loan: Loan, body: PaymentBody, isWrong: boolean): Judge {
  return (model) => {
    const { channel, reference } = body;
    const isReferenceMissing = channel !== 'cash' && channel !== 'wallet' && reference === undefined;
    if (isWrong || isReferenceMissing) return malformed;
    const amountCentavos = centavosOf(String(body.amount));
    const today = dayOf(model.nowMs);
    const date = body.valueDate ?? today;
    if (loan.isDeleted) return refused(404, 'not_found');
    if (channel === 'wallet' && !body.reason) return invalid;
    const unfit = whyNotPayable(loan, date, today);
    if (unfit) return unfit;
    if (doublesOf(model, body).some(counts)) return refused(409, 'payment_known');
    const isBooked = channel === 'cash' || channel === 'wallet';
    if (channel === 'wallet' && loan.owner.balanceCentavos < amountCentavos)
      return refused(409, 'insufficient_funds');
    const serial = isBooked ? nextSerial(model) : null;
    return {
      status: 201,
      reply: {
        loanId: loan.id,
        amount: pesos(amountCentavos),
        status: isBooked ? 'confirmed' : 'submitted',
        receiptNumber: serial === null ? null : receiptNumber(model, serial),
      },
      happened: ({ id }) => {
        const payment = submitted({
          id: Number(id),
          loan,
          amountCentavos,
          channel,
          reference,
          date,
          isSettlement: body.settlement ?? false,
          isOwn: false,
        });
        model.payments.push(payment);
        model.audited.payment_recorded += 1;
        if (isBooked) book(model, payment);
      },
    };
  };
}

/** Live payments of the same channel and reference. */
const doublesOf = (model: Model, { id, channel, reference }: Partial<Payment>) =>
  model.payments.filter(
    (other) =>
      other.id !== id &&
      other.channel === channel &&
      (other.status === 'submitted' || other.status === 'confirmed') &&
      reference !== undefined &&
      other.reference !== undefined &&
      keyOf(other.reference) === keyOf(reference),
  );

/** A payment that a borrower only reports keeps no other one out. */
const counts = ({ status, isOwn }: Payment) => status === 'confirmed' || !isOwn;

const keyOf = (reference: string) => reference.toUpperCase().replaceAll(/[ -]/g, '');

/** Why nothing can be paid on a loan on a day. */
function whyNotPayable(loan: Loan, date: ManilaDate, today: ManilaDate): Verdict | undefined {
  if (loan.isDeleted) return refused(404, 'not_found');
  if (date > today || (loan.account && date < loan.account.terms.startDate)) return invalid;
  return isOut(loan) ? undefined : refused(409, 'not_disbursed');
}

const nextSerial = ({ receipts, nowMs }: Model) => (receipts.get(manilaYear(nowMs)) ?? 0) + 1;
const receiptNumber = ({ nowMs }: Model, serial: number) =>
  `AR-${manilaYear(nowMs)}-${String(serial).padStart(6, '0')}`;

function book(model: Model, payment: Payment): void {
  const { loan, date, channel, isSettlement } = payment;
  const amountCentavos: Centavos = centavos(payment.amountCentavos);
  payment.ofEvent = happen(
    loan,
    {
      kind: 'receipt',
      date,
      channel,
      amountCentavos,
      ...(isSettlement && { settlement: true }),
    },
    model.nowMs,
    payment.isOwn ? loan.owner.id : staffId,
  ).sequence;
  payment.status = 'confirmed';
  payment.bookedAtMs = model.nowMs;
  payment.serial = nextSerial(model);
  model.receipts.set(manilaYear(model.nowMs), payment.serial);
  loan.owner.notices += 1;
  model.audited.payment_confirmed += 1;
}

export const decidePayment: fc.Arbitrary<Deed> = fc
  .record({
    which: fc.nat(4),
    to: fc.constantFrom('confirmed', 'confirmed', 'rejected', 'reversed', 'reversed'),
    hasReason: fc.constantFrom(true, true, true, false),
    key: someKey,
  })
  .map(({ which, to, hasReason, key }) => ({
    words: keyed(`have payment ${which} from the last ${to}${hasReason ? '' : ' without a reason'}`, key),
    can: (model) => paymentOf(model, which) !== undefined,
    ask: (model) => {
      const payment = paymentOf(model, which);
      if (!payment) throw new Error('no payment yet');
      const body = { status: to, ...(hasReason && { reason: 'As the statement says' }) };
      const request: Request = { row: api.updatePayment, by: 'staff', params: { id: payment.id }, body, key };
      return { request, judge: judgePaymentUpdate(payment, to, hasReason) };
    },
  }));

function judgePaymentUpdate(payment: Payment, to: Payment['status'], hasReason: boolean): Judge {
  return (model) => {
    const { loan, status, date } = payment;
    const today = dayOf(model.nowMs);
    const reply = { id: payment.id, status: to };
    if (loan.isDeleted) return refused(404, 'not_found');
    if (to === 'reversed') {
      if (!hasReason) return invalid;
      if (status === 'reversed') return refused(409, 'already_reversed');
      if (status !== 'confirmed') return refused(409, 'payment_final');
      const happened = () => {
        happen(loan, { kind: 'reversal', date: today, reverses: payment.ofEvent ?? 0 }, model.nowMs);
        payment.status = 'reversed';
        loan.owner.notices += 1;
        model.audited.payment_reversed += 1;
      };
      return { status: 200, reply, happened };
    }
    if (status !== 'submitted') return refused(409, 'payment_final');
    if (to === 'rejected') {
      if (!hasReason) return invalid;
      const happened = () => {
        payment.status = 'rejected';
        loan.owner.notices += 1;
        model.audited.payment_rejected += 1;
      };
      return { status: 200, reply, happened };
    }
    const unfit = whyNotPayable(loan, date, today);
    if (unfit) return unfit;
    if (doublesOf(model, payment).some(counts)) return refused(409, 'payment_known');
    if (payment.channel === 'wallet' && loan.owner.balanceCentavos < payment.amountCentavos)
      return refused(409, 'insufficient_funds');
    const receipt = receiptNumber(model, nextSerial(model));
    return { status: 200, reply: { ...reply, receiptNumber: receipt }, happened: () => book(model, payment) };
  };
}

export const payOwn: fc.Arbitrary<Deed> = fc
  .record({
    which: recent,
    amount: fc.constantFrom(
      'a little',
      'a little',
      'an instalment',
      'what settles it',
      'everything',
      'half a centavo',
    ),
    channel: fc.constantFrom<PaymentChannel>('wallet', 'wallet', 'gcash', 'cheque'),
    daysAgo: fc.constantFrom(0, 0, 0, 3, 40, -1),
    reference: fc.constantFrom('R 0001', 'r-0002', 'R 0003', 'R 0004', undefined),
    settlement: fc.boolean(),
    key: someKey,
  })
  .map(({ which, amount, channel, daysAgo, key, ...rest }) => ({
    words: keyed(
      `as the borrower pay ${amount} by ${channel}${rest.reference ? ` (${rest.reference})` : ''} ${daysAgo} days ago${rest.settlement ? ' to settle' : ''} on loan ${which} from the last`,
      key,
    ),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = requireLoan(model, which);
      const paidOn = dayOf(model.nowMs, daysAgo);
      const body = { amount: amounts[amount]?.(loan, dayOf(model.nowMs)) ?? 1, channel, paidOn, ...rest };
      const request: Request = { row: api.payOwnLoan, by: loan.owner, params: { id: loan.id }, body, key };
      return { request, judge: judgeOwnPayment(loan, body, wrongAmounts.includes(amount)) };
    },
  }));

type OwnPaymentBody = PaymentBody & { paidOn: ManilaDate; reference: string | undefined };

function judgeOwnPayment(loan: Loan, body: OwnPaymentBody, isWrong: boolean): Judge {
  return (model) => {
    const { channel, settlement = false } = body;
    const { owner, account } = loan;
    const isFromWallet = channel === 'wallet';
    if (isWrong || (!isFromWallet && body.reference === undefined)) return malformed;
    if (loan.isDeleted) return refused(404, 'not_found');
    const today = dayOf(model.nowMs);
    const date = isFromWallet ? today : body.paidOn;
    const reference = isFromWallet ? undefined : body.reference;
    if (!account || !isOut(loan)) return refused(409, 'not_disbursed');
    if (['settled', 'completed'].includes(account.stored.account.state)) return refused(409, 'loan_closed');
    const unfit = whyNotPayable(loan, date, today);
    if (unfit) return unfit;
    const waiting = model.payments.filter((other) => other.loan === loan && other.status === 'submitted');
    if (waiting.filter(({ isOwn }) => isOwn).length >= 5)
      return { ...refused(429, 'too_many_payments'), isMalformed: true };
    if (doublesOf(model, { channel, reference }).some((other) => other.loan === loan))
      return refused(409, 'payment_known');
    const amountCentavos = centavosOf(String(body.amount));
    if (isFromWallet && owner.balanceCentavos < amountCentavos) return refused(409, 'insufficient_funds');
    const left = livedThrough(account, today).account;
    const leftCentavos = left.principalLeft + left.interestLeft + left.lateChargesOwed + left.refundToReturn;
    if (isFromWallet && amountCentavos > leftCentavos) return invalid;
    const leaves = leftRaisedWallets(model) + amountCentavos;
    const isBooked = isFromWallet && (!isRaised(model, owner) || leaves <= 50_000_00);
    const serial = isBooked ? receiptNumber(model, nextSerial(model)) : null;
    return {
      status: 201,
      reply: { status: isBooked ? 'confirmed' : 'submitted', receiptNumber: serial },
      happened: ({ id }) => {
        const payment = submitted({
          id: Number(id),
          loan,
          amountCentavos,
          channel,
          reference,
          date,
          isSettlement: isFromWallet && settlement,
          isOwn: true,
        });
        model.payments.push(payment);
        model.audited.payment_recorded += 1;
        if (isBooked) book(model, payment);
      },
    };
  };
}

const isLately = ({ nowMs }: Model, atMs = 0) => nowMs - atMs <= 30 * 24 * hourMs;

const isRaised = (model: Model, { raisedAtMs }: Person) => raisedAtMs.some((atMs) => isLately(model, atMs));

/** Paid from the wallets that the one employee raised by hand, and withdrawn from them. */
function leftRaisedWallets(model: Model): number {
  const paid = model.payments.filter(
    ({ channel, status, bookedAtMs, loan }) =>
      channel === 'wallet' &&
      status === 'confirmed' &&
      isLately(model, bookedAtMs) &&
      isRaised(model, loan.owner),
  );
  const sent = model.withdrawals.filter(
    ({ status, completedAtMs, owner }) =>
      status === 'completed' && isLately(model, completedAtMs) && isRaised(model, owner),
  );
  return [...paid, ...sent].reduce((sum, { amountCentavos }) => sum + amountCentavos, 0);
}

const ownPaymentOf = ({ payments, ...model }: Model, which: number) =>
  paymentOf({ ...model, payments: payments.filter(({ isOwn }) => isOwn) }, which);

export const withdrawOwn: fc.Arbitrary<Deed> = fc.constantFrom(0, 0, 0, 1, 2).map((which) => ({
  words: `take back own payment ${which} from the last`,
  can: (model) => ownPaymentOf(model, which) !== undefined,
  ask: (model) => {
    const payment = ownPaymentOf(model, which);
    if (!payment) throw new Error('no payment yet');
    const { loan } = payment;
    const params = { id: loan.id, paymentId: payment.id };
    const judge = (): Verdict => {
      if (loan.isDeleted) return refused(404, 'not_found');
      if (payment.status !== 'submitted') return refused(409, 'payment_final');
      const happened = () => {
        payment.status = 'withdrawn';
        model.audited.payment_withdrawn += 1;
      };
      return { status: 200, happened };
    };
    return { request: { row: api.withdrawOwnPayment, by: loan.owner, params }, judge };
  },
}));

export const service: fc.Arbitrary<Deed> = fc
  .record({
    which: recent,
    kind: fc.constantFrom(
      'waiver',
      'waiver',
      'deferral',
      'deferral',
      'write_off',
      'refund',
      'reversal',
      'reversal',
    ),
    share: fc.constantFrom('half', 'all', 'all and a centavo', 'none'),
    months: fc.constantFrom(1, 3, 6, 0, 7),
    reverses: fc.nat(9),
    key: someKey,
  })
  .map(({ which, kind, share, months, reverses, key }) => ({
    words: keyed(
      `${kind} of ${kind === 'deferral' ? `${months} months` : kind === 'reversal' ? `event ${reverses}` : share} on loan ${which} from the last`,
      key,
    ),
    can: (model) => loanOf(model, which) !== undefined,
    ask: (model) => {
      const loan = requireLoan(model, which);
      const owed = owedOf(loan, dayOf(model.nowMs), kind);
      const amountCentavos = { half: Math.ceil(owed / 2), all: owed, 'all and a centavo': owed + 1, none: 0 }[
        share
      ];
      const body = {
        kind,
        reason: 'As agreed with the borrower',
        ...((kind === 'waiver' || kind === 'refund') && { amount: pesos(amountCentavos) }),
        ...(kind === 'deferral' && { months }),
        ...(kind === 'reversal' && { reverses }),
      };
      const request: Request = { row: api.actOnLoan, by: 'staff', params: { id: loan.id }, body, key };
      return { request, judge: judgeAction(loan, { kind, amountCentavos, months, reverses }) };
    },
  }));

/** Returns the most that a waiver may take away, or a refund give back. */
function owedOf({ account }: Loan, today: ManilaDate, kind: string): number {
  if (!account) return 100_00;
  const position = livedThrough(account, today).account;
  return Number(kind === 'refund' ? position.credit : position.lateChargesOwed);
}

type Action = { kind: string; amountCentavos: number; months: number; reverses: number };

function judgeAction(loan: Loan, { kind, amountCentavos, months, reverses }: Action): Judge {
  return (model) => {
    if ((kind === 'waiver' || kind === 'refund') && amountCentavos === 0) return malformed;
    if (kind === 'deferral' && (months < 1 || months > 6)) return malformed;
    if (loan.isDeleted) return refused(404, 'not_found');
    const { account } = loan;
    if (!account || !isOut(loan)) return refused(409, 'not_disbursed');
    const today = dayOf(model.nowMs);
    const amount = centavos(amountCentavos);
    const done = (draft: Draft): Verdict => ({
      status: 201,
      reply: { loanId: loan.id },
      happened: () => {
        happen(loan, draft, model.nowMs);
        loan.owner.notices += 1;
        model.audited.loan_serviced += 1;
      },
    });
    if (kind === 'reversal') {
      const taken = account.events.find(({ sequence }) => sequence === reverses);
      if (!taken || !['waiver', 'deferral', 'write_off'].includes(taken.kind)) return invalid;
      const isTaken = account.events.some(
        (event) => event.kind === 'reversal' && event.reverses === reverses,
      );
      return isTaken ? refused(409, 'already_reversed') : done({ kind, date: today, reverses });
    }
    if (kind === 'refund') {
      if (amountCentavos > owedOf(loan, today, kind)) return invalid;
      return done({ kind, date: today, amountCentavos: amount, auto: false });
    }
    if (kind === 'waiver') {
      if (amountCentavos > owedOf(loan, today, kind)) return invalid;
      return done({ kind, date: today, amountCentavos: amount });
    }
    const position = livedThrough(account, today);
    if (['settled', 'completed'].includes(position.account.state)) return refused(409, 'loan_closed');
    const living = livingOf(lifeOf(account));
    if (kind === 'deferral' && living.some((event) => event.kind === 'write_off'))
      return refused(409, 'loan_closed');
    if (kind === 'write_off') {
      if (living.some((event) => event.kind === 'write_off')) return refused(409, 'loan_closed');
      return done({ kind, date: today });
    }
    const deferrals = living.filter((event) => event.kind === 'deferral');
    const further = { kind: 'deferral', date: today, months } as const;
    const moved = withEvent(account, further).stored.instalments.find(({ left }) => left > 0n);
    if (deferrals.length >= 2 || !moved || moved.dueDate < today)
      return refused(409, 'deferral_not_possible');
    return done(further);
  };
}

function requireLoan(model: Model, which: number): Loan {
  const loan = loanOf(model, which);
  if (!loan) throw new Error('no loan yet');
  return loan;
}
