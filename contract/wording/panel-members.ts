/** The words of the members' page and its dialogs. See `panel.ts`. */
export const members = {
  members: {
    title: 'Members',
    search: 'Search members',
    add: 'Add member',
    none: 'No members found',
    noneText: 'Everyone who registers stands here. You can also add a member who comes to the desk.',
    figures: { total: 'members', active: 'active', pending: 'pending', suspended: 'suspended' },
    columns: {
      member: 'Member',
      phone: 'Phone',
      status: 'Status',
      balance: 'Balance',
      score: 'Score',
      otp: 'OTP',
      joined: 'Joined',
      email: 'Email',
      verified: 'Verified',
      id: 'Id',
    },
    yes: 'yes',
    no: 'no',
    verified: 'Verified',
    verifiedIn: (place: string) => `Verified · ${place}`,
    noDocuments: 'no documents',
    documentsOf: (count: number, total: number) => `${count} of ${total} documents`,
    incomplete: 'profile incomplete',
    edit: 'Edit',
    documents: 'Documents',
    activate: 'Activate',
    deactivate: 'Deactivate',
    delete: 'Delete',
    deleted: 'Member deleted',
    deactivateTitle: (name: string) => `Deactivate ${name}?`,
    deactivateText: (name: string) =>
      `${name} is signed out at once and cannot sign in, apply or withdraw. You can activate the account again.`,
    activated: (name: string) => `${name} is active.`,
    deactivated: (name: string) => `${name} is suspended and signed out.`,
    isNow: (status: string) => `The status was changed meanwhile: it is ${status} now.`,
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: ({ name, balance }: { name: string; balance: string }) =>
      `The account of ${name} leaves every list for good, and can no longer sign in. The wallet holds ${balance}. Money, open withdrawals and loans that are out have to be settled first. Loans, withdrawals and the ledger are kept for the books; the reference person is erased, and without any books everything.`,
  },

  /** A member who asked to be deleted. */
  deletion: {
    filter: 'Asked for deletion',
    note: 'asked for deletion',
    title: (date: string) => `Asked for deletion on ${date}`,
    text: (years: number) =>
      `Settle loans and wallet, then delete the member. The reference person is erased at once. Who has neither loan nor money moved is erased whole; anybody else's identity is kept for ${years} years for the books.`,
  },

  /** A member whose wallet staff put money into that no loan explains. */
  credit: {
    filter: 'Credit without a loan',
    note: 'credit without a loan',
    noteOn: (date: string) => `credit without a loan, ${date}`,
  },

  /** A member who asked for a one-time code and has none yet. */
  codeRequest: {
    filter: 'Waiting for a code',
    since: (when: string) => `Waiting for a code since ${when}`,
    notice: (count: number) =>
      count === 1 ? '1 member is waiting for a code' : `${count} members are waiting for a code`,
    show: 'Show who waits',
  },

  /** Adding and editing a member (§editing-members). */
  memberForm: {
    addTitle: 'Add member',
    editTitle: 'Edit member',
    editText: (name: string) => `Only what you change of ${name}'s account is saved.`,
    addText: 'For somebody at the desk. They sign in with the phone number.',
    phone: 'Phone number',
    password: 'Password',
    passwordHint: 'Leave it empty and one is made for you.',
    account: 'Account',
    groups: { person: 'Person', work: 'Work', reference: 'Reference', bank: 'Bank' },
    saved: 'Member updated',
    created: 'Member created',
    saveFirst: 'Save member first',
    saveFirstText: 'Photos are added once the member is saved.',
    issuedTitle: 'The password of the new member',
    issuedText: (name: string) =>
      `Tell it to ${name}. It is shown this once; for seven days staff can look it up again, until the member sets one of their own.`,
    done: 'Done',
  },

  memberDocuments: {
    title: 'Documents',
    of: (name: string) => `Identity documents of ${name}`,
    isVerified: 'The profile is complete and all three documents are there.',
    missing: 'Still missing',
  },

  /** The details beside the list. */
  memberPanel: {
    overline: (id: number) => `Member ${id}`,
    shortDocuments: { idFrontUrl: 'Front', idBackUrl: 'Back', selfieUrl: 'Selfie' },
    open: {
      idFrontUrl: 'Look at the front',
      idBackUrl: 'Look at the back',
      selfieUrl: 'Look at the photo of the member',
    },
    noDocument: 'none',
    phone: 'Phone',
    balance: 'Wallet balance',
    adjust: 'Adjust',
    adjustHidden: ' the balance',
    newBalance: 'New balance',
    reason: 'Reason',
    reasons: {
      admin_adjustment: 'Adjustment',
      disbursement: 'Release of a loan',
      correction: 'Correction',
    },
    releases: (loanNumber: string) => `Loan ${loanNumber} then counts as released.`,
    releasesNewest: 'The newest approved loan then counts as released.',
    releasesNot: (loanNumber: string) =>
      `Loan ${loanNumber} is not approved, so this does not mark it as released.`,
    change: (before: string, after: string) => `${before} → ${after}`,
    difference: (difference: string) => `${difference} in the ledger`,
    saveBalance: 'Change balance',
    balanceTitle: (name: string) => `Change the balance of ${name}?`,
    balanceText: ({ before, after, difference }: { before: string; after: string; difference: string }) =>
      `From ${before} to ${after}: ${difference} is written to the ledger, and the member is told.`,
    balanceSame: 'This is the balance already.',
    balanceMoved: ({ before, now }: { before: string; now: string }) =>
      `The balance was ${before} when you opened it and is ${now} now. What you typed is still here: look at it again and save.`,
    score: 'Credit score',
    scoreHint: (min: number, max: number) => `${min} to ${max}`,
    newScore: 'New credit score',
    scoreNow: (score: number) => `now ${score}`,
    editHidden: ' the credit score',
    saveScore: 'Save score',
    otp: 'OTP code',
    newOtp: 'New OTP code',
    noOtp: 'no code set',
    codeHidden: ' the OTP code',
    hoursLeft: (hours: number) => (hours < 1 ? 'under an hour left' : `${hours} h left`),
    otpHint: (digits: number) => `${digits} digits, for one withdrawal`,
    saveOtp: 'Save code',
    otpUpdated: 'OTP Code Updated',
    password: 'Password',
    newPassword: 'New password',
    issued: 'issued, not yet changed',
    passwordHidden: ' the password',
    passwordHint: 'The member is told, and signed out everywhere.',
    savePassword: 'Save password',
    passwordUpdated: 'Password Updated',
    bank: 'Bank',
    accountHidden: ' the account number',
    more: 'Personal information',
    since: 'Member since',
    recent: 'Recent',
    allRecent: 'All entries',
    edit: 'Edit member',
    revealFailed: 'It could not be shown',
  },
};
