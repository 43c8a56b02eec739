import type { ReactNode } from 'react';
import type { User } from '#contract/account.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useFormats } from '#web/lib/format.ts';
import type { DefinitionRow } from '#web/ui/definition-rows.tsx';
import { AccountNumber } from './account-number.tsx';

export type ProfileRow =
  | 'fullName'
  | 'phone'
  | 'email'
  | 'address'
  | 'countryOfWork'
  | 'monthlySalary'
  | 'referenceName'
  | 'referencePhone'
  | 'bankName'
  | 'bankAccountNumber'
  | 'memberSince';

/** Every personal field by name, as a line to show; one that was not given says so. */
export function useProfileRows(user: User): (...names: readonly ProfileRow[]) => DefinitionRow[] {
  const { profile, session, verification } = useAccountWords();
  const { peso, date } = useFormats();
  const { pieces } = verification;
  const { bankAccountNumber, monthlySalary } = user;
  const rows: Record<ProfileRow, [term: string, value: ReactNode]> = {
    fullName: [pieces.fullName, user.fullName],
    phone: [session.phone, user.phone],
    email: [profile.email, user.email],
    address: [pieces.address, user.address],
    countryOfWork: [pieces.countryOfWork, user.countryOfWork],
    monthlySalary: [pieces.monthlySalary, monthlySalary !== null && peso(monthlySalary)],
    referenceName: [pieces.referenceName, user.referenceName],
    referencePhone: [pieces.referencePhone, user.referencePhone],
    bankName: [pieces.bankName, user.bankName],
    bankAccountNumber: [
      pieces.bankAccountNumber,
      bankAccountNumber && <AccountNumber number={bankAccountNumber} />,
    ],
    memberSince: [profile.memberSince, date(user.createdAt)],
  };
  const notGiven = <span className="font-normal text-ink-soft">{profile.notGiven}</span>;
  return (...names) =>
    names.map((id) => {
      const [term, value] = rows[id];
      return { id, term, value: value || notGiven };
    });
}
