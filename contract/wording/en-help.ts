import { limits } from '#domain/limits.ts';

/** Help: how to reach the lender, and complaints. Staff read the same words. */
export const help = {
  lead: 'Talk to us',
  leadText: 'About your loan, a payment, or your account.',
  write: 'With your loan number, we find you at once.',
  visit: 'Our office',
  questions: 'What people ask',
  answers: (decisionDays = 0): [question: string, answer: string][] => [
    [
      'How do I pay?',
      'On Home, press How to pay. It shows where to pay and the reference to give. Afterwards press I have paid, so that our staff can look for it.',
    ],
    [
      'When does my payment count?',
      'From the day you paid, once our staff have confirmed it. From your wallet it counts at once. Then you have your receipt.',
    ],
    [
      'What if I cannot pay on time?',
      'Call us before the day it is due. You can pay a part: every peso counts from the day you pay, and fewer late charges are added. Your contract says how they are worked out.',
    ],
    [
      'How long does a decision take?',
      `${decisionDays ? `Up to ${decisionDays === 1 ? '1 working day' : `${decisionDays} working days`}. ` : ''}We send you a message as soon as it is made. Until then Home shows how far your application is.`,
    ],
    [
      'When do I get the money?',
      'After the approval our staff release it to your wallet or send it to you directly, and we message you. From the wallet you withdraw it to your own account.',
    ],
    [
      'What is the one-time code?',
      `${limits.otpLength} digits with which you confirm a withdrawal. When you withdraw, we show you how to get them. They work once. Give them to nobody, not even our staff.`,
    ],
  ],
  complaints: 'Complaints',
  complaintsText: (days: number, resolveDays: number) =>
    `Something went wrong? Write it here. We get back to you within ${days} days and settle it within ${resolveDays}.`,
  failed: 'Your complaints could not be loaded',
  none: 'No complaints',
  newComplaint: 'New complaint',
  about: 'What is it about?',
  categories: {
    collection: 'How we asked for payment',
    amount: 'An amount that is not right',
    service: 'Our service',
    privacy: 'My personal data',
    other: 'Something else',
  },
  loan: 'Loan (optional)',
  noLoan: 'No loan in particular',
  message: 'What happened?',
  send: 'Send',
  sent: 'We have your complaint',
  answerBy: (day: string) => `We get back to you by ${day}.`,
  settleBy: (day: string) => `We settle it by ${day}.`,
  settledOn: (day: string) => `Settled on ${day}.`,
  sendFailed: 'It was not sent',
  writeMore: 'Write more',
  more: 'Your message',
  takeBack: 'Take it back',
  takeBackTitle: 'Take this complaint back?',
  takeBackText:
    'We stop looking into it, and our staff may contact you again. You can complain again at any time.',
  takenBack: 'Your complaint is taken back',
  takenBackOn: (day: string) => `You took it back on ${day}.`,
  notTakenBack: 'It was not taken back',
  states: {
    open: 'Sent',
    acknowledged: 'We are looking into it',
    resolved: 'Settled',
    withdrawn: 'Taken back',
  },
  you: 'You',
  us: 'Our staff',
};
