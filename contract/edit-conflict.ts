import * as z from 'zod/mini';
import { normaliseLoanStatus } from '#domain/loan.ts';
import { documentPieces, factsOf, fieldsOf, type ProfileField } from '#domain/profile.ts';
import { each, pesos, says } from './fields.ts';
import { type ByKind, eachField, MemberStatus } from './profile.ts';

// The values a form was opened with, sent along with its changes. If a stored value differs by now, the server answers
// 409 `edited_meanwhile` and stores nothing. Stored values may predate today's validation, so these schemas only make
// values comparable.

/** Empty and null are the same. */
const seenText = z.pipe(
  z.nullable(z.string(says('textUnreadable'))),
  z.transform((text) => text?.trim() || null),
);

/** Empty and null are the same. */
const seenPesos = z.pipe(
  z.transform((value: string | number | null) => (value === '' ? null : value)),
  z.nullable(pesos(says('amountTooLarge'))),
);

const seenProfile = eachField<{
  [Name in ProfileField]: ByKind<Name, typeof seenPesos, typeof seenText>;
}>((name) => (factsOf(name).kind === 'pesos' ? seenPesos : seenText));

/**
 * The fields that `PUT /api/admin/users/{id}` compares. Codes and passwords are left out: see decision 015.
 */
export const ExpectedMember = z.partial(
  z.object({
    phone: seenText,
    status: MemberStatus,
    ...seenProfile,
    creditScore: z.int(says('creditScoreRange')),
    ...each(seenText, ...documentPieces),
  }),
);

/** The fields that `PATCH /api/admin/users/{id}` compares. */
export const ExpectedAdmin = z.partial(z.object({ email: seenText }));

/** The fields that `PUT /api/admin/loans/{id}` compares. */
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
 * Fields that only make sense together: changing one implies the others. A new account number must not end up next to a
 * bank that somebody else has just entered, nor an amount next to a term.
 */
const companions: readonly (readonly string[])[] = [
  fieldsOf('bank'),
  fieldsOf('reference'),
  ['amount', 'termMonths'],
];

/** True if a change to these fields depends on this one: it is among them, or is a companion of one. */
export function isInQuestion(field: string, changed: readonly string[]): boolean {
  if (changed.includes(field)) return true;
  return companions.some((group) => group.includes(field) && group.some((other) => changed.includes(other)));
}
