import type { ServicingTerms } from './amortisation.ts';
import type { ManilaDate } from './calendar.ts';
import { type Centavos, centavos } from './money.ts';
import {
  foldStepByStep,
  isInPortfolio,
  type LoanEvent,
  oldestUnpaid,
  shareOfPortfolio,
} from './servicing.ts';

/** These change a loan's share of the principal that is out; `other` changes only whether the loan counts. */
export const movementKinds = ['released', 'cancelled', 'received', 'written_off', 'other'] as const;

export type MovementKind = (typeof movementKinds)[number];

/** A loan's share of the portfolio after an event that counts, and what the event changed in it (§month). */
export type LoanMovement = {
  number: number;
  date: ManilaDate;
  /** The day of the next one; null for the last. */
  until: ManilaDate | null;
  kind: MovementKind;
  /** These are changes: of the principal, and of the number of loans. */
  principal: Centavos;
  loans: number;
  principalLeft: Centavos;
  /** The due date of the oldest instalment that is not paid; null where no principal is left. */
  oldestDueOn: ManilaDate | null;
  /** The whole receipt. */
  received: Centavos;
};

const NOTHING = centavos(0);

const kindOf = (event: LoanEvent): MovementKind => {
  switch (event.kind) {
    case 'disbursement':
      return 'released';
    case 'cancellation':
      return 'cancelled';
    case 'receipt':
      return 'received';
    case 'write_off':
      return 'written_off';
    default:
      return 'other';
  }
};

/**
 * The movements of a loan over the events that count now, in the order of the fold. Their sums up to a day are the loan's
 * part in the portfolio of that day, so what a month begins with, what moved in it and what it ends with always agree.
 */
export function movementsOf(terms: ServicingTerms, events: readonly LoanEvent[]): LoanMovement[] {
  const movements: LoanMovement[] = [];
  let before = { principalLeft: NOTHING, loans: 0 };
  const note = (
    date: ManilaDate,
    kind: MovementKind,
    after: Pick<LoanMovement, 'loans' | 'principalLeft'> & Partial<LoanMovement>,
  ) => {
    const last = movements.at(-1);
    if (last) last.until = date;
    movements.push({
      oldestDueOn: null,
      received: NOTHING,
      ...after,
      number: movements.length + 1,
      date,
      until: null,
      kind,
      principal: centavos(after.principalLeft - before.principalLeft),
      loans: after.loans - before.loans,
    });
    before = { principalLeft: after.principalLeft, loans: after.loans };
  };
  for (const { event, fold, nextDate } of foldStepByStep(terms, events)) {
    const principalLeft = shareOfPortfolio(fold);
    const receipt = event.kind === 'receipt' ? fold.receipts.at(-1) : undefined;
    note(event.date, kindOf(event), {
      principalLeft,
      loans: Number(isInPortfolio(fold, event.date)),
      oldestDueOn: (principalLeft > 0 && oldestUnpaid(fold)?.dueDate) || null,
      ...(receipt && { received: receipt.amount }),
    });
    // An instalment without principal makes the loan count again on the day when it is due.
    const dueOn = principalLeft === 0 && before.loans === 0 ? oldestUnpaid(fold)?.dueDate : undefined;
    if (dueOn && dueOn > event.date && dueOn <= (nextDate ?? dueOn) && isInPortfolio(fold, dueOn)) {
      note(dueOn, 'other', { principalLeft, loans: 1 });
    }
  }
  return movements;
}
