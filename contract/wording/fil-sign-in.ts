import { limits } from '#domain/limits.ts';
import type { core as english } from './en-sign-in.ts';
import { everyPage } from './fil-every-page.ts';

export const core: Omit<typeof english, 'errors'> = {
  ...everyPage,

  session: {
    signInTitle: 'Mag-sign in o magrehistro',
    signInLead: 'Gamitin ang mobile number ng account mo.',
    registerLead: 'Isang minuto lang. Makikita mo ang buong gastos bago ka pumayag sa anumang loan.',
    registerTitle: 'Gumawa ng Account',
    wayThere: ['Ang account mo', 'Tungkol sa iyo at tatlong photo, mga 5 minuto', 'Pumili ng halaga'],
    inside: ['Tingnan ang babayaran', 'Magbayad at kumuha ng resibo', 'I-withdraw ang pera mo'],
    toRegister: 'Wala pang account? Magrehistro',
    toSignIn: 'May account na? Mag-sign in',
    fullName: 'Buong pangalan',
    phone: 'Mobile number',
    fullNameHint: 'Gaya ng nasa ID mo',
    phoneHint: `${limits.phoneMinLength} digits o higit pa`,
    email: 'Email (opsyonal)',
    password: 'Password',
    passwordHint: `Hindi bababa sa ${limits.passwordMinLength} character`,
    showTyped: 'Ipakita ang nai-type',
    hideTyped: 'Itago ang nai-type',
    signIn: 'Mag-sign in',
    createAccount: 'Gumawa ng account',
    agree: (lender) =>
      `Sa paggawa ng account, pumapayag kang itago ng ${lender} ang inilalagay mo rito, para sa account mo at para maabot ka.`,
    pleaseWait: 'Sandali lang...',
    creditInformation: 'IMPORMASYON SA CREDIT',
    verifiedSecured: 'VERIFIED AT SECURED',
    welcomeBack: 'Welcome ulit!',
    loginFailed: 'Hindi naka-login',
    accountCreated: 'Nagawa na ang account mo!',
    registrationFailed: 'Hindi nakapagrehistro',
    suspendedTitle: 'Na-suspend ang Account',
    endedTitle: 'Natapos ang session mo',
    forgot: 'Nakalimutan ang password?',
    currentPassword: 'Kasalukuyang password',
    newPassword: 'Bagong password',
    savePassword: 'I-save ang password',
    passwordUpdated: 'Napalitan ang password',
  },
};
