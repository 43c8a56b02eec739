import {
  and,
  type Column,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Stats } from '#contract/staff.ts';
import { limits } from '#domain/limits.ts';
import type { MemberStatus, StaffRole } from '#domain/member.ts';
import {
  type DocumentPiece,
  factsOf,
  fieldsWith,
  type ProfileFacts,
  type ProfileField,
  profileFieldNames,
  profilePieces,
} from '#domain/profile.ts';
import { foldText } from '#domain/text.ts';
import { openWithdrawalStatuses } from '#domain/withdrawal.ts';
import { onlyRow, type Reader, type Tx } from '#server/platform/database/database.ts';
import { prepared } from '#server/platform/database/prepared.ts';
import { phoneKeyPart } from '#server/platform/phone-key.ts';
import { firstOf, packed } from './packed-columns.ts';
import { accounts, consents, loans, presentFormat, withdrawals } from './schema.ts';
import { insertSealed, updateSealed } from './sealed-rows.ts';
import type { KeptSpan } from './spans.ts';

export type Account = typeof accounts.$inferSelect;
export type NewAccount = typeof accounts.$inferInsert;
export type AccountChange = Partial<
  Omit<NewAccount, 'id' | 'balanceCentavos' | 'ledgerSequence' | 'ledgerHash'>
>;

export const noCode = {
  otpCodeSealed: null,
  otpExpiresAt: null,
  otpWrongTries: 0,
  isOtpByText: false,
} satisfies AccountChange;

type ProfileColumn = {
  [Name in ProfileField]: ProfileFacts[Name] extends { kind: 'pesos' } ? `${Name}Centavos` : Name;
};

export const profileColumn = Object.fromEntries(
  profileFieldNames.map((name) => [name, factsOf(name).kind === 'pesos' ? `${name}Centavos` : name]),
) as ProfileColumn satisfies Record<ProfileField, keyof AccountChange>;

export const documentColumn = {
  idFrontUrl: 'idFrontFileId',
  idBackUrl: 'idBackFileId',
  selfieUrl: 'selfieFileId',
} as const satisfies Record<DocumentPiece, keyof AccountChange>;

export const documentColumns = Object.values(documentColumn);

/** True in SQL if an account has everything that verifies it (§verified-account). */
export const isProfileComplete = and(
  ...profilePieces.map((piece) => {
    const column =
      piece in documentColumn ? documentColumn[piece as DocumentPiece] : profileColumn[piece as ProfileField];
    return sql`coalesce(${accounts[column]}::text, '') <> ''`;
  }),
) as SQL;

export const attachedFileIds = (account: Account): string[] =>
  documentColumns.flatMap((name) => account[name] ?? []);

const accountById = and(eq(accounts.id, sql.placeholder('id')), isNull(accounts.deletedAt));
const account = packed(getTableColumns(accounts));
const selecting = (reader: Reader) => reader.select({ account }).from(accounts);
const unlocked = prepared((reader) => selecting(reader).where(accountById));
const byPhone = prepared((reader) =>
  selecting(reader)
    .where(eq(accounts.phoneKey, sql.placeholder('phoneKey')))
    .orderBy(accounts.id),
);
/** Almost always none: the index holds only shared numbers. */
const mostShared = prepared((reader) => {
  const most = sql<number>`count(*)::int`;
  return reader
    .select({ most })
    .from(accounts)
    .where(ne(accounts.phoneShare, 0))
    .groupBy(accounts.phoneKey)
    .orderBy(sql`${most} desc`)
    .limit(1);
});
const locked = {
  'no key update': prepared((tx) => selecting(tx).where(accountById).for('no key update')),
  update: prepared((tx) => selecting(tx).where(accountById).for('update')),
};

export const findAccount = async (reader: Reader, id: number) =>
  (await firstOf(unlocked(reader, { id })))?.account;

