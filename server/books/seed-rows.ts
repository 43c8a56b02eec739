import { manilaDate, manilaYear } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import { loanNumber } from '#domain/loan.ts';
import { centavos } from '#domain/money.ts';
import { quoteLoan } from '#domain/quote.ts';
import { type WithdrawalStatus, withdrawalNumber } from '#domain/withdrawal.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { phoneKey } from '#server/platform/phone-key.ts';
import { freezeQuote } from '#server/services/quote-service.ts';
import { type NewAccount, searchTextOf } from '#server/store/account-store.ts';
import {
  drawNumbers,
  insertLoans,
  insertTermsOfMany,
  insertWithdrawals,
  moveMoneyOfMany,
  type SampleTerms,
  type SampleTermsOf,
} from './seed-store.ts';

/**
 * Sample members: made up from lists, marked as a sample in address and email, and the same in every installation.
 * Nobody has a phone that begins with 0900.
 */
const givenNames =
  'Maria,Jose,Angelica,Juan,Kristine,Mark,Rosario,Antonio,Liza,Ramon,Corazon,Danilo,Imelda,Fernando,Gloria,Eduardo,Teresita,Rodel,Marites,Benigno,Luzviminda,Rey,Jocelyn,Arnel,Cherry,Joel,Rowena,Dennis,Alma,Hilario'.split(
    ',',
  );
const familyNames =
  'Santos,Reyes,Cruz,Bautista,Ocampo,Garcia,Mendoza,Torres,Tomas,Andrada,Castillo,Flores,Villanueva,Ramos,Castro,Rivera,Aquino,Navarro,Salazar,Mercado,Dela Cruz,Peña,Dizon,Evangelista,Hernandez,Ignacio,Javier,Kalaw,Lacson,Magsaysay,Natividad,Pascual,Quizon,Soriano,Tolentino,Umali,Valdez,Yumul,Zamora,Abad'.split(
    ',',
  );
const places =
  'Quezon City,Cabanatuan City,Cebu City,Davao City,Iloilo City,Baguio City,Naga City,Tarlac City,Manila,Makati,Pasig,Batangas City,Bacolod City,General Santos City'.split(
    ',',
  );
const countries = ['Philippines', 'Philippines', 'Philippines', 'Saudi Arabia', 'Singapore', 'Hong Kong'];

/**
 * A number from 0 up to 1 that looks like chance and is the same each time, for the `what` of the sample's row
 * `number`: the words of its name stirred into the number.
 */
