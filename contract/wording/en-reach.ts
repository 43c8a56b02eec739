/** How a borrower is reached outside the app (§confirmed-addresses), and codes that are texted (§codes-by-text). */
export const reach = {
  title: 'How we reach you',
  lead: {
    sms: 'By text message, also while the app is closed.',
    email: 'By email, also while the app is closed.',
    both: 'By text message and email, also while the app is closed.',
  },
  phone: {
    label: 'Phone',
    confirm: 'Confirm my phone',
    confirmed: 'Phone confirmed',
    sent: (to: string) => `We texted a code to ${to}.`,
    notHere: 'Nothing came? A text can take a minute. Check that you have a signal.',
  },
  email: {
    label: 'Email',
    confirm: 'Confirm my email',
    confirmed: 'Email confirmed',
    sent: (to: string) => `We emailed a code to ${to}.`,
    notHere: 'Nothing came? Look in your spam folder, too.',
  },
  unconfirmed: 'Not confirmed: nothing is sent there yet',
  confirmedOn: (date: string) => `Confirmed on ${date}`,
  notMobile: (phone: string) =>
    `${phone} cannot get our texts: they go to Philippine mobile numbers only. Our staff can change your number.`,
  noEmail: 'Your profile has no email address.',
  addEmail: 'Add one',
  code: 'Confirmation code',
  worksUntil: (time: string) => `It works until ${time}.`,
  expired: 'That code has expired. Send a new one.',
  maybeSent: 'If you have a code from before, you can still type it here.',
  confirm: 'Confirm',
  again: 'Send a new code',
  againIn: (time: string) => `A new code in ${time}`,
  againAt: (moment: string) => `A new code at ${moment}`,
  notSent: 'The code could not be sent',
  tooMany: (moment: string) => `We cannot send another code yet. The next one: ${moment}.`,
  wrongCode: 'This code is wrong or no longer works. Check it, or send a new one.',
  wants: {
    title: 'Also tell me',
    reminders: {
      label: 'Reminders',
      note: 'Before an instalment is due, on its day, and if it is late.',
    },
    news: {
      label: 'News',
      note: 'Decisions, new terms, answers and messages from our staff.',
    },
    always: 'We always tell you about codes, your money, and changes to your account.',
    saved: 'Saved',
  },
};
