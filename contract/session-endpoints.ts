import { AnySignIn, PasswordChange, Registration } from './account.ts';
import { anyone, signedIn } from './endpoint.ts';
import { MessageReply } from './fields.ts';
import { SessionReply, UserReply } from './profile.ts';

export const signIn = anyone('POST /api/auth/login', {
  summary:
    'Sign in: `phone` for a borrower, `username` for staff. Staff with a second step are asked for its `code` once the password is right.',
  body: AnySignIn,
  reply: SessionReply,
  fails: [
    'invalid_credentials',
    'wrong_code',
    'account_suspended',
    'forbidden',
    'ip_not_allowed',
    'too_many_tries',
    'overloaded',
  ],
  unauthorised: ['second_step_required'],
});

export const register = anyone('POST /api/auth/register', {
  summary: 'Register as a borrower.',
  body: Registration,
  reply: SessionReply,
  status: 201,
  fails: ['already_registered', 'too_many_tries', 'overloaded'],
});

export const readProfile = signedIn('GET /api/user/profile', {
  withoutSecondStep: true,
  summary: 'The account that the token belongs to.',
  reply: UserReply,
});

export const signOut = signedIn('POST /api/auth/logout', {
  fromAnyAddress: true,
  withoutSecondStep: true,
  summary: 'End the session that the token belongs to.',
  reply: MessageReply,
  clearsCache: true,
});

export const changePassword = signedIn('PUT /api/user/password', {
  summary: 'Set one’s own password; every other session ends.',
  body: PasswordChange,
  reply: MessageReply,
  idempotent: true,
  fails: ['wrong_password', 'too_many_tries', 'overloaded'],
});
