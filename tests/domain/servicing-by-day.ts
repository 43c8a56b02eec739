import type { ServicingTerms } from '#domain/amortisation.ts';
import type { LoanEvent } from '#domain/servicing.ts';

/**
 * Where a loan stands, by another road than the product's: every day is lived through, late charges grow day by day, and
 * nothing of the product is called. Slow and plain on purpose.
 */
export const positionByDay = (terms: ServicingTerms, all: readonly LoanEvent[], asOf: string) =>
  liveThrough(terms, all, asOf).position;

/** The same with what the days before were like: since when it is closed, and what was refunded beyond the credit on each. */
export function liveThrough(terms: ServicingTerms, all: readonly LoanEvent[], asOf: string) {
  const n = terms.termMonths;
  const A = BigInt(terms.monthlyPaymentCentavos);
  const P = BigInt(terms.amountCentavos);
  const C = BigInt(n) * A - P;
  const i = { over: BigInt(terms.effectiveMonthlyRate.replace('.', '')), under: 100_000_000n };
  const start = dayNumber(terms.startDate);
  const agreed = (k: number) => later(start, k + 1);
  const lastDay = agreed(n);

  const balances = Array.from({ length: n + 1 }, (_, k) => {
    let value: Fraction = { over: 0n, under: 1n };
    for (let j = n; j > k; j -= 1) value = divide(plus(value, A), onePlus(i));
    return k === 0 ? P : halfUp(value);
  });
  balances[n] = 0n;
  for (let k = 1; k <= n; k += 1) balances[k] = least(balances[k], balances[k - 1]);
  const rows = balances.slice(1).map((balance, index) => {
    const principal = (balances[index] as bigint) - balance;
    return {
      k: index + 1,
      due: agreed(index + 1),
      principal,
      interest: A - principal,
      paid: 0n,
      left: A,
      isSettled: false,
      ranBefore: 0n,
      running: 0n,
      isStopped: false,
      wasWholeInGrace: false,
    };
  });
  type Row = (typeof rows)[number];

  const reversed = all.flatMap((event) => (event.kind === 'reversal' ? [event.reverses] : []));
  const live = all
    .filter(({ sequence }) => !reversed.includes(sequence))
    .sort((one, other) => one.sequence - other.sequence);

  let isOut = false;
  let cancelledOn: number | undefined;
  let settledOn: number | undefined;
  let rebate = 0n;
  let chargesPaid = 0n;
  let chargesWaived = 0n;
  let credited = 0n;
  let refunded = 0n;
  let deferred = 0;
  let writtenOff: bigint | undefined;
  let today = start;
  const receipts: {
    ofEvent: number;
    date: string;
    amount: bigint;
    interest: bigint;
    principal: bigint;
    lateCharges: bigint;
    credit: bigint;
    instalments: Record<string, bigint>;
    settles: boolean;
  }[] = [];

  function chargeOf(row: Row): bigint {
    const isBeyondGrace = today > row.due + terms.graceDays && !row.wasWholeInGrace;
    const parts = row.ranBefore + (isBeyondGrace ? row.running : 0n);
    const charge = { over: parts * BigInt(terms.lateChargeRate), under: 10_000n * DAY_PARTS };
    const cap = { over: A * BigInt(terms.lateChargeCap), under: 10_000n };
    return charge.over * cap.under > cap.over * charge.under ? halfUp(cap) : halfUp(charge);
  }
  const charges = () => total(rows.map(chargeOf));
  const owed = () => charges() - chargesPaid - chargesWaived;
  const principalPaidOf = (row: Row) => (row.paid > row.interest ? row.paid - row.interest : 0n);
  const principalLeft = () =>
    settledOn === undefined ? total(rows.map((row) => row.principal - principalPaidOf(row))) : 0n;
  const unpaid = () => rows.filter(({ left }) => left > 0n);
  const allLeft = () => total(rows.map(({ left }) => left));
  const toReturn = () => (refunded > credited ? refunded - credited : 0n);
  const isPaidUp = () => settledOn !== undefined || (allLeft() === 0n && owed() === 0n);
  const isOver = () => cancelledOn !== undefined || (isPaidUp() && toReturn() === 0n);
  const freeze = (row: Row) => {
    if (today > row.due + terms.graceDays && !row.wasWholeInGrace) row.ranBefore += row.running;
    row.running = 0n;
    row.isStopped = true;
  };

  function settlement() {
    if (!isOut || isOver()) return undefined;
    const monthly = Array.from({ length: n + 80 }, (_, month) => later(start, month));
    const next = monthly.findIndex((day) => day >= today);
    const daysLeft = (monthly[next] as number) - today;
    const monthDays = next === 0 ? 1 : (monthly[next] as number) - (monthly[next - 1] as number);
    let before: bigint;
    if (isPaidUp()) {
      before = 0n;
    } else if (today - start <= terms.coolingOffDays) {
      before = P - total(receipts.map(({ amount, credit }) => amount - credit));
    } else {
      let value: Fraction = { over: 0n, under: 1n };
      for (let month = n + 1; month >= next; month -= 1) {
        if (month >= 2 && (monthly[month] as number) > today) value = plus(value, A);
        if (month > next) value = divide(value, onePlus(i));
      }
      const simple = { over: i.over * BigInt(daysLeft), under: i.under * BigInt(monthDays) };
      before = halfUp(divide(value, onePlus(simple))) + owed();
      for (const row of rows) before += agreed(row.k) <= today ? row.left : -row.paid;
    }
    if (before < 0n) before = 0n;
    const noRebate = total(rows.map(({ paid }) => A - paid)) + owed();
    const m = BigInt(Math.max(0, n + 1 - next));
    const N = BigInt(n + 1);
    const daysToLast = BigInt(Math.max(0, lastDay - today));
    return {
      date: isoDay(today),
      amount: before + toReturn(),
      rebate: noRebate - before,
      comparison: {
        noRebate,
        ruleOf78: halfUp({ over: noRebate * N * (N + 1n) - C * m * (m + 1n), under: N * (N + 1n) }),
        proRataByDays: halfUp({
          over: noRebate * BigInt(lastDay - start) - C * daysToLast,
          under: BigInt(lastDay - start),
        }),
      },
    };
  }

  function receive(event: LoanEvent & { kind: 'receipt' }) {
    const amount = BigInt(event.amountCentavos);
    const receipt = {
      ofEvent: event.sequence,
      date: event.date as string,
      amount,
      interest: 0n,
      principal: 0n,
      lateCharges: 0n,
      credit: amount,
      instalments: {} as Record<string, bigint>,
      settles: false,
    };
    const ending = isPaidUp() ? undefined : settlement();
    const isMeant = event.settlement || unpaid().filter(({ due }) => due > today).length >= 2;
    if (ending && ending.amount <= amount && isMeant && ending.rebate > 0n) {
      const taken = ending.amount - toReturn();
      receipt.lateCharges = owed();
      receipt.principal = principalLeft();
      receipt.interest = taken - receipt.lateCharges - receipt.principal;
      receipt.credit = amount - taken;
      receipt.settles = true;
      for (const row of unpaid()) {
        freeze(row);
        row.left = 0n;
        row.isSettled = true;
      }
      settledOn = today;
      rebate = ending.rebate;
    } else if (ending) {
      // Centavo by centavo would be plainest; row by row, interest first and then principal, comes to the same.
      const payRow = (row: Row) => {
        for (const upTo of [row.interest, A]) {
          const part = least(receipt.credit, upTo - row.paid > 0n ? upTo - row.paid : 0n);
          if (part === 0n) continue;
          row.paid += part;
          row.left -= part;
          receipt.credit -= part;
          if (upTo === A) receipt.principal += part;
          else receipt.interest += part;
          receipt.instalments[row.k] = (receipt.instalments[row.k] ?? 0n) + part;
        }
      };
      for (const row of rows) if (row.due <= today) payRow(row);
      receipt.lateCharges = least(receipt.credit, owed());
      receipt.credit -= receipt.lateCharges;
      const givenBack = least(receipt.credit, toReturn());
      receipt.credit -= givenBack;
      for (const row of rows) if (row.due > today) payRow(row);
      receipt.credit += givenBack;
    }
    chargesPaid += receipt.lateCharges;
    credited += receipt.credit;
    receipts.push(receipt);
  }

  function happen(event: LoanEvent) {
    if (event.kind === 'disbursement') isOut = true;
    if (event.kind === 'cancellation') cancelledOn = today;
    if (event.kind === 'receipt') receive(event);
    if (event.kind === 'waiver') chargesWaived += least(BigInt(event.amountCentavos), owed());
    if (event.kind === 'refund') refunded += BigInt(event.amountCentavos);
    if (event.kind === 'write_off') {
      writtenOff = principalLeft();
      for (const row of unpaid()) freeze(row);
    }
    if (event.kind === 'deferral') {
      deferred += event.months;
      for (const row of unpaid()) {
        const wasStopped = row.isStopped;
        freeze(row);
        row.isStopped = wasStopped;
        row.due = later(start, row.k + 1 + deferred);
      }
    }
  }

  let closedSince: number | undefined;
  const toReturnByDay = new Map<string, bigint>();
  const end = dayNumber(asOf);
  for (today = start; today <= end; today += 1) {
    for (const row of rows) {
      if (today > row.due && !row.isStopped && cancelledOn === undefined) {
        row.running += row.left * (DAY_PARTS / BigInt(lengthOfMonthAt(row.due, today - 1)));
      }
    }
    for (const event of live) if (event.date === isoDay(today)) happen(event);
    for (const row of rows) {
      if (today === row.due + terms.graceDays && row.left === 0n) row.wasWholeInGrace = true;
    }
    closedSince = isOut && isOver() ? (closedSince ?? today) : undefined;
    toReturnByDay.set(isoDay(today), toReturn());
  }
  today = end;

  const isShown = isOut && cancelledOn === undefined;
  const asRowsWere = cancelledOn ?? today;
  const shown = <T>(figure: T, none: T) => (isShown ? figure : none);
  const due = total(unpaid().map((row) => (row.due <= today ? row.left : 0n)));
  const overdue = total(unpaid().map((row) => (row.due < today ? row.left : 0n)));
  const next = shown(
    unpaid().find((row) => row.due >= today),
    undefined,
  );
  const [oldest] = unpaid();
  const daysPastDue = shown(oldest && oldest.due < today ? today - oldest.due : 0, 0);
  let state = overdue > 0n ? 'overdue' : 'open';
  if (writtenOff !== undefined) state = 'written_off';
  if (isOver()) state = settledOn === undefined ? 'completed' : 'settled';
  if (cancelledOn !== undefined) state = 'cancelled';
  if (!isOut) state = 'not_disbursed';
  const ending = settlement();
  const position = {
    asOf,
    account: {
      state,
      principalLeft: shown(principalLeft(), 0n),
      interestLeft: shown(allLeft() - principalLeft(), 0n),
      due: shown(due, 0n),
      overdue: shown(overdue, 0n),
      lateChargesAccrued: shown(charges(), 0n),
      lateChargesPaid: shown(chargesPaid, 0n),
      lateChargesWaived: shown(chargesWaived, 0n),
      lateChargesOwed: shown(owed(), 0n),
      refundToReturn: shown(toReturn(), 0n),
      dueNow: shown(due + owed() + toReturn(), 0n),
      daysPastDue,
      bucket:
        daysPastDue > 90
          ? '91+'
          : daysPastDue > 60
            ? '61-90'
            : daysPastDue > 30
              ? '31-60'
              : daysPastDue > 0
                ? '1-30'
                : 'current',
      nextDueDate: next ? isoDay(next.due) : null,
      nextDueAmount: next?.left ?? 0n,
      credit: shown(credited > refunded ? credited - refunded : 0n, 0n),
      settledOn: settledOn === undefined ? null : isoDay(settledOn),
      rebate: shown(rebate, 0n),
      writeOffAmount: shown(writtenOff ?? 0n, 0n),
    },
    instalments: rows.map((row) => ({
      number: row.k,
      dueDate: isoDay(row.due),
      amount: A,
      interest: row.interest,
      principal: row.principal,
      paid: row.paid,
      left: row.left,
      lateCharge: chargeOf(row),
      status: row.isSettled
        ? 'settled'
        : row.left === 0n
          ? 'paid'
          : isOut && row.due < asRowsWere
            ? 'overdue'
            : row.paid > 0n
              ? 'partly_paid'
              : 'pending',
    })),
    receipts,
    ...(ending && { settlement: ending }),
  };
  return {
    position,
    closedSince: closedSince === undefined ? undefined : isoDay(closedSince),
    credit: credited - refunded,
    toReturnByDay,
  };
}

