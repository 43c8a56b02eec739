/**
 * Panel wording shared by all pages: frame, staff sign-in, lists, toasts. See `panel.ts`. The titles have the names of their
 * paths and the order of the sidebar.
 */
export const titles = {
  today: 'Today',
  takePayment: 'Take payment',
  members: 'Members',
  borrowing: 'Borrowing List',
  withdrawals: 'Withdrawal List',
  payments: 'Payments',
  collections: 'Collections',
  approvals: 'Approvals',
  complaints: 'Complaints',
  messages: 'Messages',
  reports: 'Reports',
  settings: 'Settings',
  audit: 'Audit',
};

export const shell = {
  navigation: 'Admin',
  logout: 'Logout',
  mainAdmin: 'Main Admin',
  /** The keys are the names that these counts have on Today. */
  badges: {
    toDecide: (count: string) => `${count} to decide`,
    withdrawalsToSend: (count: string) => `${count} waiting for staff`,
    paymentsToConfirm: (count: string) => `${count} to confirm`,
    requests: (count: string) => `${count} waiting for you`,
    complaints: (count: string) => `${count} open`,
  },
};

export const signIn = {
  portal: 'Admin Portal',
  title: 'Administrator Login',
  username: 'Username',
  usernameHint: 'admin, or your phone number or email',
  password: 'Password',
  submit: 'Sign In',
  busy: 'Signing in...',
  success: 'Admin login successful',
  failureTitle: 'Error',
  failureFallback: 'Login failed',
  forgot:
    'Forgot your password? The main admin can set a new one for you. The main admin’s own is reset on the server’s console.',
  customerLogin: 'Customer login',
};

/** Over the page when a staff session ends mid-work. */
export const sessionEnded = {
  title: 'Your session has ended',
  text: 'Sign in again to continue. What you typed on this page is still here.',
  idle: (text: string) => `You were away for a while. ${text}`,
  signOut: 'Log out instead',
};

/** An admin whose password was issued is asked to set their own (§issued-passwords). */
export const ownPassword = {
  title: 'Set your own password',
  text: 'The password you signed in with was issued to you, and the main admin can read it. Nobody can read one that you set yourself.',
  later: 'Later',
};

/** The heads that several lists have. */
export const commonHeads = {
  member: 'Member',
  phone: 'Phone',
  loan: 'Loan',
  amount: 'Amount',
  status: 'Status',
  daysPastDue: 'Days',
  overdue: 'Overdue',
  principalLeft: 'Principal left',
  channel: 'Channel',
  recordedBy: 'Recorded by',
  confirmedBy: 'Confirmed by',
};

export const list = {
  erased: 'Erased member',
  dayExample: 'd/m/yyyy',
  dayUnread: 'Write a day, such as 28 Nov 2026',
  allStatuses: 'All statuses',
  status: 'Status',
  export: 'Export CSV',
  exportHelp:
    'In a spreadsheet, import the file and mark phones, accounts and references as text: opened directly, they lose their leading zeros.',
  exportWaits: 'Waiting for the list…',
  exportFailed: 'Nothing was exported',
  exportFailedText: 'The list did not load completely. Refresh it first.',
  exported: 'Exported',
  exportedSoFar: (count: string, readCount: string) =>
    `${count} of the ${readCount} rows loaded so far. Older entries are not in the file.`,
  refresh: 'Refresh',
  actions: 'Actions',
  from: 'From',
  to: 'To',
  percent: (share: string | number) => `${share}%`,
  all: (count: string, rows: string) => `${count} ${rows}`,
  shown: (count: string, total: string, rows: string) => `${count} of ${total} ${rows}`,
  byNow: (count: string) => `now ${count}, refresh to see them`,
  searching: 'Searching…',
  soFar: (count: string, rows: string) => `${count} ${rows} loaded so far`,
  reading: (count: string) => `Loading the list, ${count} so far`,
  failed: 'The list could not be loaded',
  notWhole: 'The list did not load completely. It may be outdated or incomplete.',
  noMatchText: 'Nothing matches your search and filter.',
  clearFilters: 'Clear search and filter',
  details: 'Details',
  dash: '—',
  edit: 'Edit',
  delete: 'Delete',
  optional: 'optional',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving...',
  /** In a row, while a lost reply is looked for; `en.shell.checking` is the full sentence. */
  checking: 'Checking...',
  stopWaiting: 'Stop waiting',
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  copiedWhat: (what: string) => `${what} is on the clipboard.`,
  copyFailed: 'Could not copy',
  copyByHand: 'The browser did not allow it. Select the text and copy it yourself.',
  show: 'Show',
  hide: 'Hide',
  set: 'Set',
  generate: 'Generate',
  close: 'Close details',
  openMember: 'Open member',
  tellsMember: 'The member will be notified.',
};

