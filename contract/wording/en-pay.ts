import { limits } from '#domain/limits.ts';
import { pesos } from './en-every-page.ts';

/** How to pay, and what a borrower has paid (§own-payments). */
export const pay = {
  pay: {
    ways: 'Ways to pay',
    groups: { wallet: 'Wallet', bank: 'Bank', cash: 'Cash' },
    into: 'Pay into',
    accountName: 'Account name',
    accountNumber: 'Account number',
    qrOf: (name: string) => `QR code of ${name}`,
    savePicture: 'Save the picture',
    copy: 'Copy',
    copyAmount: 'Copy amount',
    copyAccountNumber: 'Copy account number',
    copyReference: 'Copy reference',
    copied: 'Copied',
    copyFailed: 'We could not copy it',
    copyByHand: 'Press and hold the text to copy it.',
    /** Above what InstaPay carries at once. */
    severalTransfers: (count: number) =>
      `InstaPay carries at most ${pesos(limits.instapayMaxCentavos)} a transfer: send ${count === 2 ? 'two' : count} transfers. PESONet takes it in one.`,
    alreadyPaid: 'Already paid?',
    sendSlip: 'Send us the slip. The day you paid counts.',
    havePaid: 'I have paid',
    neverPerson: 'We never ask you to pay into a person’s account.',
    report: 'Report it',

    havePaidLead: 'Our staff look for it in the account, and then send your receipt.',
    paidOn: 'Paid on',
    paidThrough: 'Paid through',
    referenceNumber: 'Reference number',
    referenceHint: 'As on the slip or in the app.',
    slip: 'Photo of the slip',
    slipHint: 'A photo or a screenshot.',
    slipUploading: (percent: number) => `Uploading… ${percent}%`,
    slipReady: 'Photo added',
    slipUnderWay: 'The photo is still being uploaded.',
    optional: 'optional',
    send: 'Send',
    sent: 'We have it',
    sentText: (amount: string) =>
      `${amount} is to be confirmed. Your receipt appears on My loan once our staff have found the money.`,
    sendFailed: 'It was not sent',

    walletLead: 'It counts today.',
    everything: (amount: string) => `Pay everything: ${amount}`,
    does: 'What this does',
    doesAfterAmount: 'Type an amount to see what it does.',
    working: 'Working it out…',
    cannot: 'This cannot be paid',
    goesTo: 'It goes to',
    leftAfter: 'Left to pay',
    nextAfter: 'Next payment',
    nextOn: ({ amount, date }: { amount: string; date: string }) => `${amount} on ${date}`,
    paysOff: 'This pays off your loan.',
    waits: 'Nothing moves until our staff have confirmed it.',
    pay: 'Pay',
    paid: 'Paid',
    paidText: (amount: string) => `${amount} was paid from your wallet. Your receipt is on My loan.`,
    waitsText: (amount: string) =>
      `${amount} is to be confirmed by our staff. It stays in your wallet until then.`,
    payFailed: 'It was not paid',
    done: 'Done',

    withdrawThis: 'Withdraw this',
    withdrawn: 'Taken back',
    withdrawnText: 'Our staff no longer look for this payment.',
    withdrawFailed: 'It was not taken back',
    note: 'From our staff:',
    youWrote: (amount: string) => `You wrote ${amount}.`,
  },
};
