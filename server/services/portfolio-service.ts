import type { input, output } from 'zod/mini';
import type {
  CollectionReply,
  CollectionsQuery,
  DayReply,
  PortfolioLoanReply,
  PortfolioReply,
} from '#contract/collection.ts';
import { addDays, endOfManilaDay, type ManilaDate, manilaDate, startOfManilaDay } from '#domain/calendar.ts';
import { silentDays } from '#domain/complaint.ts';
import { brokenPromises, type MayContact, mayContact, promiseState } from '#domain/contact.ts';
import { type JournalEntry, journal } from '#domain/journal.ts';
import { limits } from '#domain/limits.ts';
import { type Centavos, sum } from '#domain/money.ts';
import { sharePercent } from '#domain/rates.ts';
import { onePerDay } from '#domain/reminder.ts';
import { bucketStarts, buckets, eventsThatCount, position } from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { readPages } from '#server/platform/read-pages.ts';
import { readMembersOf, readNamesOf } from '#server/store/account-store.ts';
import {
  type Contact,
  readAttempts,
  readNewestContacts,
  readPromises,
  readSilencingComplaints,
} from '#server/store/contact-store.ts';
import { type Loan, readLoansById } from '#server/store/loan-store.ts';
import { readTermsOfAll } from '#server/store/loan-terms-store.ts';
import { readRemindedDays } from '#server/store/message-store.ts';
import {
  type Counted,
  type PortfolioLine,
  type RecordedEvent,
  readArrears,
  readCollected,
  readEventsRecorded,
  readMoved,
  readPortfolioLines,
  readReleasedLoans,
  readWaitingLoans,
} from '#server/store/portfolio-store.ts';
import { viewDrawers } from './drawer-service.ts';
import { livesOf, readServicedLoans, type ServicedLoan } from './serviced-loan.ts';

type Row = input<typeof CollectionReply>;
type Account = ReturnType<typeof position>['account'];

/** Today, or a day before it. Fails with `validation_failed` on the field. */
export function dayUpToNow(deps: Deps, field: string, given: ManilaDate | undefined): ManilaDate {
  const today = manilaDate(deps.clock.now());
  if (given && given > today) refuseField(field, 'dateInFuture');
  return given ?? today;
}

/** Released loans with each one's position at the end of a day, page by page. */
async function* standings(deps: Deps, day: ManilaDate, isOpen: boolean) {
  const limit = limits.listPageRows;
  const read = (afterId = 0) =>
    deps.database.snapshot(async (reader) => {
      const page = await readReleasedLoans(reader, { afterId, limit, isOpen });
      const serviced = await readServicedLoans(reader, page);
      return page.flatMap(({ id }) => serviced.get(id) ?? []);
    });
  for await (const page of readPages(read, ({ loan }) => loan.id, limit)) yield standingsOf(page, day);
}

type Standing = { serviced: ServicedLoan; account: Account; unpaid: { dueDate: string; left: Centavos }[] };

function standingsOf(serviced: readonly ServicedLoan[], day: ManilaDate): Standing[] {
  return serviced.flatMap((one) => {
    if (!one.terms || one.terms.startDate > day) return [];
    const { account, instalments } = position(one.terms, one.events, day);
    return [{ serviced: one, account, unpaid: instalments.filter(({ left }) => left > 0) }];
  });
}

const isToday = ({ clock }: Deps, day: ManilaDate) => day === manilaDate(clock.now());

