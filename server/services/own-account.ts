import { domainToASCII } from 'node:url';
import { referenceKey } from '#domain/payment.ts';
import { accessChangesSince } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { readFormerOwners } from '#server/store/access-change-store.ts';
import { type Account, findAccount, readAllStaff } from '#server/store/account-store.ts';

/** The facts that tell whose account it is. Many people share a name, so it is none of them. */
export type Person = Pick<Account, 'isAdmin' | 'email' | 'phone' | 'bankAccountNumber'>;

export type Employee = Person & { id: number };

/** `formerOwners`: the employees whose own account it was until lately. */
export type Borrower = Person & { formerOwners: readonly number[] };

/**
 * True if a borrower's account is an employee's own (§own-account): the two share an e-mail address, or the number of a phone
 * or a bank account, or did so lately.
 */
export const isOwnAccount = (staff: Employee, borrower: Borrower): boolean =>
  borrower.formerOwners.includes(staff.id) || isSamePerson(staff, borrower);

/** Adds to borrowers the employees whose own account theirs was. */
export async function readFormerOwnersOf({ clock }: Deps, reader: Reader, accountIds: readonly number[]) {
  const owners = await readFormerOwners(reader, accountIds, accessChangesSince(clock.now()));
  return <One extends Person & { id: number }>(account: One): One & Borrower => ({
    ...account,
    formerOwners: owners.flatMap(({ accountId, staffId }) => (accountId === account.id ? [staffId] : [])),
  });
}

export async function asBorrower(deps: Deps, reader: Reader, account: Account): Promise<Account & Borrower> {
  const withOwners = await readFormerOwnersOf(deps, reader, [account.id]);
  return withOwners(account);
}

export async function findBorrower(deps: Deps, reader: Reader, accountId: number) {
  const account = await findAccount(reader, accountId);
  return account && asBorrower(deps, reader, account);
}

const identifying = ['email', 'phone', 'bankAccountNumber'] as const satisfies (keyof Person)[];

/**
 * Returns for the log whose own account a borrower's ceases to be by a change. Otherwise staff could take
 * their address out of the profile, and then decide about it.
 */
export async function ownersUntil(reader: Reader, account: Account, change: Partial<Account>) {
  if (account.isAdmin || !identifying.some((name) => change[name] !== undefined)) return {};
  const changed = { ...account, ...change };
  const former = (await readAllStaff(reader)).filter(
    (staff) => isSamePerson(staff, account) && !isSamePerson(staff, changed),
  );
  return former.length > 0 ? { wasOwnOf: former.map(({ id }) => id) } : {};
}

/** Phones are compared with account numbers too, since a wallet's account number is a phone number. */
function isSamePerson(staff: Person, borrower: Person): boolean {
  if (borrower.isAdmin) return false;
  const own = identitiesOf(staff);
  const isOwnNumber = (text: string) => {
    const digits = referenceKey(text);
    // Reading it as a phone's is slow among thousands of borrowers, so the digits that end every form of it come first.
    return (
      own.ends.some((end) => digits.includes(end)) && numbers(text).some((one) => own.numbers.includes(one))
    );
  };
  const email = mailbox(borrower.email ?? '');
  if (email !== '' && email === own.mailbox) return true;
  return isOwnNumber(borrower.phone) || isOwnNumber(borrower.bankAccountNumber ?? '');
}

type Identities = { mailbox: string; numbers: string[]; ends: string[] };

/** Each employee is compared with many borrowers. */
const identitiesByPerson = new WeakMap<Person, Identities>();

function identitiesOf(person: Person): Identities {
  const found = identitiesByPerson.get(person);
  if (found) return found;
  const { email, phone, bankAccountNumber } = person;
  const own = [...numbers(phone), ...numbers(bankAccountNumber ?? '')].filter((number) => number !== '');
  const identities = {
    mailbox: mailbox(email ?? ''),
    numbers: own,
    ends: own.map((number) => number.slice(-4)),
  };
  identitiesByPerson.set(person, identities);
  return identities;
}

const dotlessDomains = ['gmail.com', 'googlemail.com'];

/**
 * Returns where an address's mail arrives: without case, without what follows a plus sign and, where these
 * mean nothing, without dots.
 */
function mailbox(email: string): string {
  const [, name = '', domain = ''] = /^(.+)@(.+)$/.exec(email.normalize('NFKC').trim().toLowerCase()) ?? [];
  const host = domainToASCII(domain) || domain;
  const plain = name.replace(/(?!^)\+.*$/, '');
  if (name === '') return '';
  return dotlessDomains.includes(host) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${host}`;
}

/**
 * Returns a number without signs and leading zeros, and as a phone's in its international
 * form without the extension.
 */
function numbers(text: string): string[] {
  const plain = referenceKey(text);
  if (!/\d/.test(plain)) return [];
  return [plain.replace(/^0+/, ''), phoneKey(text).replace(/;.*$/, '')];
}
