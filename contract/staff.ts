import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { staffRoles } from '#domain/member.ts';
import { loanStates } from '#domain/servicing.ts';
import { ExpectedAdmin } from './edit-conflict.ts';
import {
  changesSome,
  day,
  email,
  idInQuery,
  MessageReply,
  momentReply,
  moneyReply,
  numberText,
  optional,
  PageQuery,
  password,
  phone,
  says,
  text,
} from './fields.ts';
import { issuedPassword, passwordOr } from './member.ts';

export const AllUsersQuery = z.object({
  role: z.optional(z.enum(['admin', 'member'], says('roleUnknown'))),
});

const staffEmail = text({ min: 1, message: says('adminEmailAndPassword') }).check(
  z.email(says('emailInvalid')),
);

/** The roles to keep; the others are withheld (§staff-roles). */
const roles = z.optional(z.array(z.enum(staffRoles, says('staffRoleUnknown'))));

export const AdminCreation = z.object({
  email: staffEmail,
  password: passwordOr(says('adminEmailAndPassword')),
  fullName: optional(text({ min: limits.fullNameMinLength, message: says('fullNameRequired') })),
  phone: optional(phone),
  roles,
});

export const AdminUpdate = z
  .object({
    email: z.optional(email),
    password: z.optional(issuedPassword),
    roles,
    expected: z.optional(ExpectedAdmin),
  })
  .check(changesSome('email', 'password', 'roles'));

export const StatsReply = z.object({
  members: z.object({ total: z.number(), active: z.number(), pending: z.number(), suspended: z.number() }),
  loans: z.object({ total: z.number(), pending: z.number(), approved: z.number(), active: z.number() }),
  withdrawals: z.object({ total: z.number(), processed: z.number(), pending: z.number() }),
});
export type Stats = z.output<typeof StatsReply>;

/** Closed accounts with money in the wallet, a debt, or credit to hand back in cash. */
export const ClosedAccountsReply = z.object({
  accounts: z.array(
    z.object({
      userId: z.number(),
      /** Null once the person is erased. */
      fullName: z.nullable(z.string()),
      closedAt: momentReply,
      balance: moneyReply,
      owed: moneyReply,
      loans: z.array(
        z.object({
          loanId: z.number(),
          loanNumber: z.string(),
          principalLeft: moneyReply,
          credit: moneyReply,
          state: z.enum(loanStates),
        }),
      ),
    }),
  ),
});

export const AllowedIpReply = z.object({
  id: z.number(),
  ipAddress: z.string(),
  description: z.nullable(z.string()),
  createdAt: momentReply,
  coversCaller: z.boolean(),
});
export type AllowedIp = z.output<typeof AllowedIpReply>;

export const InstallationReply = z.object({
  /** The first peer that sent forwarded headers and is not named in `TRUST_PROXY`. */
  unnamedProxy: z.nullable(z.string()),
  /** Present while housekeeping erases nothing, because the clock may have jumped. */
  isErasingPaused: z.optional(z.literal(true)),
});

export const AllowedIpForm = z.object({
  ipAddress: numberText({ min: 1, message: says('ipRequired') }),
  description: optional(text({ message: says('textTooLong') })),
});

export const ListExport = z.object({
  list: z.enum(
    [
      'members',
      'loans',
      'withdrawals',
      'payments',
      'collections',
      'portfolio-loans',
      'month-loans',
      'messages',
      'audit',
    ],
    says('valueInvalid'),
  ),
  rows: z.int(says('valueInvalid')).check(z.gte(0, says('valueInvalid'))),
});

const nameInQuery = z
  .string()
  .check(
    z.regex(/^[a-z_]+$/, says('valueInvalid')),
    z.maxLength(limits.auditNameMaxLength, says('valueInvalid')),
  );

const secondStepCode = numberText({
  min: 1,
  max: limits.secondStepCodeMaxLength,
  message: says('secondStepCodeRequired'),
});

/** A thief of an open session or of its token does not know the password. */
export const SecondStepSetUp = z.object({ password });
export const SecondStepCode = z.object({ code: secondStepCode });
export const SecondStepRemoval = z.object({ password, code: secondStepCode });

/** The secret in base32, as typed into an app, and the address that its QR code holds. */
export const SecondStepReply = z.object({ secret: z.string(), uri: z.string() });
export type SecondStep = z.output<typeof SecondStepReply>;

/** Told once, with the token in place of the session's old one. */
export const RecoveryCodesReply = z.object({ recoveryCodes: z.array(z.string()), token: z.string() });
export const SecondStepOffReply = z.extend(MessageReply, { token: z.string() });

/** Filters by action, by actor, by the account, loan, withdrawal or address acted upon, or by days in Manila, both included. */
export const AuditQuery = z.extend(PageQuery, {
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^[1-9]\d{0,5}$/, says('valueInvalid'))),
      z.transform((digits) => Math.min(Number(digits), limits.auditPageMaxRows)),
    ),
  ),
  action: z.optional(nameInQuery),
  actorId: z.optional(idInQuery),
  targetType: z.optional(nameInQuery),
  targetId: z.optional(idInQuery),
  from: z.optional(day),
  to: z.optional(day),
});

export const AuditEntryReply = z.object({
  id: z.number(),
  action: z.string(),
  actorId: z.nullable(z.number()),
  actorName: z.nullable(z.string()),
  ipAddress: z.nullable(z.string()),
  targetType: z.nullable(z.string()),
  targetId: z.nullable(z.number()),
  /** The person acted upon, or whose loan or withdrawal was. */
  targetName: z.nullable(z.string()),
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
  createdAt: momentReply,
});
export type AuditEntry = z.output<typeof AuditEntryReply>;
