import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as api from '#contract/api.ts';
import type { Endpoint, Sent } from '#contract/endpoint.ts';
import type { Member } from '#contract/member.ts';
import type { LoanAccount, StaffPayment } from '#contract/servicing.ts';
import type { Stats } from '#contract/staff.ts';
import type { StaffLoan } from '#contract/staff-loan.ts';
import type { StaffWithdrawal } from '#contract/staff-withdrawal.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { CallError, codeOf, type ErrorData } from '#web/lib/call-error.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { queryClient, readKey, refreshReads, useRead } from '#web/lib/query.tsx';
import type { ReadState } from '#web/lib/query-states.tsx';
import { toast, toastStore } from '#web/lib/toast-store.ts';
import { type ListEndpoint, type RowOf, streamRows } from './row-stream.ts';

type Row = { id: number };
type Rows = readonly Row[];
type Change = (rows: Rows) => Rows;

/** `data` is undefined until the first rows arrive, or the end of an empty list. */
export type StaffRows<Item> = ReadState<readonly Item[]> & {
  dataUpdatedAt: number;
  /** True until the list has been read to its end once. */
  isPartial?: boolean;
  /** True while the server is searched for rows beyond those loaded. */
  isAsking?: boolean;
  /** The ids that the server found by the search: it knows more of a row than its fields. */
  found?: ReadonlySet<number> | undefined;
};

type Reading = { path: string; changes: Change[] };

/** Reads in progress, each with the changes made since it began: arriving rows may predate them. */
const readings = new Set<Reading>();

const applied = ({ changes }: Reading, rows: Rows): Rows =>
  changes.reduce((changed, change) => change(changed), rows);

async function recorded<Answer>(path: string, read: (reading: Reading) => Promise<Answer>): Promise<Answer> {
  const reading: Reading = { path, changes: [] };
  readings.add(reading);
  try {
    return await read(reading);
  } finally {
    readings.delete(reading);
  }
}

const partialLists = new Set<string>();

/**
 * A list of the panel, streamed and then cached (§reads): staff's own changes are applied
 * locally, and it is refetched on request. `failure` is the text of the 'Error' toast. Searches and filters also ask
 * the server, which may have newer rows.
 */
export function useStaffRows<List extends ListEndpoint>(
  list: List,
  {
    query = {},
    failure,
    narrowed,
    anew = !isWhole(query),
    besides = [],
  }: {
    /** Makes it a list of its own, and not narrowed; empty strings mean no filter. */
    query?: Record<string, string>;
    failure: string;
    narrowed?: Narrowed;
    /** True if it is read again whenever it is opened, as is a list of its own. */
    anew?: boolean;
    /** The reads shown beside a row, repeated with the list. */
    besides?: readonly Endpoint[];
  },
): StaffRows<RowOf<List>> {
  const queryKey = readKey(list, { query: query as never });
  const read = useQuery({
    queryKey,
    queryFn: ({ signal }) => readRows(list, queryKey, query, signal),
    // Structural sharing over a hundred thousand rows would cost more than rendering them.
    structuralSharing: false,
    // A filtered list is not kept: rows found in the whole list would be merged into it.
    ...(anew && { staleTime: 0, ...(!isWhole(query) && { gcTime: 0 }) }),
  });
  useFailureToast(read, failure);
  const ask = useAsk(list, isWhole(query) ? narrowed : undefined);
  return {
    data: read.data as readonly RowOf<List>[] | undefined,
    isFetching: read.isFetching,
    dataUpdatedAt: read.dataUpdatedAt,
    isPartial: partialLists.has(queryKey[0]),
    isAsking: ask.isAsking,
    found: ask.found,
    error: read.error ?? ask.error,
    refetch: () => {
      for (const row of [list, ...besides]) void refreshReads(row);
      if (ask.error) ask.again();
    },
  };
}

const isWhole = (query: Record<string, string>) => Object.values(query).every((value) => value === '');

/** Filters as the server understands them; empty strings mean no filter. */
type Narrowed = { search: string; status: string } & Readonly<Record<string, string>>;

const askDebounceMs = 250;

function useAsk(list: ListEndpoint, narrowed: Narrowed = { search: '', status: '' }) {
  const typed = narrowed.search.trim();
  const rested = useDebounced(typed, typed === '' ? 0 : askDebounceMs);
  const query = { ...narrowed, search: rested };
  const address = addressOf(list.path, {}, query);
  const ask = useQuery({
    queryKey: ['asked', address],
    queryFn: ({ signal }) => askServer(list, query, signal),
    enabled: rested === typed && address !== list.path,
    // Returning to a search asks again.
    gcTime: 0,
  });
  return {
    isAsking: rested !== typed ? typed !== '' : ask.isFetching,
    found: rested === typed ? ask.data : undefined,
    error: rested === typed ? ask.error : null,
    again: () => void ask.refetch(),
  };
}

/**
 * Merges the newest rows the server finds for a filter into the list. If any is newer than the list, everything newer
 * is fetched too, so that the list stays consistent with its figures.
 */
