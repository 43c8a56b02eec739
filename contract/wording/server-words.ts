import { formatManilaInstant } from '#domain/calendar.ts';
import type { ContactRefusal } from '#domain/contact.ts';
import { limits } from '#domain/limits.ts';
import { centavos, formatPeso } from '#domain/money.ts';
import { audit } from './panel-audit.ts';
import { contact } from './panel-day.ts';

export type SecondStepSwitch = 'second_step_on' | 'second_step_off' | 'second_step_reset';

/** Words of the server itself: in its records, where staff read them, and to other clients. In English only. */
export const records = {
  mainAdminName: 'Main Admin',
  passwordChanged: 'Your password was changed',
  deleted: 'Deleted',
  erasedName: 'Erased member',
  paymentWithdrawn: 'This payment was taken back',
  setUpSecondStep: 'Set up your second step first: until then nothing else is open to you',
  secondStepOff: 'The second step is off',
  /** To the other staff, by the words of the log. */
  secondStepNews: (action: SecondStepSwitch, name: string) => ({
    title: `${audit.actions[action]}: ${name}`,
    message:
      action === 'second_step_on'
        ? 'They sign in with a code as well as the password from now on.'
        : 'The password alone signs them in until they set it up again. If you did not expect this, ask them.',
  }),
  noticesRead: 'These messages are not shown after a sign-in any more',
  trialSent: 'The trial message is on its way: its state is under Messages',
  exportNoted: 'The export is in the audit log',
  ownRequest: 'Somebody else has to decide this: you asked for it or recorded it',
  ownPhoneChange: `You changed the phone of this account in the last ${limits.phoneConfirmedByAnotherDays} days, so somebody else has to confirm it.`,
  ownAccount: `This borrower has your own e-mail address, phone or bank account, or had it in the last ${limits.accessChangeDays} days, so somebody else has to do this.`,
  /** Tells staff that they changed how an account's money is reached, and may not release its withdrawal. */
  ownAccessChange: `You changed the phone, password, bank details, code or balance of this account in the last ${limits.accessChangeDays} days, so somebody else has to release this withdrawal. You can still reject it.`,
  /** Tells staff that they raised a wallet by hand, and may not complete its withdrawal. */
  ownRaise: `You raised wallets by hand in the last ${limits.accessChangeDays} days, and with this withdrawal more than ${formatPeso(centavos(limits.leavesRaisedWalletsMaxCentavos))} leaves them. Somebody else has to complete it.`,
  /** Tells staff that they raised a wallet by hand, and may not confirm what is paid from it. */
  ownRaisePays: `You raised this wallet by hand in the last ${limits.accessChangeDays} days, so somebody else has to confirm what is paid from it.`,
  ownChangeAccepted: `The terms were accepted within ${limits.accessChangeDays} days of your changing the borrower’s password or phone, so somebody else has to release this loan.`,
  /** Tells a collector that the complaint may be about a call of their own. */
  ownComplaint:
    'You tried to reach this borrower within the 30 days before the complaint or since, so somebody else has to handle it.',
  contactNotAllowed: (reason: ContactRefusal | 'incoming', next: Date) =>
    contact.notAllowed(
      reason === 'incoming' ? contact.triedYourself : contact.whyNot[reason],
      formatManilaInstant(next),
    ),
  messagesSent: `Our staff have sent this member ${limits.staffMessagesPerDay} messages within a day, which is the most.`,
  paymentKnown: (loanNumber: string) =>
    `A payment with this reference is already recorded on loan ${loanNumber}`,
  proofUsed: (loanNumber: string) => `This photo already proves a payment on loan ${loanNumber}`,
  walletSuspended: 'This account is suspended, so nothing is paid into its wallet. Activate it first.',
  unsettled: {
    wallet: (balance: string) =>
      `The wallet holds ${balance}: have it withdrawn, or correct the balance to zero.`,
    withdrawal: (numbers: string) => `Still open: ${numbers}. Complete or reject each withdrawal.`,
    loan: (numbers: string) =>
      `Still out: ${numbers}. Each has to be paid back first. Take over one that was released before as already paid out, and record what was paid on it.`,
    afterwards: 'Then the member can be deleted.',
  },
  /** Description of the entry that preserves the caller's access (§allow-list). */
  ownAddressAdded: 'Added so that you keep access',
  /** Answers clients that send more than any form of the web app does. */
  bodyTooLarge: (maxBytes: number) => `This is too large. A request may have at most ${maxBytes / 1024} kB.`,
};
