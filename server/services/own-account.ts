import { domainToASCII } from 'node:url';
import { referenceKey } from '#domain/servicing.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import type { Account } from '#server/store/account-store.ts';

/** The facts that tell whose account it is. Many people share a name, so it is none of them. */
export type Person = Pick<Account, 'isAdmin' | 'email' | 'phone' | 'bankAccountNumber'>;

/**
 * True if a borrower's account is an employee's own (§own-account): the two share an e-mail address, or the number of a phone
 * or a bank account. Phones are compared with account numbers too, since a wallet's account number is a phone number.
 */
export function isOwnAccount(staff: Person, borrower: Person): boolean {
  if (borrower.isAdmin) return false;
  const own = identitiesOf(staff);
  return identitiesOf(borrower).some((identity) => own.includes(identity));
}

const identitiesOf = ({ email, phone, bankAccountNumber }: Person): string[] =>
  [mailbox(email ?? ''), ...numbers(phone), ...numbers(bankAccountNumber ?? '')].filter(
    (identity) => identity !== '',
  );

const dotlessDomains = ['gmail.com', 'googlemail.com'];

/** Where its mail arrives: without case, without what follows a plus sign and, where these mean nothing, without dots. */
function mailbox(email: string): string {
  const [, name = '', domain = ''] = /^(.+)@(.+)$/.exec(email.normalize('NFKC').trim().toLowerCase()) ?? [];
  const host = domainToASCII(domain) || domain;
  const plain = name.replace(/(?!^)\+.*$/, '');
  if (name === '') return '';
  return dotlessDomains.includes(host) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${host}`;
}

/** Without signs and leading zeros, and as a phone's in its international form without the extension. */
function numbers(text: string): string[] {
  const plain = referenceKey(text);
  if (!/\d/.test(plain)) return [];
  return [plain.replace(/^0+/, ''), phoneKey(text).replace(/;.*$/, '')];
}
