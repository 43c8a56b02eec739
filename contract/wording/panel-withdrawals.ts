/** The words of the withdrawals' page and its dialogs. See `panel.ts`. */
export const withdrawals = {
  withdrawals: {
    title: 'Withdrawal List',
    search: 'Search withdrawals',
    none: 'No withdrawal requests found',
    noneText: 'When a member takes money out of the wallet, the request stands here.',
    figures: { total: 'withdrawals', pending: 'waiting', processed: 'processed' },
    columns: {
      member: 'Member',
      number: 'Number',
      amount: 'Amount',
      bank: 'Bank',
      status: 'Status',
      requested: 'Requested',
      processed: 'Processed',
      phone: 'Phone',
      account: 'Account',
    },
    endingIn: (digits: string) => `···· ${digits}`,
    approve: 'Approve',
    reject: 'Reject',
    process: 'Process',
    detailsTitle: 'Withdrawal Details',
    number: 'Withdrawal',
    amount: 'Amount',
    bankName: 'Bank name',
    account: 'Account number',
    showAccount: 'Show number',
    hideAccount: 'Hide number',
    status: 'Status',
    requested: 'Requested',
    processed: 'Processed',
    sameAccount: 'It goes to the bank account in the profile.',
    otherAccount: (account: string) =>
      `It does not go to the bank account in the profile, which is ${account}.`,
    noAccount: 'The profile has no bank account to compare with.',
    pendingNote: 'Look at the bank account before you send money: it was new or changed lately.',
    changes: 'Changed in this account in the last 30 days',
    changed: { password: 'Password issued', bank: 'Bank details', code: 'OTP code', balance: 'Balance' },
    byMember: (name: string) => `${name}, the member`,
    byNobody: 'The server’s console',
    changesFailed: 'Who changed this account lately could not be read.',
    ownRequest:
      'You are among those who changed this account lately, so somebody else has to release this withdrawal. You can reject it.',
    releasedAlone: 'one person',
    releasedAloneNote:
      'Whoever released this had changed the account’s access or balance before: nobody else works here. The member was told.',
    releasedAloneFilter: 'Released by one person',
    approvedText: ({ number, amount }: { number: string; amount: string }) =>
      `${number}: ${amount} is marked as sent.`,
    processedText: (number: string) => `${number} is marked as sent.`,
    rejectedText: ({ number, amount, name }: { number: string; amount: string; name: string }) =>
      `${number} was rejected, and ${amount} is back in the wallet of ${name}.`,
    rejectTitle: (number: string) => `Reject ${number}?`,
    rejectText: ({ amount, name }: { amount: string; name: string }) =>
      `${amount} goes back to the wallet of ${name}, who is told. This is final.`,
  },
};
