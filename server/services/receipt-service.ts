import type { NoticeDetails } from '#contract/wording/notices.ts';
import { formatManilaDate, manilaYear } from '#domain/calendar.ts';
import { type Centavos, formatPeso, pesosText } from '#domain/money.ts';
import { recordNumber } from '#domain/record-number.ts';
import type { Deferred, Deps } from '#server/deps.ts';
import { Replayed } from '#server/idempotency.ts';
import { minuteMs, repeating } from '#server/platform/clock.ts';
import { onCommit, type Tx } from '#server/platform/database/database.ts';
import { findPayment, isByBorrower, type Payment } from '#server/store/payment-store.ts';
import {
  becomeNumberer,
  insertUnnumbered,
  numberPayments,
  readStillWaiting,
  readUnnumbered,
  readWaitingReceipts,
  tryBecomeNumberer,
  untilNumbererEnds,
} from '#server/store/receipt-store.ts';
import { aloneMark, audit } from './audit-service.ts';
import { type Author, marksOf } from './loan-event.ts';
import { tellBorrower } from './notice-service.ts';
import { receiptNumberOf, type viewPayment } from './payment-view.ts';
import type { LoanWork } from './serviced-loan.ts';

/** How many receipts one transaction numbers. */
const atOnce = 200;

type Waiting = { author: Author; credit: Centavos; returned: Centavos };

/**
 * Has the receipt of a confirmed payment wait for its number (§receipt-numbers). It commits without one, and who asked for the
 * transaction waits after the commit, while one transaction numbers everything that waits.
 */
export function awaitNumber(work: LoanWork, payment: Payment, { author, credit, returned }: Waiting): void {
  const { deps, tx, actor, isAlone } = work;
  insertUnnumbered(tx, {
    paymentId: payment.id,
    year: manilaYear(payment.updatedAt),
    creditCentavos: credit,
    returnedCentavos: returned,
    ipAddress: actor.address,
    marks: { ...marksOf(author), ...(isAlone && aloneMark) },
  });
  // Where it fails, the request tries again when it answers, or another process does.
  onCommit(tx, () => untilNumbered(deps, payment.id).catch(() => undefined));
}

/** Resolves when the receipt of this payment, which is committed, has a number. */
function untilNumbered(deps: Deps, paymentId: number): Promise<void> {
  const { waiting } = deps.numbering;
  const known = waiting.get(paymentId);
  if (known) return known.promise;
  const deferred: Deferred = { promise: Promise.resolve(), resolve: () => {}, reject: () => {} };
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  waiting.set(paymentId, deferred);
  void numberUntilNobodyWaits(deps);
  return deferred.promise;
}

/** One round after the other: all that come meanwhile share the next one. */
async function numberUntilNobodyWaits(deps: Deps): Promise<void> {
  const { numbering } = deps;
  if (numbering.isRunning) return;
  numbering.isRunning = true;
  try {
    while (numbering.waiting.size > 0) await numberOnce(deps);
  } catch (err) {
    deps.log.warn({ err }, 'receipts wait for their numbers');
    for (const { reject } of numbering.waiting.values()) reject(err);
    numbering.waiting.clear();
  } finally {
    numbering.isRunning = false;
  }
}

/**
 * Numbers all that waits, of all processes. While another process does, waits for it: it has often numbered what waits here, and
 * what came too late for it is for the next round of anybody.
 */
async function numberOnce(deps: Deps): Promise<void> {
  const { database, numbering } = deps;
  const here = [...numbering.waiting.keys()];
  const release = (ids: readonly number[]) => {
    for (const id of ids) {
      numbering.waiting.get(id)?.resolve();
      numbering.waiting.delete(id);
    }
  };
  const others = (left: readonly { paymentId: number }[]) =>
    here.filter((id) => !left.some(({ paymentId }) => paymentId === id));
  const given = await database.transaction(async (tx) => {
    if (!(await tryBecomeNumberer(tx))) return undefined;
    const rows = await readUnnumbered(tx, atOnce);
    // Another process has numbered and committed them.
    if (rows.length < atOnce) release(others(rows.map(({ waiting }) => waiting)));
    return assignNumbers({ deps, tx }, rows);
  });
  if (given) return release(given);
  await database.read(untilNumbererEnds);
  release(others(await database.read((reader) => readStillWaiting(reader, here))));
}

