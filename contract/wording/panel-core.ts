/** The words of the panel that belong to no one page: its frame, the staff's sign-in, lists, toasts. See `panel.ts`. */
export const core = {
  shell: {
    navigation: 'Admin',
    panel: 'Admin panel',
    members: 'Members',
    borrowing: 'Borrowing List',
    withdrawals: 'Withdrawal List',
    settings: 'Settings',
    audit: 'Audit',
    logout: 'Logout',
    mainAdmin: 'Main Admin',
    withdrawalsWaiting: (count: number) => (count === 1 ? '1 waits for staff' : `${count} wait for staff`),
  },

  signIn: {
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
      'Forgot your password? The main admin can set a new one for you. The main admin’s own is set anew on the server’s console.',
    customerLogin: 'Customer login',
  },

  /** Shown over the page when a staff session ends in the middle of work. */
  sessionEnded: {
    title: 'Your session has ended',
    text: 'Sign in again to go on. What you typed on this page is still here.',
    signOut: 'Log out instead',
  },

  /** An admin whose password was issued is asked to set their own (§issued-passwords). */
  ownPassword: {
    title: 'Set your own password',
    text: 'The password you signed in with was issued to you, and the main admin can read it. One that you set yourself nobody can.',
    later: 'Later',
  },

  /** What every list of the panel shares. */
  list: {
    search: 'Search',
    allStatuses: 'All statuses',
    status: 'Status',
    export: 'Export CSV',
    exportWaits: 'Waiting for the list…',
    exportFailed: 'Nothing was exported',
    exportFailedText: 'The list could not be read to its end. Read it again first.',
    exported: 'Exported',
    exportedSoFar: (count: string, readCount: string) =>
      `${count} of the ${readCount} rows read so far. What is older is not in the file.`,
    refresh: 'Refresh',
    readAt: (time: string) => `Read at ${time}`,
    actions: 'Actions',
    all: (count: string) => `${count} in all, on this page`,
    shown: (count: string, total: string) => `${count} of ${total} shown`,
    byNow: (count: string) => `${count} by now, Refresh shows them`,
    searching: 'Searching…',
    soFar: (count: string) => `${count} read so far`,
    reading: (count: string) => `Reading the list, ${count} so far`,
    failed: 'The list could not be read',
    notWhole: 'The list could not be read to its end. What is shown may be old or not all.',
    noMatchText: 'Nobody and nothing here fits the search and the status chosen.',
    clearFilters: 'Clear search and status',
    details: 'Details',
    dash: '—',
    cancel: 'Cancel',
    save: 'Save',
    saving: 'Saving...',
    /** A money request whose answer was lost, in a row; `en.shell.checking` says the whole. */
    checking: 'Checking...',
    stopWaiting: 'Stop waiting',
    copy: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    copiedWhat: (what: string) => `${what} is on the clipboard.`,
    copyFailed: 'It could not be copied',
    copyByHand: 'This browser did not allow it. Select the text and copy it by hand.',
    show: 'Show',
    hide: 'Hide',
    set: 'Set',
    generate: 'Generate',
    close: 'Close details',
    tellsMember: 'The member is told.',
  },

  /** Titles and fallbacks of toasts that only staff see (§toasts). */
  toasts: {
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
  },

  memberStatus: { active: 'Active', pending: 'Pending', suspended: 'Suspended' },

  /** Two people at one thing at once: whoever saves second is told what it has become. Nobody is blamed. */
  together: {
    changedTo: (now: string) => `Meanwhile changed to ${now}`,
    emptied: 'Meanwhile emptied',
    months: (count: number) => `${count} months`,
    photo: 'another photo',
    title: 'This was changed meanwhile',
    text: 'Nothing is saved yet, and what you typed is still here. Save again to put it in place of what stands there now.',
    useNew: 'Use the new value',
    replaceAgain:
      'This photo was changed meanwhile. Look at the new one first; with Retry yours takes its place.',
    withdrawalNow: (status: string) => `It is ${status} now.`,
    withdrawalGone: 'This withdrawal is not there any more.',
    memberGone: 'This member was deleted meanwhile.',
    loanGone: 'This loan was deleted meanwhile.',
    adminGone: 'This admin was deleted meanwhile.',
  },
};