/** Loans in arrears, broken promises first (§collections). Pages of inputs of `CollectionReply`. */
export async function* listCollections(deps: Deps, query: output<typeof CollectionsQuery>) {
  const day = dayUpToNow(deps, 'asOf', query.asOf);
  const state = query.writtenOff ? 'written_off' : 'open';
  const { bucket } = query;
  const asksGuard = query.guard !== undefined && isToday(deps, day);
  const view = (reader: Reader, found: Standing[]) => rowsOf(deps, reader, found, day, asksGuard);
  if (isToday(deps, day) && bucket !== 'other') {
    let ids = await deps.database.read((reader) => readArrears(reader, { day, state, bucket }));
    for (let rows: number = limits.collectionFirstRows; ; rows = limits.collectionPageRows) {
      const page = ids.slice(0, rows);
      yield await deps.database.snapshot(async (reader) => {
        const serviced = await readServicedLoans(reader, await readLoansById(reader, page));
        const inOrder = page.flatMap((id) => serviced.get(id) ?? []);
        return view(reader, standingsOf(inOrder, day));
      });
      ids = ids.slice(rows);
      if (ids.length === 0) return;
    }
  }
  const rows: Row[] = [];
  for await (const found of standings(deps, day, isToday(deps, day))) {
    yield [];
    const wanted = found.filter(({ account }) => {
      if ((account.state === 'written_off') !== (state === 'written_off')) return false;
      if (bucket === 'other')
        return account.daysPastDue === 0 && account.lateChargesOwed + account.refundToReturn > 0;
      return account.daysPastDue > 0 && (bucket === undefined || account.bucket === bucket);
    });
    if (wanted.length > 0) rows.push(...(await deps.database.read((reader) => view(reader, wanted))));
  }
  const isBroken = ({ promise }: Row) => Number(promise?.state === 'broken');
  yield rows.sort(
    (one, other) =>
      isBroken(other) - isBroken(one) ||
      other.daysPastDue - one.daysPastDue ||
      other.overdue - one.overdue ||
      one.loanId - other.loanId,
  );
}

/** Finds whom to call next (§collections): input of `NextCallReply`. */
export async function readNextCall(deps: Deps) {
  let from: Date | undefined;
  for await (const rows of listCollections(deps, { guard: '1' })) {
    const withPhone = rows.filter(({ phone }) => phone !== null);
    const next = withPhone.find(({ mayContact: asked }) => asked?.may);
    if (next) return { next };
    for (const { mayContact: asked } of withPhone) {
      if (asked?.next && (!from || asked.next < from)) from = asked.next;
    }
    // Outside the hours nobody may be called, however many there are, and everybody's hours are the same.
    if (rows.some(({ mayContact: asked }) => asked?.may === false && asked.reason === 'hours')) break;
  }
  return { next: null, from };
}

/** These loans as listed on a day: each with its member and its last payment, contact and promise up to then. */
async function rowsOf(
  deps: Deps,
  reader: Reader,
  found: readonly Standing[],
  day: ManilaDate,
  asksGuard: boolean,
): Promise<Row[]> {
  const ids = found.map(({ serviced }) => serviced.loan.id);
  if (ids.length === 0) return [];
  const before = endOfManilaDay(day);
  const accountIds = found.map(({ serviced }) => serviced.loan.accountId);
  const [members, guard, contacts, promised] = await Promise.all([
    readMembersOf(reader, accountIds),
    asksGuard && askGuard(deps, reader, accountIds),
    readNewestContacts(reader, ids, before),
    readPromises(reader, ids, before),
  ]);
  const people = [...contacts.values()].map(({ actorId }) => actorId);
  const nameOf = await readNamesOf(reader, people);
  return found.map(({ serviced, account }) => {
    const { loan } = serviced;
    const receipts = receiptsThatCount(serviced, day);
    const last = receipts.at(-1);
    const promises = promised.filter(({ loanId }) => loanId === loan.id);
    const contact = contacts.get(loan.id);
    const { state, daysPastDue, overdue, lateChargesOwed, dueNow, principalLeft } = account;
    return {
      ...viewBorrower(loan, members),
      state,
      daysPastDue,
      overdue,
      lateChargesOwed,
      dueNow,
      principalLeft,
      bucket: daysPastDue === 0 ? 'other' : account.bucket,
      lastPayment: last ? { date: last.date, amount: last.amount } : null,
      lastContact: contact ? { ...contact, at: contact.createdAt, by: nameOf(contact.actorId) } : null,
      promise: viewPromise(promises.at(-1), serviced, day),
      brokenPromises: brokenPromises(promises.flatMap(promiseOf), receipts, day),
      ...(guard && { mayContact: guard(loan.accountId) }),
    };
  });
}

