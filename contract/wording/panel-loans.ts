/** The words of the borrowing list and its dialogs. See `panel.ts`. */
export const loans = {
  /** Loans (spec sections 2 and 4). */
  loans: {
    title: 'Borrowing List',
    search: 'Search loans',
    none: 'No loan applications found',
    noneText: 'When a member applies for a loan, the application stands here for your decision.',
    figures: { total: 'loans', pending: 'pending', approved: 'approved', active: 'active' },
    columns: {
      member: 'Member',
      loan: 'Loan',
      amount: 'Amount',
      term: 'Term',
      rate: 'Rate',
      monthly: 'Monthly',
      status: 'Status',
      applied: 'Applied',
      phone: 'Phone',
      purpose: 'Purpose',
    },
    months: (count: number) => `${count} mo`,
    rate: (percent: string) => `${percent}%`,
    unagreed: 'terms not agreed',
    unagreedFilter: 'Terms not agreed',
    releasedOn: (date: string) => `Released ${date}`,
    updateStatus: 'Update status',
    edit: 'Edit loan',
    notify: 'Notify',
    delete: 'Delete',
    deleteTitle: (loanNumber: string, name: string) => `Delete loan ${loanNumber} of ${name}?`,
    deleteText: (amount: string) =>
      `The loan over ${amount} leaves every list, the member's too, and they are told. It stays in the audit log. No money moves. From its approval on only the main admin can delete it.`,
    deleted: (loanNumber: string) => `Loan ${loanNumber} was deleted.`,
  },

  loanStatus: {
    title: 'Update Loan Status',
    of: ({ loanNumber, name, amount }: { loanNumber: string; name: string; amount: string }) =>
      `${loanNumber} of ${name}, ${amount}`,
    status: 'Status',
    custom: 'Custom status',
    customHint: 'Kept for this visit. Saving takes what stands here.',
    add: 'Add status',
    reason: 'Reason for the borrower (optional)',
    reasonHint: 'It stands in their message, in your words.',
    note: 'The member is told. No money moves: release it with the wallet balance.',
    outTitle: (status: string) => `The money is out. Set this loan to ${status}?`,
    outText: (release: string | undefined) =>
      `${release ? `The borrower received ${release}` : 'The loan is active: the borrower has the money'}. They will read that it was not approved, and the money stays with them until you correct the balance.`,
    outConfirm: (status: string) => `Set to ${status}`,
    saved: (loanNumber: string, status: string) => `Loan ${loanNumber}: ${status}.`,
    same: 'now',
    changed: (status: string) =>
      `The loan is ${status} now. Nothing is saved yet: save again to put your choice in its place.`,
  },

  loanEdit: {
    title: 'Edit loan',
    amount: 'Amount',
    term: 'Term (months)',
    payment: 'Monthly payment',
    before: 'now',
    total: 'To repay in all',
    note: 'Saving makes a new, dated version of the contract, and the member is told. It is not agreed to, and cannot be released, until they accept it in the app.',
    rateNote: (percent: string) => `At the rate of this loan, ${percent}% a month.`,
    saved: (loanNumber: string, payment: string) => `Loan ${loanNumber} is now ${payment} a month.`,
  },

  notify: {
    title: 'Notify',
    of: (name: string) => `A message to ${name}, first on their wallet.`,
    subject: 'Title',
    message: 'Message',
    send: 'Send',
    sent: (name: string) => `${name} has the message.`,
    about: (loanNumber: string) => `About your loan ${loanNumber}`,
  },

  loanPanel: {
    overline: (loanNumber: string) => `Loan ${loanNumber}`,
    amount: 'Amount',
    terms: 'Term and rate',
    termsText: (months: number, percent: string) => `${months} months at ${percent}% a month`,
    monthly: 'Monthly payment',
    purpose: 'Purpose',
    applied: 'Applied',
    released: 'Released',
    releasedText: (amount: string, date: string) => `${amount} on ${date}`,
    changed: 'Last change',
    unagreed: 'Not agreed by the borrower',
    unagreedText:
      'Staff changed these terms. The borrower can accept them in the app; until then the loan cannot be released.',
    member: 'Member',
    open: 'Open the member',
  },
};