/**
 * Locked until the transaction ends, so that decisions about it still hold when they are written. The lock is no
 * stronger than the change needs: a claimed `Idempotency-Key` already shares the row's key with this transaction (its
 * foreign key), and two such claimants that both asked for a plain `for update` would wait for each other. For the same
 * reason a change of `phone_key`, as in a deletion, asks for the full lock from the start.
 */
export const lockAccount = async (tx: Tx, id: number, strength: keyof typeof locked = 'no key update') =>
  (await firstOf(locked[strength](tx, { id })))?.account;

/** Locks a borrower's account and then those of some staff: the order that everybody uses. */
export async function lockWithStaff(tx: Tx, borrowerId: number, staffIds: readonly number[]): Promise<void> {
  await lockAccount(tx, borrowerId);
  for (const id of [...new Set(staffIds)].sort((one, other) => one - other)) await lockAccount(tx, id);
}

const isActiveStaff = and(accounts.isAdmin, ne(accounts.status, 'suspended'), isNull(accounts.deletedAt));

/** Names of staff by their ids; null ids are ignored. */
export async function readNamesOf(reader: Reader, ids: readonly (number | null)[]) {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const { id, fullName, email } = accounts;
  const people = reader.select({ id, fullName, email }).from(accounts).where(inArray(id, known));
  const rows = known.length > 0 ? await people : [];
  const names = new Map(rows.map(({ id, fullName, email }) => [id, fullName || email || '']));
  return (id: number) => names.get(id) ?? '';
}

/** These members by their ids, closed and erased ones too. */
export async function readMembersOf(reader: Reader, ids: readonly number[]) {
  const { id, fullName, phone, erasedAt, isAdmin, email, bankAccountNumber } = accounts;
  const rows = await reader
    .select({ id, fullName, phone, erasedAt, isAdmin, email, bankAccountNumber })
    .from(accounts)
    .where(inArray(id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row]));
}

const mayAct = (role: StaffRole) =>
  and(
    isActiveStaff,
    sql`(${accounts.id} = ${limits.mainAdminId} or ${accounts.phone} = ${limits.mainAdminPhone} or not coalesce(${accounts.withheldRoles}, '[]') ? ${role})`,
  );

/** The active staff who have a role, with what tells whose account it is. */
export const readStaffWith = (reader: Reader, role: StaffRole) => readStaff(reader, mayAct(role));

/** Suspended ones too. */
export const readAllStaff = (reader: Reader) =>
  readStaff(reader, and(accounts.isAdmin, isNull(accounts.deletedAt)));

function readStaff(reader: Reader, which: SQL | undefined) {
  const { id, isAdmin, email, phone, bankAccountNumber } = accounts;
  return reader.select({ id, isAdmin, email, phone, bankAccountNumber }).from(accounts).where(which);
}

const readIds = async (reader: Reader, which: SQL | undefined): Promise<number[]> =>
  (await reader.select({ id: accounts.id }).from(accounts).where(which)).map(({ id }) => id);

export const readOtherStaffIds = (reader: Reader, id: number | null) =>
  readIds(reader, and(isActiveStaff, id === null ? undefined : ne(accounts.id, id)));

/** More than one only where the number is shared (§shared-numbers); the oldest first. */
export const findAccountsByPhone = async (reader: Reader, phoneKey: string) =>
  (await byPhone(reader, { phoneKey })).map(({ account }) => account);

/** Counts the accounts that have the number that most of them share. */
export const readMostShared = async (reader: Reader): Promise<number> =>
  (await firstOf(mostShared(reader, {})))?.most ?? 1;

/** When `id` leaves a number that two accounts shared, the other has it alone. */
export async function leaveSharedPhone(tx: Tx, { id, phoneKey, phoneShare }: Account): Promise<void> {
  if (phoneShare === 0 || phoneKey === null) return;
  const others = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.phoneKey, phoneKey), ne(accounts.id, id)))
    .for('no key update');
  const [last, ...more] = others;
  if (last && more.length === 0)
    await tx.update(accounts).set({ phoneShare: 0 }).where(eq(accounts.id, last.id));
}

