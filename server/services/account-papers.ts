import type { output } from 'zod/mini';
import { amountInWords } from '#contract/amount-in-words.ts';
import { ContractLender } from '#contract/loan.ts';
import type { PrintedReceipt, StatementQuery } from '#contract/servicing.ts';
import { type Allocation, allocationOf } from '#domain/allocation.ts';
import { addDays, type DateLanguage, type ManilaDate } from '#domain/calendar.ts';
import { centavos, formatPeso, pesosText, sum } from '#domain/money.ts';
import {
  byDay,
  eventsThatCount,
  type LoanEvent,
  type LoanPosition,
  leftToPay,
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
  type PaperWords,
  paperWords,
  pdfAnswer,
  writeSampleNotice,
} from './lender-paper.ts';
import { receiptNumberOf } from './payment-view.ts';
import { frozenAmount } from './quote-service.ts';
import { findServicedLoan, latestDayOf } from './serviced-loan.ts';
import type { Caller } from './session-service.ts';

// Papers of a disbursed loan, for its borrower and staff. Lender and borrower are named as they are on the day of
// printing.

type StatementChoice = output<typeof StatementQuery>;

type DisbursedLoan = Awaited<ReturnType<typeof readDisbursedLoan>>;

async function readDisbursedLoan(deps: Deps, caller: Caller, loanId: number) {
  const { loan, account, serviced, payments } = await deps.database.snapshot(async (reader) => {
    const found = await findServicedLoan(reader, caller, loanId);
    return { ...found, payments: await readPaymentsOf(reader, loanId) };
  });
  const { terms, stored, events, eventRows } = serviced;
  if (!terms || !stored) fail('not_disbursed');
  return { loan, account, terms, stored, events, eventRows, payments };
}

type Line = {
  date: ManilaDate;
  what: string;
  receiptNumber?: string;
  /** The amount by which the debt grew; negative for a payment. */
  change: number;
  /** The amount left to pay after it; negative for credit. */
  balance: number;
  allocation?: Allocation;
};

const chargeOf = ({ change }: Line) => Math.max(0, change);
const creditOf = ({ change }: Line) => Math.max(0, -change);

/**
 * The debt on the first day, each event that changed it, and the debt on the last day (§statement). Late charges are
 * added before each event, so the lines add up on every day.
 */
async function statementOf(
  { terms, events, eventRows, payments }: DisbursedLoan,
  from: ManilaDate,
  to: ManilaDate,
  { channels, day, document: { statement: labels } }: PaperWords,
) {
  const owedAfter = (eventsSoFar: readonly LoanEvent[], date: ManilaDate): number => {
    const { account } = position(terms, eventsSoFar, date);
    return leftToPay(account) - account.credit;
  };
  const counted = eventsThatCount(events, to).filter(({ kind }) => kind !== 'reversal');
  const standing = position(terms, counted, to);
  const receiptNumberBy = (sequence: number) => {
    const row = eventRows.find((one) => one.sequence === sequence);
    const payment = payments.find(({ id }) => id === row?.paymentId);
    return (payment && receiptNumberOf(payment)) ?? '';
  };
  const whatOf = (event: LoanEvent): string => {
    switch (event.kind) {
      case 'disbursement':
        return labels.disbursement(formatPeso(terms.amountCentavos));
      case 'receipt':
        return labels.receiptOf({
          channel: channels[event.channel],
          number: receiptNumberBy(event.sequence),
        });
      case 'deferral':
        return labels.deferral(event.months);
      case 'refund':
        return event.auto ? labels.refund : labels.refundInCash;
      case 'reversal':
        return '';
      default:
        return labels[event.kind];
    }
  };

  const dayBefore = addDays(from, -1);
  const before = counted.filter(({ date }) => date < from);
  const opening = owedAfter(before, dayBefore);
  const lines: Line[] = [];
  let last = opening;
  const add = (line: Omit<Line, 'change' | 'balance'>, change: number) => {
    last += change;
    lines.push({ ...line, change, balance: last });
  };
  const chargeUpTo = (date: ManilaDate, eventsSoFar: readonly LoanEvent[]) => {
    const accrued = owedAfter(eventsSoFar, date) - last;
    if (accrued !== 0) add({ date, what: labels.lateCharges(day(date)) }, accrued);
  };

  const undone = reversedAmong(events);
  const reversed = events.filter(({ sequence, date }) => undone.has(sequence) && date >= from && date <= to);
  const applied = [...before];
  const toShow = [...counted.filter(({ date }) => date >= from), ...reversed].sort(byDay);
  const nextTurn = takingTurns();
  for (const event of toShow) {
    await nextTurn();
    const { date, sequence } = event;
    const what = whatOf(event);
    // A reversed event is shown with its amount, and moves nothing.
    if (undone.has(sequence)) {
      const amount = 'amountCentavos' in event ? formatPeso(event.amountCentavos) : '';
      add({ date, what: labels.reversed({ what, amount }) }, 0);
      continue;
    }
    chargeUpTo(date, applied);
    applied.push(event);
    const after = owedAfter(applied, date);
    const receipt = standing.receipts.find(({ ofEvent }) => ofEvent === sequence);
    if (event.kind !== 'receipt' || !receipt) {
      add({ date, what }, after - last);
      continue;
    }
    const receiptNumber = receiptNumberBy(sequence);
    add({ date, what, receiptNumber, allocation: allocationOf(receipt) }, -event.amountCentavos);
    // Settling early takes off more than was paid: the rebate.
    if (after !== last) add({ date, what: labels.rebate }, after - last);
  }
  chargeUpTo(to, applied);
  const boundaryLine = (date: ManilaDate, name: string, balance: number, { account }: LoanPosition): Line => {
    const { lateChargesOwed: owed } = account;
    return {
      date,
      what: owed > 0 ? labels.withLateCharges(name, formatPeso(owed)) : name,
      balance,
      change: 0,
    };
  };
  return {
    opening: boundaryLine(from, labels.opening, opening, position(terms, before, dayBefore)),
    lines,
    closing: boundaryLine(to, labels.closing, last, standing),
    standing,
    counted,
  };
}

