const monthsText = (months: number) => (months === 1 ? '1 month' : `${months} months`);

type ClearanceFacts = { borrower: string; loan: string; amount: string; released: string; closed: string };

/**
 * The words of the files that a borrower downloads: contract, calendar and table of due dates, statement, receipts,
 * clearance certificate. The contract's terms are `contractText` in `en-contract.ts`. The Filipino file does not
 * compile if a sentence is missing.
 */
export const papers = {
  /** The language tag in the file's metadata. */
  languageTag: 'en-PH',
  title: 'Loan Contract and Disclosure Statement',
  law: 'Disclosure under the Truth in Lending Act (Republic Act 3765) and SEC Memorandum Circular 3, series of 2022',
  governs:
    'Where the two differ, this English text governs; the Filipino text is a translation for information.',
  sampleMark: 'SAMPLE',
  sampleNotice: 'SAMPLE. The lender named here is not a licensed company. This paper binds nobody.',

  facts: {
    documentNumber: 'Document number',
    version: 'Version',
    issued: 'Issued',
    loanNumber: 'Loan number',
  },
  versionOf: (version: number) =>
    version === 1 ? '1 (as applied for)' : `${version} (replaces version ${version - 1})`,
  replacedNotice: ({ version, date }: { version: number; date: string }) =>
    `No longer in force: version ${version} replaced this one on ${date}.`,

  notAgreedNotice:
    'Not agreed by the borrower: the lender issued this version, and the borrower has not accepted it.',
  acceptedNote: (date: string) => `The borrower accepted this version in the app on ${date}.`,

  parties: {
    heading: 'Parties',
    lender: 'Lender',
    borrower: 'Borrower',
    name: 'Name',
    registrationNumber: 'Registration number',
    authorityNumber: 'Certificate of Authority',
    registered: 'Registered on',
    status: 'Status',
    address: 'Address',
    phone: 'Phone',
    email: 'Email',
    purpose: 'Purpose of the loan',
    notGiven: 'Not given',
  },

  cost: {
    heading: 'What the loan costs',
    item: 'Item',
    figure: 'Figure',
    amountFinanced: 'Amount financed (principal)',
    upfrontCharges:
      'Charges taken off the amount (no processing fee; the lender bears the documentary stamp tax)',
    netProceeds: 'Net proceeds, paid out to the borrower',
    financeCharge: 'Finance charge: all interest over the term, in pesos',
    totalPayment: 'Total of all payments',
    instalment: (count: number) => `Monthly instalment, ${count} times`,
    nominalRate: 'Interest rate, on the amount financed',
    effectiveMonthlyRate: 'Effective interest rate a month',
    simpleAnnualRate: 'Simple interest rate a year (12 times the effective monthly rate)',
    effectiveAnnualRate: 'Effective interest rate a year, compounded',
    lateCharge: 'Late charge on an overdue instalment',
    firstAndLast: 'First and last due date',
    perMonth: (percent: string) => `${percent}% per month`,
    percent: (percent: string) => `${percent}%`,
    between: (first: string, last: string) => `${first} to ${last}`,
  },
  effectiveRateNote:
    'The effective rate is the monthly rate at which the present value of all instalments equals the net proceeds. The first instalment is due two months after the start.',

  schedule: {
    heading: 'Payment schedule',
    number: 'No.',
    dueDate: 'Due date',
    amount: 'Amount',
    total: (count: number, amount: string) => `${count} instalments, together ${amount}`,
  },

  terms: { heading: 'Terms' },

  settlements: {
    heading: 'What settling early costs',
    note: 'The amount that ends the loan on the due date of an instalment, if every instalment up to it is paid on its day.',
    amount: 'To settle',
  },

  signatures: {
    heading: 'Signatures',
    consent:
      'The borrower has read this statement before signing, understands what the loan costs, and has received a copy of it.',
    lender: 'For the lender',
    signature: 'Signature',
    signatureOfOfficer: 'Signature, name and position',
    date: 'Date',
  },

  fingerprint: (hash: string) =>
    `The figures above were fixed when this version was issued and cannot be changed. Their fingerprint (SHA-256): ${hash}`,
  fingerprints: (figures: string, all: string) =>
    `Figures, parties and terms were fixed when this version was issued and cannot be changed. Fingerprints (SHA-256): of the figures ${figures}, of all together ${all}`,
  page: (number: number, count: number) => `Page ${number} of ${count}`,

  /** The papers of a disbursed loan: statement, receipt and clearance certificate. */
  account: {
    loan: 'Loan',
    borrower: 'Borrower',
    amount: 'Amount',
    ofWhich: (share: string) => `of which ${share.toLowerCase()}`,
    interest: 'Interest',
    interestGivenBack: 'Interest, given back',
    principal: 'Principal',
    lateCharges: 'Late charges',
    toReturn: 'Refund to be paid back',
    credit: 'Credit',
    allocation: {
      instalment: (number: string) => `Instalment ${number}`,
      instalments: (range: string) => `Instalments ${range}`,
      settlement: (_: string) => 'Settles the loan',
    },
  },

  statement: {
    title: 'Statement of Account',
    period: 'Period',
    heading: 'Transactions',
    date: 'Date',
    what: 'Description',
    receipt: 'Receipt',
    charged: 'Charged',
    credited: 'Credited',
    balance: 'Left to pay',
    opening: 'Opening balance',
    closing: 'Closing balance',
    withLateCharges: (edge: string, amount: string) => `${edge}, with late charges of ${amount}`,
    totals: 'In this period',
    disbursement: (amount: string) => `Released: ${amount}. To be paid back with interest`,
    cancellation: 'Release cancelled',
    receiptOf: ({ channel, number }: { channel: string; number: string }) => `Payment: ${channel}, ${number}`,
    rebate: 'Interest not charged, for settling early',
    lateCharges: (date: string) => `Late charges up to ${date}`,
    waiver: 'Late charges waived',
    deferral: (months: number) => `Unpaid instalments moved by ${monthsText(months)}`,
    refund: 'Credit put into the wallet',
    refundInCash: 'Credit given back in cash',
    write_off: 'Written off in the lender’s books; the debt stays',
    reversed: ({ what, amount }: { what: string; amount: string }) =>
      `${what}${amount && `, ${amount}`}: reversed`,
    note: 'Amounts in pesos. A payment counts from the day it was made, even if it was recorded later, so a later statement may show this period differently. A balance below zero is credit.',
    standing: 'Summary',
    due: 'Due',
    dueWithCharges: 'Due, with late charges',
    next: ({ amount, date }: { amount: string; date: string }) => `${amount} on ${date}`,
    nextDue: 'Next instalment',
    lastDue: 'Last instalment',
    settlement: 'Settles the whole loan on the last day of this period',
    settlementWithCharges: 'Settles the whole loan on the last day of this period, with late charges',
  },

  receipt: {
    title: 'Acknowledgement Receipt',
    number: 'Number',
    paidOn: 'Paid on',
    receivedFrom: 'Received from',
    inWords: 'In words',
    by: 'By',
    reference: 'Payment reference',
    place: 'Received at',
    takenBy: 'Taken by',
    recordedBy: 'Recorded by',
    confirmedBy: 'Confirmed by',
    amountOf: 'Amount received',
    allocation: 'What it went to',
    reversed: (date: string) => `This payment was reversed on ${date}.`,
    asPrinted:
      'As counted when this receipt was issued. A payment with an earlier date that is recorded later may change it; the statement of account shows how it counts today.',
    after: (date: string) => `After this payment, on ${date}`,
    left: 'Left to pay',
    toWallet: 'Put into the wallet',
    taxNote: 'This document is not valid for claim of input tax.',
  },

  clearance: {
    title: 'Clearance Certificate',
    body: ({ borrower, loan, amount, released, closed }: ClearanceFacts) =>
      `This certifies that ${borrower} has paid loan ${loan} of ${amount}, released on ${released}, in full as of ${closed}. Nothing is owed on it any more: no principal, no interest and no late charge.`,
    paid: 'Paid in all',
    paidWithCharges: 'Paid in all, with late charges',
    closedOn: 'Closed on',
    how: 'How',
    settled: 'Settled early',
    completed: 'All instalments paid',
    rebate: 'Interest not charged',
    asOf: (date: string) =>
      `According to our records of ${date}. If a payment is reversed later, this certificate is void.`,
  },

  /** Unpaid instalments are due later than the contract says. */
  deferral: {
    note: ({ months, dates }: { months: number; dates: string }) =>
      `Deferred on ${dates}: unpaid instalments fall due ${monthsText(months)} later than agreed.`,
    heading: 'Due dates after the deferral',
  },

  cancelledNotice: (date: string) => `The release was cancelled on ${date}: nothing is due.`,

  calendar: {
    payment: ({ number, count, amount }: { number: number; count: number; amount: string }) =>
      `Loan payment ${number} of ${count}: ${amount}`,
    reminder: (payment: string) => `Due tomorrow. ${payment}`,
    loan: (loanNumber: string) => `Loan ${loanNumber}`,
    contract: (documentNumber: string) => `As in contract ${documentNumber}`,
    notFollowing:
      'Your contract decides. These entries do not update when your loan changes: add the due dates again then.',
  },

  table: {
    number: 'No.',
    dueDate: 'Due date',
    amount: 'Amount (PHP)',
    leftAfter: 'Left after it (PHP)',
    status: 'Status',
  },
};

export type PaperWording = typeof papers;