/** Asks the contact guard whether somebody may contact these borrowers now (§contact-guard). */
export async function askGuard({ clock, config }: Deps, reader: Reader, accountIds: readonly number[]) {
  const now = clock.now();
  const since = startOfManilaDay(addDays(manilaDate(now), 1 - limits.contactWindowDays));
  const [attempts, complaints, reminded] = await Promise.all([
    readAttempts(reader, accountIds, since),
    readSilencingComplaints(reader, accountIds),
    readRemindedDays(reader, accountIds, since),
  ]);
  return (accountId: number): MayContact => {
    const isOwn = (one: { accountId: number }) => one.accountId === accountId;
    return mayContact({
      now,
      attempts: [
        ...attempts.filter(isOwn).map(({ at }) => at),
        ...onePerDay(reminded.filter(isOwn).map(({ at }) => at)),
      ],
      silent: silentDays(complaints.filter(isOwn)),
      hours: config.lender.contactHours,
    });
  };
}

/** A loan and whose it is; nobody by name once they are erased. */
export function viewBorrower(
  { id, loanNumber, accountId }: Loan,
  members: Awaited<ReturnType<typeof readMembersOf>>,
) {
  const member = members.get(accountId);
  const { fullName, phone } = member && !member.erasedAt ? member : { fullName: null, phone: null };
  return { loanId: id, loanNumber, userId: accountId, fullName, phone: phone || null };
}

/** Returns the receipts in the order of their value dates, then of recording. */
const receiptsThatCount = ({ events }: ServicedLoan, day: ManilaDate) =>
  eventsThatCount(events, day).flatMap((event) =>
    event.kind === 'receipt' ? [{ date: event.date, amount: event.amountCentavos }] : [],
  );

type Promised = Pick<Contact, 'promiseDate' | 'promiseCentavos' | 'createdAt'>;

/** The promise made at a contact, if there was one. */
function promiseOf({ promiseDate: date, promiseCentavos: amountCentavos, createdAt }: Promised) {
  return date === null || amountCentavos === null
    ? []
    : [{ madeOn: manilaDate(createdAt), date, amountCentavos }];
}

/** The same with whether it was kept by a day; null if there was none. */
export function viewPromise(contact: Promised | undefined, serviced: ServicedLoan, day: ManilaDate) {
  const [promise] = contact ? promiseOf(contact) : [];
  if (!promise) return null;
  const { date, amountCentavos: amount } = promise;
  return { date, amount, state: promiseState(promise, receiptsThatCount(serviced, day), day) };
}

type PortfolioReport = input<typeof PortfolioReply>;

/** The portfolio at the end of a day (§portfolio); for a past day each loan is folded anew, and other requests go on between them. */
export async function readPortfolio(deps: Deps, asOf: ManilaDate | undefined) {
  const day = dayUpToNow(deps, 'asOf', asOf);
  return isToday(deps, day) ? readPortfolioNow(deps) : foldPortfolio(deps, day);
}

async function* foldPortfolio(deps: Deps, day: ManilaDate): AsyncGenerator<PortfolioReport[]> {
  const lines: PortfolioLine[] = [];
  for await (const page of foldedLoans(deps, day)) {
    yield [];
    lines.push(...page.map(({ line }) => line));
  }
  yield [portfolioOf(day, lines)];
}

