/** The kinds of secret to look for. Each kind has places of its own where it may stand. */
export type Secret =
  | 'chosen password'
  | 'main admin’s password'
  | 'secret key'
  | 'metrics token'
  | 'token'
  | 'issued password'
  | 'staff’s issued password'
  | 'one-time code'
  | 'second step'
  | 'name'
  | 'personal data'
  | 'reference’s data';

export type Who = 'visitor' | 'borrower' | 'other borrower' | 'admin' | 'main admin';

/** Everything that is typed in. Only letters and digits: a mark looks the same in JSON, in a URL and in a log. */
export const marked = {
  metricsToken: 'Qmetrics7f3a91',
  chosenPassword: 'Qchosen7f3a92',
  secondPassword: 'Qsecond7f3a93',
  issuedPassword: 'Qissued7f3a94',
  code: '739158',
  secondCode: '846273',
  purpose: 'a sewing machine',
  person: {
    fullName: 'Qname7f3a95',
    phone: '09171828384',
    email: 'qmail7f3a96@example.com',
    address: 'Qaddress7f3a97 Street',
    bankAccountNumber: '990817263545',
  },
  reference: { referenceName: 'Qreference7f3a98', referencePhone: '09189192939' },
  profile: { countryOfWork: 'Philippines', monthlySalary: '35000.00', bankName: 'Bank A' },
  staff: {
    email: 'staff@example.com',
    password: 'Qstaff7f3a99',
    secondPassword: 'Qstaff7f3a9a',
  },
} as const;

const isStaff = (who: Who) => who === 'admin' || who === 'main admin';

/** Rows whose replies are member objects, or hold one (§secrets-in-answers). */
const ofMembers = ['listMembers', 'readMember', 'updateMember', 'createMember', 'listAllUsers'];
const withMembers = ['listLoans', 'updateLoan', 'listWithdrawals', 'updateWithdrawal'];
const ofStaff = ['createAdmin', 'updateAdmin', 'listAllUsers'];

/** Where a person reads what they told of themselves. */
const ownRecords = [
  'register',
  'signIn',
  'readProfile',
  'updateProfile',
  'downloadOwnData',
  'downloadOwnArchive',
];
const ownBusiness = ['readLoanContract', 'readLoanContractPdf', 'listOwnWithdrawals', 'requestWithdrawal'];

/** A loan's papers name the borrower; its account says to staff whose it is, and under which number to call. */
const ofLoans = ['readLoanContract', 'readLoanContractPdf', 'readLoanAccount'];

const nowhere = () => false;

const isOfPerson = (row: string, who: Who) =>
  (isStaff(who) && [...ofMembers, ...withMembers, ...ofLoans].includes(row)) ||
  (who === 'borrower' && [...ownRecords, ...ownBusiness].includes(row)) ||
  // The answer that signs them in.
  (who === 'visitor' && ['register', 'signIn'].includes(row));

/** Where each kind may appear: in the answer of which row, and to whom. */
export const places: Record<Secret, (row: string, who: Who) => boolean> = {
  'chosen password': nowhere,
  'main admin’s password': nowhere,
  'secret key': nowhere,
  'metrics token': nowhere,
  token: nowhere,
  'issued password': (row, who) => isStaff(who) && ofMembers.includes(row),
  'staff’s issued password': (row, who) => who === 'main admin' && ofStaff.includes(row),
  'one-time code': (row, who) => isStaff(who) && [...ofMembers, ...withMembers].includes(row),
  // The secret and the recovery codes, once each, to their owner.
  'second step': (row, who) => who === 'admin' && ['setUpSecondStep', 'confirmSecondStep'].includes(row),
  // The audit log keeps who did it by number; the name is looked up when it is read, and by whoever is to release money.
  name: (row, who) =>
    isOfPerson(row, who) ||
    (isStaff(who) && row === 'readWithdrawalHold') ||
    (who === 'main admin' && row === 'listAudit'),
  'personal data': isOfPerson,
  'reference’s data': (row, who) =>
    (isStaff(who) && ofMembers.includes(row)) ||
    (who === 'borrower' && ownRecords.includes(row)) ||
    (who === 'visitor' && row === 'signIn'),
};
