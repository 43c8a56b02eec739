import * as z from 'zod/mini';
import { limits } from '#domain/limits.ts';
import { email, newPassword, numberText, password, phone, says, text } from './fields.ts';

/** The code of staff with a second step (§second-step): six digits, or a recovery code. */
const code = z.optional(numberText({ max: limits.secondStepCodeMaxLength, message: says('textTooLong') }));

/** The borrower's sign-in. `admin` is the one identifier shorter than a phone number (§main-admin). */
export const SignIn = z.object({
  phone: numberText({ message: says('phoneRequired') }).check(
    z.refine(
      (value) => value.length >= limits.phoneMinLength || value === limits.mainAdminPhone,
      says('phoneRequired'),
    ),
  ),
  password,
  code,
});

/** The username is `admin`, or an admin's phone or email. */
export const StaffSignIn = z.object({
  username: numberText({ min: 1, message: says('usernameRequired') }),
  password,
  code,
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
  password: newPassword,
  fullName: text({ min: limits.fullNameMinLength, message: says('fullNameRequired') }),
  email: z.optional(email),
});

export const PasswordChange = z.object({ currentPassword: password, newPassword });
