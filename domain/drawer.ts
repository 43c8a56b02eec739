import { type Centavos, centavos, sum } from './money.ts';

/** Cash that was taken; handed back of a payment that nobody counted; handed back of one reversed; refunded. */
export const drawerMovementKinds = ['taken', 'handed_back', 'reversed', 'refunded'] as const;

/** An amount that came in, or one below zero that went out. */
export type DrawerMovement = { amountCentavos: number };

export type Tally = { count: number; amount: Centavos };

/** A drawer's cash by its movements, and what should be in it: the float with what came in, less what went out. */
export function tallyDrawer(
  floatCentavos: number,
  movements: readonly DrawerMovement[],
): { cashIn: Tally; cashOut: Tally; expected: Centavos } {
  const ins = movements.filter(({ amountCentavos }) => amountCentavos > 0);
  const outs = movements.filter(({ amountCentavos }) => amountCentavos < 0);
  const amountOf = (some: readonly DrawerMovement[]) =>
    sum(some.map(({ amountCentavos }) => centavos(Math.abs(amountCentavos))));
  const cashIn = { count: ins.length, amount: amountOf(ins) };
  const cashOut = { count: outs.length, amount: amountOf(outs) };
  return { cashIn, cashOut, expected: centavos(floatCentavos + cashIn.amount - cashOut.amount) };
}
