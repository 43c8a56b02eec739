import type { output } from 'zod/mini';
import { type FindQuery, setUpParts } from '#contract/collection.ts';
import { type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { isMainAdmin, rolesOf } from '#domain/member.ts';
import { centavos, sum } from '#domain/money.ts';
import { foldText } from '#domain/text.ts';
import type { Deps } from '#server/deps.ts';
import { dayMs } from '#server/platform/clock.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { lastBackupMs } from '#server/platform/last-backup.ts';
import { readAllowedIps } from '#server/store/access-store.ts';
import { readAccountPage, readFoundIds, readNamesOf } from '#server/store/account-store.ts';
import { loanNumberOf, readNamed } from '#server/store/find-store.ts';
import { type DoneAlone, readDoneAlone } from '#server/store/loan-event-store.ts';
import { readLoanPage, readReleasedOf } from '#server/store/loan-store.ts';
import { readPaymentPage } from '#server/store/payment-store.ts';
import { readWaitingCounts } from '#server/store/portfolio-store.ts';
import { countMyDecisions } from './approval-service.ts';
import { countMyComplaints } from './complaint-service.ts';
import { viewDrawers } from './drawer-service.ts';
import { countMyApplications } from './loan-service.ts';
import { readMessageTroubles } from './message-list-service.ts';
import { countMyPayments } from './payment-decision.ts';
import { receiptNumberOf } from './payment-view.ts';
import { askGuard, readDay, readPortfolioNow } from './portfolio-service.ts';
import { hasSecondStep } from './second-step-codes.ts';
import { positionOn, readServicedLoans } from './serviced-loan.ts';
import type { Staff } from './session-service.ts';
import { countMyWithdrawals } from './withdrawal-service.ts';

/** The first page of a working day (§today): input of `TodayReply`. */
export async function readToday(deps: Deps, staff: Staff) {
  const today = manilaDate(deps.clock.now());
  const { account } = staff;
  const [
    counts,
    toDecide,
    paymentsToConfirm,
    withdrawalsToSend,
    complaints,
    requests,
    day,
    portfolio,
    allowed,
    aloneToday,
    messages,
    drawers,
  ] = await Promise.all([
    deps.database.readOnReplica((reader) => readWaitingCounts(reader, today)),
    deps.database.read((reader) => countMyApplications(deps, reader, staff)),
    deps.database.read((reader) => countMyPayments(deps, reader, staff)),
    deps.database.read((reader) => countMyWithdrawals(deps, reader, staff)),
    deps.database.read((reader) => countMyComplaints(deps, reader, staff)),
    deps.database.read((reader) => countMyDecisions(deps, reader, staff)),
    readDay(deps, undefined),
    readPortfolioNow(deps),
    deps.database.readOnReplica(readAllowedIps),
    deps.database.readOnReplica((reader) => viewDoneAlone(reader, today)),
    readMessageTroubles(deps),
    deps.database.readOnReplica((reader) => viewDrawers(reader, 'open')),
  ]);
  const isMain = isMainAdmin(account);
  const missing = {
    lender: isMain && deps.config.lender.isSample,
    secondStep: rolesOf(account).includes('approver') && !hasSecondStep(account),
    allowedIps: isMain && allowed.length === 0,
    backup: isMain && !(await isBackedUp(deps)),
    sms: isMain && deps.gateways.sms === undefined,
  };
  return {
    waiting: {
      ...counts,
      ...complaints,
      toDecide,
      paymentsToConfirm,
      withdrawalsToSend,
      toRelease: portfolio.approved?.loans ?? 0,
      requests,
      messagesFailed: messages.messagesFailed,
    },
    pausedChannels: messages.pausedChannels,
    day,
    portfolio,
    aloneToday,
    drawers,
    toSetUp: setUpParts.filter((part) => missing[part]),
  };
}

/** Everybody who took in money alone today (§one-day), the largest sum first. */
async function viewDoneAlone(reader: Reader, today: ManilaDate) {
  const done = await readDoneAlone(reader, today);
  const people = done.map(({ staffId }) => staffId);
  const nameOf = await readNamesOf(reader, people);
  const total = ({ cash, confirmed, waived }: DoneAlone) => cash + confirmed + waived;
  return done
    .toSorted((one, other) => total(other) - total(one))
    .map(({ staffId, cash, confirmed, waived }) => ({
      staffId,
      name: nameOf(staffId),
      cash: centavos(cash),
      confirmed: centavos(confirmed),
      waived: centavos(waived),
    }));
}

/** True with PostgreSQL, whose own backups cannot be seen from here. */
async function isBackedUp({ clock, config }: Deps): Promise<boolean> {
  if (config.databaseUrl !== undefined) return true;
  const sinceMs = clock.now().getTime() - (await lastBackupMs(config.dataDir));
  return sinceMs <= limits.backupWithinDays * dayMs;
}

/** Finds what staff look for by a name, phone, number, receipt or reference: input of `FoundReply`. */
export function find(deps: Deps, { search: typed, for: work }: output<typeof FindQuery>) {
  return deps.database.readOnReplica(async (reader) => {
    const named = await readNamed(reader, typed);
    const search = foldText(loanNumberOf(typed));
    const memberIds = named?.accountIds ?? (await readFoundPeople(reader, search));
    const page = { limit: limits.foundRows, ...(named ? { named } : { search, memberIds }) };
    const members = work ? [] : await readAccountPage(reader, { ...page, role: 'member', memberIds });
    const loans = await readLoanPage(reader, { ...page, work });
    const payments = work ? [] : await readPaymentPage(reader, page);
    const people = members.map(({ id }) => id);
    const released = people.length > 0 ? await readReleasedOf(reader, people) : [];
    const serviced = await readServicedLoans(reader, [...loans.map(({ loan }) => loan), ...released]);
    const today = manilaDate(deps.clock.now());
    const positions = new Map([...serviced].map(([id, one]) => [id, positionOn(one, today)]));
    const late = loans.filter(({ loan }) => isInArrears(positions.get(loan.id)));
    const guard = await askGuard(
      deps,
      reader,
      late.map(({ loan }) => loan.accountId),
    );
    return {
      members: members.map((member) => {
        const own = released.filter(({ accountId }) => accountId === member.id);
        const due = own.map(({ id }) => positions.get(id)?.account.dueNow ?? centavos(0));
        return {
          ...member,
          oldNumber: member.oldNumber ?? undefined,
          dueNow: own.length > 0 ? centavos(sum(due)) : null,
        };
      }),
      loans: loans.map(({ loan, member: { fullName, phone } }) => {
        const { amountCentavos: amount, oldNumber } = loan;
        const found = positions.get(loan.id);
        return {
          ...loan,
          fullName,
          borrowerPhone: phone,
          amount,
          oldNumber: oldNumber ?? undefined,
          dueNow: found?.account.dueNow ?? null,
          payoff: found?.settlement?.amount ?? null,
          daysPastDue: found?.account.daysPastDue ?? 0,
          phone: isInArrears(found) && guard(loan.accountId).may ? phone : null,
        };
      }),
      payments: payments.map(({ payment, loanNumber }) => ({
        ...payment,
        loanNumber,
        receiptNumber: receiptNumberOf(payment),
        amount: payment.amountCentavos,
      })),
    };
  });
}

/** The people of whom somebody typed a part, else those of whom each word is one: a surname may come first. */
async function readFoundPeople(reader: Reader, search: string): Promise<number[] | undefined> {
  const found = await readFoundIds(reader, [search], limits.foundMembersMax);
  const words = search.split(/[\s,]+/).filter((word) => word !== '');
  return found?.length === 0 && words.length > 1
    ? readFoundIds(reader, words, limits.foundMembersMax)
    : found;
}

const isInArrears = (found: ReturnType<typeof positionOn>): boolean =>
  found?.account.state !== 'written_off' && (found?.account.daysPastDue ?? 0) > 0;
