/** Forty decimals, as scaled bigints: far beyond what a double could get wrong. */
const SCALE = 10n ** 40n;

const multiply = (left: bigint, right: bigint) => (left * right) / SCALE;
const divide = (left: bigint, right: bigint) => (left * SCALE) / right;

/**
 * The effective monthly rate by another road than the product's: Newton's method on the sum of the discounted rows,
 * written out row by row in fixed-point integers. It starts at zero, left of the root of a falling convex function,
 * from where each step moves right and none oversteps; so it holds for rows that total at least the net proceeds.
 */
export function preciseMonthlyRate(loan: {
  schedule: readonly { number: number; amountCentavos: number }[];
  netProceedsCentavos: number;
}): number {
  let rate = 0n;
  for (let step = 0; step < 100; step += 1) {
    const discount = divide(SCALE, SCALE + rate);
    let excess = -BigInt(loan.netProceedsCentavos) * SCALE;
    let slope = 0n;
    let factor = discount;
    for (const row of loan.schedule) {
      factor = multiply(factor, discount);
      const presentValue = BigInt(row.amountCentavos) * factor;
      excess += presentValue;
      slope -= BigInt(row.number + 1) * multiply(presentValue, discount);
    }
    const change = divide(excess, slope);
    rate -= change;
    // 30 of the 40 decimals: below that the steps only shuffle what the divisions cut off.
    if (change < 10n ** 10n && change > -(10n ** 10n)) return Number(rate) / Number(SCALE);
  }
  throw new Error('Newton’s method did not settle');
}