type Fraction = { over: bigint; under: bigint };

/** 28 × 29 × 30 × 31: whatever the length of a month, its days are whole numbers of it. */
const DAY_PARTS = 755_160n;

const onePlus = ({ over, under }: Fraction): Fraction => ({ over: over + under, under });
const plus = ({ over, under }: Fraction, whole: bigint): Fraction => ({ over: over + whole * under, under });
const divide = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under,
  under: one.under * other.over,
});
const total = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n);
const least = (...amounts: (bigint | undefined)[]) =>
  amounts.reduce<bigint>(
    (smallest, amount) => (amount !== undefined && amount < smallest ? amount : smallest),
    10n ** 30n,
  );

/** The nearest whole number, from a half on the next: the floor of the number and a half. */
function halfUp({ over, under }: Fraction): bigint {
  const [twice, unit] = [2n * over + under, 2n * under];
  const remainder = ((twice % unit) + unit) % unit;
  return (twice - remainder) / unit;
}

const dayNumber = (iso: string) => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;
const isoDay = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

/** So many months on; where that month has no such day, its last. */
function later(day: number, months: number): number {
  const from = new Date(day * 86_400_000);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const wanted = Date.UTC(year, month, from.getUTCDate());
  const last = Date.UTC(year, month + 1, 0);
  return Math.min(wanted, last) / 86_400_000;
}

/** How long the month is, counted from a due date, that a day lies in. */
function lengthOfMonthAt(due: number, day: number): number {
  let month = 0;
  while (later(due, month + 1) <= day) month += 1;
  return later(due, month + 1) - later(due, month);
}
