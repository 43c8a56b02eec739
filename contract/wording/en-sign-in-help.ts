import { limits } from '#domain/limits.ts';
import { everyPage } from './en-every-page.ts';

/** For people who were signed out or cannot sign in. */
export const signInHelp = {
  signedOut: {
    title: 'Why you were signed out',
    expired: `You stay signed in for ${limits.borrowerSessionDays} days. It ends sooner when your password is changed, elsewhere or by our staff, or when your account is closed. If you asked for none of these, call us.`,
    address: 'The panel cannot be used from this address.',
    idle: 'You were signed out after a while without activity.',
    suspended:
      'Our staff have put your account on hold. Your loan and your money stay as they are. Call us, and we will tell you why and what to do.',
  },

  /** For staff. */
  secondStep: {
    code: 'Code of your second step',
    hint: 'Six digits from your authenticator app, or a recovery code.',
    lost: 'Phone lost? Use a recovery code. Without one, ask the main admin to reset your second step; the main admin’s own is reset on the server’s console.',
  },

  /** For staff on a borrower's page. */
  staffHere: {
    title: 'You are signed in as staff',
    text: 'These pages are for borrowers. Your work is in the admin panel.',
    link: 'Open the admin panel',
  },

  accountExists: {
    title: 'Account Already Exists',
    text: everyPage.errors.already_registered,
    toLogin: 'Go to Login',
  },

  forgot: {
    text: 'Call us. Our staff will make sure that it is you and set a new password for you.',
    have: 'Have these ready',
    things: ['The phone number of your account', 'A valid ID', 'Your loan number, if you have a loan'],
    lostPhone:
      'If your phone is lost or stolen, call from any other phone. We can lock your account so that nobody gets in.',
    neverAsk:
      'Our staff never ask for your password or a one-time code. Do not tell them to anybody who calls or writes.',
  },
};
