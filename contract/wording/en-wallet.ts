import { limits } from '#domain/limits.ts';

export const wallet = {
  /** The wallet's balance, with the warning shown in every installation (§never-pay). */
  wallet: {
    balance: 'Wallet balance',
    /** The end of its sentence is the link that reports it. */
    neverPay: 'You never pay to receive your loan. If anyone asks you to,',
    report: 'report it',
  },

  /** The end of a list that is longer. */
  list: {
    newestOnly: (count: number) => `The newest ${count} are listed.`,
    older: 'Show older',
  },

  /** Taking money out of the wallet (§withdrawing). */
  withdrawal: {
    start: 'Withdraw money',
    nothing: 'Nothing to withdraw now.',
    unavailable: 'Unavailable to request a withdrawal',
    title: 'Withdraw Funds',
    lead: 'No fee. You confirm with a one-time code, and our staff send the money.',
    amount: 'Amount',
    inWallet: (balance: string) => `${balance} in the wallet`,
    allOfIt: 'All',
    change: 'Change',
    toProfile: 'The account in your profile',
    toOther: 'This is not the bank account in your profile, so our staff check it before money goes out.',
    continue: 'Continue',
    codeTitle: 'Enter OTP Code',
    codeLead: `Ask our staff for your ${limits.otpLength}-digit code. It works once.`,
    codeLeadByText: `We text you a ${limits.otpLength}-digit code, or our staff tell you one. It works once.`,
    code: 'OTP code',
    noCode: 'No code yet?',
    requestCode: 'Request a code',
    codeRequested: 'Our staff know that you are waiting for a code.',
    codeSteps: 'Your code',
    askedAt: (time: string) => `You asked at ${time}`,
    codeSetAt: (time: string) => `Our staff set your code at ${time}`,
    theyCall: (phone: string) => `They call you on ${phone} and tell you the code`,
    orCall: 'Or call them:',
    texted: 'They texted it to your phone',
    isGone: 'Lost the code?',
    textMe: 'Text me a code',
    textMeText: ({ amount, account }: { amount: string; account: string }) =>
      `It works once, for exactly ${amount} to ${account}. We ask for your password, so that nobody else who holds your phone gets a code.`,
    textMeSend: 'Text it',
    textedAt: ({ to, time }: { to: string; time: string }) => `Texted to ${to} at ${time}`,
    textedWorks: (time: string) => `It works until ${time}, for this withdrawal only`,
    textExpired: 'That code has expired',
    textAgainIn: (time: string) => `Nothing came? A new one in ${time}`,
    confirmPhoneFirst:
      'If you confirm your phone under Profile, Account, we can text you this code from two days later.',
    lookAgain: 'Look again',
    notLooked: 'We could not look again',
    codeRequestFailed: 'The code could not be requested',
    codeHint: `After ${limits.otpMaxWrongTries} wrong tries a code no longer works.`,
    youWithdraw: 'You withdraw',
    to: 'To',
    left: 'Left in the wallet',
    leftUnknown: 'Your balance could not be read just now',
    endingIn: (digits: string) => `account ending in ${digits}`,
    confirm: 'Confirm',
    approved: 'Withdrawal approved',
    approvedText: ({ amount, bankName }: { amount: string; bankName: string }) => `${amount} to ${bankName}.`,
    submitted: 'Withdrawal submitted',
    submittedText: 'Our staff will check the bank account first.',
    /** The toasts say that it is approved, or that the account is checked first. */
    sentNext: 'Our staff send it next',
    messageWhenSent: 'We’ll message you when it’s sent.',
    messageEitherWay: 'We’ll message you either way',
    sentIfRight: 'Our staff send the money if the bank account is right.',
    tellWhenSent: 'Our staff send it next. We’ll message you when it’s sent.',
    number: 'Number',
    failed: 'Withdrawal failed',
    unknown: 'We do not know whether it went through',
    unknownText: 'If it did, it is in your withdrawals. Look there before you try again.',
    list: 'Withdrawals',
    none: 'No withdrawals yet',
    listFailed: 'Your withdrawals could not be loaded',
    returned: 'Returned to your wallet',
    sent: (date: string) => `Sent ${date}`,
    statuses: { pending: 'Pending', approved: 'Approved', completed: 'Completed', rejected: 'Rejected' },
  },

  /** The progress of the current application, and the main loan's costs in short. */
  application: {
    title: 'Application',
    none: 'No pending loan application found.',
    failed: 'Your application could not be loaded',
    eitherWay: 'We’ll tell you either way',
    preview: 'Loan preview',
    previewNone: 'Once you have applied, you’ll see what your loan costs here.',
    papers: 'Contract and payment schedule',
  },

  /** Messages from staff and notices of the product. */
  messages: {
    latest: 'Latest message',
    none: 'No messages yet',
    noneNew: 'No new messages',
    noneText:
      'Messages from our staff appear here, and what they change about your money, sign-in, bank details or loan.',
    accessTitle: 'Changed since you last looked',
    accessClose: 'I have read this',
    all: (count: string) => `All messages (${count})`,
    failed: 'Your messages could not be loaded',
    isNew: 'New',
    memberStatus: { active: 'Active', pending: 'Pending', suspended: 'Suspended' },
  },
};
