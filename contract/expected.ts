import * as z from 'zod/mini';
import { normaliseLoanStatus } from '#domain/loan.ts';
import { MemberStatus } from './account.ts';
import { pesos, says } from './fields.ts';

// What a form was opened with, sent along with what it changes: where another value is stored by now, the server
// answers 409 `edited_meanwhile` and stores nothing. What was stored may break today's rules for what is typed, so
// nothing is asked of it but that it can be compared.

/** A stored text; an empty one and null are the same. */
const seenText = z.pipe(
  z.nullable(z.string(says('textUnreadable'))),
  z.transform((text) => text?.trim() || null),
);

/** A stored sum of pesos, or none. */
const seenPesos = z.pipe(
  z.transform((value: string | number | null) => (value === '' ? null : value)),
  z.nullable(pesos(says('amountTooLarge'))),
);

/** The fields of a member that `PUT /api/admin/users/{id}` compares. Codes and passwords are none: see decision 015. */
export const ExpectedMember = z.partial(
  z.object({
    phone: seenText,
    status: MemberStatus,
    fullName: seenText,
    email: seenText,
    address: seenText,
    countryOfWork: seenText,
    monthlySalary: seenPesos,
    referenceName: seenText,
    referencePhone: seenText,
    bankName: seenText,
    bankAccountNumber: seenText,
    creditScore: z.int(says('creditScoreRange')),
    idFrontUrl: seenText,
    idBackUrl: seenText,
    selfieUrl: seenText,
  }),
);

/** The fields of an admin that `PATCH /api/admin/users/{id}` compares. */
export const ExpectedAdmin = z.partial(z.object({ email: seenText }));

/** The fields of a loan that `PUT /api/admin/loans/{id}` compares. */
export const ExpectedLoan = z.partial(
  z.object({
    status: z.pipe(
      z.string(says('loanStatusForm')),
      z.transform((word) => normaliseLoanStatus(word) ?? word),
    ),
    amount: pesos(says('staffLoanAmountRange')),
    termMonths: z.int(says('termWholeMonths')),
  }),
);

/**
 * Fields that mean something only together: who changes one of them has decided on the others too. A new account number
 * is not to land beside a bank that somebody else has just put there, nor an amount beside a term.
 */
const companions: readonly (readonly string[])[] = [
  ['bankName', 'bankAccountNumber'],
  ['referenceName', 'referencePhone'],
  ['amount', 'termMonths'],
];

/** Whether a change of these fields has to know of this one: it is among them, or belongs to one of them. */
export function isInQuestion(field: string, changed: readonly string[]): boolean {
  if (changed.includes(field)) return true;
  return companions.some((group) => group.includes(field) && group.some((other) => changed.includes(other)));
}
