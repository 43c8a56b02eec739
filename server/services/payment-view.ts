import type * as z from 'zod/mini';
import type { PaymentsQuery } from '#contract/servicing.ts';
import type { PaymentStatus } from '#domain/payment.ts';
import { recordNumber } from '#domain/record-number.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { type ListPage, readNamesOf } from '#server/store/account-store.ts';
import { type Payment, readDoubles, readPaymentPage, readSameCash } from '#server/store/payment-store.ts';
import { fileUrl } from './account-view.ts';
import { pagesOf } from './staff-list-service.ts';

/** Finds what other payments tell the person who confirms one: the same reference, or perhaps the same cash. */
export async function readPossibleDoubles(reader: Reader, payments: readonly Payment[]) {
  const doublesOf = await readDoubles(reader, payments);
  const sameCashOf = await readSameCash(reader, payments);
  return (payment: Payment) => {
    const same = sameCashOf(payment).map((other) => ({
      receiptNumber: receiptNumberOf(other),
      valueDate: other.valueDate,
    }));
    return { doubleOn: doublesOf(payment), ...(same.length > 0 && { sameCash: same }) };
  };
}

/** Everybody's payments, newest first, page by page: inputs of `PaymentReply`. */
export function listPayments(deps: Deps, query: z.output<typeof PaymentsQuery>) {
  const { from, to, receivedOn, receivedIn, recoveredIn, by } = query;
  const days = { from, to, receivedOn, receivedIn, recoveredIn };
  const channel = query.channel === 'all' ? undefined : query.channel;
  const read = async (reader: Reader, page: ListPage<PaymentStatus>) => {
    const rows = await readPaymentPage(reader, { ...page, ...days, channel, by });
    const payments = rows.map(({ payment }) => payment);
    const people = payments.flatMap(({ recordedBy, confirmedBy }) => [recordedBy, confirmedBy]);
    const nameOf = await readNamesOf(reader, people);
    const doublesOf = await readPossibleDoubles(reader, payments);
    return rows.map(({ payment, loanNumber, member }) => ({
      ...viewPayment(payment),
      loanNumber,
      user: member,
      recordedByName: nameOf(payment.recordedBy),
      confirmedByName: payment.confirmedBy === null ? null : nameOf(payment.confirmedBy),
      ...doublesOf(payment),
    }));
  };
  return pagesOf(deps, query, read, ({ id }) => id);
}

export function viewPayment(payment: Payment) {
  return {
    ...payment,
    amount: payment.amountCentavos,
    sentAmount: payment.sentCentavos,
    settlement: payment.isSettlement,
    proofUrl: fileUrl(payment.proofFileId),
    receiptNumber: receiptNumberOf(payment),
  };
}

export function receiptNumberOf({ receiptYear, receiptSerial }: Payment): string | null {
  return receiptYear === null || receiptSerial === null
    ? null
    : recordNumber('AR', receiptYear, receiptSerial);
}
