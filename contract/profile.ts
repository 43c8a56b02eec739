import * as z from 'zod/mini';
import { memberStatuses, staffRoles } from '#domain/member.ts';
import {
  type DemandedField,
  documentPieces,
  factsOf,
  type ProfileFacts,
  type ProfileField,
  profileFieldNames,
} from '#domain/profile.ts';
import {
  each,
  emailText,
  emptyAsNull,
  momentReply,
  moneyReply,
  numberText,
  pesosBetween,
  says,
  text,
} from './fields.ts';

export const eachField = <Shape extends Record<ProfileField, z.ZodMiniType>>(
  schemaOf: (name: ProfileField) => z.ZodMiniType,
) => Object.fromEntries(profileFieldNames.map((name) => [name, schemaOf(name)])) as Shape;

export type ByKind<Name extends ProfileField, Pesos, Text> = ProfileFacts[Name] extends { kind: 'pesos' }
  ? Pesos
  : Text;

type Rule<Name extends ProfileField> = ByKind<Name, ReturnType<typeof pesosBetween>, ReturnType<typeof text>>;
type Optional<Schema extends z.ZodMiniType> = z.ZodMiniOptional<
  z.ZodMiniType<z.output<Schema> | null, z.input<Schema> | null>
>;

const requiredMessage = (name: DemandedField) => says(`${name}Required`);

function ruleOf(name: ProfileField): z.ZodMiniType {
  const { kind, isOptional, minLength, maxLength, maxCentavos = Number.POSITIVE_INFINITY } = factsOf(name);
  const message = isOptional ? says('textTooShort') : requiredMessage(name as DemandedField);
  const rule: z.ZodMiniType =
    kind === 'email'
      ? emailText
      : kind === 'pesos'
        ? pesosBetween([0, message], [maxCentavos, says('amountTooLarge')])
        : (kind === 'phone' || kind === 'accountNumber' ? numberText : text)({
            min: minLength,
            max: maxLength,
            message,
          });
  return isOptional ? z.optional(emptyAsNull(rule)) : rule;
}

/** All fields, as the edit form sends them (§profile-fields). */
export const ProfileForm = z.object(
  eachField<{ [Name in ProfileField]: Name extends DemandedField ? Rule<Name> : Optional<Rule<Name>> }>(
    ruleOf,
  ),
);

/** The server checks that the document belongs to the caller. */
const documentUrl = z
  .string(says('documentUnknown'))
  .check(z.regex(/^\/api\/files\/[A-Za-z0-9_-]{16,64}$/, says('documentUnknown')));

export const documentUrls = each(documentUrl, ...documentPieces);

export const FileParams = z.object({
  id: z.string().check(z.regex(/^[A-Za-z0-9_-]{16,64}$/)),
});

/** The reply to `POST /api/upload` (§photos): pixels and bytes after re-encoding. */
export const DocumentReply = z.object({
  url: z.string(),
  id: z.string(),
  contentType: z.string(),
  size: z.number(),
  width: z.number(),
  height: z.number(),
});
export type Document = z.output<typeof DocumentReply>;

/** Any subset of the profile. Fields left out stay unchanged. */
export const ProfileUpdate = z.partial(z.extend(ProfileForm, documentUrls));

type Reply<Name extends ProfileField> = z.ZodMiniNullable<
  ByKind<Name, typeof moneyReply, z.ZodMiniString<string>>
>;

const profileReplies = eachField<{ [Name in ProfileField]: Reply<Name> }>((name) =>
  z.nullable(factsOf(name).kind === 'pesos' ? moneyReply : z.string()),
);

export const MemberStatus = z.enum(memberStatuses, says('memberStatusUnknown'));

/** The account as its owner sees it (§account-fields). Never a password, code or hash. */
export const UserReply = z.object({
  id: z.number(),
  phone: z.string(),
  ...profileReplies,
  fullName: z.string(),
  balance: moneyReply,
  creditScore: z.number(),
  creditTrend: z.string(),
  ...each(z.nullable(z.string()), ...documentPieces),
  status: MemberStatus,
  accountStatus: z.enum(['active', 'suspended']),
  ...each(z.boolean(), 'isAdmin', 'isMainAdmin', 'isVerified', 'mustChangePassword'),
  /** Roles of a member of staff (§staff-roles); absent for borrowers. */
  roles: z.optional(z.array(z.enum(staffRoles))),
  /** Date of the first notice of changed access that the owner has not closed; absent if there is none. */
  accessNewsSince: z.optional(momentReply),
  /** Present for staff who have one (§second-step). */
  secondStep: z.optional(z.object({ since: momentReply, recoveryCodesLeft: z.number() })),
  /** Present for staff without one where the setting asks for it: nothing else is open to them. */
  mustSetUpSecondStep: z.optional(z.literal(true)),
  createdAt: momentReply,
});
export type User = z.output<typeof UserReply>;

export const SessionReply = z.object({ token: z.string(), user: UserReply });
