import type { Contract } from '#contract/loan.ts';
import { papers } from '#contract/wording/en-printed-papers.ts';
import { papersFil } from '#contract/wording/fil-printed-papers.ts';
import { type DateLanguage, formatManilaDate, parseManilaDate } from '#domain/calendar.ts';
import { readPdf } from '#tests/setup/pdf-text.ts';

/** Every figure of a contract as a reader sees it, on whatever it stands: pesos, percentages without words, days. */
export type PaperFigures = {
  amount: string;
  upfrontCharges: string;
  netProceeds: string;
  costOfCredit: string;
  totalPayment: string;
  monthlyPayment: string;
  termMonths: string;
  interestRate: string;
  effectiveMonthlyRate: string;
  simpleAnnualRate: string;
  effectiveAnnualRate: string;
  lateChargeRate: string;
  firstDueDate: string;
  lastDueDate: string;
  /** `1 10 May 2026 ₱16,250.00`. */
  rows: string[];
  /** The cost of settling after some of the rows, in the same form. */
  settlements: string[];
};

const wordsIn = { en: papers, fil: papersFil };

/**
 * Works out from the API's JSON what a paper has to say. It groups by a rule of its
 * own, not by the product's.
 */
export function figuresOf(
  { quote, settlements }: Pick<Contract, 'quote' | 'settlements'>,
  language: DateLanguage,
): PaperFigures {
  const peso = (text: string) => `₱${text.replace(/\B(?=(?:\d{3})+\.)/g, ',')}`;
  const percent = (text: string) => Number(text).toFixed(2);
  const day = (text: string) => {
    const date = parseManilaDate(text);
    if (!date) throw new Error(`no day: ${text}`);
    return formatManilaDate(date, language);
  };
  return {
    amount: peso(quote.amount),
    upfrontCharges: peso(quote.upfrontCharges),
    netProceeds: peso(quote.netProceeds),
    costOfCredit: peso(quote.costOfCredit),
    totalPayment: peso(quote.totalPayment),
    monthlyPayment: peso(quote.monthlyPayment),
    termMonths: String(quote.termMonths),
    interestRate: String(quote.interestRate),
    effectiveMonthlyRate: percent(quote.effectiveMonthlyRate),
    simpleAnnualRate: percent(quote.simpleAnnualRate),
    effectiveAnnualRate: percent(quote.effectiveAnnualRate),
    lateChargeRate: String(quote.lateChargeRate),
    firstDueDate: day(quote.firstDueDate),
    lastDueDate: day(quote.lastDueDate),
    rows: quote.schedule.map(({ number, dueDate, amount }) => `${number} ${day(dueDate)} ${peso(amount)}`),
    settlements: settlements.map(
      ({ afterInstalment, date, amount }) => `${afterInstalment} ${day(date)} ${peso(amount)}`,
    ),
  };
}

/**
 * Reads the figures of a paper. Throws unless every figure stands there exactly once,
 * and no amount beside them.
 */
export function figuresInPdf(bytes: Buffer, language: DateLanguage): PaperFigures {
  const words = wordsIn[language];
  const { cost } = words;
  const flat = readPdf(bytes).text.replaceAll(/ *\n/g, ' ');
  const after = (label: string, form: string): string => {
    const pattern = new RegExp(
      `${label.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')} (${form})(?![\\d,.]*\\d)`,
      'g',
    );
    const found = [...flat.matchAll(pattern)].map(([, figure = '']) => figure);
    if (found.length !== 1) throw new Error(`${label}: ${found.length} figures`);
    return found[0] ?? '';
  };
  const pesos = '₱[\\d,]+\\.\\d{2}';
  const percent = '\\d+(?:\\.\\d+)?(?=%)';
  const day = '\\d{1,2} [A-Z][a-z]{2} \\d{4}';
  const [head = '', settling = '', schedule = ''] = flat.split(
    new RegExp(`${words.settlements.heading}|${words.schedule.heading} ${words.schedule.number}`),
  );
  const rowsIn = (text: string) =>
    [...text.matchAll(new RegExp(`(?<= )\\d{1,2} ${day} ${pesos}`, 'g'))].map(([row]) => row);
  if (rowsIn(head).length > 0) throw new Error('a row stands in no table');
  const [settlements, rows] = [rowsIn(settling), rowsIn(schedule)];
  const [between] = [cost.between('(.*)', '(.*)')];
  const dates = new RegExp(`^${between}$`).exec(after(cost.firstAndLast, cost.between(day, day))) ?? [];
  const amounts = flat.match(/₱/g) ?? [];
  // Six figures, the rows and their sum, what settling costs, and the instalment in the terms.
  if (amounts.length !== 6 + rows.length + settlements.length + 2)
    throw new Error(`${amounts.length} amounts on the paper`);
  const total = after(cost.totalPayment, pesos);
  if (!flat.includes(words.schedule.total(rows.length, total))) throw new Error('the rows have another sum');
  return {
    amount: after(cost.amountFinanced, pesos),
    upfrontCharges: after(cost.upfrontCharges, pesos),
    netProceeds: after(cost.netProceeds, pesos),
    costOfCredit: after(cost.financeCharge, pesos),
    totalPayment: total,
    monthlyPayment: after(cost.instalment(rows.length), pesos),
    termMonths: String(rows.length),
    interestRate: after(cost.nominalRate, percent),
    effectiveMonthlyRate: after(cost.effectiveMonthlyRate, percent),
    simpleAnnualRate: after(cost.simpleAnnualRate, percent),
    effectiveAnnualRate: after(cost.effectiveAnnualRate, percent),
    lateChargeRate: after(cost.lateCharge, percent),
    firstDueDate: dates[1] ?? '',
    lastDueDate: dates[2] ?? '',
    rows,
    settlements,
  };
}

/** Numbers that look drawn by lot and are the same in every run, so that a failure can be met again. */
export function steadyChance(seed: number): (from: number, to: number) => number {
  let state = seed;
  return (from, to) => {
    // A linear congruence modulo 2³¹; its high bits are good enough to pick loans.
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return from + Math.floor((state / 2 ** 31) * (to - from + 1));
  };
}
