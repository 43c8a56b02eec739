import { limits } from '#domain/limits.ts';

export const smallNumber = (count: number) => ['no', 'one', 'two', 'three', 'four'][count] ?? String(count);

type Start = { startDate: string; isDisbursed?: boolean };

/** This note stands with every list of due dates: a disbursement resets them, two months on. */
const dueDates = ({ startDate, isDisbursed = false }: Start) =>
  isDisbursed
    ? `The due dates count from the day of disbursement, ${startDate}.`
    : `The due dates count from the day of application, ${startDate}, until disbursement resets them.`;

type LateChargePolicy = { lateChargeRate: number; graceDays: number; lateChargeCapPercent: number };

export const contract = {
  /** The terms of a loan contract, as its dialog and its printed form state them (§contract-terms). */
  contractText: {
    dates: dueDates,
    deferred: (months: number) =>
      `Unpaid instalments were moved by ${months} ${months === 1 ? 'month' : 'months'}.`,
    instalments: ({ count, amount }: { count: string; amount: string }) =>
      `Instalments: ${count} equal monthly payments of ${amount}.`,
    firstPayment: (start: Start) =>
      `First payment: ${smallNumber(limits.firstInstalmentAfterMonths)} months after disbursement. ${dueDates(start)}`,
    /** Used for contracts that did not say yet how a loan is serviced. */
    lateCharge: ({ percent }: { percent: string }) =>
      `Late charge: ${percent}% per month on an overdue instalment, until it is paid.`,
    lateChargeRate: ({ lateChargeRate }: LateChargePolicy) =>
      `Late charge rate: ${lateChargeRate}% per month on an overdue instalment.`,
    lateChargeByDays: ({ lateChargeRate, graceDays, lateChargeCapPercent }: LateChargePolicy) =>
      `Late charge: ${lateChargeRate}% a month, by days, on the unpaid part of an overdue instalment; none if it is paid in full within ${graceDays} days; at most ${lateChargeCapPercent}% of that instalment.`,
    freePrepayment:
      'Free prepayment: the loan may be paid early, in part or in full, at any time and without a charge.',
    earlySettlement:
      'Early settlement on any day without a fee: what is due, plus the present value of the later instalments at this contract’s effective monthly rate.',
    application:
      'Payments go to due instalments, oldest first, then late charges, then the next instalments.',
    noFees:
      'No processing fees: nothing is taken off the amount, and the lender bears the documentary stamp tax.',
  },

  /** The cost of settlement on some due dates, told before anybody signs (§settlement). */
  settlements: {
    title: 'Paying everything early',
    text: 'What it costs to pay off the loan on the day of an instalment, with every instalment up to it paid:',
    after: ({ number, date }: { number: number; date: string }) => `After no. ${number}, ${date}`,
  },

  /** The contract and the payment schedule on the screen (§contract, §schedule). */
  papers: {
    title: 'Loan papers',
    contract: 'Loan contract',
    schedule: 'Payment schedule',
    noLoanTitle: 'No Loan Application',
    noLoanText: 'Once you have applied for a loan, you’ll see its contract and payment schedule here.',
    applyNow: 'APPLY NOW',
    contractFailed: 'Your loan contract could not be loaded',
    scheduleFailed: 'Your payment schedule could not be loaded',
    noContract: 'No loan contract available',
    noContractText: 'Our staff can tell you what was agreed for this loan.',
    noSchedule: 'No payment schedule available',
    noScheduleText: 'Our staff can tell you when your payments are due.',
    lender: 'Lender',
    borrower: 'Borrower',
    document: 'Document',
    issued: 'Issued',
    lateCharge: 'Late charge',
    version: 'Version',
    replaced: ({ version, replaced, date }: { version: number; replaced: number; date: string }) =>
      `Version ${version} replaced version ${replaced} on ${date}.`,
    notAgreed: 'Not agreed by the borrower',
    notAgreedText: (date: string) =>
      `Our staff changed the terms to these on ${date}, and you have not accepted them yet. If you do not agree, contact us.`,
    acceptText:
      'Read what it costs and when you pay before you accept. There is no need to accept right away.',
    accept: (version: number) => `Accept version\u00a0${version}`,
    accepted: 'Terms accepted',
    acceptedText: (version: number) => `You agreed to version ${version} of your contract.`,
    acceptedOn: (date: string) => `You accepted this version on ${date}.`,
    agreedBefore: ({ agreed, issued }: { agreed: string; issued: string }) =>
      `You agreed to these terms on ${agreed}. With the release on ${issued} only the due dates changed.`,
    acceptFailed: 'The terms were not accepted',
    downloadVersion: (version: number) => `Download version ${version}`,
    fingerprint: 'Fingerprint (SHA-256) of the figures above, which nobody can change',
    agreementFingerprint: 'Of the figures, both parties and the terms together',
    partiesToday:
      'Both parties are named as they are today: this version is from before their details were kept with it.',
    download: 'Download PDF',
    downloadOther: 'PDF in Filipino',
    downloading: 'Preparing the PDF',
    downloadFailed: 'The file could not be downloaded',
    print: 'Print',
    printFailed: 'The paper could not be printed',
    toCalendar: 'Add due dates to my calendar',
    toTable: 'Download as CSV',
    preparingFile: 'Preparing the file',
    showPaid: (count: number) => `Show the ${count} paid`,
    hidePaid: 'Hide what is paid',
    number: 'No.',
    dueDate: 'Due date',
    amount: 'Amount',
    leftAfter: 'Left after',
    rowStatuses: {
      pending: 'Pending',
      partly_paid: 'Partly paid',
      overdue: 'Overdue',
      paid: 'Paid',
      settled: 'Settled',
    },
  },
};
