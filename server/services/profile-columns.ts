import type { output } from 'zod/mini';
import type { ProfileUpdate } from '#contract/profile.ts';
import { limits } from '#domain/limits.ts';
import { documentPieces, fieldsOf, profileFieldNames } from '#domain/profile.ts';
import {
  type Account,
  type AccountChange,
  documentColumn,
  documentColumns,
  profileColumn,
} from '#server/store/account-store.ts';
import type { FilesToAttach } from '#server/store/document-store.ts';

const hourMs = 60 * 60 * 1000;

/** Any part of a profile, as the schema has read it. */
export type ProfileChange = output<typeof ProfileUpdate>;

/** Whether a column holds one of the pictures. */
export const isDocument = (column: string): boolean => (documentColumns as string[]).includes(column);

const fileIdOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/** What was sent of a profile in the columns of `accounts`; what was not sent is not among them. */
export function profileColumns(change: ProfileChange): AccountChange {
  const fields = profileFieldNames.map((name) => [profileColumn[name], change[name]]);
  const documents = documentPieces.map((name) => {
    const url = change[name];
    return [documentColumn[name], url && fileIdOf(url)];
  });
  return Object.fromEntries([...fields, ...documents].filter(([, value]) => value !== undefined));
}

const bankColumns: readonly string[] = fieldsOf('bank').map((name) => profileColumn[name]);

/** Whether the place where the money goes is among them. */
export const isBankAmong = (columns: readonly string[]): boolean =>
  columns.some((column) => bankColumns.includes(column));

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
