import type { output } from 'zod/mini';
import type { ProfileUpdate } from '#contract/account.ts';
import { limits } from '#domain/limits.ts';
import type { Account, AccountChange } from '#server/store/account-store.ts';
import type { FilesToAttach } from '#server/store/file-store.ts';

const hourMs = 60 * 60 * 1000;

/** Any part of a profile, as the schema has read it. */
export type ProfileChange = output<typeof ProfileUpdate>;

const documentColumns = ['idFrontFileId', 'idBackFileId', 'selfieFileId'] as const;

/** Whether a column holds one of the pictures. */
export const isDocument = (name: string): boolean => (documentColumns as readonly string[]).includes(name);

const fileIdOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** What was sent of a profile in the columns of `accounts`; what was not sent is not among them. */
export function profileColumns(change: ProfileChange): AccountChange {
  const { monthlySalary, idFrontUrl, idBackUrl, selfieUrl, ...texts } = change;
  return withoutUndefined({
    fullName: texts.fullName,
    email: texts.email,
    address: texts.address,
    countryOfWork: texts.countryOfWork,
    monthlySalaryCentavos: monthlySalary,
    referenceName: texts.referenceName,
    referencePhone: texts.referencePhone,
    bankName: texts.bankName,
    bankAccountNumber: texts.bankAccountNumber,
    idFrontFileId: idFrontUrl && fileIdOf(idFrontUrl),
    idBackFileId: idBackUrl && fileIdOf(idBackUrl),
    selfieFileId: selfieUrl && fileIdOf(selfieUrl),
  });
}

/** Whether the place where the money goes is among them. */
export const isBankAmong = (names: readonly string[]): boolean =>
  names.includes('bankName') || names.includes('bankAccountNumber');

/** The names of the columns whose value becomes another one: all that the audit log is told of a person. */
export function changedNames(account: Account, columns: AccountChange): string[] {
  const current: Record<string, unknown> = account;
  return Object.entries(columns).flatMap(([name, value]) => (current[name] === value ? [] : [name]));
}

/** The files that the account does not have in the same place already, and which of them may be attached `now`. */
export function filesToAttach(columns: AccountChange, account: Account, now: Date): FilesToAttach {
  const ids = documentColumns.flatMap((name) => {
    const id = columns[name];
    return typeof id === 'string' && id !== account[name] ? [id] : [];
  });
  const attachableMs = limits.documentAttachableHours * hourMs;
  const uploaded = {
    from: new Date(now.getTime() - attachableMs),
    to: new Date(now.getTime() + attachableMs),
  };
  return { ids, uploaded, attached: documentColumns.flatMap((name) => account[name] ?? []) };
}

function withoutUndefined<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values;
}
