import type { ServicingTerms } from './amortisation.ts';
import { type Centavos, centavos } from './money.ts';
import { accountChannels } from './payment.ts';
import { eventsThatCount, foldEvents, type LoanEvent } from './servicing.ts';

export type JournalLine = { account: JournalAccount; debit: Centavos; credit: Centavos };

export type JournalEntry = { ofEvent: number; lines: JournalLine[] };

/** A wallet entry made by a loan event: positive puts money in. */
export type WalletMovement = {
  type: 'disbursement' | 'disbursement_reversal' | 'loan_payment' | 'loan_payment_reversal' | 'loan_refund';
  amount: Centavos;
  ofEvent: number;
};

/** The accounts, in the order of an entry's lines after the money received. */
const accounts = [
  'loans_principal',
  'interest_income',
  'late_charge_income',
  'borrower_credit',
  'wallet_payable',
  'bank',
  'opening_balance',
  'bad_debt',
  'bad_debt_recovered',
] as const;

export const journalAccounts = [
  ...accountChannels.map((channel) => `received_${channel}` as const),
  ...accounts,
];

type JournalAccount = (typeof journalAccounts)[number];

type Balances = Partial<Record<JournalAccount, number>>;

const rankOf = (account: string) => (accounts as readonly string[]).indexOf(account);

/**
 * The loan's entries on a cash basis, in the order of recording. Each posts the change that its event made to the
 * totals of the fold, so an event recorded late also corrects later days. `lives` are the terms of each disbursement: a
 * loan released again after a cancellation may have new ones, and earlier entries stay.
 */
export function journal(lives: readonly ServicingTerms[], events: readonly LoanEvent[]): JournalEntry[] {
  const recorded = events.toSorted((one, other) => one.sequence - other.sequence);
  let before: Balances = {};
  let disbursements = 0;
  return recorded.flatMap(({ sequence, kind }, index) => {
    if (kind === 'disbursement') disbursements += 1;
    const terms = lives[disbursements - 1];
    if (!terms) throw new RangeError(`No terms for event ${sequence}`);
    const after = balancesOf(terms, recorded.slice(0, index + 1));
    const lines = differenceOf(before, after);
    before = after;
    return lines.length > 0 ? [{ ofEvent: sequence, lines }] : [];
  });
}

/** The terms in force at one time, and the events so far, decide a loan's books. */
export type Booked = { terms: ServicingTerms; events: readonly LoanEvent[] };

/** The entry of the newest event: what it changed. Undefined before it: nothing was booked yet. */
export const newestEntry = (before: Booked | undefined, after: Booked): JournalLine[] =>
  differenceOf(before ? balancesOf(before.terms, before.events) : {}, balancesOf(after.terms, after.events));

/** An entry adds these to the principal that is out and to the income; a negative figure takes away. */
export function monthlyFigures(lines: readonly JournalLine[]) {
  const net = (of: JournalAccount) =>
    lines.reduce((total, { account, debit, credit }) => (account === of ? total + debit - credit : total), 0);
  return {
    principal: centavos(net('loans_principal')),
    interest: centavos(-net('interest_income')),
    lateCharges: centavos(-net('late_charge_income')),
  };
}

export function walletMovements(terms: ServicingTerms, events: readonly LoanEvent[]): WalletMovement[] {
  const amount = terms.amountCentavos;
  const move = (type: WalletMovement['type'], moved: number, event: LoanEvent): WalletMovement[] => [
    { type, amount: centavos(moved), ofEvent: event.sequence },
  ];
  return events
    .toSorted((one, other) => one.sequence - other.sequence)
    .flatMap((event) => {
      switch (event.kind) {
        case 'disbursement':
          return event.channel === 'wallet' ? move('disbursement', amount, event) : [];
        case 'cancellation':
          return move('disbursement_reversal', -amount, event);
        case 'receipt':
          return event.channel === 'wallet' ? move('loan_payment', -event.amountCentavos, event) : [];
        case 'refund':
          return event.auto ? move('loan_refund', event.amountCentavos, event) : [];
        case 'reversal': {
          const reversed = events.find(({ sequence }) => sequence === event.reverses);
          return reversed?.kind === 'receipt' && reversed.channel === 'wallet'
            ? move('loan_payment_reversal', reversed.amountCentavos, event)
            : [];
        }
        default:
          return [];
      }
    });
}

/** The loan's balance in each account: debits positive. */
function balancesOf(terms: ServicingTerms, events: readonly LoanEvent[]): Balances {
  const balances: Balances = {};
  const debit = (account: JournalAccount, amount: number) => {
    balances[account] = (balances[account] ?? 0) + amount;
  };
  const counting = eventsThatCount(events);
  const released = counting.findLast(({ kind }) => kind === 'disbursement');
  for (const event of counting) {
    if (event.kind === 'disbursement') {
      debit('loans_principal', terms.amountCentavos);
      debit(disbursedFrom[event.channel], -terms.amountCentavos);
    } else if (event.kind === 'cancellation' && released?.kind === 'disbursement') {
      debit('loans_principal', -terms.amountCentavos);
      debit(disbursedFrom[released.channel], terms.amountCentavos);
    } else if (event.kind === 'receipt') {
      const { channel } = event;
      debit(channel === 'wallet' ? 'wallet_payable' : `received_${channel}`, event.amountCentavos);
    } else if (event.kind === 'refund') {
      debit('borrower_credit', event.amountCentavos);
      debit(event.auto ? 'wallet_payable' : 'received_cash', -event.amountCentavos);
    }
  }
  const { receipts, writtenOff, cancelledOn } = foldEvents(terms, events);
  for (const { interest, principal, lateCharges, credit } of receipts) {
    debit('loans_principal', -principal);
    debit('interest_income', -interest);
    debit('late_charge_income', -lateCharges);
    debit('borrower_credit', -credit);
  }
  // A cancelled loan was returned in full, so nothing of it is lost.
  if (writtenOff && !cancelledOn) {
    debit('bad_debt', writtenOff.amount);
    // The write-off removed the principal from the books, so recoveries are posted here and not against the loan.
    debit('loans_principal', writtenOff.recovered - writtenOff.amount);
    debit('bad_debt_recovered', -writtenOff.recovered);
  }
  return balances;
}

const disbursedFrom = { wallet: 'wallet_payable', direct: 'bank', recorded: 'opening_balance' } as const;

function differenceOf(before: Balances, after: Balances): JournalLine[] {
  const changed = Object.keys({ ...before, ...after }) as JournalAccount[];
  const lines = changed.map((account) => {
    const change = (after[account] ?? 0) - (before[account] ?? 0);
    return { account, debit: centavos(Math.max(0, change)), credit: centavos(Math.max(0, -change)) };
  });
  const moved = lines.filter(({ debit, credit }) => debit !== credit);
  return moved.sort((one, other) => rankOf(one.account) - rankOf(other.account));
}