async function askServer(
  list: ListEndpoint,
  query: Narrowed,
  signal: AbortSignal,
): Promise<ReadonlySet<number>> {
  readStatsWithList();
  const [newest] = queryClient.getQueryData<Rows>(readKey(list)) ?? [];
  const found: Row[] = [];
  let ids = new Set<number>();
  const fresh = await recorded(list.path, async (reading) => {
    for await (const rows of streamRows(list, { query: query as never, signal })) {
      found.push(...rows);
      if (found.length >= limits.listAskMaxRows) break;
    }
    ids = new Set(found.map(({ id }) => id));
    if (newest && found.some(({ id }) => id > newest.id)) {
      for await (const rows of streamRows(list, { signal })) {
        const news = rows.filter(({ id }) => id > newest.id);
        found.push(...news);
        if (news.length < rows.length) break;
      }
    }
    return applied(reading, found);
  });
  changeRows(list, (rows) => putAmong(rows, fresh));
  const { status, ...others } = query;
  if (ids.size < limits.listAskMaxRows && isWhole(others) && !partialLists.has(list.path)) {
    const rows = queryClient.getQueryData<readonly (Row & { status?: string })[]>(readKey(list));
    // Rows that have left this status on the server still show it.
    if (rows?.some((row) => row.status === status && !ids.has(row.id))) void refreshReads(list);
  }
  return ids;
}

/** The figures are refetched with every list, so that a page's numbers agree. */
const readStatsWithList = () =>
  void queryClient.invalidateQueries({ queryKey: readKey(api.readStats) }, { cancelRefetch: false });

function putAmong(rows: Rows, found: Rows): Rows {
  if (found.length === 0) return rows;
  const byId = new Map(found.map((row) => [row.id, row]));
  const kept = rows.map((row) => {
    const now = byId.get(row.id) ?? row;
    byId.delete(row.id);
    return now;
  });
  return byId.size === 0 ? kept : [...kept, ...byId.values()].sort((a, b) => b.id - a.id);
}