export const findAdminByEmail = (reader: Reader, emailKey: string): Promise<Account | undefined> =>
  firstOf(
    reader
      .select()
      .from(accounts)
      .where(and(eq(accounts.emailKey, emailKey), accounts.isAdmin)),
  );

export const insertAccount = (tx: Tx, account: NewAccount): Promise<Account> =>
  insertSealed(tx, accounts, { ...account, ...derivedColumns(account), format: presentFormat });

/** Changes a locked account and returns the row. `ledger-store` changes money. */
export const changeAccount = (tx: Tx, id: number, change: AccountChange): Promise<Account> =>
  updateSealed(tx, accounts, id, change);

/** Not part of what is sealed, so that a request that names another language costs one statement. */
export const changeLanguage = (tx: Tx, id: number, language: 'en' | 'fil') =>
  tx.update(accounts).set({ language }).where(eq(accounts.id, id));

/** The columns of a password that its owner set: nobody can read it. */
export const ownPassword = (hash: string) =>
  ({
    passwordHash: hash,
    isPasswordIssued: false,
    issuedPasswordSealed: null,
    issuedPasswordAt: null,
  }) satisfies AccountChange;

const searched = [...new Set(['fullName', 'phone', ...fieldsWith('isSearched'), 'oldNumber'] as const)];

/** The columns derived from others: the email as compared, and the text that staff search (§search). */
export const derivedColumns = (person: Pick<NewAccount, (typeof searched)[number]>) => ({
  emailKey: person.email?.toLowerCase() ?? null,
  searchText: searched.flatMap((name) => (person[name] ? [foldText(person[name])] : [])).join('\n'),
});

export const personChange = (account: Account, change: AccountChange): AccountChange => ({
  ...change,
  ...derivedColumns({ ...account, ...change }),
});

/** True where a folded text contains a folded search. Not LIKE, whose %, _ and \ would have to be escaped. */
const holds = (text: Column | SQL, search: string) => sql`strpos(${text}, ${search}) > 0`;

function isFoundBy(search: string) {
  const digits = phoneKeyPart(search);
  return or(
    holds(accounts.searchText, search),
    digits === undefined ? undefined : holds(accounts.phoneKey, digits),
  );
}

/** `texts` are folded columns, or numbers of ours in lower case. */
export function isOneFoundBy(
  reader: Reader,
  { search = '', memberIds }: Pick<ListPage, 'search' | 'memberIds'>,
  memberId: Column,
  ...texts: (Column | SQL)[]
) {
  // A subquery searches each account once, and not once per row.
  const members = reader.select({ id: accounts.id }).from(accounts).where(isFoundBy(search));
  return or(
    ...texts.map((text) => holds(text, search)),
    inArray(memberId, memberIds ? [...memberIds] : members),
  );
}

/** The accounts that each of the searches finds, for several lists that would each search them; undefined for more than so many. */
export async function readFoundIds(
  reader: Reader,
  searches: readonly string[],
  atMost: number,
): Promise<number[] | undefined> {
  const rows = await reader
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(...searches.map(isFoundBy)))
    .limit(atMost + 1);
  return rows.length > atMost ? undefined : rows.map(({ id }) => id);
}

/** A page of a staff list, newest first. Undefined filters nothing. */
export type ListPage<Status = string> = {
  status?: Status | undefined;
  /** Folded (§search). */
  search?: string | undefined;
  /** The accounts that the search finds, where they are known. */
  memberIds?: readonly number[] | undefined;
  before?: number | undefined;
  limit: number;
};

export type AccountPage = ListPage<MemberStatus> & { role?: 'admin' | 'member' | undefined };

