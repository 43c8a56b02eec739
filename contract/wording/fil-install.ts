import type { install as english } from './en-install.ts';

export const install: typeof english = {
  action: 'I-install ang app',
  title: (lender: string) => `Laging nasa phone mo ang ${lender}`,
  text: 'Mabubuksan ito sa home screen, at makikita ang susunod na bayad kahit walang internet.',
  notNow: 'Hindi muna',
  nextPayment: (amount: string) => `Susunod na bayad: ${amount}`,
  due: (date: string) => `Bayaran hanggang ${date}`,
  dueSince: (date: string) => `Dapat nabayaran noong ${date}`,
  asOf: (moment: string) => `Ayon sa tala ng ${moment}. Maaaring nagbago na ito.`,
};
