import type { ManilaDate } from './calendar.ts';
import { limits } from './limits.ts';
import { isPlainReferenceKey, referenceKey } from './payment.ts';
import { foldText, plainNumber } from './text.ts';

/** A credit on the statement of a wallet or bank. A line without a reference has an empty one. */
export type StatementLine = { date: ManilaDate; amountCentavos: number; reference: string; text: string };

/** A `known` line is counted already; a `matched` one can be confirmed; `perhaps` shares something with a loan or payment. */
export const statementMatches = ['known', 'matched', 'perhaps', 'unknown'] as const;

export type StatementMatch = (typeof statementMatches)[number];

/** A submitted payment with the line's reference and channel. */
type WaitingPayment = { id: number; loanId: number; amountCentavos: number };

/** A loan whose number the line holds. `amounts`: what is due on it today, and its next instalment. */
type NumberedLoan = { id: number; amounts: readonly number[] };

/** The facts that the books have about the lines of one statement. References and numbers are as `referenceKey` writes them. */
export type StatementBooks = {
  /** The counted payments of the channel by reference. */
  confirmed: ReadonlyMap<string, { id: number; loanId: number }>;
  /** The payments of lines in earlier statements of the account that were counted, by the line's key. */
  earlier: ReadonlyMap<string, { id: number; loanId: number }>;
  submitted: ReadonlyMap<string, readonly WaitingPayment[]>;
  /** The loans by each of their numbers, new and old. */
  loans: ReadonlyMap<string, readonly NumberedLoan[]>;
};

export type MatchedLine = {
  match: StatementMatch;
  paymentId?: number;
  loanId?: number;
  /** The reason why a line is not matched, or is matched and still cannot be recorded. */
  code?: 'amount_differs' | 'several_candidates' | 'reference_wanted';
};

/** Matches each line of a statement (§statements): known, matched, perhaps, unknown, in this order. */
export function matchStatement(lines: readonly StatementLine[], books: StatementBooks): MatchedLine[] {
  const keys = lineKeys(lines);
  return lines.map((line, index) => matchLine(line, keys[index] ?? '', books));
}

function matchLine(line: StatementLine, key: string, books: StatementBooks): MatchedLine {
  const reference = referenceKey(line.reference);
  const known = (reference && books.confirmed.get(reference)) || books.earlier.get(key);
  if (known) return { match: 'known', paymentId: known.id, loanId: known.loanId };

  const payments = (reference && books.submitted.get(reference)) || [];
  const loans = uniqueLoans(loanNumbersIn(line).flatMap((number) => books.loans.get(number) ?? []));
  const exact = payments.filter(({ amountCentavos }) => amountCentavos === line.amountCentavos);
  // Two borrowers may have sent the same transfer; a loan number then says whose it is.
  const named = exact.filter(({ loanId }) => loans.some(({ id }) => id === loanId));
  const [payment] = exact.length > 1 ? named : exact;
  if (payment && (exact.length === 1 || named.length === 1))
    return { match: 'matched', paymentId: payment.id, loanId: payment.loanId };

  const [loan] = loans;
  const isDue = loan?.amounts.includes(line.amountCentavos);
  if (loan && isDue && loans.length === 1 && exact.length === 0) {
    const isRecordable = isUsableReference(line.reference);
    return { match: 'matched', loanId: loan.id, ...(!isRecordable && { code: 'reference_wanted' }) };
  }

  const loanIds = new Set([...payments.map(({ loanId }) => loanId), ...loans.map(({ id }) => id)]);
  const [loanId] = loanIds;
  if (loanId === undefined) return { match: 'unknown' };
  if (loanIds.size > 1 || payments.length > 1) return { match: 'perhaps', code: 'several_candidates' };
  const [only] = payments;
  return { match: 'perhaps', loanId, ...(only && { paymentId: only.id }), code: 'amount_differs' };
}

const uniqueLoans = (loans: readonly NumberedLoan[]): NumberedLoan[] => [
  ...new Map(loans.map((loan) => [loan.id, loan])).values(),
];

/** True if a payment can be recorded with this reference (§payments). */
export function isUsableReference(reference: string): boolean {
  const key = referenceKey(reference);
  return key.length >= limits.referenceMinLength && isPlainReferenceKey(key);
}

/**
 * Returns a key for each line, the same in another statement of the account: date, amount, reference, text, and how many
 * equal lines came before it in its file.
 */
export function lineKeys(lines: readonly StatementLine[]): string[] {
  const seen = new Map<string, number>();
  return lines.map(({ date, amountCentavos, reference, text }) => {
    const same = JSON.stringify([date, amountCentavos, referenceKey(reference), foldText(text).trim()]);
    const nth = (seen.get(same) ?? 0) + 1;
    seen.set(same, nth);
    return `${same} ${nth}`;
  });
}

const newNumber = /LN[^A-Z0-9]{0,2}(\d{4})[^A-Z0-9]{0,2}(\d{6,})(?!\d)/g;

/** An old number may be written in as many words as this. */
const wordsOfNumber = 3;

/**
 * The loan numbers that a line may hold, new and old, as `referenceKey` writes them. A number of digits alone needs as many as a
 * reference: shorter ones are days, months and counts.
 */
export function loanNumbersIn({ reference, text }: Pick<StatementLine, 'reference' | 'text'>): string[] {
  const found = new Set<string>();
  for (const part of [reference, text]) {
    const written = plainNumber(part).toUpperCase();
    const rest = written.replace(newNumber, (_, year: string, serial: string) => {
      found.add(`LN${year}${serial}`);
      return ' ';
    });
    const words = rest
      .split(/[\s,;:/|()[\]]+/)
      .map(referenceKey)
      .filter((word) => word !== '');
    for (const [at] of words.entries()) {
      for (let count = 1; count <= wordsOfNumber && at + count <= words.length; count += 1) {
        const number = words.slice(at, at + count).join('');
        if (/[A-Z]/.test(number) || number.length >= limits.referenceMinLength) found.add(number);
      }
    }
  }
  return [...found];
}