/** Numbers what waits, in a transaction that does more. */
export async function numberReceiptsIn({ deps, tx }: Work): Promise<void> {
  await becomeNumberer(tx);
  while ((await assignNumbers({ deps, tx }, await readUnnumbered(tx, atOnce))).length === atOnce);
}

type Work = { deps: Deps; tx: Tx };

/**
 * Gives receipts their numbers, logs the confirmations and tells the borrowers in the same transaction, since log and message
 * name the number. Returns the payments.
 */
async function assignNumbers({ deps, tx }: Work, rows: readonly Row[]): Promise<number[]> {
  if (rows.length === 0) return [];
  const last = new Map(rows.map(({ waiting, lastSerial }) => [waiting.year, lastSerial]));
  const withSerial = rows.map((row) => {
    const { year, paymentId } = row.waiting;
    const serial = (last.get(year) ?? 0) + 1;
    last.set(year, serial);
    return { ...row, paymentId, year, serial };
  });
  numberPayments(tx, withSerial);
  const receiptOf = ({ year, serial }: { year: number; serial: number }) => recordNumber('AR', year, serial);
  for (const { payment, waiting, ...serial } of withSerial) {
    const { id: paymentId, loanId, amountCentavos, sentCentavos, channel, valueDate } = payment;
    const actor = { id: payment.confirmedBy, address: waiting.ipAddress };
    await audit(
      { deps, tx, actor },
      'payment_confirmed',
      { loan: loanId },
      {
        before: sentCentavos === null ? undefined : { amount: pesosText(sentCentavos) },
        after: {
          paymentId,
          receipt: receiptOf(serial),
          amount: pesosText(amountCentavos),
          channel,
          valueDate,
          ...waiting.marks,
        },
      },
    );
  }
  const tell = async (row: (typeof withSerial)[number]) => {
    const details = detailsOf(row, receiptOf(row));
    await tellBorrower({ deps, tx }, row.payment.accountId, 'payment_received', details);
  };
  await Promise.all(withSerial.map(tell));
  return withSerial.map(({ paymentId }) => paymentId);
}

type Row = Awaited<ReturnType<typeof readUnnumbered>>[number];

function detailsOf(
  { payment, waiting, loanNumber }: Row,
  receipt: string,
): NoticeDetails<'payment_received'>[0] {
  const { amountCentavos, sentCentavos, valueDate, note, channel, reason } = payment;
  const { returnedCentavos, creditCentavos } = waiting;
  return {
    loanNumber,
    amount: formatPeso(amountCentavos),
    date: formatManilaDate(valueDate),
    receipt,
    ...(sentCentavos !== null && { sent: formatPeso(sentCentavos) }),
    ...(note && { note }),
    ...(returnedCentavos > 0 && { returned: formatPeso(returnedCentavos) }),
    ...(creditCentavos > 0 && { credit: formatPeso(creditCentavos) }),
    ...(channel === 'wallet' && !isByBorrower(payment) && { reason }),
  };
}

/** Numbers what waits because a server died between a payment and its number: now, and every minute. */
export const startNumbering = (deps: Deps): (() => Promise<void>) =>
  repeating(minuteMs, async () => {
    try {
      const left = await deps.database.read((reader) => readWaitingReceipts(reader, atOnce));
      await Promise.all(left.map(({ paymentId }) => untilNumbered(deps, paymentId)));
    } catch (err) {
      deps.log.warn({ err }, 'receipts wait for their numbers');
    }
  });

/**
 * Puts the number into the answer to a payment: the transaction that wrote the answer did not have it yet. One that is repeated
 * gets it too, even if the server died before there was a number.
 */
export async function withReceiptNumber<Answer extends object>(
  deps: Deps,
  answer: Answer | Replayed,
): Promise<Answer | Replayed> {
  return answer instanceof Replayed
    ? new Replayed(answer.status, await addReceiptNumber(deps, answer.reply as object))
    : addReceiptNumber(deps, answer);
}

async function addReceiptNumber<Answer extends object>(deps: Deps, answer: Answer): Promise<Answer> {
  const { id, status, receiptNumber } = answer as Partial<ReturnType<typeof viewPayment>>;
  if (id === undefined || status !== 'confirmed' || receiptNumber !== null) return answer;
  const find = () => deps.database.read((reader) => findPayment(reader, id));
  let payment = await find();
  if (payment?.receiptSerial === null) {
    await untilNumbered(deps, id);
    payment = await find();
  }
  return { ...answer, receiptNumber: payment ? receiptNumberOf(payment) : null };
}