export function sampleChance(number: number, what: string): number {
  let bits = Math.imul(number + 1, 0x9e3779b1);
  for (let index = 0; index < what.length; index += 1) {
    bits = Math.imul(bits ^ what.charCodeAt(index), 0x85ebca6b);
    bits ^= bits >>> 13;
  }
  bits = Math.imul(bits ^ (bits >>> 16), 0xc2b2ae35);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

/** One of a list, by the same kind of chance. */
function samplePick<Item>(items: readonly Item[], number: number, what: string): Item {
  const item = items[Math.floor(sampleChance(number, what) * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Where a sample member's money goes. */
function sampleBankOf(deps: Pick<Deps, 'config'>, number: number) {
  const banks = deps.config.lender.partnerBanks.map(({ name }) => name);
  return {
    bankName: samplePick(banks, number, 'bank'),
    bankAccountNumber: String(
      100_000_000_000 + Math.floor(sampleChance(number, 'account') * 899_999_999_999),
    ),
  };
}

/** The row of the sample member `number`, counted from 0. */
export function sampleMember(
  deps: Pick<Deps, 'config'>,
  {
    number,
    id,
    passwordHash,
    createdAt,
  }: { number: number; id: number; passwordHash: string; createdAt: Date },
): NewAccount & { id: number } {
  const chance = (what: string) => sampleChance(number, what);
  const given = samplePick(givenNames, number, 'given name');
  const family = samplePick(familyNames, number, 'family name');
  const phone = `0900${String(number + 1).padStart(7, '0')}`;
  const address = `${1 + Math.floor(chance('house') * 400)} Sample Street, ${samplePick(places, number, 'place')}`;
  const mailbox = `${given}.${family}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  const person = {
    fullName: `${given} ${family}`,
    phone,
    email: chance('email') < 0.8 ? `${mailbox}.${number + 1}@sample.example` : null,
  };
  const status = chance('status');
  const score = 300 + Math.floor(chance('score') * 550);
  return {
    ...person,
    id,
    phoneKey: phoneKey(phone),
    emailKey: person.email,
    searchText: searchTextOf(person),
    status: status < 0.9 ? 'active' : status < 0.98 ? 'pending' : 'suspended',
    address,
    countryOfWork: samplePick(countries, number, 'country'),
    monthlySalaryCentavos: (15 + Math.floor(chance('salary') * 100)) * 1_000_00,
    referenceName: `${samplePick(givenNames, number, 'reference')} ${family}`,
    referencePhone: `0900${String(9_999_999 - number).padStart(7, '0')}`,
    ...sampleBankOf(deps, number),
    creditScore: score,
    previousCreditScore: chance('trend') < 0.3 ? Math.max(300, score - 40) : null,
    passwordHash,
    isPasswordIssued: true,
    createdAt,
    updatedAt: createdAt,
  };
}

const purposes = [
  'Stock for the sari-sari store',
  'Tuition for the second semester',
  'Repair of the roof',
  'Placement abroad',
  'Hospital bill',
  'A second tricycle',
  'Seeds and fertiliser',
];
const terms = [6, 12, 18, 24, 36, 48];
const amountSteps = 12;
const decided = [
  ...['active', 'active', 'active', 'approved', 'completed', 'completed'],
  ...['denied', 'rejected', 'account_issue', 'for_interview'],
];

/** A share of the newest ones still waits for a decision. */
const waitingShare = 0.05;

/** A loan of the sample: which one, whose, and when it was applied for. */
type SampleLoan = { number: number; accountId: number; createdAt: Date };

/** Loans with their first terms, `of` so many in all. Call it for loans in the order of their days. */
export async function putLoans(deps: Deps, tx: Tx, sample: readonly SampleLoan[], of: number): Promise<void> {
  const ids = await drawNumbers(tx, 'loan', sample.length);
  const numbers = await drawNumbers(tx, 'loanNumber', sample.length);
  const quotes = new Map<string, QuoteOfMany>();
  const rows = sample.map(({ number, accountId, createdAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const amountCentavos = centavos(amountOf(number));
    const termMonths = samplePick(terms, number, 'term');
    const monthlyRate = deps.config.loanMonthlyRate;
    const startDate = manilaDate(createdAt);
    // Many loans of one day are alike: working out a quote costs more than all the rest of a loan.
    const key = `${amountCentavos} ${termMonths} ${startDate}`;
    const shared = quotes.get(key) ?? quoteOfMany({ amountCentavos, termMonths, monthlyRate, startDate });
    quotes.set(key, shared);
    shared.loans.push({ loanId: id, issuedBy: accountId, issuedAt: createdAt });
    const isWaiting = number >= of * (1 - waitingShare);
    return {
      id,
      accountId,
      loanNumber: loanNumber(manilaYear(createdAt), sequence),
      amountCentavos,
      termMonths,
      monthlyRateBasisPoints: monthlyRate,
      monthlyPaymentCentavos: shared.monthlyPaymentCentavos,
      purpose: samplePick(purposes, number, 'purpose'),
      status: isWaiting ? 'pending' : samplePick(decided, number, 'loan status'),
      createdAt,
      updatedAt: createdAt,
    };
  });
  await insertLoans(tx, rows);
  await insertTermsOfMany(tx, [...quotes.values()]);
}

type QuoteOfMany = SampleTerms & { monthlyPaymentCentavos: number; loans: SampleTermsOf[] };

function quoteOfMany(terms: Parameters<typeof quoteLoan>[0]): QuoteOfMany {
  const quote = quoteLoan(terms);
  return { ...freezeQuote(quote), monthlyPaymentCentavos: quote.monthlyPaymentCentavos, loans: [] };
}

/** Small amounts are asked for more often than large ones. */
function amountOf(number: number): number {
  const range = limits.loanAmountMaxCentavos - limits.loanAmountMinCentavos;
  const step = Math.floor(sampleChance(number, 'loan amount') ** 2 * amountSteps);
  const exact = limits.loanAmountMinCentavos + (range * step) / amountSteps;
  return Math.round(exact / limits.loanAmountStepCentavos) * limits.loanAmountStepCentavos;
}

/** The newest ones still wait for staff. */
const waitingWithdrawalsShare = 0.04;

/** A withdrawal of the sample: which one, whose, when it was asked for and, if it was, when it was decided. */
type SampleWithdrawal = {
  number: number;
  member: { number: number; id: number };
  createdAt: Date;
  decidedAt: Date;
};

/** What the sample's withdrawal `number` takes, in centavos. */
export const sampleWithdrawalCentavos = (number: number): number =>
  limits.withdrawalMinCentavos * (1 + Math.floor(sampleChance(number, 'withdrawal amount') * 30));

/**
 * Withdrawals with the entries that their status demands: a debit each, and a refund when rejected. `of` so many in
 * all; a member may be among them once, and must have the money.
 */
export async function putWithdrawals(
  deps: Deps,
  tx: Tx,
  sample: readonly SampleWithdrawal[],
  of: number,
): Promise<void> {
  const ids = await drawNumbers(tx, 'withdrawal', sample.length);
  const numbers = await drawNumbers(tx, 'withdrawalNumber', sample.length);
  const rows = sample.map(({ number, member, createdAt, decidedAt }, index) => {
    const [id = 0, sequence = 0] = [ids[index], numbers[index]];
    const status = statusOf(number, of);
    const isFinal = status === 'completed' || status === 'rejected';
    return {
      id,
      accountId: member.id,
      withdrawalNumber: withdrawalNumber(manilaYear(createdAt), sequence),
      amountCentavos: sampleWithdrawalCentavos(number),
      ...sampleBankOf(deps, member.number),
      status,
      createdAt,
      processedAt: status === 'completed' ? decidedAt : null,
      updatedAt: isFinal ? decidedAt : createdAt,
    };
  });
  await insertWithdrawals(tx, rows);
  const moveOf = (row: (typeof rows)[number]) => ({
    accountId: row.accountId,
    withdrawalId: row.id,
    reason: row.withdrawalNumber,
  });
  await moveMoneyOfMany(
    tx,
    'withdrawal',
    rows.map((row) => ({
      ...moveOf(row),
      amountCentavos: -row.amountCentavos,
      actorId: row.accountId,
      at: row.createdAt,
    })),
  );
  await moveMoneyOfMany(
    tx,
    'withdrawal_refund',
    rows
      .filter(({ status }) => status === 'rejected')
      .map((row) => ({
        ...moveOf(row),
        amountCentavos: row.amountCentavos,
        actorId: limits.mainAdminId,
        at: row.updatedAt,
      })),
  );
}

function statusOf(number: number, of: number): WithdrawalStatus {
  const chance = sampleChance(number, 'withdrawal status');
  if (number >= of * (1 - waitingWithdrawalsShare)) return chance < 0.5 ? 'pending' : 'approved';
  return chance < 0.85 ? 'completed' : 'rejected';
}
