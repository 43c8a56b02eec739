/** Installing the app, and what it shows without a network (§installing). */
export const install = {
  action: 'Install the app',
  title: (lender: string) => `Keep ${lender} at hand`,
  text: 'It opens from your home screen, and shows your next payment when you have no internet.',
  notNow: 'Not now',
  /** Lines of the page without a network; the first leads. */
  nextPayment: (amount: string) => `Next payment: ${amount}`,
  due: (date: string) => `Due on ${date}`,
  dueSince: (date: string) => `Due since ${date}`,
  asOf: (moment: string) => `As of ${moment}. It may have changed since.`,
};