/** Titles and fallbacks of toasts that only staff see (§toasts). */
export const toasts = {
  error: 'Error',
  success: 'Success',
  updateFailed: 'Update failed',
  creationFailed: 'Creation failed',
  deleteFailed: 'Delete failed',
  actionFailed: 'Action failed',
  members: 'Failed to fetch members',
  loans: 'Failed to fetch loans',
  withdrawals: 'Failed to fetch withdrawals',
  stats: 'Failed to fetch stats',
  admins: 'Failed to fetch admin users',
  allowedIps: 'Failed to fetch allowed IPs',
  audit: 'Failed to fetch the audit log',
};

export const memberStatus = { active: 'Active', pending: 'Pending', suspended: 'Suspended' };

/** Edit conflicts: the second to save learns the new values. Nobody is blamed. */
export const conflict = {
  changedTo: (now: string) => `Changed to ${now} in the meantime`,
  emptied: 'Cleared in the meantime',
  months: (count: number) => `${count} months`,
  photo: 'another photo',
  title: 'This has changed in the meantime',
  text: 'Nothing is saved yet, and what you typed is still here. Save again to replace the new values.',
  useNew: 'Use the new value',
  replaceAgain:
    'This photo has changed in the meantime. Look at the new one first; Retry replaces it with yours.',
  withdrawalNow: (status: string) => `It is now ${status}.`,
  withdrawalGone: 'This withdrawal no longer exists.',
  memberGone: 'This member has been deleted.',
  loanGone: 'This loan has been deleted.',
  adminGone: 'This admin has been deleted.',
};

export const find = {
  title: 'Find',
  box: 'Find anything',
  hint: 'Name, phone, number or page',
  keys: 'Ctrl K',
  short: 'Type at least two characters.',
  none: 'Nothing was found.',
  failed: 'The search failed',
  results: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  loans: 'Loans',
  noReceipt: 'No receipt',
  pages: 'Pages',
  dayReport: 'Day report',
  /** Typed before a name or number; each leads to what it says. */
  verbs: {
    pay: 'Take a payment',
    payoff: 'Pay off',
    release: 'Release',
    open: 'Open',
  },
  callNext: 'call next',
  next: 'To call next',
  nobodyToCall: 'Nobody in arrears can be called.',
  nobodyYet: (from: string) => `Nobody may be called now. The next call is allowed from ${from}.`,
  examples: [
    ['pay', 'a name or number', 'takes a payment'],
    ['payoff', 'a name or number', 'says what pays it off'],
    ['release', 'a name or number', 'releases an approved loan'],
    ['call next', '', 'whom to call now'],
    ['open', 'a name or number', 'opens what you look for'],
  ] as const,
  due: (amount: string) => `${amount} due`,
  nothingDue: 'nothing due',
  paysOff: (amount: string) => `${amount} pays it off`,
  daysLate: (days: number) => (days === 1 ? '1 day late' : `${days} days late`),
  call: (phone: string) => `Call ${phone}`,
};