/** The loans that a day's figures are made of, each with its part of them: pages of inputs of `PortfolioLoanReply`. */
export async function* listPortfolioLoans(deps: Deps, asOf: ManilaDate | undefined) {
  const day = dayUpToNow(deps, 'asOf', asOf);
  for await (const page of foldedLoans(deps, day)) {
    const open = page.filter(({ line }) => line.state === 'open');
    const accountIds = open.map(({ loan }) => loan.accountId);
    const members = await deps.database.readOnReplica((reader) => readMembersOf(reader, accountIds));
    yield open.map(
      ({ loan, daysPastDue, line }): input<typeof PortfolioLoanReply> => ({
        ...viewBorrower(loan, members),
        daysPastDue,
        bucket: line.bucket,
        principalLeft: line.principal,
        overdue: line.overdue,
        dueToday: line.today,
        dueNext7Days: line.soon,
      }),
    );
  }
}

export async function readPortfolioNow(deps: Deps): Promise<PortfolioReport> {
  const day = manilaDate(deps.clock.now());
  const [lines, waiting] = await Promise.all([
    deps.database.readOnReplica((reader) => readPortfolioLines(reader, day)),
    deps.database.readOnReplica(readWaitingLoans),
  ]);
  return portfolioOf(day, lines, waiting);
}

function portfolioOf(
  day: ManilaDate,
  lines: readonly PortfolioLine[],
  waiting?: Record<'pending' | 'approved', Counted>,
): PortfolioReport {
  const open = lines.filter(({ state }) => state === 'open');
  const lost = lines.filter(({ state }) => state === 'written_off');
  const total = (of: readonly PortfolioLine[], part: Exclude<keyof PortfolioLine, 'state' | 'bucket'>) =>
    sum(of.map((line) => line[part]));
  const principalOut = total(open, 'principal');
  const atRisk = (days: number) => {
    const late = open.filter(({ bucket }) => bucketStarts[bucket] > days);
    return sharePercent(total(late, 'principal'), principalOut);
  };
  const counted = ({ count, amount }: Counted) => ({ loans: count, amount });
  return {
    asOf: day,
    loans: total(open, 'loans'),
    principalOut,
    dueToday: { loans: total(open, 'todayLoans'), amount: total(open, 'today') },
    dueNext7Days: { loans: total(open, 'soonLoans'), amount: total(open, 'soon') },
    overdue: { loans: total(open, 'overdueLoans'), amount: total(open, 'overdue') },
    buckets: buckets.map((bucket) => {
      const of = open.filter((line) => line.bucket === bucket);
      return {
        bucket,
        loans: total(of, 'loans'),
        principalLeft: total(of, 'principal'),
        overdue: total(of, 'overdue'),
      };
    }),
    par: { '1': atRisk(0), '30': atRisk(30), '90': atRisk(90) },
    writtenOff: { loans: total(lost, 'loans'), amount: total(lost, 'lost') },
    pending: waiting ? counted(waiting.pending) : null,
    approved: waiting ? counted(waiting.approved) : null,
  };
}

/** The portfolio of any day loan by loan, page by page: what was recorded since for that day counts. */
async function* foldedLoans(deps: Deps, day: ManilaDate) {
  const last = addDays(day, limits.dueSoonDays);
  for await (const found of standings(deps, day, false)) {
    yield found.flatMap(({ serviced: { loan }, account, unpaid }) => {
      const { principalLeft, dueNow, overdue, daysPastDue } = account;
      const isLost = account.state === 'written_off';
      const isOpen = account.state === 'open' || account.state === 'overdue';
      if (!isLost && !(isOpen && (principalLeft > 0 || dueNow > 0))) return [];
      const left = (isIt: (dueDate: string) => boolean) =>
        sum(unpaid.filter(({ dueDate }) => isIt(dueDate)).map((row) => row.left));
      const [today, soon] = [left((due) => due === day), left((due) => due > day && due <= last)];
      const line = {
        state: isLost ? ('written_off' as const) : ('open' as const),
        bucket: account.bucket,
        loans: 1,
        principal: principalLeft,
        lost: account.writeOffAmount,
        overdue,
        overdueLoans: Number(overdue > 0),
        today,
        todayLoans: Number(today > 0),
        soon,
        soonLoans: Number(soon > 0),
      };
      return [{ loan, daysPastDue, line }];
    });
  }
}

