import type { output } from 'zod/mini';
import type { DrawerCloseForm } from '#contract/drawer.ts';
import { type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { tallyDrawer } from '#domain/drawer.ts';
import { type Centavos, centavos, pesosText } from '#domain/money.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { lockAccount, lockWithStaff, readNamesOf } from '#server/store/account-store.ts';
import {
  changeDrawer,
  type DrawerMovementRow,
  type DrawerRow,
  findDrawer,
  findDrawerOfPayment,
  findOpenDrawer,
  insertDrawer,
  insertDrawerMovement,
  readDrawerMovements,
  readDrawers,
} from '#server/store/drawer-store.ts';
import type { Payment } from '#server/store/payment-store.ts';
import { audit } from './audit-service.ts';
import { requireRole, requireTurn } from './four-eyes.ts';
import type { LoanWork } from './serviced-loan.ts';
import type { Act, Staff } from './session-service.ts';

// Cash belongs to the drawer of the person who takes it, from the moment of recording (§drawer). Whoever changes a drawer
// holds the lock of its owner's account, so that nothing slips in while it is counted.

/** Opens the caller's drawer with the money that is in it. Fails with `drawer_open`. */
export async function openDrawer(act: Act<Staff>, float: Centavos) {
  const { tx, actor } = act;
  requireRole(actor, 'cashier');
  await lockAccount(tx, actor.id);
  if (await findOpenDrawer(tx, actor.id)) fail('drawer_open');
  return viewOne(tx, await openFor(act, actor.id, float));
}

async function openFor(act: Act, accountId: number, floatCentavos: Centavos): Promise<DrawerRow> {
  const opened = await insertDrawer(act.tx, { accountId, floatCentavos, openedAt: act.deps.clock.now() });
  const after = { drawer: opened.id, amount: pesosText(floatCentavos) };
  await audit(act, 'drawer_opened', { account: accountId }, { after });
  return opened;
}

export async function readCurrentDrawer(deps: Deps, staff: Staff) {
  return deps.database.read(async (reader) => {
    const open = await findOpenDrawer(reader, staff.id);
    return { drawer: open ? await viewOne(reader, open) : null };
  });
}

/**
 * Closes a drawer with the money that was counted. A difference wants a reason. Somebody else's takes an approver. Fails
 * with `drawer_closed`, `role_missing`.
 */
export async function closeDrawer(
  act: Act<Staff>,
  id: number,
  { counted, reason }: output<typeof DrawerCloseForm>,
) {
  const { deps, tx, actor } = act;
  const { accountId } = (await findDrawer(tx, id)) ?? fail('not_found');
  const isOwn = accountId === actor.id;
  requireRole(actor, isOwn ? 'cashier' : 'approver');
  await lockAccount(tx, accountId);
  // Read again: somebody may have closed it before the account was locked.
  const drawer = (await findDrawer(tx, id)) ?? fail('not_found');
  if (drawer.closedAt) fail('drawer_closed');
  const { expected } = tallyDrawer(drawer.floatCentavos, await readDrawerMovements(tx, [id]));
  const difference = centavos(counted - expected);
  if (difference !== 0 && !reason) refuseField('reason', 'reasonRequired');
  await changeDrawer(tx, id, {
    closedAt: deps.clock.now(),
    closedBy: actor.id,
    countedCentavos: counted,
    expectedCentavos: expected,
    reason: reason ?? null,
  });
  const after = {
    drawer: id,
    amount: pesosText(counted),
    expected: pesosText(expected),
    difference: pesosText(difference),
    ...(!isOwn && { closedForAnother: true }),
  };
  await audit(act, 'drawer_closed', { account: accountId }, { after });
  return { expected, counted, difference };
}

/** The drawers that are open, or were opened or closed on a day: inputs of `DayDrawerReply`. */
export async function viewDrawers(reader: Reader, of: 'open' | ManilaDate) {
  const rows = await readDrawers(reader, of);
  const movements = await readDrawerMovements(
    reader,
    rows.map(({ id }) => id),
  );
  const nameOf = await readNamesOf(
    reader,
    rows.flatMap(({ accountId, closedBy }) => [accountId, closedBy]),
  );
  return rows.map((row) => ({
    ...viewDrawer(
      row,
      movements.filter(({ drawerId }) => drawerId === row.id),
      nameOf,
    ),
    closedAt: row.closedAt,
    ...(row.closedBy !== null && row.closedBy !== row.accountId && { closedBy: nameOf(row.closedBy) }),
    counted: row.countedCentavos,
    difference:
      row.countedCentavos === null
        ? null
        : centavos(row.countedCentavos - (row.expectedCentavos ?? row.countedCentavos)),
    reason: row.reason,
  }));
}

export function listDrawers(deps: Deps, date: ManilaDate | undefined) {
  const day = date ?? manilaDate(deps.clock.now());
  return deps.database.readOnReplica((reader) => viewDrawers(reader, day));
}

async function viewOne(reader: Reader, drawer: DrawerRow) {
  const movements = await readDrawerMovements(reader, [drawer.id]);
  return viewDrawer(drawer, movements, await readNamesOf(reader, [drawer.accountId]));
}

const viewDrawer = (
  { id, openedAt, accountId, floatCentavos }: DrawerRow,
  movements: readonly DrawerMovementRow[],
  nameOf: (id: number) => string,
) => ({
  id,
  openedAt,
  by: nameOf(accountId),
  float: floatCentavos,
  ...tallyDrawer(floatCentavos, movements),
});

type Movement = Pick<DrawerMovementRow, 'kind' | 'amountCentavos'> & { paymentId?: number };

/**
 * Moves cash in the open drawer of an employee: `taken` puts it in, every other kind takes it out. Opens an empty drawer for an
 * employee who has none open.
 */
export async function moveCash(
  work: LoanWork,
  staffId: number,
  { kind, amountCentavos, paymentId }: Movement,
): Promise<void> {
  const { deps, tx, actor, serviced } = work;
  await lockWithStaff(tx, serviced.loan.accountId, [staffId]);
  const drawer = (await findOpenDrawer(tx, staffId)) ?? (await openFor(work, staffId, centavos(0)));
  await insertDrawerMovement(tx, {
    kind,
    amountCentavos: kind === 'taken' ? amountCentavos : centavos(-amountCentavos),
    paymentId,
    drawerId: drawer.id,
    loanId: serviced.loan.id,
    actorId: actor.id,
    createdAt: deps.clock.now(),
  });
}

/**
 * Gives the cash of a waiting payment back to the borrower, out of the drawer that it went into. If that drawer has been
 * closed since, the employee who hands the cash back takes it from their own; while somebody else may, that is not the recorder.
 */
export async function handBackCash(
  work: LoanWork,
  { id, amountCentavos, recordedBy }: Payment,
): Promise<void> {
  const { tx, actor } = work;
  const taken = await findDrawerOfPayment(tx, id);
  if (!taken) return;
  await lockWithStaff(tx, work.serviced.loan.accountId, [taken.accountId, actor.id]);
  const isClosed = (await findDrawer(tx, taken.id))?.closedAt !== null;
  const out = { kind: 'handed_back' as const, amountCentavos, paymentId: id };
  if (!isClosed) return moveCash(work, taken.accountId, out);
  // The borrower only receives the cash, so it does not matter whose own account this is.
  await requireTurn(tx, actor, 'approver', { borrower: undefined, makers: [recordedBy] });
  return moveCash(work, actor.id, out);
}