/** Reads the statement, by default from the disbursement to today. */
async function readStatement(deps: Deps, caller: Caller, loanId: number, choice: StatementChoice) {
  const disbursed = await readDisbursedLoan(deps, caller, loanId);
  const today = latestDayOf(deps, disbursed.terms);
  const { from = disbursed.terms.startDate } = choice;
  const to = choice.to && choice.to < today ? choice.to : today;
  if (from > to) refuseField(choice.to === undefined || choice.to > today ? 'from' : 'to', 'periodTurned');
  const words = paperWords(choice.lang);
  return { ...disbursed, from, to, words, statement: await statementOf(disbursed, from, to, words) };
}

const pesos = (amount: number): string => formatPeso(centavos(amount));
const orNothing = (amount: number): string => (amount === 0 ? '' : pesos(amount));

function allocationRows({ toLoan, toOther, interest, principal }: Allocation, { document }: PaperWords) {
  const { account: names } = document;
  const share = interest < 0 ? names.interestGivenBack : names.interest;
  const ofLoan = [
    { label: names.ofWhich(share), amount: interest },
    { label: names.ofWhich(names.principal), amount: principal },
  ];
  return [
    ...toLoan.map(({ to, rows, amount }) => ({ label: names.allocation[to](rows), amount })),
    ...ofLoan.filter(({ amount }) => amount !== 0),
    ...toOther.map(({ to, amount }) => ({ label: names[to], amount })),
  ].map(({ label, amount }) => ({ label, figure: pesos(amount) }));
}

/** The figures that there are: one without an amount is left out. */
const figuresOf = (...figures: [label: string, figure: string | null | undefined | false, isMain?: true][]) =>
  figures.flatMap(([label, figure, isMain = false]) => (figure ? [{ label, figure, isMain }] : []));

type PaperFacts = {
  title: string;
  created: Date;
  /** The loan's by default. */
  number?: string;
  /** The parts of the file's name after the number. */
  name: string[];
  facts: Parameters<typeof writeStrip>[1];
  notice?: string | undefined;
};

function loanPaper(
  deps: Deps,
  { loan }: DisbursedLoan,
  words: PaperWords,
  { title, created, number = loan.loanNumber, name, facts, notice }: PaperFacts,
  draw: (paper: Paper, lender: ContractLender) => void | Promise<void>,
) {
  const lender = ContractLender.parse(deps.config.lender);
  const letterhead = { lender, words, title, documentNumber: number, created, logo: deps.paperLogo };
  return pdfAnswer(letterhead, [number, ...name], (paper) => {
    paper.y += 6;
    writeStrip(paper, facts);
    if (notice) writeBanner(paper, notice);
    writeSampleNotice(paper, letterhead);
    return draw(paper, lender);
  });
}

