import type { QuoteDocument } from '#contract/loan.ts';
import { centavos, parsePesos, pesosText } from '#domain/money.ts';
import type { CountFinding, RangeFinding } from '#server/store/audit-seal-store.ts';
import type { RowSealFinding, SealedTable } from '#server/store/row-seal-store.ts';
import type { TriggerFinding } from '#server/store/verify-row-store.ts';
import type { CheckedSeal, SealFault } from '#server/store/verify-seal-store.ts';
import type {
  EntryFault,
  EntryFinding,
  HeadFinding,
  WithdrawalFault,
  WithdrawalFinding,
} from '#server/store/verify-store.ts';
import type { TermsInBooks } from '#server/store/verify-terms-store.ts';
import { hashOfQuote } from './quote-service.ts';

/** A row of the books that is wrong: where it stands, whose it is, and what is wrong in words. */
export type Fault = { table: string; id: string; accountId: number | null; what: string };

const entryWords: Record<EntryFault, (sequence: number) => string> = {
  entry_before_missing: (sequence) =>
    `it is entry ${sequence} of its account, and entry ${sequence - 1} before it is missing`,
  previous_hash: () => 'it does not continue the entry before it',
  hash: () => 'its values do not match its hash',
  balance_after: () => 'its balance is not the one before plus its amount',
  account_missing: () => 'its account is missing',
  withdrawal_missing: () => 'its withdrawal is missing',
};

export function faultOfEntry({ id, accountId, sequence, fault }: EntryFinding): Fault {
  return { table: 'ledger_entries', id: String(id), accountId, what: entryWords[fault](sequence) };
}

/** An account whose balance or end of the chain is not that of its newest ledger entry. */
export function faultOfHead({ accountId, head, newest }: HeadFinding): Fault {
  const fault = (table: string, what: string) => ({ table, id: String(accountId), accountId, what });
  if (newest.sequence < head.sequence) {
    return fault(
      'accounts',
      `its newest ledger entry is missing: there are ${newest.sequence} of ${head.sequence}`,
    );
  }
  if (newest.sequence > head.sequence) {
    return fault('accounts', `its ledger has ${newest.sequence} entries where ${head.sequence} were written`);
  }
  if (newest.balanceCentavos !== head.balanceCentavos) {
    const [balance, sum] = [head.balanceCentavos, newest.balanceCentavos].map((amount) =>
      pesosText(centavos(amount)),
    );
    return fault('accounts', `its balance is ${balance}, and its ledger comes to ${sum}`);
  }
  return fault('accounts', 'it does not end in the hash of its newest ledger entry');
}

const withdrawalWords: Record<WithdrawalFault, string> = {
  debit_missing: 'its debit is missing in the ledger',
  debit_twice: 'it was debited more than once',
  debit_wrong: 'its debit is of another amount or account',
  refund_missing: 'it is rejected, and its refund is missing in the ledger',
  refund_unasked: 'it was refunded and is not rejected',
  refund_twice: 'it was refunded more than once',
  refund_wrong: 'its refund is of another amount or account',
};

export function faultOfWithdrawal({ id, accountId, fault }: WithdrawalFinding): Fault {
  return { table: 'withdrawals', id: String(id), accountId, what: withdrawalWords[fault] };
}

/** Nothing when the terms are what was agreed to, and the loan is as its newest terms say. */
export function faultsOfTerms(terms: TermsInBooks): Fault[] {
  const what = wrongInTerms(terms);
  const { loanId, version, accountId } = terms;
  return what === undefined
    ? []
    : [{ table: 'loan_terms', id: `${loanId}, version ${version}`, accountId, what }];
}

function wrongInTerms(terms: TermsInBooks): string | undefined {
  if (hashOfQuote(terms.quote) !== terms.hash) return 'their quote does not match their hash';
  if (terms.versionBefore !== terms.version - 1) return `version ${terms.version - 1} is missing`;
  if (terms.loanAmountCentavos === null) return 'their loan is missing';
  if (!terms.isNewest) return undefined;
  const quote = terms.quote as Partial<QuoteDocument>;
  const isAsAgreed =
    parsePesos(quote.amount ?? '') === terms.loanAmountCentavos && quote.termMonths === terms.loanTermMonths;
  if (!isAsAgreed) return 'their loan has another amount or term';
  const isPaidAsAgreed =
    Math.round((quote.interestRate ?? 0) * 100) === terms.loanRateBasisPoints &&
    parsePesos(quote.monthlyPayment ?? '') === terms.loanPaymentCentavos;
  return isPaidAsAgreed ? undefined : 'their loan has another rate or monthly payment';
}

const sealWords: Record<SealFault, string> = {
  seal_before_missing: 'the seal before it is missing',
  previous_hash: 'it does not continue the seal before it',
  hash: 'its values do not match its hash',
};

