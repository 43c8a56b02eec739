import type { output } from 'zod/mini';
import type { StatementConfirmReply, StatementForm } from '#contract/statement.ts';
import { manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { channelMaxCentavos, referenceKey } from '#domain/payment.ts';
import {
  isUsableReference,
  lineKeys,
  loanNumbersIn,
  matchStatement,
  type StatementBooks,
  type StatementLine,
} from '#domain/statement.ts';
import type { Deps } from '#server/deps.ts';
import { Failure, fail, refuseField } from '#server/failure.ts';
import type { Once } from '#server/idempotency.ts';
import { readLoansById } from '#server/store/loan-store.ts';
import { findPayment } from '#server/store/payment-store.ts';
import {
  findStatement,
  insertStatement,
  lockStatementLine,
  readCountedLines,
  readLoanNames,
  readLoansByNumber,
  readPaymentsByReference,
  type StatementLineRow,
  type StatementRow,
  setPaymentOfLine,
} from '#server/store/statement-store.ts';
import { audit } from './audit-service.ts';
import { AwaitsApproval, requireRole } from './four-eyes.ts';
import { updatePayment } from './payment-decision.ts';
import { recordPayment } from './payment-service.ts';
import { lockForWork, readServicedLoans, standingOf } from './serviced-loan.ts';
import type { Act, Staff } from './session-service.ts';

type Statement = output<typeof StatementForm>;

/**
 * Matches the lines of a statement with payments and loans (§statements). Nothing is booked; lines that are known or matched
 * are kept for their confirmation. Fails with `role_missing`.
 */
export async function readStatement(deps: Deps, staff: Staff, form: Statement, once: Once<Act<Staff>>) {
  requireRole(staff, 'cashier');
  const { channel, account } = form;
  const lines = form.lines.map(({ amount, ...line }): StatementLine => ({ ...line, amountCentavos: amount }));
  const hashes = hashesOf(deps, account, lines);
  const matches = matchStatement(lines, await readBooks(deps, channel, lines, hashes));
  const loanIds = [...new Set(matches.flatMap(({ loanId }) => loanId ?? []))];
  const loans = await deps.database.read((reader) => readLoanNames(reader, loanIds));
  return once(async (act) => {
    const kept = lines.flatMap(({ date, reference }, index) => {
      const { loanId, paymentId, match } = matches[index] ?? {};
      if (loanId === undefined || match === 'perhaps') return [];
      const isToRecord = paymentId === undefined && isUsableReference(reference);
      return {
        number: index + 1,
        hash: hashes[index] ?? '',
        date,
        amountCentavos: form.lines[index]?.amount ?? fail('malformed'),
        reference: isToRecord ? reference : null,
        loanId,
        paymentId: paymentId ?? null,
      };
    });
    const createdAt = deps.clock.now();
    const facts = { channel, account, lineCount: lines.length, createdBy: staff.id, createdAt };
    const { id } = await insertStatement(act.tx, facts, kept);
    const count = (wanted: string) => matches.filter(({ match }) => match === wanted).length;
    const after = {
      statement: id,
      channel,
      lines: lines.length,
      matched: count('matched'),
      perhaps: count('perhaps'),
      known: count('known'),
    };
    await audit(act, 'statement_read', {}, { after });
    return { id, lines: matches.map((line, index) => ({ ...line, n: index + 1 })), loans };
  });
}

/** Hashes each line with its account: the same line in another account is another. The hash is keyed, since a line may name somebody. */
function hashesOf(deps: Deps, account: string, lines: readonly StatementLine[]): string[] {
  const ofAccount = referenceKey(account);
  return lineKeys(lines).map((key) => deps.secrets.fingerprint(`${ofAccount} ${key}`, 'statement line'));
}

async function readBooks(
  deps: Deps,
  channel: Statement['channel'],
  lines: readonly StatementLine[],
  hashes: readonly string[],
): Promise<StatementBooks> {
  const { database } = deps;
  const references = lines.map(({ reference }) => referenceKey(reference)).filter((key) => key !== '');
  const paid = await database.read((reader) => readPaymentsByReference(reader, channel, references));
  const counted = await database.read((reader) => readCountedLines(reader, hashes));
  const byHash = new Map(counted.map(({ hash, ...payment }) => [hash, payment]));
  const earlier = lineKeys(lines).flatMap((key, index) => {
    const payment = byHash.get(hashes[index] ?? '');
    return payment ? [[key, payment] as const] : [];
  });
  const submitted = paid.filter(({ status }) => status === 'submitted');
  return {
    confirmed: new Map(paid.flatMap((one) => (one.status === 'confirmed' ? [[one.key, one]] : []))),
    submitted: grouped(submitted.map((one) => [one.key, one])),
    earlier: new Map(earlier),
    loans: await readNumberedLoans(deps, [...new Set(lines.flatMap(loanNumbersIn))]),
  };
}

/** Reads the loans with these numbers, with the amounts due on each today and next, and lists each under all of its numbers. */
async function readNumberedLoans(deps: Deps, keys: readonly string[]): Promise<StatementBooks['loans']> {
  const numbers = keys.flatMap((key) => {
    const [, year, serial] = /^LN(\d{4})(\d{6,})$/.exec(key) ?? [];
    return year === undefined ? [] : [`LN-${year}-${serial}`];
  });
  const found = await deps.database.read((reader) => readLoansByNumber(reader, { numbers, oldKeys: keys }));
  const ids = [...new Set(found.map(({ id }) => id))];
  const amounts = new Map<number, number[]>();
  const today = manilaDate(deps.clock.now());
  for (let start = 0; start < ids.length; start += limits.listPageRows) {
    const page = ids.slice(start, start + limits.listPageRows);
    const serviced = await deps.database.snapshot(async (reader) =>
      readServicedLoans(reader, await readLoansById(reader, page)),
    );
    for (const [id, one] of serviced) {
      const account = standingOf(one, today)?.account;
      if (account) amounts.set(id, [account.dueNow, account.nextDueAmount]);
    }
  }
  return grouped(
    found.flatMap(({ id, loanNumber, oldNumber }) => {
      const loan = { id, amounts: amounts.get(id) ?? [] };
      return [loanNumber, oldNumber ?? ''].map((number) => [referenceKey(number), loan] as const);
    }),
  );
}

function grouped<Value>(pairs: readonly (readonly [string, Value])[]): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const [key, value] of pairs) {
    const group = groups.get(key) ?? [];
    group.push(value);
    groups.set(key, group);
  }
  return groups;
}

