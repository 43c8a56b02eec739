import { type Centavos, centavos, parseSignedPesos } from './money.ts';

type Amount = Centavos | string;

/** A receipt's figures: centavos as folded, or pesos as printed and on the wire. */
export type ReceiptFigures = {
  interest: Amount;
  principal: Amount;
  lateCharges: Amount;
  credit: Amount;
  instalments: Readonly<Record<string, Amount>>;
  settles: boolean;
};

type LoanPart = { to: 'settlement' | 'instalment' | 'instalments'; rows: string; amount: Centavos };
type OtherPart = { to: 'lateCharges' | 'credit'; amount: Centavos };

export type Allocation = ReturnType<typeof allocationOf>;

/**
 * Splits a receipt for papers, tables and screens. The parts add up to the amount received, and none is
 * zero. `toLoan` is paid on instalments or to settle the loan, interest and principal together;
 * settling may give interest back.
 */
export function allocationOf({ instalments, settles, ...figures }: ReceiptFigures) {
  const interest = amountOf(figures.interest);
  const principal = amountOf(figures.principal);
  const lateCharges = amountOf(figures.lateCharges);
  const credit = amountOf(figures.credit);
  const settlement: LoanPart = { to: 'settlement', rows: '', amount: centavos(interest + principal) };
  const isSome = ({ amount }: { amount: Centavos }) => amount !== 0;
  const others: OtherPart[] = [
    { to: 'lateCharges', amount: lateCharges },
    { to: 'credit', amount: credit },
  ];
  return {
    toLoan: settles ? [settlement].filter(isSome) : instalmentParts(instalments),
    toOther: others.filter(isSome),
    interest,
    principal,
    lateCharges,
    credit,
  };
}

export const isSameAllocation = (one: ReceiptFigures, other: ReceiptFigures): boolean =>
  JSON.stringify(allocationOf(one)) === JSON.stringify(allocationOf(other));

/** Consecutive instalments that got the same amount are one part: `3`, or `3–7`. */
function instalmentParts(instalments: ReceiptFigures['instalments']): LoanPart[] {
  const runs: { first: number; last: number; each: Centavos }[] = [];
  for (const [number, text] of Object.entries(instalments)) {
    const each = amountOf(text);
    const run = runs.at(-1);
    if (run?.last === Number(number) - 1 && run.each === each) run.last += 1;
    else runs.push({ first: Number(number), last: Number(number), each });
  }
  return runs.map(({ first, last, each }) => ({
    ...(first === last
      ? { to: 'instalment', rows: `${first}` }
      : { to: 'instalments', rows: `${first}–${last}` }),
    amount: centavos(each * (last - first + 1)),
  }));
}

function amountOf(amount: Amount): Centavos {
  const parsed = typeof amount === 'string' ? parseSignedPesos(amount) : amount;
  if (parsed === undefined) throw new RangeError(`Not an amount: ${amount}`);
  return parsed;
}