async function readRows(
  list: ListEndpoint,
  queryKey: readonly [string],
  query: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<Rows> {
  const [key] = queryKey;
  const isFirst = queryClient.getQueryData(queryKey) === undefined;
  if (isFirst) partialLists.add(key);
  readStatsWithList();
  return recorded(list.path, async (reading) => {
    const fresh: Row[] = [];
    for await (const more of streamRows(list, { query: query as never, signal })) {
      // The rows on screen stay during a refetch until the new list is complete.
      if (!isFirst) fresh.push(...more);
      else {
        queryClient.setQueryData<Rows>(queryKey, (rows) =>
          rows ? followed(rows, more) : applied(reading, more),
        );
      }
    }
    partialLists.delete(key);
    return (isFirst && queryClient.getQueryData<Rows>(queryKey)) || applied(reading, fresh);
  });
}

/** Appends the next rows; a search may already have added some from further down. */
function followed(rows: Rows, more: Rows): Rows {
  const [last, [next]] = [rows.at(-1), more];
  return last && next && last.id <= next.id ? putAmong(more, rows) : rows.concat(more);
}

/**
 * Toasts each failure to read a list once (§toasts). Only one toast shows at a time: with `yields` it keeps
 * quiet while another is up, as when the whole server is unreachable.
 */
export function useFailureToast(
  { error, errorUpdatedAt }: { error: unknown; errorUpdatedAt: number },
  failure: string,
  { yields = false } = {},
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same failure may recur
  useEffect(() => {
    const isQuiet = !toastStore.read().some(({ open }) => open);
    if (error && (isQuiet || !yields)) {
      // 'Failed to fetch' does not help somebody whose address is not allowed.
      const description = codeOf(error) === 'ip_not_allowed' ? home.errors.ip_not_allowed : failure;
      toast({ tone: 'bad', title: panel.toasts.error, description });
    }
  }, [error, errorUpdatedAt, failure, yields]);
}

/** The counts above the lists, undefined until read. */
export function useStats(): Partial<Stats> {
  const read = useRead(api.readStats, { anew: true });
  useFailureToast(read, panel.toasts.stats, { yields: true });
  return read.data ?? {};
}

function changeRows(list: ListEndpoint, change: Change): void {
  for (const { queryKey, state } of queryClient.getQueryCache().getAll()) {
    const [key] = queryKey;
    if (typeof key !== 'string' || key.split('?', 1)[0] !== list.path) continue;
    // Keeps the time of the read: a local change says nothing about the other rows.
    const updatedAt = state.dataUpdatedAt;
    queryClient.setQueryData<Rows>(queryKey, (rows) => rows && change(rows), { updatedAt });
  }
  for (const { path, changes } of readings) if (path === list.path) changes.push(change);
}

const changeRow = (list: ListEndpoint, id: number, change: (row: Row) => Row): void =>
  changeRows(list, (rows) =>
    rows.some((row) => row.id === id) ? rows.map((row) => (row.id === id ? change(row) : row)) : rows,
  );

/** Lists never hold the secrets that a single-member reply carries. */
const withoutSecrets = (member: Member): Member => ({ ...member, plainPassword: null, otpCode: null });

/** Updates a member in the loans and withdrawals that show them. */
function changeShownMember(id: number, fields: Readonly<Record<string, unknown>>): void {
  const update: Change = (rows) =>
    (rows as readonly (StaffLoan | StaffWithdrawal | StaffPayment)[]).map((row) => {
      if (row.user.id !== id) return row;
      const shown = Object.entries(fields).filter(([name]) => Object.hasOwn(row.user, name));
      return { ...row, user: { ...row.user, ...Object.fromEntries(shown) } };
    });
  for (const list of [api.listLoans, api.listWithdrawals, api.listPayments]) changeRows(list, update);
}

/** Shows an answer's member in every list. */
export function acceptMember(answer: Member): Member {
  const member = withoutSecrets(answer);
  changeRow(api.listMembers, member.id, () => member);
  changeRow(api.listAllUsers, member.id, () => member);
  changeShownMember(member.id, member);
  void refreshReads(api.readStats);
  return answer;
}

export const updateMember = (id: number, body: Sent<typeof api.updateMember, 'body'>): Promise<Member> =>
  call(api.updateMember, { params: { id }, body }).then(acceptMember);

export function addAccount(list: typeof api.listMembers | typeof api.listAllUsers, answer: Member): void {
  const member = withoutSecrets(answer);
  changeRows(list, (rows) => (rows.some(({ id }) => id === member.id) ? rows : [member, ...rows]));
  void refreshReads(api.readStats);
}

/** Shows an answer in its list. The member's wallet and the loan's account may have changed with it. */
const accept =
  (list: ListEndpoint) =>
  <Answer extends StaffLoan | StaffWithdrawal>(answer: Answer): Answer => {
    changeRow(list, answer.id, () => answer);
    const { id, balance, hasOtpCode, creditScore } = answer.user;
    acceptCurrent(api.listMembers, id, { balance, hasOtpCode, creditScore });
    for (const row of [api.readStats, api.readLoanAccount]) void refreshReads(row);
    return answer;
  };

export const acceptLoan = accept(api.listLoans);
export const acceptWithdrawal = accept(api.listWithdrawals);

/** Current fields of a record, in wire format. */
export type CurrentFields = NonNullable<ErrorData['present']>;

/** Returns the record's current fields after a conflict. Undefined for every other error. */
export const currentFieldsOf = (error: unknown): CurrentFields | undefined =>
  error instanceof CallError && error.status === 409 ? error.data?.present : undefined;

export const isGone = (error: unknown): boolean => codeOf(error) === 'not_found';

/** Applies the current fields of a record; a member's also in the loans and withdrawals showing them. */
export function acceptCurrent(
  list: ListEndpoint,
  id: number,
  present: Readonly<Record<string, unknown>>,
): void {
  changeRow(list, id, (row) => ({ ...row, ...present }));
  if (list === api.listMembers) changeShownMember(id, present);
}

export function dropRow(list: ListEndpoint, id: number): void {
  changeRows(list, (rows) => rows.filter((row) => row.id !== id));
  void refreshReads(api.readStats);
}

/**
 * One member as in the lists, without secrets: reading the account itself would be audited as a look at the password.
 * Found by phone, which the list can be searched by. Undefined if there is none.
 */
export async function findMemberRow(member: { id: number; phone: string }): Promise<Member | undefined> {
  let found: Member | undefined;
  for await (const rows of streamRows(api.listMembers, { query: { search: member.phone } })) {
    found ??= rows.find(({ id }) => id === member.id);
  }
  if (found) acceptMember(found);
  return found;
}

export type StaffLoanAccount = LoanAccount & Required<Pick<LoanAccount, 'loan'>>;

type AccountOptions = { asOf?: string; enabled?: boolean };

export const useLoanAccount = (id: number, { asOf, enabled = true }: AccountOptions = {}) =>
  useRead(api.readLoanAccount, {
    params: { id },
    query: { asOf },
    enabled,
    anew: true,
  }) as UseQueryResult<StaffLoanAccount>;

/** The member behind a row of another list, read when it is opened; null if there is none. */
export const useMemberRow = ({ id, phone }: { id: number; phone: string }) =>
  useQuery({
    queryKey: ['payee', id],
    queryFn: async () => (await findMemberRow({ id, phone })) ?? null,
    gcTime: 0,
  });

/**
 * Reads again every list that shows the loan and its money, after a failure too: somebody else may have
 * changed it.
 */
/** After any work of staff: the audit log has an entry for it by now, and less may wait. */
export function refreshWork(): void {
  for (const row of [api.listAudit, api.readToday]) void refreshReads(row);
}

export async function refreshLoan(): Promise<void> {
  const rows = [
    ...[api.readLoanAccount, api.readSettlement, api.listPayments, api.listApprovals],
    ...[api.listLoans, api.listMembers, api.listCollections],
  ];
  await Promise.all(rows.map((row) => refreshReads(row)));
}
