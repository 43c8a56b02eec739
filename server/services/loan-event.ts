import { centavos } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import type { LoanEvent } from '#domain/servicing.ts';
import type { NewLoanEvent } from '#server/store/loan-event-store.ts';
import { aloneMark } from './audit-service.ts';

/** An event before it is recorded. */
export type EventDraft = Omit<NewLoanEvent, keyof Author | 'createdAt'>;

/** The recorder of an event. `isAlone`: it takes two people, and nobody else may be the second. */
export type Author = { actorId: number; approverId?: number; isAlone: boolean };

/** Returns the log's marks of who agreed: the second person is its actor. */
export const marksOf = ({ approverId, actorId, isAlone }: Author) => ({
  ...(approverId !== undefined && { askedBy: actorId }),
  ...(isAlone && aloneMark),
});

/** Returns an event as the domain folds it. */
export function eventOf(columns: EventDraft & { sequence: number }): LoanEvent {
  const { sequence, kind, valueDate: date } = columns;
  const amountCentavos = centavos(columns.amountCentavos ?? 0);
  switch (kind) {
    case 'disbursement':
      return { sequence, date, kind, channel: columns.channel as 'wallet' | 'direct' | 'recorded' };
    case 'receipt':
      return {
        sequence,
        date,
        kind,
        amountCentavos,
        channel: columns.channel as PaymentChannel,
        ...(columns.isSettlement && { settlement: true }),
      };
    case 'reversal':
      return { sequence, date, kind, reverses: columns.undoes ?? 0 };
    case 'waiver':
      return { sequence, date, kind, amountCentavos };
    case 'deferral':
      return { sequence, date, kind, months: columns.months ?? 0 };
    case 'refund':
      return { sequence, date, kind, amountCentavos, auto: columns.isAuto ?? false };
    case 'cancellation':
    case 'write_off':
      return { sequence, date, kind };
  }
}