export async function readStatementPdf(deps: Deps, caller: Caller, loanId: number, choice: StatementChoice) {
  const read = await readStatement(deps, caller, loanId, choice);
  const { loan, account, from, to, words, statement } = read;
  const { day, document } = words;
  const { statement: labels, account: names, cost } = document;
  const { opening, lines, closing, counted, standing } = statement;
  const edgeOf = ({ date, what, balance }: Line) => ({
    cells: [day(date), what, '', '', pesos(balance)],
    isMain: true,
  });
  const about = {
    title: labels.title,
    created: deps.clock.now(),
    name: ['statement', from, to],
    facts: [
      [names.borrower, account.fullName],
      [names.loan, loan.loanNumber],
      [labels.period, cost.between(day(from), day(to))],
    ] as const,
    notice: cancelledNotice(counted, words),
  };
  return loanPaper(deps, read, words, about, async (paper) => {
    const totals = [chargeOf, creditOf].map((of) => pesos(sum(lines.map(of))));
    await writeTable(paper, labels.heading, {
      columns: [
        { head: labels.date, width: 60 },
        { head: labels.what, width: 213 },
        { head: labels.charged, width: 70, align: 'right' },
        { head: labels.credited, width: 70, align: 'right' },
        { head: labels.balance, width: 74, align: 'right' },
      ],
      rows: [
        edgeOf(opening),
        ...lines.map((line) => {
          const moved = [chargeOf(line), creditOf(line)].map(orNothing);
          const allocated = line.allocation && allocationRows(line.allocation, words);
          const note = allocated?.map(({ label, figure }) => `${label} ${figure}`).join(', ');
          const cells = [day(line.date), line.what, ...moved, pesos(line.balance)];
          return { cells, ...(note !== undefined && { note }) };
        }),
        { cells: ['', labels.totals, ...totals, ''], isMain: true },
        edgeOf(closing),
      ],
    });
    writeNote(paper, labels.note);
    const { dueNow, lateChargesOwed, nextDueDate, nextDueAmount } = standing.account;
    const { settlement } = standing;
    const dated = (amount: number, date: ManilaDate) =>
      labels.next({ amount: pesos(amount), date: day(date) });
    const deferred = deferralNote(counted, words);
    const last = deferred && settlement && standing.instalments.findLast(({ left }) => left > 0);
    const hasCharges = lateChargesOwed > 0;
    const figures = figuresOf(
      [hasCharges ? labels.dueWithCharges : labels.due, pesos(dueNow), true],
      [labels.nextDue, nextDueDate && dated(nextDueAmount, nextDueDate)],
      [labels.lastDue, last && dated(last.left, last.dueDate)],
      [hasCharges ? labels.settlementWithCharges : labels.settlement, settlement && pesos(settlement.amount)],
    );
    writeFigures(paper, labels.standing, [cost.item, cost.figure], figures);
    if (deferred) writeNote(paper, deferred);
  });
}

/** The statement as CSV: plain decimals and ISO dates, which every spreadsheet reads. */
export async function readStatementTable(
  deps: Deps,
  caller: Caller,
  loanId: number,
  choice: StatementChoice,
) {
  const { loan, from, to, words, statement } = await readStatement(deps, caller, loanId, choice);
  const { language, document } = words;
  const { statement: labels, account: names } = document;
  const text = (amount: number | undefined) => (amount ? pesosText(centavos(amount)) : '');
  const shares = (['interest', 'principal', 'lateCharges', 'credit'] as const).map((name) => ({
    head: names[name],
    value: ({ allocation }: Line) => text(allocation?.[name]),
  }));
  return csvAnswer<Line>(
    { name: `${nameIn(language, loan.loanNumber, 'statement', from, to)}.csv`, language },
    [
      { head: labels.date, value: ({ date }) => date },
      { head: labels.what, value: ({ what }) => what },
      { head: labels.receipt, value: ({ receiptNumber = '' }) => receiptNumber },
      { head: labels.charged, value: (line) => text(chargeOf(line)) },
      { head: labels.credited, value: (line) => text(creditOf(line)) },
      ...shares,
      { head: labels.balance, value: ({ balance }) => pesosText(centavos(balance)) },
    ],
    [statement.opening, ...statement.lines, statement.closing],
  );
}

