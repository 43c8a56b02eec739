import type { output, ZodMiniType } from 'zod/mini';
import {
  type ExpectedAdmin,
  type ExpectedLoan,
  type ExpectedMember,
  isInQuestion,
} from '#contract/edit-conflict.ts';
import { each } from '#contract/fields.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { plainLoanStatus } from '#domain/loan.ts';
import type { MemberStatus } from '#domain/member.ts';
import { centavos, formatPeso, pesosText } from '#domain/money.ts';
import {
  documentPieces,
  type ProfileFacts,
  type ProfileField,
  profileFieldNames,
  profileFields,
} from '#domain/profile.ts';
import { fail } from '#server/failure.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import type { Account } from '#server/store/account-store.ts';
import type { Loan } from '#server/store/loan-store.ts';
import { viewUser } from './account-view.ts';
import { viewLoanRecord } from './loan-view.ts';

type Value = string | number | null;

/** The way to compare a field, and to word its value. The stored value is the one that its form shows. */
type Field = {
  /** Normalises a text before it is compared. */
  key?: (text: string) => string;
  wire?: (stored: number) => string;
  say?: (stored: string | number) => string;
};

const words = panel.conflict;
const money = {
  wire: (stored: number) => pesosText(centavos(stored)),
  say: (stored: string | number) => formatPeso(centavos(Number(stored))),
};

const byKind: { [Kind in ProfileFacts[ProfileField]['kind']]?: Field } = {
  email: { key: (email) => email.toLowerCase() },
  phone: { key: phoneKey },
  pesos: money,
};

const profileLooks = Object.fromEntries(
  profileFieldNames.map((name) => [name, byKind[profileFields[name].kind] ?? {}]),
) as Record<ProfileField, Field>;

const memberFields: { [Name in keyof output<typeof ExpectedMember>]-?: Field } = {
  phone: { key: phoneKey },
  status: { say: (status) => panel.memberStatus[status as MemberStatus] },
  ...profileLooks,
  creditScore: {},
  ...each({ say: () => words.photo }, ...documentPieces),
};

const loanFields: { [Name in keyof output<typeof ExpectedLoan>]-?: Field } = {
  status: { say: (status) => plainLoanStatus(String(status)) },
  amount: money,
  termMonths: { say: (months) => words.months(Number(months)) },
};

/**
 * Fails with `edited_meanwhile` if a field to be changed, or one of its companions, no longer has the value that the
 * form was opened with (decision 015), and then tells of every field that changed. A field that already has the
 * requested value never conflicts. The transaction must have locked the account.
 */
export const requireMemberUnchanged = (account: Account, asked: Asked<typeof ExpectedMember>): void =>
  requireUnchanged(memberFields, viewUser(account), asked);

export const requireAdminUnchanged = (account: Account, asked: Asked<typeof ExpectedAdmin>): void =>
  requireUnchanged({ email: memberFields.email }, viewUser(account), asked);

/** Changed terms come with the current payment. */
export function requireLoanUnchanged(loan: Loan, asked: Asked<typeof ExpectedLoan>): void {
  const { amountCentavos, termMonths, monthlyPaymentCentavos } = loan;
  const [amount, monthlyPayment] = [pesosText(amountCentavos), pesosText(monthlyPaymentCentavos)];
  requireUnchanged(
    loanFields,
    viewLoanRecord(loan),
    asked,
    (changed): Record<string, Value> =>
      'amount' in changed || 'termMonths' in changed ? { amount, termMonths, monthlyPayment } : {},
  );
}

type Fields = { readonly [field: string]: unknown };

/** A parsed request with the values that the form was opened with. */
type Asked<Expected extends ZodMiniType> = Fields & { readonly expected?: output<Expected> | undefined };

function requireUnchanged(
  fields: Record<string, Field>,
  seen: Fields,
  asked: Fields & { readonly expected?: Fields | undefined },
  also: (changed: Record<string, Value>) => Record<string, Value> = () => ({}),
): void {
  const { expected } = asked;
  if (expected === undefined) return;
  const changing = Object.keys(asked).filter((name) => asked[name] !== undefined);
  const errors: Record<string, string> = {};
  const present: Record<string, Value> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (expected[name] === undefined) continue;
    // The schemas treat empty text as null, and so does this.
    const stored = seen[name] === '' ? null : (seen[name] as Value);
    const isStored = (value: unknown) => keyOf(field, value) === keyOf(field, stored);
    if (isStored(expected[name]) || (asked[name] !== undefined && isStored(asked[name]))) continue;
    present[name] = typeof stored === 'number' && field.wire ? field.wire(stored) : stored;
    if (!isInQuestion(name, changing)) continue;
    errors[name] = stored === null ? words.emptied : words.changedTo(field.say?.(stored) ?? String(stored));
  }
  if (Object.keys(errors).length === 0) return;
  fail('edited_meanwhile', { fields: errors, present: { ...present, ...also(present) } });
}

function keyOf({ key }: Field, value: unknown): unknown {
  return key && typeof value === 'string' ? key(value) : value;
}
