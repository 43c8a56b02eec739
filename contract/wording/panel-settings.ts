import { titles } from './panel-every-page.ts';

export const settings = {
  title: titles.settings,
  erasingPausedTitle: 'Erasing is paused',
  erasingPausedText:
    'The audit log has a gap of more than a day before today. If the server was off, you need not do anything: erasing resumes after a day. If today’s date is wrong here, correct the server’s clock before then.',
  admins: 'Admin Accounts',
  adminsText: 'Everyone who can open this panel.',
  none: 'No admin accounts found',
  columns: { admin: 'Admin', phone: 'Phone', password: 'Password', since: 'Since' },
  secondStepOn: 'Second step on',
  secondStepReset: 'Reset the second step',
  secondStepResetTitle: (name: string) => `Reset the second step of ${name}?`,
  secondStepResetText:
    'Only after you have made sure that it is them who ask. They are signed out, and their password alone signs them in until they set it up again. The other admins are told.',
  secondStepResetDone: (name: string) => `${name} signs in with the password alone now.`,
  you: 'you',
  deleteTitle: (name: string) => `Delete the admin ${name}?`,
  deleteText:
    'They are signed out immediately and cannot sign in again. Their actions stay in the audit log.',
  deleted: (name: string) => `${name} is no longer an admin.`,
  deleteFailure: { failedTitle: 'Delete Failed', fallback: 'Failed to delete admin' },
  add: 'Add New Admin',
  addText: 'They sign in with the email or the phone number and are asked to set their own password.',
  fullName: 'Full name',
  submit: 'Add admin',
  created: 'Admin Created',
  createdText: (email: string) => `${email} can sign in now.`,
  createFailed: 'Failed to create admin',
  editTitle: 'Edit admin account',
  passwordHint: 'Leave empty to keep the current one. A new one signs them out everywhere.',
  updated: (name: string) => `${name}’s account was updated.`,
  updateFailed: 'Failed to update admin account',
  copyPassword: 'password',
};

export const secondStep = {
  title: 'Second step',
  text: 'A code from your phone as well as the password, so that a stolen password alone lets nobody in.',
  off: 'You sign in with your password alone.',
  on: (since: string) => `On since ${since}.`,
  codesLeft: (count: number) =>
    count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`,
  start: 'Set up',
  lost: 'New phone, or codes lost: switch it off with a code and set it up again. Phone and codes lost: the main admin resets it, the main admin’s own is reset on the server’s console.',
  required: 'This lender asks for a second step. Set it up, and the panel opens.',
  scan: 'Scan this with an authenticator app, such as Google Authenticator, Aegis or 1Password, or type the key into it.',
  picture: 'QR code of the key',
  key: 'Key',
  code: 'Code',
  codeHint: 'Six digits from the app. They change every half minute.',
  anyCodeHint: 'Six digits from the app, or a recovery code.',
  password: 'Your password',
  passwordText: 'First the password that you sign in with, so that nobody else sets it up in your name.',
  next: 'Go on',
  confirm: 'Switch on',
  switchedOn: 'Second step is on',
  failedOn: 'It was not switched on',
  codesTitle: 'Recovery codes',
  codesText:
    'Each signs you in once when your phone is not at hand. They are shown only now: keep them on paper, away from your phone and computer.',
  print: 'Print',
  kept: 'I have kept them',
  switchOff: 'Switch off',
  switchOffTitle: 'Switch off the second step?',
  switchOffText:
    'Your password alone signs you in then. Your other sessions end, and the other admins are told.',
  switchedOff: 'Your second step is off. The other admins are told.',
  failedOff: 'It was not switched off',
};

export const closedAccounts = {
  title: 'Closed accounts',
  failed: 'The closed accounts could not be loaded',
  text: 'Deleted members who still owe money, or to whom money is owed.',
  columns: { account: 'Account', loans: 'Loans', wallet: 'In the wallet', owed: 'Owed', closed: 'Closed' },
  erased: (id: number) => `Erased (account ${id})`,
  credit: (amount: string) => `${amount} to hand back`,
};

export const allowedIps = {
  title: 'Allowed IP Addresses',
  table: 'Allowed addresses',
  text: 'Only these addresses can open the panel.',
  proxyTitle: 'A proxy is not configured',
  proxyText: (address: string) =>
    `Requests with proxy headers came from ${address}, which is not in the setting TRUST_PROXY. If it is your proxy, add it and restart: until then the server takes its address for everyone’s. If you have no proxy, somebody forged the headers, and you need not do anything.`,
  none: 'Every address is allowed',
  noneText:
    'Once you add an address, staff can open the panel only from the listed ones. Your own is added too.',
  address: { label: 'IP address', hint: 'One address, or a range such as 203.0.113.0/24' },
  submit: 'Add IP',
  columns: { address: 'Address', description: 'Description', since: 'Since' },
  yours: 'your address',
  remove: 'Remove',
  removeTitle: (address: string) => `Remove ${address}?`,
  removeText: 'Staff can no longer open the panel from there.',
  removeLastText: 'This is the last entry. Without it, the panel can be opened from any address.',
  added: 'IP Added',
  addedText: (address: string) => `${address} is allowed.`,
  addFailure: { failedTitle: 'Addition failed', fallback: 'Failed to add IP address' },
  removed: 'IP Removed',
  removedText: (address: string) => `${address} is no longer allowed.`,
  removeFailure: { failedTitle: 'Removal failed', fallback: 'Failed to remove IP address' },
};