/** Without what no list shows: a hundred thousand rows are read faster. */
const {
  passwordHash,
  ledgerHash,
  searchText,
  format,
  secondStepSealed,
  secondStepUsed,
  wantsReminders,
  wantsNews,
  wantsChangedAt,
  language,
  ...listedColumns
} = getTableColumns(accounts);
const listedAccount = packed(listedColumns);
export type ListedAccount = Pick<Account, keyof typeof listedColumns>;

export async function readAccountPage(reader: Reader, page: AccountPage): Promise<ListedAccount[]> {
  const { role, status, search, before, limit, memberIds } = page;
  const rows = await reader
    .select({ account: listedAccount })
    .from(accounts)
    .where(
      and(
        isNull(accounts.deletedAt),
        role === undefined ? undefined : role === 'admin' ? accounts.isAdmin : not(accounts.isAdmin),
        status === undefined ? undefined : eq(accounts.status, status),
        memberIds
          ? inArray(accounts.id, [...memberIds])
          : search === undefined
            ? undefined
            : isFoundBy(search),
        before === undefined ? undefined : lt(accounts.id, before),
      ),
    )
    // The members' index is declared `desc nulls last`; a plain `desc` means nulls first and would not use it.
    .orderBy(role === 'member' ? sql`${accounts.id} desc nulls last` : sql`${accounts.id} desc`)
    .limit(limit);
  return rows.map(({ account }) => account);
}

/** Erases only the readable copies: the passwords still work. */
export async function eraseIssuedPasswords(tx: Tx, { from, to }: KeptSpan): Promise<number> {
  const { issuedPasswordAt, issuedPasswordSealed } = accounts;
  const isOver = or(lte(issuedPasswordAt, from), gt(issuedPasswordAt, to));
  const rows = await tx
    .update(accounts)
    .set({ issuedPasswordSealed: null, issuedPasswordAt: null })
    .where(and(isNotNull(issuedPasswordSealed), isOver))
    .returning({ id: accounts.id });
  return rows.length;
}

/** The statuses that each figure counts; every row is also in `total`. */
const counted: { [Table in keyof Stats]: Record<Exclude<keyof Stats[Table], 'total'>, readonly string[]> } = {
  members: { active: ['active'], pending: ['pending'], suspended: ['suspended'] },
  loans: { pending: ['pending'], approved: ['approved'], active: ['active'] },
  withdrawals: { processed: ['completed'], pending: openWithdrawalStatuses },
};

function countsOf(table: keyof Stats, status: AnyPgColumn): SQL {
  const counts = Object.entries<readonly string[]>(counted[table]).map(
    ([name, statuses]) => sql`, ${name}::text, count(*) filter (where ${inArray(status, statuses)})`,
  );
  return sql`json_build_object('total', count(*)${sql.join(counts)})`;
}

/** Counts in one statement, so that the numbers are of one moment (§counts). */
export async function readCounts(reader: Reader): Promise<Stats> {
  const { rows } = await reader.execute<Stats>(sql`
    select
      (select ${countsOf('members', accounts.status)}
         from ${accounts} where not ${accounts.isAdmin} and ${accounts.deletedAt} is null) as members,
      (select ${countsOf('loans', loans.status)} from ${loans} where ${loans.deletedAt} is null) as loans,
      (select ${countsOf('withdrawals', withdrawals.status)} from ${withdrawals}) as withdrawals`);
  return onlyRow(rows);
}

/** Append-only. */
export const insertConsent = (tx: Tx, consent: typeof consents.$inferInsert) =>
  insertSealed(tx, consents, consent);

/** The member beside a loan or withdrawal in staff lists. */
export const listedMember = {
  id: accounts.id,
  fullName: accounts.fullName,
  email: accounts.email,
  phone: accounts.phone,
  balanceCentavos: accounts.balanceCentavos,
  creditScore: accounts.creditScore,
  otpCodeSealed: accounts.otpCodeSealed,
  otpExpiresAt: accounts.otpExpiresAt,
  isOtpByText: accounts.isOtpByText,
};