/** A receipt as issued; a reversed one says so. */
export async function readReceiptPdf(
  deps: Deps,
  caller: Caller,
  loanId: number,
  { number, lang }: { number: string; lang?: DateLanguage | undefined },
) {
  const read = await readDisbursedLoan(deps, caller, loanId);
  const { loan, account, eventRows, payments } = read;
  const payment = payments.find((one) => receiptNumberOf(one) === number);
  const event = eventRows.find(({ kind, paymentId }) => kind === 'receipt' && paymentId === payment?.id);
  if (!payment?.application || !event) fail('not_found');
  const { issue, ...printed } = payment.application;
  const reversal = eventRows.find(({ kind, undoes }) => kind === 'reversal' && undoes === event.sequence);
  const words = paperWords(lang);
  const { channels, day, document } = words;
  const { receipt: labels, account: names, cost } = document;
  const about = {
    title: labels.title,
    created: event.createdAt,
    number,
    name: [],
    facts: [
      [labels.number, number],
      [names.loan, loan.loanNumber],
      [labels.paidOn, day(payment.valueDate)],
      [labels.amountOf, pesos(payment.amountCentavos)],
    ] as const,
    notice: reversal && labels.reversed(day(reversal.valueDate)),
  };
  return loanPaper(deps, read, words, about, (paper) => {
    paper.y += 6;
    writeLabelled(paper, labels.receivedFrom, account.fullName);
    writeLabelled(paper, labels.inWords, amountInWords(payment.amountCentavos, words.language));
    writeLabelled(paper, labels.by, channels[payment.channel]);
    if (payment.reference) writeLabelled(paper, labels.reference, payment.reference);
    if (issue) {
      writeLabelled(paper, labels.place, issue.place);
      const recorder = payment.channel === 'cash' ? labels.takenBy : labels.recordedBy;
      if (issue.recordedBy) writeLabelled(paper, recorder, issue.recordedBy);
      if (issue.confirmedBy) writeLabelled(paper, labels.confirmedBy, issue.confirmedBy);
    }
    const heads = [cost.item, cost.figure] as const;
    writeFigures(paper, labels.allocation, heads, allocationRows(allocationOf(printed), words));
    writeNote(paper, labels.asPrinted);
    if (issue) writeFigures(paper, labels.after(day(issue.date)), heads, issueFigures(issue, words));
    writeNote(paper, labels.taxNote);
  });
}

type Issue = NonNullable<PrintedReceipt['issue']>;

function issueFigures(issue: Issue, { day, document }: PaperWords) {
  const { receipt: labels, account: names, statement } = document;
  const peso = (text: string) => formatPeso(frozenAmount(text));
  const ifAny = (text: string) => frozenAmount(text) > 0 && peso(text);
  const { left, lateCharges, toReturn, dueNow, toWallet, next } = issue;
  return figuresOf(
    [labels.left, peso(left), true],
    [names.ofWhich(names.lateCharges), ifAny(lateCharges)],
    [names.ofWhich(names.toReturn), ifAny(toReturn)],
    [ifAny(lateCharges) ? statement.dueWithCharges : statement.due, ifAny(dueNow)],
    [labels.toWallet, ifAny(toWallet)],
    [statement.nextDue, next && statement.next({ amount: peso(next.amount), date: day(next.date) })],
  );
}

/** Certifies that a loan is paid. Fails with `loan_open` while anything is owed. */
export async function readClearancePdf(deps: Deps, caller: Caller, loanId: number, lang?: DateLanguage) {
  const read = await readDisbursedLoan(deps, caller, loanId);
  const { loan, account: borrower, terms, stored, events } = read;
  const today = latestDayOf(deps, terms);
  const { account, receipts } = position(terms, events, today);
  const isPaid = account.state === 'settled' || account.state === 'completed';
  if (!isPaid || account.dueNow > 0 || !stored.closedOn) fail('loan_open');
  const words = paperWords(lang);
  const { day, document } = words;
  const { clearance: labels, account: names, cost, signatures } = document;
  const certified = {
    borrower: borrower.fullName,
    loan: loan.loanNumber,
    amount: formatPeso(terms.amountCentavos),
    released: day(terms.startDate),
    closed: day(stored.closedOn),
  };
  const about = {
    title: labels.title,
    created: deps.clock.now(),
    name: ['clearance'],
    facts: [
      [names.borrower, certified.borrower],
      [names.loan, certified.loan],
      [labels.closedOn, certified.closed],
    ] as const,
  };
  return loanPaper(deps, read, words, about, (paper, lender) => {
    writeParagraph(paper, labels.body(certified));
    drawFinishedMat(paper, terms.termMonths);
    const paid = pesos(sum(receipts.map(({ amount, credit }) => amount - credit)));
    const figures = figuresOf(
      [names.amount, certified.amount],
      [account.lateChargesPaid > 0 ? labels.paidWithCharges : labels.paid, paid, true],
      [labels.how, account.state === 'settled' ? labels.settled : labels.completed],
      [labels.rebate, account.rebate > 0 && pesos(account.rebate)],
    );
    writeFigures(paper, names.loan, [cost.item, cost.figure], figures);
    const lines = [signatures.signatureOfOfficer, signatures.date];
    writeSignatures(paper, {
      heading: signatures.heading,
      consent: labels.asOf(day(today)),
      signers: [{ role: signatures.lender, name: lender.name, lines }],
    });
  });
}
