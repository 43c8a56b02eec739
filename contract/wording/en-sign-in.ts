import { limits } from '#domain/limits.ts';
import { everyPage } from './en-every-page.ts';

/** Signing in and registering. `core` is all that the sign-in screen loads. */
export const core = {
  ...everyPage,

  session: {
    signInTitle: 'User sign in or register',
    signInLead: 'Use the phone number of your account.',
    registerLead: 'It takes a minute. You see the whole cost before you agree to any loan.',
    registerTitle: 'Create Account',
    wayThere: ['Your account', 'About you and three photos, about 5 minutes', 'Choose your amount'],
    inside: ['See what is due', 'Pay and get a receipt', 'Withdraw your money'],
    toRegister: "Don't have an account? Register",
    toSignIn: 'Already have an account? Sign in',
    fullName: 'Full name',
    phone: 'Phone number',
    fullNameHint: 'As on your ID',
    phoneHint: `Mobile or landline, at least ${limits.phoneMinLength} digits`,
    email: 'Email (optional)',
    password: 'Password',
    passwordHint: `At least ${limits.passwordMinLength} characters`,
    showTyped: 'Show what is typed',
    hideTyped: 'Hide what is typed',
    signIn: 'Sign in',
    createAccount: 'Create account',
    /** The sentence above the button, stored with the date of registration (`consent-service.ts`). */
    agree: (lender: string) =>
      `By creating an account you agree that ${lender} keeps what you enter here, to run your account and to reach you.`,
    pleaseWait: 'Please wait...',
    creditInformation: 'CREDIT INFORMATION',
    verifiedSecured: 'VERIFIED & SECURED',
    welcomeBack: 'Welcome back!',
    loginFailed: 'Login failed',
    accountCreated: 'Your account has been created!',
    untilTabCloses: 'This browser stores nothing, so you stay signed in only until you close this tab.',
    registrationFailed: 'Registration failed',
    suspendedTitle: 'Account Suspended',
    endedTitle: 'Your session has ended',
    forgot: 'Forgot password?',
    currentPassword: 'Current password',
    newPassword: 'New password',
    savePassword: 'Save password',
    passwordUpdated: 'Password Updated',
  },
};

export type CoreWording = typeof core;
