import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { email, momentReply, moneyReply, password, pesosBetween, phone, says, text } from './fields.ts';

export const MemberStatus = z.enum(['active', 'pending', 'suspended'], says('memberStatusUnknown'));

/** The borrower's sign-in. `admin` is the one identifier shorter than a phone number (§main-admin). */
export const SignIn = z.object({
  phone: z.string(says('phoneRequired')).check(
    z.trim(),
    z.maxLength(limits.shortTextMaxLength, says('textTooLong')),
    z.refine(
      (value) => value.length >= limits.phoneMinLength || value === limits.mainAdminPhone,
      says('phoneRequired'),
    ),
  ),
  password,
});

/** The username is `admin`, or an admin's phone or email. */
export const StaffSignIn = z.object({
  username: text({ min: 1, message: says('usernameRequired') }),
  password,
});

/** Staff sign-in if there is a `username`, else a borrower's. */
export const AnySignIn = z.pipe(
  z.transform((body: z.input<typeof SignIn> | z.input<typeof StaffSignIn>, context) => {
    const isStaff = typeof body === 'object' && body !== null && 'username' in body;
    const read = (isStaff ? StaffSignIn : SignIn).safeParse(body);
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.issues.push({ ...issue, input: undefined } as never);
    return z.NEVER;
  }),
  z.union([StaffSignIn, SignIn]),
);

export const Registration = z.object({
  phone,
  password,
  fullName: text({ min: limits.fullNameMinLength, message: says('fullNameRequired') }),
  email: z.optional(email),
});

/** All personal fields, as the edit form sends them (rules: §profile-fields). */
export const ProfileForm = z.object({
  fullName: text({ min: limits.fullNameMinLength, message: says('fullNameRequired') }),
  email: z.optional(email),
  address: text({
    min: limits.addressMinLength,
    max: limits.longTextMaxLength,
    message: says('addressRequired'),
  }),
  countryOfWork: text({ min: limits.countryOfWorkMinLength, message: says('countryOfWorkRequired') }),
  monthlySalary: pesosBetween({
    min: 0,
    minMessage: says('monthlySalaryRequired'),
    max: limits.monthlySalaryMaxCentavos,
    maxMessage: says('amountTooLarge'),
  }),
  referenceName: text({ min: limits.referenceNameMinLength, message: says('referenceNameRequired') }),
  referencePhone: text({ min: limits.referencePhoneMinLength, message: says('referencePhoneRequired') }),
  bankName: text({ min: limits.bankNameMinLength, message: says('bankNameRequired') }),
  bankAccountNumber: text({
    min: limits.bankAccountNumberMinLength,
    message: says('bankAccountNumberRequired'),
  }),
});

/** Whether the document belongs to the caller is checked by the server. */
export const documentUrl = /* @__PURE__ */ z
  .string(says('documentUnknown'))
  .check(z.regex(/^\/api\/files\/[A-Za-z0-9_-]{16,64}$/, says('documentUnknown')));

export const documentUrls = { idFrontUrl: documentUrl, idBackUrl: documentUrl, selfieUrl: documentUrl };

/** Any subset of the profile; fields left out stay as they are. */
export const ProfileUpdate = z.partial(z.extend(ProfileForm, documentUrls));

export const PasswordChange = z.object({ currentPassword: password, newPassword: password });

/** The account as its owner sees it (§account-fields). Never a password, code or hash. */
export const UserReply = z.object({
  id: z.number(),
  phone: z.string(),
  email: z.nullable(z.string()),
  fullName: z.string(),
  address: z.nullable(z.string()),
  countryOfWork: z.nullable(z.string()),
  monthlySalary: z.nullable(moneyReply),
  referenceName: z.nullable(z.string()),
  referencePhone: z.nullable(z.string()),
  bankName: z.nullable(z.string()),
  bankAccountNumber: z.nullable(z.string()),
  balance: moneyReply,
  creditScore: z.number(),
  creditTrend: z.string(),
  idFrontUrl: z.nullable(z.string()),
  idBackUrl: z.nullable(z.string()),
  selfieUrl: z.nullable(z.string()),
  status: MemberStatus,
  accountStatus: z.enum(['active', 'suspended']),
  isAdmin: z.boolean(),
  isMainAdmin: z.boolean(),
  isVerified: z.boolean(),
  mustChangePassword: z.boolean(),
  /** Since when there are messages of changed access that the owner has not closed; absent when there are none. */
  accessNewsSince: z.optional(momentReply),
  createdAt: momentReply,
});
export type User = z.output<typeof UserReply>;

export const SessionReply = z.object({ token: z.string(), user: UserReply });
