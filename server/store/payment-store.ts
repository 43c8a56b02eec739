import { and, desc, eq, exists, gte, inArray, lt, lte, ne, not, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { output } from 'zod/mini';
import type { PaymentsQuery } from '#contract/servicing.ts';
import { daysBetween, type ManilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { firstDayOf, lastDayOf, type ManilaMonth } from '#domain/month.ts';
import { livePaymentStatuses, type PaymentChannel, type PaymentStatus } from '#domain/payment.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { isOneFoundBy, type ListPage } from './account-store.ts';
import { isOfNamed, type Named } from './find-store.ts';
import { firstOf } from './packed-columns.ts';
import {
  accounts,
  approvals,
  files,
  loanEvents,
  loanMovements,
  loans,
  payments,
  presentFormat,
} from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';
import { isWithinDays } from './spans.ts';

export type Payment = typeof payments.$inferSelect;
export type NewPayment = typeof payments.$inferInsert;
export type PaymentChange = Pick<Payment, 'status' | 'updatedAt'> &
  Partial<Pick<Payment, 'reason' | 'note' | 'proofFileId'>>;
type Confirmation = Omit<PaymentChange, 'reason' | 'proofFileId'> &
  Pick<Payment, 'amountCentavos' | 'sentCentavos' | 'valueDate' | 'application' | 'confirmedBy'>;

export const insertPayment = (tx: Tx, payment: NewPayment): Promise<Payment> =>
  insertSealed(tx, payments, { ...payment, format: presentFormat });

export const changePayment = (tx: Tx, id: number, change: PaymentChange | Confirmation): Promise<Payment> =>
  updateSealed(tx, payments, id, change);

const paymentById = prepared((reader) =>
  reader
    .select()
    .from(payments)
    .where(eq(payments.id, sql.placeholder('id'))),
);

export const findPayment = (reader: Reader, id: number): Promise<Payment | undefined> =>
  firstOf(paymentById(reader, { id }));

const isLive = inArray(payments.status, livePaymentStatuses);

/** Reported by the borrower, not recorded by staff. */
export const isByBorrower = ({ recordedBy, accountId }: Pick<Payment, 'recordedBy' | 'accountId'>): boolean =>
  recordedBy === accountId;

const withLoan = (reader: Reader) =>
  reader
    .select({ loanNumber: loans.loanNumber })
    .from(payments)
    .innerJoin(loans, eq(loans.id, payments.loanId));

type Referred = { channel: PaymentChannel; referenceKey: string | null; id?: number };

/** The number of the loan with another live payment of this reference; a borrower's unconfirmed one is ignored. */
export async function findLoanOfReference(reader: Reader, payment: Referred): Promise<string | undefined> {
  const { channel, referenceKey, id } = payment;
  const isSame = and(
    isLive,
    eq(payments.channel, channel),
    eq(payments.referenceKey, referenceKey ?? ''),
    or(eq(payments.status, 'confirmed'), ne(payments.recordedBy, payments.accountId)),
    id === undefined ? undefined : ne(payments.id, id),
  );
  return (await firstOf(withLoan(reader).where(isSame)))?.loanNumber;
}

/**
 * Finds, for each undecided payment, the loans with another live one that has its
 * reference: one of them is wrong.
 */
export async function readDoubles(reader: Reader, of: readonly Payment[]) {
  const asked = of.flatMap(({ id, status, referenceKey }) =>
    status === 'submitted' && referenceKey !== null ? [id] : [],
  );
  const other = alias(payments, 'other');
  const sameReference = and(
    eq(payments.channel, other.channel),
    eq(payments.referenceKey, other.referenceKey),
    ne(payments.id, other.id),
  );
  const found = await reader
    .select({ id: other.id, loanNumber: loans.loanNumber })
    .from(payments)
    .innerJoin(other, sameReference)
    .innerJoin(loans, eq(loans.id, payments.loanId))
    .where(and(inArray(other.id, asked), isLive))
    .orderBy(payments.id);
  return (payment: Payment) =>
    found.filter(({ id }) => id === payment.id).map(({ loanNumber }) => loanNumber);
}

/**
 * Finds, for each undecided cash slip of a borrower, other live cash on the loan of its
 * amount and about its day.
 */
export async function readSameCash(reader: Reader, of: readonly Payment[]) {
  const asked = of.filter((one) => one.status === 'submitted' && one.channel === 'cash' && isByBorrower(one));
  const loanIds = asked.map(({ loanId }) => loanId);
  const cash = reader
    .select()
    .from(payments)
    .where(and(inArray(payments.loanId, loanIds), eq(payments.channel, 'cash'), isLive))
    .orderBy(payments.id);
  const found = asked.length > 0 ? await cash : [];
  return (payment: Payment): Payment[] =>
    asked.includes(payment)
      ? found.filter(
          ({ id, loanId, amountCentavos, valueDate }) =>
            id !== payment.id &&
            loanId === payment.loanId &&
            amountCentavos === payment.amountCentavos &&
            Math.abs(daysBetween(valueDate, payment.valueDate)) <= limits.sameCashDays,
        )
      : [];
}

/** The number of the loan with a live payment proved by this picture, or the same one uploaded again. */
export async function findLoanProvedBy(reader: Reader, fileId: string): Promise<string | undefined> {
  const content = reader.select({ hash: files.contentHash }).from(files).where(eq(files.id, fileId));
  const proving = withLoan(reader)
    .innerJoin(files, eq(files.id, payments.proofFileId))
    .where(and(or(eq(files.id, fileId), eq(files.contentHash, content)), isLive))
    .orderBy(desc(payments.id))
    .limit(1);
  return (await firstOf(proving))?.loanNumber;
}

export const findPaymentProvedBy = (reader: Reader, fileId: string) =>
  firstOf(
    reader
      .select({ id: payments.id, loanId: payments.loanId })
      .from(payments)
      .where(eq(payments.proofFileId, fileId))
      .orderBy(desc(payments.id))
      .limit(1),
  );

export const hasWaitingPayment = async (reader: Reader, loanId: number): Promise<boolean> =>
  (await reader.$count(payments, and(eq(payments.loanId, loanId), eq(payments.status, 'submitted')))) > 0;

/**
 * Counts the waiting payments without an open request, by the facts that decide who may confirm them:
 * channel, recorder and borrower.
 */
export function countWaitingPayments(reader: Reader) {
  const { channel, recordedBy, accountId } = payments;
  const isAsked = sql`exists (select from ${approvals} asked where asked.loan_id = ${payments.loanId}
    and asked.decision is null and asked.payload ->> 'paymentId' = ${payments.id}::text)`;
  const person = {
    isAdmin: accounts.isAdmin,
    email: accounts.email,
    bankAccountNumber: accounts.bankAccountNumber,
  };
  return reader
    .select({
      channel,
      recordedBy,
      accountId,
      ...person,
      phone: accounts.phone,
      count: sql<number>`count(*)::int`,
    })
    .from(payments)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(eq(payments.status, 'submitted'), not(isAsked)))
    .groupBy(channel, recordedBy, accountId, accounts.id);
}

export const readPaymentsOf = (reader: Reader, loanId: number): Promise<Payment[]> =>
  reader.select().from(payments).where(eq(payments.loanId, loanId)).orderBy(desc(payments.id));

type PaymentPage = ListPage<PaymentStatus> &
  Pick<output<typeof PaymentsQuery>, 'from' | 'to' | 'receivedOn' | 'receivedIn' | 'recoveredIn' | 'by'> & {
    channel?: PaymentChannel | undefined;
    named?: Named | undefined;
  };

const member = { id: accounts.id, fullName: accounts.fullName, email: accounts.email, phone: accounts.phone };

const receiptText = sql`'ar-' || ${payments.receiptYear} || '-' || lpad(${payments.receiptSerial}::text, 6, '0')`;
const searched = [payments.referenceFolded, receiptText, sql`lower(${loans.loanNumber})`];

export function readPaymentPage(reader: Reader, page: PaymentPage) {
  const { status, channel, from, to, receivedOn, receivedIn, recoveredIn, by, search } = page;
  const { memberIds, before, limit, named } = page;
  return (
    reader
      .select({ payment: payments, loanNumber: loans.loanNumber, member })
      .from(payments)
      .innerJoin(loans, eq(loans.id, payments.loanId))
      .innerJoin(accounts, eq(accounts.id, loans.accountId))
      .where(
        and(
          status === undefined ? undefined : eq(payments.status, status),
          channel === undefined ? undefined : eq(payments.channel, channel),
          from === undefined ? undefined : gte(payments.valueDate, from),
          to === undefined ? undefined : lte(payments.valueDate, to),
          receivedOn === undefined ? undefined : isReceived(reader, receivedOn, receivedOn),
          receivedIn === undefined
            ? undefined
            : isReceived(reader, firstDayOf(receivedIn), lastDayOf(receivedIn)),
          recoveredIn === undefined ? undefined : isRecovered(recoveredIn),
          by === undefined ? undefined : eq(payments.recordedBy, by === 'borrower' ? payments.accountId : by),
          search === undefined
            ? undefined
            : isOneFoundBy(reader, { search, memberIds }, loans.accountId, ...searched),
          isOfNamed(named, payments),
          before === undefined ? undefined : lt(payments.id, before),
        ),
      )
      // The index on status is declared `desc nulls last`, which a plain `desc` would not use.
      .orderBy(status === undefined ? desc(payments.id) : sql`${payments.id} desc nulls last`)
      .limit(limit)
  );
}

/** True for a payment that counts and came after its loan was written off: the movements have their order. */
const isRecovered = (wanted: ManilaMonth) =>
  and(
    eq(payments.status, 'confirmed'),
    gte(payments.valueDate, firstDayOf(wanted)),
    lte(payments.valueDate, lastDayOf(wanted)),
    sql`exists (select from ${loanMovements} lost join ${loanMovements} m on m.loan_id = lost.loan_id and m.number > lost.number
       where lost.kind = 'written_off' and m.kind = 'received' and m.loan_id = ${payments.loanId}
         and m.value_date = ${payments.valueDate} and m.received_centavos = ${payments.amountCentavos})`,
  );

/** A receipt's day is its event's, which was written with the number and stays after a reversal. */
const isReceived = (reader: Reader, from: ManilaDate, to: ManilaDate) =>
  and(
    eq(payments.receiptYear, Number(from.slice(0, 4))),
    exists(
      reader
        .select({ id: loanEvents.id })
        .from(loanEvents)
        .where(
          and(
            eq(loanEvents.paymentId, payments.id),
            eq(loanEvents.kind, 'receipt'),
            isWithinDays(loanEvents.createdAt, from, to),
          ),
        ),
    ),
  );
