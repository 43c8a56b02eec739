import type { output } from 'zod/mini';
import { amountInWords } from '#contract/amount-in-words.ts';
import { ContractLender } from '#contract/loan.ts';
import type { PrintedReceipt, StatementQuery } from '#contract/servicing.ts';
import { type Allocation, allocationOf } from '#domain/allocation.ts';
import { addDays, type DateLanguage, formatManilaDate, type ManilaDate } from '#domain/calendar.ts';
import { centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import {
  byDay,
  eventsThatCount,
  type LoanEvent,
  type LoanPosition,
  position,
  reversedAmong,
} from '#domain/servicing.ts';
import type { Deps } from '#server/deps.ts';
import { fail, refuseField } from '#server/failure.ts';
import {
  drawFinishedMat,
  type Paper,
  writeBanner,
  writeFigures,
  writeLabelled,
  writeNote,
  writeParagraph,
  writeSignatures,
  writeStrip,
  writeTable,
} from '#server/platform/pdf-paper.ts';
import { takingTurns } from '#server/platform/request-turns.ts';
import { readPaymentsOf } from '#server/store/payment-store.ts';
import {
  cancelledNotice,
  csvAnswer,
  deferralNote,
  nameIn,
  paperWords,
  pdfAnswer,
  writeSampleNotice,
} from './lender-paper.ts';
import { findServicedLoan, latestDayOf } from './loan-events-service.ts';
import { receiptNumberOf } from './payment-service.ts';
import { frozenAmount } from './quote-service.ts';
import type { Caller } from './session-service.ts';

// Papers of a disbursed loan, for its borrower and staff. Lender and borrower are named as they are on the day of
// printing.

type StatementChoice = output<typeof StatementQuery>;

type DisbursedLoan = Awaited<ReturnType<typeof readDisbursedLoan>>;

async function readDisbursedLoan(deps: Deps, reader: Caller, loanId: number) {
  const { loan, account, serviced, payments } = await deps.database.snapshot(async (handle) => {
    const found = await findServicedLoan(handle, reader, loanId);
    return { ...found, payments: await readPaymentsOf(handle, loanId) };
  });
  const { terms, stored, events, rows } = serviced;
  if (!terms || !stored) fail('not_disbursed');
  return { loan, account, terms, stored, events, rows, payments };
}

type Line = {
  date: ManilaDate;
  what: string;
  receiptNumber?: string;
  charged: number;
  credited: number;
  /** What is left to pay after it; negative for credit. */
  balance: number;
  allocation?: Allocation;
};

/**
 * The debt on the first day, each event that changed it, and the debt on the last day (§statement). Late charges are
 * added before each event, so the lines add up on every day.
 */
async function statementOf(
  disbursed: DisbursedLoan,
  from: ManilaDate,
  to: ManilaDate,
  language: DateLanguage,
) {
  const { terms, events, rows, payments } = disbursed;
  const {
    channels,
    document: { statement: words },
  } = paperWords(language);
  const owedAfter = (some: readonly LoanEvent[], date: ManilaDate): number => {
    const { account } = position(terms, some, date);
    const { principalLeft, interestLeft, lateChargesOwed, refundToReturn, credit } = account;
    return principalLeft + interestLeft + lateChargesOwed + refundToReturn - credit;
  };
  const counted = eventsThatCount(events, to).filter(({ kind }) => kind !== 'reversal');
  const standing = position(terms, counted, to);
  const rowOf = (sequence: number) => rows.find((row) => row.sequence === sequence);
  const receiptNumberBy = (sequence: number) => {
    const payment = payments.find(({ id }) => id === rowOf(sequence)?.paymentId);
    return (payment && receiptNumberOf(payment)) ?? '';
  };
  const whatOf = (event: LoanEvent): string => {
    switch (event.kind) {
      case 'disbursement':
        return words.disbursement(formatPeso(terms.amountCentavos));
      case 'receipt':
        return words.receiptOf({
          channel: channels[event.channel],
          number: receiptNumberBy(event.sequence),
        });
      case 'deferral':
        return words.deferral(event.months);
      case 'refund':
        return event.auto ? words.refund : words.refundInCash;
      case 'reversal':
        return '';
      default:
        return words[event.kind];
    }
  };

  const dayBefore = addDays(from, -1);
  const before = counted.filter(({ date }) => date < from);
  const opening = owedAfter(before, dayBefore);
  const lines: Line[] = [];
  let last = opening;
  const add = (line: Pick<Line, 'date' | 'what'> & Partial<Line>, change: number) => {
    last += change;
    lines.push({ charged: Math.max(0, change), credited: Math.max(0, -change), ...line, balance: last });
  };
  const chargeUpTo = (date: ManilaDate, some: readonly LoanEvent[]) => {
    const ran = owedAfter(some, date) - last;
    if (ran !== 0) add({ date, what: words.lateCharges(formatManilaDate(date, language)) }, ran);
  };

  const undone = reversedAmong(events);
  const reversed = events.filter(({ sequence, date }) => undone.has(sequence) && date >= from && date <= to);
  const past = [...before];
  const shown = [...counted.filter(({ date }) => date >= from), ...reversed].sort(byDay);
  const turn = takingTurns();
  for (const event of shown) {
    await turn();
    const { date, sequence } = event;
    if (undone.has(sequence)) {
      const amount = 'amountCentavos' in event ? formatPeso(event.amountCentavos) : '';
      add({ date, what: words.reversed({ what: whatOf(event), amount }) }, 0);
      continue;
    }
    chargeUpTo(date, past);
    past.push(event);
    const after = owedAfter(past, date);
    const receipt = standing.receipts.find(({ ofEvent }) => ofEvent === sequence);
    if (event.kind !== 'receipt') add({ date, what: whatOf(event) }, after - last);
    else {
      const receiptNumber = receiptNumberBy(sequence);
      add(
        { date, what: whatOf(event), receiptNumber, ...(receipt && { allocation: allocationOf(receipt) }) },
        -event.amountCentavos,
      );
      if (after !== last) add({ date, what: words.rebate }, after - last);
    }
  }
  chargeUpTo(to, past);
  const edge = (date: ManilaDate, name: string, balance: number, { account }: LoanPosition): Line => {
    const { lateChargesOwed: owed } = account;
    const what = owed > 0 ? words.withLateCharges(name, formatPeso(owed)) : name;
    return { date, what, balance, charged: 0, credited: 0 };
  };
  return {
    opening: edge(from, words.opening, opening, position(terms, before, dayBefore)),
    lines,
    charged: sum(lines.map(({ charged }) => charged)),
    credited: sum(lines.map(({ credited }) => credited)),
    closing: edge(to, words.closing, last, standing),
    standing,
    counted,
  };
}

/** From the disbursement to today by default. */
async function readStatement(deps: Deps, reader: Caller, loanId: number, choice: StatementChoice) {
  const disbursed = await readDisbursedLoan(deps, reader, loanId);
  const today = latestDayOf(deps, disbursed.terms);
  const { from = disbursed.terms.startDate, lang: language = 'en' } = choice;
  const to = choice.to && choice.to < today ? choice.to : today;
  if (from > to) refuseField(choice.to === undefined || choice.to > today ? 'from' : 'to', 'periodTurned');
  const statement = await statementOf(disbursed, from, to, language);
  return { ...disbursed, from, to, language, statement };
}

const pesos = (amount: number): string => formatPeso(centavos(amount));
const orNothing = (amount: number): string => (amount === 0 ? '' : pesos(amount));

function allocationRows({ toLoan, toOther, interest, principal }: Allocation, language: DateLanguage) {
  const words = paperWords(language).document.account;
  const share = interest < 0 ? words.interestGivenBack : words.interest;
  const ofLoan = [
    { label: words.ofWhich(share), amount: interest },
    { label: words.ofWhich(words.principal), amount: principal },
  ];
  return [
    ...toLoan.map(({ to, rows, amount }) => ({ label: words.allocation[to](rows), amount })),
    ...ofLoan.filter(({ amount }) => amount !== 0),
    ...toOther.map(({ to, amount }) => ({ label: words[to], amount })),
  ].map(({ label, amount }) => ({ label, figure: pesos(amount) }));
}

const allocationText = (allocation: Allocation, language: DateLanguage): string =>
  allocationRows(allocation, language)
    .map(({ label, figure }) => `${label} ${figure}`)
    .join(', ');

type About = { title: string; language: DateLanguage; created: Date; number?: string };
type Facts = Parameters<typeof writeStrip>[1];

function loanPaper(
  deps: Deps,
  { loan }: DisbursedLoan,
  { number = loan.loanNumber, ...about }: About,
  { name, facts, notice }: { name: string[]; facts: Facts; notice?: string | undefined },
  draw: (paper: Paper, lender: ContractLender) => void | Promise<void>,
) {
  const lender = ContractLender.parse(deps.config.lender);
  const letterhead = { ...about, lender, documentNumber: number, logo: deps.paperLogo };
  return pdfAnswer(letterhead, [number, ...name], (paper) => {
    paper.y += 6;
    writeStrip(paper, facts);
    if (notice) writeBanner(paper, notice);
    writeSampleNotice(paper, letterhead);
    return draw(paper, lender);
  });
}

export async function readStatementPdf(deps: Deps, reader: Caller, loanId: number, choice: StatementChoice) {
  const read = await readStatement(deps, reader, loanId, choice);
  const { loan, account, from, to, language, statement } = read;
  const { statement: words, account: names, cost } = paperWords(language).document;
  const day = (date: ManilaDate) => formatManilaDate(date, language);
  const about = { title: words.title, language, created: deps.clock.now() };
  const facts: Facts = [
    [names.borrower, account.fullName],
    [names.loan, loan.loanNumber],
    [words.period, words.between(day(from), day(to))],
  ];
  const edgeOf = ({ date, what, balance }: Line) => ({
    cells: [day(date), what, '', '', pesos(balance)],
    isMain: true,
  });
  const { counted, standing } = statement;
  const notice = cancelledNotice(counted, language);
  return loanPaper(deps, read, about, { name: ['statement', from, to], facts, notice }, async (paper) => {
    await writeTable(paper, words.heading, {
      columns: [
        { head: words.date, width: 60 },
        { head: words.what, width: 213 },
        { head: words.charged, width: 70, align: 'right' },
        { head: words.credited, width: 70, align: 'right' },
        { head: words.balance, width: 74, align: 'right' },
      ],
      rows: [
        edgeOf(statement.opening),
        ...statement.lines.map(({ date, what, charged, credited, balance, allocation }) => ({
          cells: [day(date), what, orNothing(charged), orNothing(credited), pesos(balance)],
          ...(allocation && { note: allocationText(allocation, language) }),
        })),
        { cells: ['', words.totals, pesos(statement.charged), pesos(statement.credited), ''], isMain: true },
        edgeOf(statement.closing),
      ],
    });
    writeNote(paper, words.note);
    const { dueNow, lateChargesOwed, nextDueDate, nextDueAmount } = standing.account;
    const { settlement } = standing;
    const datedAmount = (amount: number, date: ManilaDate) => ({ amount: pesos(amount), date: day(date) });
    const next = nextDueDate && words.next(datedAmount(nextDueAmount, nextDueDate));
    const deferred = deferralNote(counted, language);
    const last = deferred && settlement && standing.instalments.findLast(({ left }) => left > 0);
    const hasCharges = lateChargesOwed > 0;
    const dueLabel = hasCharges ? words.dueWithCharges : words.due;
    const settlementLabel = hasCharges ? words.settlementWithCharges : words.settlement;
    const figures = [
      { label: dueLabel, figure: pesos(dueNow), isMain: true },
      ...(next ? [{ label: words.nextDue, figure: next }] : []),
      ...(last ? [{ label: words.lastDue, figure: words.next(datedAmount(last.left, last.dueDate)) }] : []),
      ...(settlement ? [{ label: settlementLabel, figure: pesos(settlement.amount) }] : []),
    ];
    writeFigures(paper, words.standing, [cost.item, cost.figure], figures);
    if (deferred) writeNote(paper, deferred);
  });
}

/** The statement as CSV: plain decimals and ISO dates, which every spreadsheet reads. */
export async function readStatementTable(
  deps: Deps,
  reader: Caller,
  loanId: number,
  choice: StatementChoice,
) {
  const { loan, from, to, language, statement } = await readStatement(deps, reader, loanId, choice);
  const { statement: words, account: names } = paperWords(language).document;
  const text = (amount: number | undefined) => (amount ? pesosText(centavos(amount)) : '');
  const share = (name: 'interest' | 'principal' | 'lateCharges' | 'credit') => ({
    head: names[name],
    value: ({ allocation }: Line) => text(allocation?.[name]),
  });
  return csvAnswer<Line>(
    { name: `${nameIn(language, loan.loanNumber, 'statement', from, to)}.csv`, language },
    [
      { head: words.date, value: ({ date }) => date },
      { head: words.what, value: ({ what }) => what },
      { head: words.receipt, value: ({ receiptNumber = '' }) => receiptNumber },
      { head: words.charged, value: ({ charged }) => text(charged) },
      { head: words.credited, value: ({ credited }) => text(credited) },
      share('interest'),
      share('principal'),
      share('lateCharges'),
      share('credit'),
      {
        head: words.balance,
        value: ({ balance }) => pesosText(centavos(balance)),
      },
    ],
    [statement.opening, ...statement.lines, statement.closing],
  );
}

/** A receipt as issued; a reversed one says so. */
export async function readReceiptPdf(
  deps: Deps,
  reader: Caller,
  loanId: number,
  { number, lang: language = 'en' }: { number: string; lang?: DateLanguage | undefined },
) {
  const read = await readDisbursedLoan(deps, reader, loanId);
  const { loan, account, rows, payments } = read;
  const payment = payments.find((one) => receiptNumberOf(one) === number);
  const event = rows.find(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment?.id);
  if (!payment?.application || !event) fail('not_found');
  const { issue, ...printed } = payment.application;
  const reversal = rows.find(({ kind, undoes }) => kind === 'reversal' && undoes === event.sequence);
  const { channels, document } = paperWords(language);
  const { receipt: words, account: names, cost } = document;
  const day = (date: ManilaDate) => formatManilaDate(date, language);
  const about = { title: words.title, language, created: event.createdAt, number };
  const notice = reversal && words.reversed(day(reversal.valueDate));
  const facts: Facts = [
    [words.number, number],
    [names.loan, loan.loanNumber],
    [words.paidOn, day(payment.valueDate)],
    [words.amountOf, pesos(payment.amountCentavos)],
  ];
  return loanPaper(deps, read, about, { name: [], facts, notice }, (paper) => {
    paper.y += 6;
    writeLabelled(paper, words.receivedFrom, account.fullName);
    writeLabelled(paper, words.inWords, amountInWords(payment.amountCentavos, language));
    writeLabelled(paper, words.by, channels[payment.channel]);
    if (payment.reference) writeLabelled(paper, words.reference, payment.reference);
    if (issue) {
      writeLabelled(paper, words.place, issue.place);
      const recorder = payment.channel === 'cash' ? words.takenBy : words.recordedBy;
      if (issue.recordedBy) writeLabelled(paper, recorder, issue.recordedBy);
      if (issue.confirmedBy) writeLabelled(paper, words.confirmedBy, issue.confirmedBy);
    }
    const allocated = allocationRows(allocationOf(printed), language);
    writeFigures(paper, words.allocation, [cost.item, cost.figure], allocated);
    writeNote(paper, words.asPrinted);
    if (issue) {
      const rows = issueRows(issue, language);
      writeFigures(paper, words.after(day(issue.date)), [cost.item, cost.figure], rows);
    }
    writeNote(paper, words.taxNote);
  });
}

type Issue = NonNullable<PrintedReceipt['issue']>;

function issueRows(issue: Issue, language: DateLanguage) {
  const { receipt: words, account: names, statement } = paperWords(language).document;
  const peso = (text: string) => formatPeso(frozenAmount(text));
  const { lateCharges, toReturn, dueNow, toWallet, next } = issue;
  const hasCharges = frozenAmount(lateCharges) > 0;
  const shares = [
    { label: names.ofWhich(names.lateCharges), text: lateCharges },
    { label: names.ofWhich(names.toReturn), text: toReturn },
    { label: hasCharges ? statement.dueWithCharges : statement.due, text: dueNow },
    { label: words.toWallet, text: toWallet },
  ].filter(({ text }) => frozenAmount(text) > 0);
  const day = next ? formatManilaDate(next.date, language) : '';
  const following = next && statement.next({ amount: peso(next.amount), date: day });
  return [
    { label: words.left, figure: peso(issue.left), isMain: true },
    ...shares.map(({ label, text }) => ({ label, figure: peso(text) })),
    ...(following ? [{ label: words.next, figure: following }] : []),
  ];
}

/** Certifies that a loan is paid. Fails with `loan_open` while anything is owed. */
export async function readClearancePdf(
  deps: Deps,
  reader: Caller,
  loanId: number,
  language: DateLanguage = 'en',
) {
  const read = await readDisbursedLoan(deps, reader, loanId);
  const { loan, account: borrower, terms, stored, events } = read;
  const now = deps.clock.now();
  const today = latestDayOf(deps, terms);
  const { account, receipts } = position(terms, events, today);
  const isPaid = account.state === 'settled' || account.state === 'completed';
  if (!isPaid || account.dueNow > 0 || !stored.closedOn) fail('loan_open');
  const { clearance: words, account: names, cost, signatures } = paperWords(language).document;
  const day = (date: ManilaDate) => formatManilaDate(date, language);
  const certified = {
    borrower: borrower.fullName,
    loan: loan.loanNumber,
    amount: formatPeso(terms.amountCentavos),
    released: day(terms.startDate),
    closed: day(stored.closedOn),
  };
  const facts: Facts = [
    [names.borrower, certified.borrower],
    [names.loan, certified.loan],
    [words.closedOn, certified.closed],
  ];
  const about = { title: words.title, language, created: now };
  return loanPaper(deps, read, about, { name: ['clearance'], facts }, (paper, lender) => {
    writeParagraph(paper, words.body(certified));
    drawFinishedMat(paper, terms.termMonths);
    const paid = sum(receipts.map(({ amount, credit }) => amount - credit));
    const figures = [
      { label: names.amount, figure: certified.amount },
      {
        label: account.lateChargesPaid > 0 ? words.paidWithCharges : words.paid,
        figure: pesos(paid),
        isMain: true,
      },
      { label: words.how, figure: account.state === 'settled' ? words.settled : words.completed },
      ...(account.rebate > 0 ? [{ label: words.rebate, figure: pesos(account.rebate) }] : []),
    ];
    writeFigures(paper, names.loan, [cost.item, cost.figure], figures);
    const lines = [signatures.signatureOfOfficer, signatures.date];
    writeSignatures(paper, {
      heading: signatures.heading,
      consent: words.asOf(day(today)),
      signers: [{ role: words.officer, name: lender.name, lines }],
    });
  });
}
