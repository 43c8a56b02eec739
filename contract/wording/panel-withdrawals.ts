import { limits } from '#domain/limits.ts';
import { commonHeads, titles } from './panel-every-page.ts';

export const withdrawals = {
  title: titles.withdrawals,
  search: 'Search withdrawals',
  none: 'No withdrawal requests found',
  noneText: 'Members’ withdrawal requests will appear here.',
  rows: { one: 'withdrawal', many: 'withdrawals' },
  figures: { tosend: 'To send', completed: 'Completed', total: 'All' },
  columns: {
    ...commonHeads,
    number: 'Number',
    bank: 'Bank',
    requested: 'Requested',
    processed: 'Processed',
    account: 'Account',
  },
  endingIn: (digits: string) => `···· ${digits}`,
  approve: 'Approve',
  reject: 'Reject',
  process: 'Process',
  approveTitle: (number: string) => `Send ${number}?`,
  approveText: 'Approve marks it as sent and notifies the member. This is final.',
  reference: { label: 'Bank reference', hint: 'Optional. It can also be added later, once.' },
  saveReference: 'Save reference',
  referenceSaved: (number: string) => `Reference of ${number} saved.`,
  sentOn: 'Sent on',
  sentList: 'Transfers CSV',
  detailsTitle: 'Withdrawal Details',
  number: 'Withdrawal',
  bankName: 'Bank name',
  account: 'Account number',
  showAccount: 'Show number',
  hideAccount: 'Hide number',
  sameAccount: 'The money goes to the bank account in the profile.',
  otherAccount: (account: string) =>
    `The money does not go to the bank account in the profile, which is ${account}.`,
  noAccount: 'The profile has no bank account to compare with.',
  pendingNote:
    'Check the bank account before you send money: it is not the one in the profile, or bank details, phone or password changed recently.',
  changes: 'Changes to this account in the last 30 days',
  changed: {
    phone: 'Phone',
    password: 'Password issued',
    bank: 'Bank details',
    code: 'OTP code',
    balance: 'Balance',
  },
  raised: (amount: string) => `Wallet raised by ${amount}`,
  byMember: (name: string) => `${name}, the member`,
  changesFailed: 'Recent changes to this account could not be loaded.',
  ownRequest:
    'You recently changed this account or raised its wallet, so somebody else must release this withdrawal. You can still reject it.',
  ownAccount: `This member has your own e-mail address, phone or bank account, or had it in the last ${limits.accessChangeDays} days, so somebody else has to decide this withdrawal.`,
  releasedAloneNote:
    'The staff member who released this had also changed the account’s access or balance, or it is their own, as nobody else could release it. The member was notified.',
  releasedAloneFilter: 'Released by one person',
  approvedText: ({ number, amount }: { number: string; amount: string }) =>
    `${number}: ${amount} marked as sent.`,
  processedText: (number: string) => `${number} marked as sent.`,
  rejectedText: ({ number, amount, name }: { number: string; amount: string; name: string }) =>
    `${number} was rejected, and ${amount} is back in ${name}’s wallet.`,
  rejectTitle: (number: string) => `Reject ${number}?`,
  rejectText: ({ amount, name }: { amount: string; name: string }) =>
    `${amount} goes back to ${name}’s wallet, and they are notified. This is final.`,
};