type Outcome = Omit<output<typeof StatementConfirmReply>[number], 'n'>;

/** Finds the statement whose lines somebody confirms. Fails with `role_missing`, `not_found`, or `validation_failed` for a line that it does not have. */
export async function statementToConfirm(deps: Deps, staff: Staff, id: number, lines: readonly number[]) {
  requireRole(staff, 'cashier');
  const statement = (await deps.database.read((reader) => findStatement(reader, id))) ?? fail('not_found');
  if (lines.some((n) => n > statement.lineCount)) refuseField('lines', 'statementLines');
  return statement;
}

/** The payment waits for a second person already. It is thrown, so that the transaction undoes all of the try. */
export class StillWaiting extends Error {}

/**
 * Confirms one line as somebody would by hand: the payment that waits, or a new one with the line's day, which then waits
 * for a second person. Fails as those calls do, and with `not_matched`, `reference_wanted`, `StillWaiting`.
 */
export async function confirmLine(act: Act<Staff>, statement: StatementRow, n: number): Promise<Outcome> {
  const { tx } = act;
  const line = (await lockStatementLine(tx, statement.id, n)) ?? fail('not_matched');
  return line.paymentId === null
    ? recordLine(act, statement, line)
    : confirmPayment(act, line, line.paymentId);
}

async function recordLine(
  act: Act<Staff>,
  { channel }: StatementRow,
  { id, loanId, date, amountCentavos: amount, reference }: StatementLineRow,
): Promise<Outcome> {
  const { tx } = act;
  if (reference === null) fail('reference_wanted');
  if (amount > channelMaxCentavos(channel)) refuseField('amount', 'instapayMax');
  const work = await lockForWork(act, loanId);
  // Somebody may have recorded and confirmed it by hand, or from another statement, since this one was read.
  const same = await readPaymentsByReference(tx, channel, [referenceKey(reference)]);
  const counted = same.find(({ status }) => status === 'confirmed');
  if (counted) {
    await setPaymentOfLine(tx, id, counted.id);
    return { status: 'known' };
  }
  const recorded = await recordPayment(work, { amount, channel, reference, valueDate: date });
  if (recorded instanceof AwaitsApproval) throw new Error('a payment from elsewhere waits by itself');
  await setPaymentOfLine(tx, id, recorded.id);
  return { status: 'waiting' };
}

async function confirmPayment(act: Act<Staff>, line: StatementLineRow, paymentId: number): Promise<Outcome> {
  const { tx, actor } = act;
  await lockForWork(act, line.loanId, true);
  const payment = (await findPayment(tx, paymentId)) ?? fail('not_found');
  const { status, recordedBy } = payment;
  if (status === 'confirmed' || status === 'reversed') return { status: 'known' };
  // The person who recorded it from this very line asks again, and it waits.
  const isOwn = recordedBy === actor.id;
  if (status === 'submitted' && isOwn && line.reference !== null) return { status: 'waiting' };
  try {
    const done = await updatePayment(act, paymentId, { status: 'confirmed' });
    return { status: done instanceof AwaitsApproval ? 'waiting' : 'confirmed' };
  } catch (error) {
    const code = error instanceof Failure ? error.code : undefined;
    if (code === 'already_asked' || (code === 'own_request' && isOwn)) throw new StillWaiting();
    throw error;
  }
}