/** What is wrong with a seal itself, and each audit entry that is no longer as it was sealed. */
export function faultsOfSeal({ number, fault, written, found }: CheckedSeal): Fault[] {
  const faults: Fault[] = [];
  if (fault)
    faults.push({ table: 'audit_seals', id: String(number), accountId: null, what: sealWords[fault] });
  if (written === null) return faults;
  const sealed = hashesById(written);
  const present = hashesById(found ?? '');
  const ids = [...new Set([...sealed.keys(), ...present.keys()])].sort((a, b) => Number(a) - Number(b));
  for (const id of ids) {
    const what = wrongInEntry(sealed.get(id), present.get(id));
    if (what) faults.push({ table: 'audit_entries', id, accountId: null, what: `${what} (seal ${number})` });
  }
  return faults;
}

function wrongInEntry(sealed: string | undefined, present: string | undefined): string | undefined {
  if (sealed === present) return undefined;
  if (present === undefined) return 'it was sealed and is missing';
  if (sealed === undefined) return 'it was put in after its neighbours were sealed';
  return 'it is not as it was sealed';
}

/** Lines of an entry's id, a space and its hash. */
function hashesById(lines: string): Map<string, string> {
  const pairs = lines.split('\n').flatMap((line) => {
    const [id, hash] = line.split(' ');
    return id && hash ? [[id, hash] as const] : [];
  });
  return new Map(pairs);
}

export const loanWithoutTerms = ({ id, accountId }: { id: number; accountId: number }): Fault => ({
  table: 'loans',
  id: String(id),
  accountId,
  what: 'it has no terms that anybody agreed to',
});

const rowWords = {
  changed: 'it is not as the server wrote it',
  unsealed: 'it was not written by the server',
};

/** A row that does not fit what the key has sealed of it. */
export function faultOfRow(name: SealedTable, { text, fault }: RowSealFinding): Fault {
  const what = rowWords[fault];
  if (name === 'allowed_ips') return { table: name, id: '(the whole list)', accountId: null, what };
  const values = JSON.parse(text) as unknown[];
  if (name === 'loan_acceptances') {
    return { table: name, id: `${values[0]}, version ${values[1]}`, accountId: null, what };
  }
  const [id, owner, version] = values;
  if (name === 'loan_terms')
    return { table: name, id: `${owner}, version ${version}`, accountId: null, what };
  const isOwned = name === 'loans' || name === 'withdrawals' || name === 'consents';
  return { table: name, id: String(id), accountId: isOwned ? Number(owner) : null, what };
}

/** A row that is gone, and its seal is not. */
export const lostRow = ({ name, id }: { name: SealedTable; id: number }): Fault => ({
  table: name,
  id: name === 'loan_terms' ? `no. ${id}` : String(id),
  accountId: null,
  what: 'it was sealed and is missing',
});

/** A table that has lost rows, or got some between those that were counted, since a seal. */
export function faultOfCount({ table, throughId, counted, found, seal }: CountFinding): Fault {
  const difference = Math.abs(found - counted);
  const rows = difference === 1 ? '1 row' : `${difference} rows`;
  const what = found < counted ? `${rows} of ${counted} missing` : `${rows} more than the ${counted}`;
  return { table, id: `up to ${throughId}`, accountId: null, what: `${what} that seal ${seal} counted` };
}

export const faultOfRange = ({ firstId, lastId, seal }: RangeFinding): Fault => ({
  table: 'row_seals',
  id: `${firstId} to ${lastId}`,
  accountId: null,
  what: `they are not as seal ${seal} found them`,
});

export const sequenceSetBack = ({ table, highestId }: { table: string; highestId: number }): Fault => ({
  table,
  id: String(highestId),
  accountId: null,
  what: 'the sequence has not given this number',
});

const triggerWords = {
  missing: 'it is missing',
  disabled: 'it is disabled',
  changed: 'it is not as the migrations made it',
};

export const faultOfTrigger = ({ name, fault }: TriggerFinding): Fault => ({
  table: 'trigger',
  id: name,
  accountId: null,
  what: `${triggerWords[fault]}: its table is not append-only`,
});

/** A seal that was noted outside of the database: `found` is what stands in it now. */
export function faultOfNoted(noted: NotedSeal, found: string | undefined): Fault[] {
  if (found === noted.hash) return [];
  const what =
    found === undefined
      ? 'it was noted and is missing: these are the books of an earlier moment'
      : 'it is not the one that was noted';
  return [{ table: 'audit_seals', id: String(noted.number), accountId: null, what }];
}

/** A seal's number and hash, as they were written down outside of the database. */
export type NotedSeal = { number: number; hash: string };

export const keyFaults = {
  lost: 'the record of the key is gone',
  another: 'the key here is another one than these books are sealed with',
};