/** Returns the money that came in and went out on a day (§day-report): input of `DayReply`. */
export async function readDay(deps: Deps, given: ManilaDate | undefined): Promise<input<typeof DayReply>> {
  const date = dayUpToNow(deps, 'date', given);
  return deps.database.snapshot(async (reader) => {
    const received = await readCollected(reader, date);
    const moved = await readMoved(reader, date);
    const people = received.flatMap(({ recordedBy, confirmedBy }) => [recordedBy, confirmedBy]);
    const nameOf = await readNamesOf(reader, people);
    type Part = 'count' | 'amount' | 'principal' | 'interest' | 'lateCharges' | 'credit';
    const total = (of: typeof received, part: Part) => sum(of.map((row) => row[part]));
    const all = (of: typeof received) => ({ count: total(of, 'count'), amount: total(of, 'amount') });
    const takenOver = received.filter(({ isTakenOver }) => isTakenOver);
    const own = received.filter(({ isTakenOver }) => !isTakenOver);
    const collected = own.filter(({ channel }) => channel !== 'wallet');
    return {
      date,
      collected: collected.map((row) => ({
        ...row,
        recordedBy: row.recordedBy ?? 'borrower',
        recordedByName: row.recordedBy === null ? '' : nameOf(row.recordedBy),
        confirmedByName: row.confirmedBy === null ? null : nameOf(row.confirmedBy),
      })),
      total: total(collected, 'amount'),
      principal: total(collected, 'principal'),
      interest: total(collected, 'interest'),
      lateCharges: total(collected, 'lateCharges'),
      credit: total(collected, 'credit'),
      fromWallet: all(own.filter(({ channel }) => channel === 'wallet')),
      takenOver: all(takenOver),
      ...moved,
      drawers: await viewDrawers(reader, date),
    };
  });
}

/** The entries of the general ledger by day of recording, oldest first (§journal): pages of inputs of `JournalLineReply`. */
export async function* readJournal(
  deps: Deps,
  query: { from?: ManilaDate | undefined; to?: ManilaDate | undefined },
) {
  const to = dayUpToNow(deps, 'to', query.to);
  const from = query.from ?? to;
  if (from > to) refuseField('to', 'periodTurned');
  const limit = limits.listPageRows;
  const read = (after: RecordedEvent | undefined) =>
    deps.database.snapshot(async (reader) => {
      const page = await readEventsRecorded(reader, { from, to, after, limit });
      const loans = new Map(page.map(({ loan }) => [loan.id, loan]));
      const entries = await entriesOf(reader, [...loans.values()]);
      return page.map(({ loan, valueDate, sequence, kind, ...event }) => {
        const entry = entries.get(loan.id)?.find(({ ofEvent }) => ofEvent === sequence);
        const date = manilaDate(event.createdAt);
        const of = { date, valueDate, loanNumber: loan.loanNumber, sequence, kind };
        return { ...event, lines: entry?.lines.map((line) => ({ ...of, ...line })) ?? [] };
      });
    });
  for await (const page of readPages(read, (event) => event, limit)) yield page.flatMap(({ lines }) => lines);
}

/** Everything booked on these loans, each event at the terms that were in force. */
async function entriesOf(reader: Reader, loans: readonly Loan[]): Promise<Map<number, JournalEntry[]>> {
  const serviced = await readServicedLoans(reader, loans);
  const ids = loans.map(({ id }) => id);
  const versions = await readTermsOfAll(reader, ids);
  return new Map(
    [...serviced].map(([loanId, { events }]) => {
      const own = versions.filter((version) => version.loanId === loanId);
      return [loanId, journal(livesOf(own), events)] as const;
    }),
  );
}
