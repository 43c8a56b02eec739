import type { input, output } from 'zod/mini';
import type { StaffWithdrawalReply, WithdrawalsQuery, WithdrawalUpdate } from '#contract/staff-withdrawal.ts';
import type { WithdrawalReply, WithdrawalRequest } from '#contract/withdrawal.ts';
import { records } from '#contract/wording/server-words.ts';
import { manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { pesosText } from '#domain/money.ts';
import { recordNumber } from '#domain/record-number.ts';
import {
  type AccessPart,
  accessChangesSince,
  bankChangesSince,
  canMoveWithdrawal,
  firstWithdrawalStatus,
  isFinalWithdrawal,
  type WithdrawalStatus,
} from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import { fail, KeptFailure, refuseField } from '#server/failure.ts';
import type { Reader, Tx } from '#server/platform/database/database.ts';
import {
  readAccessChanges,
  readAccountsChangedBy,
  readRaises,
  sumLeftRaisedWallets,
} from '#server/store/access-change-store.ts';
import { type ListPage, lockWithStaff, readStaffWith } from '#server/store/account-store.ts';
import { moveMoney } from '#server/store/ledger-store.ts';
import { readNewest } from '#server/store/own-data-store.ts';
import {
  changeWithdrawal,
  findWithdrawal,
  insertWithdrawal,
  lockWithdrawal,
  numberWithdrawal,
  readWaitingWithdrawals,
  readWithdrawalPage,
  type Withdrawal,
} from '#server/store/withdrawal-store.ts';
import { type EmbeddedMember, viewEmbeddedMember } from './account-view.ts';
import { audit } from './audit-service.ts';
import { type Bars, hasAuthority, requireRole, requireTurn, turnOf } from './four-eyes.ts';
import { tellBorrower } from './notice-service.ts';
import { isRightOtp } from './otp-service.ts';
import { tellOutside } from './outbox-service.ts';
import { findBorrower, isOwnAccount, readFormerOwnersOf } from './own-account.ts';
import { type Act, lockOwnAccount, type Staff } from './session-service.ts';
import { pagesOf, withCodes } from './staff-list-service.ts';

export async function listOwnWithdrawals(deps: Deps, accountId: number, before: number | undefined) {
  const rows = await deps.database.read((reader) => readNewest.withdrawals(reader, accountId, before));
  return rows.map(viewWithdrawal);
}

/**
 * Takes money out of the wallet (§withdrawing): checks the funds, then the code, and in the same transaction uses up
 * the code, debits the balance, stores the withdrawal and writes the ledger. The account is locked, so simultaneous
 * requests run one after the other. `insufficient_funds` is thrown; `invalid_otp` is returned, so that the try stays
 * counted.
 */
export async function requestWithdrawal(act: Act, request: output<typeof WithdrawalRequest>) {
  const { deps, tx } = act;
  const account = await lockOwnAccount(act);
  if (request.amount > account.balanceCentavos) fail('insufficient_funds');
  if (!(await isRightOtp(act, account, request))) return new KeptFailure('invalid_otp');

  const now = deps.clock.now();
  const { number, ...holds } = await numberWithdrawal(tx, account.id, {
    since: accessChangesSince(now),
    heldSince: bankChangesSince(now),
  });
  const itsNumber = recordNumber('WD', manilaYear(now), number);
  const [withdrawal, moved] = await Promise.all([
    insertWithdrawal(tx, {
      accountId: account.id,
      withdrawalNumber: itsNumber,
      amountCentavos: request.amount,
      bankName: request.bankName,
      bankAccountNumber: request.bankAccountNumber,
      status: firstWithdrawalStatus({
        requested: request,
        profile: account,
        lastStaffChangeAt: account.staffChangedAccessAt,
        ...holds,
        now,
      }),
      createdAt: now,
      updatedAt: now,
    }),
    moveMoney(tx, {
      accountId: account.id,
      amountCentavos: -request.amount,
      type: 'withdrawal',
      actorId: account.id,
      reason: itsNumber,
      withdrawalNumber: itsNumber,
      usesUpCode: true,
      at: now,
    }),
  ]);
  if (!moved) fail('insufficient_funds');
  const after = { amount: pesosText(request.amount), status: withdrawal.status };
  await audit(act, 'withdrawal_requested', { withdrawal: withdrawal.id }, { after });
  // In the app the borrower has just seen it; the person who has the account open need not be its owner.
  const details = { withdrawalNumber: itsNumber, statusCode: withdrawal.status };
  await tellOutside(act, account.id, 'withdrawal_status_changed', { details });
  return viewWithdrawal(withdrawal);
}

/** Field by field, as `viewLoanRecord`. */
export function viewWithdrawal(withdrawal: Withdrawal): input<typeof WithdrawalReply> {
  return {
    id: withdrawal.id,
    userId: withdrawal.accountId,
    withdrawalNumber: withdrawal.withdrawalNumber,
    amount: withdrawal.amountCentavos,
    bankName: withdrawal.bankName,
    bankAccountNumber: withdrawal.bankAccountNumber,
    status: withdrawal.status,
    createdAt: withdrawal.createdAt,
    processedAt: withdrawal.processedAt,
    bankReference: withdrawal.bankReference,
  } satisfies input<typeof WithdrawalReply>;
}

function viewStaffWithdrawal(
  deps: Deps,
  { withdrawal, member }: { withdrawal: Withdrawal; member: EmbeddedMember },
  showsCode = false,
): input<typeof StaffWithdrawalReply> {
  return Object.assign(viewWithdrawal(withdrawal), {
    ...(withdrawal.isReleasedAlone && { isReleasedAlone: true as const }),
    user: viewEmbeddedMember(deps, member, showsCode),
  });
}

export function listWithdrawals(deps: Deps, staff: Staff, query: output<typeof WithdrawalsQuery>) {
  const { completedOn } = query;
  const read = (reader: Reader, page: ListPage<WithdrawalStatus>) =>
    readWithdrawalPage(reader, { ...page, completedOn });
  const pages = pagesOf(deps, query, read, ({ withdrawal }) => withdrawal.id);
  return withCodes(deps, staff, pages, (row, showsCode) => viewStaffWithdrawal(deps, row, showsCode));
}

/**
 * Releases, completes or rejects a withdrawal (§withdrawal-transitions), or adds the bank's reference. The reply has no
 * code, because it is stored for retries.
 */
export async function updateWithdrawal(act: Act<Staff>, id: number, update: output<typeof WithdrawalUpdate>) {
  const withdrawal = (await lockWithdrawal(act.tx, id)) ?? fail('not_found');
  requireRole(act.actor, 'approver');
  const from = withdrawal.status;
  const { status: to, bankReference } = update;
  const keepsStatus = to === undefined || to === from;
  if (bankReference !== undefined && keepsStatus && update.processedAt === undefined) {
    return addBankReference(act, withdrawal, bankReference);
  }
  if (to === undefined) refuseField('status', 'nothingToChange');
  const present = { status: from, processedAt: withdrawal.processedAt?.toISOString() ?? null };
  if (isFinalWithdrawal(from)) fail('withdrawal_final', { present });
  if (!canMoveWithdrawal(from, to)) fail('withdrawal_transition', { present });
  switch (to) {
    case 'approved':
      return releaseWithdrawal(act, withdrawal);
    case 'completed':
      return completeWithdrawal(act, withdrawal, update);
    case 'rejected':
      return rejectWithdrawal(act, withdrawal);
    case 'pending':
      throw new Error('no withdrawal becomes pending');
  }
}

/** Releases what is held: it may be sent. */
async function releaseWithdrawal(act: Act<Staff>, withdrawal: Withdrawal) {
  // Staff who raised the wallet are looked for when the money leaves, in `completeWithdrawal`.
  const turn = await turnToPay(act, withdrawal, []);
  return moveWithdrawal(act, withdrawal, { status: 'approved', processedAt: null }, turn);
}

/** The bank has the money: at the server's time or at the given one. */
async function completeWithdrawal(
  act: Act<Staff>,
  withdrawal: Withdrawal,
  { processedAt: given, bankReference }: output<typeof WithdrawalUpdate>,
) {
  const { deps, tx } = act;
  const at = deps.clock.now();
  const processedAt = processedAtOf(given, withdrawal.createdAt, at);
  const raises = await readRaises(tx, withdrawal.accountId, accessChangesSince(at));
  const raisers = raises.map(({ actorId }) => actorId);
  // Payments and withdrawals from the wallets that one person raised come one after the other.
  if (raisers.length > 0) await lockWithStaff(tx, withdrawal.accountId, raisers);
  const turn = await turnToPay(act, withdrawal, raises);
  const move = {
    status: 'completed' as const,
    processedAt,
    completedAt: at,
    ...(bankReference !== undefined && { bankReference }),
  };
  return moveWithdrawal(act, withdrawal, move, turn);
}

/** Puts the money back into the wallet, once even if two requests arrive together. */
async function rejectWithdrawal(act: Act<Staff>, withdrawal: Withdrawal) {
  const { deps, tx, actor: staff } = act;
  const borrower = await findBorrower(deps, tx, withdrawal.accountId);
  const isAlone = await requireTurn(tx, staff, 'approver', { borrower });
  await refund(tx, staff.id, withdrawal, deps.clock.now());
  return moveWithdrawal(act, withdrawal, { status: 'rejected', processedAt: null }, { isAlone, changed: [] });
}

/**
 * `isAlone`: one person does what another should, because nobody else may. `changed`: what that person changed of the
 * account's access lately.
 */
type Turn = { isAlone: boolean; changed: AccessPart[] };

/** Fails with `own_request` while somebody else may pay it out (§held-withdrawals). */
async function turnToPay(
  { deps, tx, actor: staff }: Act<Staff>,
  withdrawal: Withdrawal,
  raises: Awaited<ReturnType<typeof readRaises>>,
): Promise<Turn> {
  const since = accessChangesSince(deps.clock.now());
  // Staff have already looked at a withdrawal that was released.
  const isHeld = withdrawal.status === 'pending';
  const changes = isHeld ? await readAccessChanges(tx, withdrawal.accountId, since) : [];
  const { exceedsRaiseLimit, bars } = await barsOf(deps, tx, staff, withdrawal, { changes, raises, since });
  const isAlone = await requireTurn(tx, staff, 'approver', bars);
  const own = changes.filter(({ actorId }) => actorId === staff.id).map(({ what }) => what);
  return { isAlone, changed: exceedsRaiseLimit ? [...new Set([...own, 'balance' as const])] : own };
}

/** Stores the new status, logs it and tells the borrower. */
async function moveWithdrawal(
  act: Act<Staff>,
  { id, accountId, amountCentavos, withdrawalNumber, status: from }: Withdrawal,
  move: Pick<Withdrawal, 'status' | 'processedAt'> & Partial<Withdrawal>,
  { isAlone, changed }: Turn,
) {
  const { deps, tx } = act;
  const { status, processedAt } = move;
  await changeWithdrawal(tx, id, {
    ...move,
    updatedAt: deps.clock.now(),
    // One that is rejected went nowhere.
    ...(isAlone && status !== 'rejected' && { isReleasedAlone: true }),
  });
  const after = {
    status,
    amount: pesosText(amountCentavos),
    ...(processedAt && { processedAt }),
    ...(changed.length > 0 && { releasedAlone: changed }),
  };
  const noting = { ...act, isAlone };
  await audit(noting, 'withdrawal_status_changed', { withdrawal: id }, { before: { status: from }, after });
  await tellBorrower(act, accountId, 'withdrawal_status_changed', {
    withdrawalNumber,
    status,
    ...(changed.length > 0 && { alsoChanged: changed.join(',') }),
  });
  const moved = await findWithdrawal(tx, id);
  if (!moved) throw new Error('a locked withdrawal vanished');
  return viewStaffWithdrawal(deps, moved);
}

/** Adds the bank's reference of a completed withdrawal, once. Nothing else of the withdrawal changes. */
async function addBankReference(act: Act<Staff>, withdrawal: Withdrawal, reference: string) {
  const { deps, tx, actor: staff } = act;
  const { id, status } = withdrawal;
  const borrower = await findBorrower(deps, tx, withdrawal.accountId);
  const isAlone = await requireTurn(tx, staff, 'approver', { borrower });
  if (status !== 'completed') refuseField('bankReference', 'bankReferenceOnlyCompleted');
  if (withdrawal.bankReference !== null) fail('withdrawal_final', { present: { status } });
  await changeWithdrawal(tx, id, { bankReference: reference });
  await audit(
    { ...act, isAlone },
    'withdrawal_status_changed',
    { withdrawal: id },
    { after: { changed: ['bankReference'] } },
  );
  return viewStaffWithdrawal(deps, (await findWithdrawal(tx, id)) ?? fail('not_found'));
}

const isOneOf = (people: readonly { actorId: number | null }[], { id }: Staff) =>
  people.some(({ actorId }) => actorId === id);

/**
 * The employees who leave a withdrawal to others (§held-withdrawals): those who lately changed the account's access, and
 * those who raised the wallet by hand, once this withdrawal takes all wallets that they raised above the limit.
 */
async function barsOf(
  deps: Deps,
  reader: Reader,
  staff: Staff,
  { accountId, amountCentavos }: Withdrawal,
  {
    changes,
    raises,
    since,
  }: Record<'changes' | 'raises', readonly { actorId: number | null }[]> & { since: Date },
): Promise<{ exceedsRaiseLimit: boolean; bars: Bars }> {
  const exceedsRaiseLimit =
    isOneOf(raises, staff) &&
    amountCentavos + (await sumLeftRaisedWallets(reader, staff.id, since)) >
      limits.leavesRaisedWalletsMaxCentavos;
  const people = exceedsRaiseLimit ? [...changes, ...raises] : changes;
  const bars: Bars = {
    borrower: await findBorrower(deps, reader, accountId),
    barred: people.flatMap(({ actorId }) => actorId ?? []),
    refusal: { message: exceedsRaiseLimit ? records.ownRaise : records.ownAccessChange },
  };
  return { exceedsRaiseLimit, bars };
}

/**
 * Counts the withdrawals that this employee may send. Somebody who may send none sees them all, as others' work
 * (§today).
 */
export async function countMyWithdrawals(deps: Deps, reader: Reader, staff: Staff): Promise<number> {
  const waiting = await readWaitingWithdrawals(reader);
  if (!hasAuthority(staff.account, 'approver')) return waiting.length;
  const since = accessChangesSince(deps.clock.now());
  const accountIds = [...new Set(waiting.map(({ borrower }) => borrower.id))];
  const asBorrower = await readFormerOwnersOf(deps, reader, accountIds);
  const touched = await readAccountsChangedBy(reader, staff.id, { accountIds, since });
  const able = await readStaffWith(reader, 'approver');
  const employee = { ...staff.account, id: staff.id };
  let count = 0;
  for (const { withdrawal, borrower } of waiting) {
    const bars = touched.has(borrower.id)
      ? (await holdingOf(deps, reader, staff, withdrawal)).bars
      : { borrower: asBorrower(borrower) };
    if (turnOf(employee, able, bars) !== 'refused') count += 1;
  }
  return count;
}

/** Reads what may hold a withdrawal back, and for whom. Staff have already looked at one that was released. */
async function holdingOf(deps: Deps, reader: Reader, staff: Staff, withdrawal: Withdrawal) {
  const since = accessChangesSince(deps.clock.now());
  const changes = await readAccessChanges(reader, withdrawal.accountId, since);
  const raises = await readRaises(reader, withdrawal.accountId, since);
  const seen = { changes: withdrawal.status === 'pending' ? changes : [], raises, since };
  const { bars } = await barsOf(deps, reader, staff, withdrawal, seen);
  return { changes, raises, bars };
}

/** Why a withdrawal may be held, and whether this person could complete it now. */
export async function readWithdrawalHold(deps: Deps, staff: Staff, id: number) {
  return deps.database.read(async (reader) => {
    const { withdrawal } = (await findWithdrawal(reader, id)) ?? fail('not_found');
    const { changes, raises, bars } = await holdingOf(deps, reader, staff, withdrawal);
    const turn = turnOf({ ...staff.account, id: staff.id }, await readStaffWith(reader, 'approver'), bars);
    const { borrower } = bars;
    return {
      changes,
      raises,
      isOwnRequest: turn === 'refused',
      ...(borrower &&
        isOwnAccount({ ...staff.account, id: staff.id }, borrower) && { isOwnAccount: true as const }),
    };
  });
}

/** The ledger's unique index on withdrawal and type also prevents a second refund. */
async function refund(tx: Tx, actorId: number, withdrawal: Withdrawal, at: Date): Promise<void> {
  const refunded = await moveMoney(tx, {
    accountId: withdrawal.accountId,
    amountCentavos: withdrawal.amountCentavos,
    type: 'withdrawal_refund',
    actorId,
    reason: withdrawal.withdrawalNumber,
    withdrawalNumber: withdrawal.withdrawalNumber,
    evenIfDeleted: true,
    at,
  });
  if (!refunded) throw new Error('a rejected withdrawal could not be refunded');
}

/** Now by default. A client's moment is between the request and now, but for clocks that are a little off, else a 400. */
function processedAtOf(text: string | null | undefined, requestedAt: Date, now: Date): Date {
  if (text === undefined || text === null) return now;
  const moment = new Date(text);
  const skew = limits.clockSkewMs;
  const isPossible =
    moment.getTime() >= requestedAt.getTime() - skew && moment.getTime() <= now.getTime() + skew;
  // An invalid date (NaN) is refused too: every comparison with it is false.
  return isPossible ? moment : refuseField('processedAt', 'processedAtRange');
}
