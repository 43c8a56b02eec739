import { formatManilaDate, manilaDate, parseManilaDate } from '#domain/calendar.ts';
import { formatPeso } from '#domain/money.ts';
import { shownPercent } from '#domain/rates.ts';
import {
  colors,
  contentWidth,
  createPaper,
  type Paper,
  paperSize,
  writeBanner,
  writeFactColumns,
  writeFigures,
  writeLabelled,
  writeList,
  writeNote,
  writeSignatures,
  writeStrip,
  writeTableInColumns,
} from '#server/platform/pdf-paper.ts';
import type { ContractView } from './contract-service.ts';
import { frozenAmount, paperWords } from './loan-papers.ts';

/**
 * The contract and disclosure statement as a PDF of one to three pages, to print and sign (§contract). The
 * same version always gives the same bytes, until it is replaced or accepted.
 */
export function drawContract(contract: ContractView, logo?: Buffer): Promise<Buffer> {
  const { lender, documentNumber, isSample } = contract;
  const words = wordsOf(contract);
  const { signatures } = words;
  const about = {
    title: `${words.title} ${documentNumber}`,
    language: words.languageTag,
    created: contract.issuedAt,
  };
  const paper = createPaper(about, isSample ? drawSampleMark : undefined);

  writeHead(paper, contract, logo);
  const replaced = replacedNotice(contract);
  if (replaced !== undefined) writeBanner(paper, replaced);
  if (!contract.agreedAt) writeBanner(paper, words.notAgreedNotice);
  if (isSample) writeBanner(paper, words.sampleNotice);
  writeFactColumns(paper, words.parties.heading, partiesOf(contract));
  writeLabelled(paper, words.parties.purpose, contract.purpose);
  writeFigures(paper, words.cost.heading, [words.cost.item, words.cost.figure], figuresOf(contract));
  writeNote(paper, words.effectiveRateNote);
  writeList(paper, words.terms.heading, contract.terms);
  writeSchedule(paper, contract);
  writeSignatures(paper, {
    heading: signatures.heading,
    consent: signatures.consent,
    signers: [
      {
        role: signatures.borrower,
        name: contract.borrower.fullName,
        lines: [signatures.signature, signatures.date],
      },
      { role: signatures.lender, name: lender.name, lines: [signatures.signatureOfOfficer, signatures.date] },
    ],
  });
  const { agreedAt, issuedAt } = contract;
  if (agreedAt && agreedAt > issuedAt) writeNote(paper, words.acceptedNote(dayOf(contract, agreedAt)));
  writeNote(paper, words.fingerprint(contract.hash));

  return paper.finish((page, count) => {
    const y = paperSize.height - paperSize.foot + 22;
    const style = { size: 8, color: colors.inkSoft };
    const mark = isSample ? `${words.sampleMark} · ` : '';
    const left = `${mark}${documentNumber} · ${words.facts.issued} ${dayOf(contract, contract.issuedAt)}`;
    paper.writeForTheEye(left, { x: paperSize.side, y }, style);
    paper.writeForTheEye(words.page(page, count), { x: paperSize.side, y }, { ...style, align: 'right' });
  });
}

/** Room for the lender's logo at the right end of the letterhead. */
const logoSize: [width: number, height: number] = [120, 34];

const wordsOf = ({ language }: ContractView) => paperWords(language).document;

/** Said large on a version that is kept for the record, so that nobody takes it for the one in force. */
function replacedNotice(contract: ContractView): string | undefined {
  const { version, replacedAt } = contract;
  if (!replacedAt) return undefined;
  return wordsOf(contract).replacedNotice({ version: version + 1, date: dayOf(contract, replacedAt) });
}

function writeHead(paper: Paper, contract: ContractView, logo: Buffer | undefined): void {
  const { lender } = contract;
  const { document: words, company } = paperWords(contract.language);
  const x = paperSize.side;
  const small = { size: 8.5, color: colors.inkSoft } as const;
  const width = contentWidth - (logo ? logoSize[0] + 14 : 0);
  const top = paper.y;
  if (logo) {
    const place = { fit: logoSize, align: 'right', valign: 'center' } as const;
    paper.decorate((pdf) => pdf.image(logo, x + contentWidth - logoSize[0], top, place));
  }
  const lenderLine = { size: 11, weight: 'bold', color: colors.leaf, width } as const;
  const named = [lender.tradeName, lender.name].filter(Boolean);
  paper.y += paper.write(named.join(' · '), { x, y: paper.y }, lenderLine, paper.tag('P'));
  const numbers = [
    company.registration(lender.registrationNumber),
    lender.certificateOfAuthorityNumber && company.authority(lender.certificateOfAuthorityNumber),
  ].filter(Boolean);
  paper.y += paper.write(numbers.join(' · '), { x, y: paper.y }, { ...small, width }, paper.tag('P')) + 4;
  if (logo) paper.y = Math.max(paper.y, top + logoSize[1] + 6);
  const title = { size: 19, weight: 'bold', color: colors.ink } as const;
  paper.y += paper.write(words.title, { x, y: paper.y }, title, paper.tag('H1')) + 1;
  paper.y += paper.write(words.law, { x, y: paper.y }, small, paper.tag('P')) + 1;
  paper.y += paper.write(words.governs, { x, y: paper.y }, small, paper.tag('P')) + 1;
  const advice = { ...small, weight: 'bold', color: colors.ink } as const;
  paper.y += paper.write(company.studyFirst, { x, y: paper.y }, advice, paper.tag('P')) + 8;
  writeStrip(paper, [
    [words.facts.documentNumber, contract.documentNumber],
    [words.facts.loanNumber, contract.loanNumber],
    [words.facts.version, words.versionOf(contract.version)],
    [words.facts.issued, dayOf(contract, contract.issuedAt)],
  ]);
}

function partiesOf(contract: ContractView) {
  const { lender, borrower } = contract;
  const { parties } = wordsOf(contract);
  return [
    {
      heading: parties.lender,
      rows: [
        [parties.name, lender.name],
        [parties.registrationNumber, lender.registrationNumber],
        ...(lender.certificateOfAuthorityNumber
          ? [[parties.authorityNumber, lender.certificateOfAuthorityNumber] as const]
          : []),
        [parties.registered, dateOf(contract, lender.registrationDate)],
        [parties.status, lender.status],
        [parties.address, lender.address],
        [parties.phone, lender.supportPhone],
        [parties.email, lender.supportEmail],
      ],
    },
    {
      heading: parties.borrower,
      rows: [
        [parties.name, borrower.fullName],
        [parties.address, borrower.address ?? parties.notGiven],
        [parties.phone, borrower.phone],
        [parties.email, borrower.email ?? parties.notGiven],
      ],
    },
  ] as const;
}

function figuresOf(contract: ContractView) {
  const { quote } = contract;
  const { cost } = wordsOf(contract);
  const percentOf = (percent: string) => cost.percent(shownPercent(percent));
  return [
    { label: cost.amountFinanced, figure: pesosOf(quote.amount), isMain: true },
    { label: cost.upfrontCharges, figure: pesosOf(quote.upfrontCharges) },
    { label: cost.netProceeds, figure: pesosOf(quote.netProceeds), isMain: true },
    { label: cost.financeCharge, figure: pesosOf(quote.costOfCredit), isMain: true },
    { label: cost.totalPayment, figure: pesosOf(quote.totalPayment) },
    { label: cost.instalment(quote.termMonths), figure: pesosOf(quote.monthlyPayment) },
    {
      label: cost.firstAndLast,
      figure: cost.between(dateOf(contract, quote.firstDueDate), dateOf(contract, quote.lastDueDate)),
    },
    { label: cost.nominalRate, figure: cost.perMonth(String(quote.interestRate)) },
    { label: cost.effectiveMonthlyRate, figure: percentOf(quote.effectiveMonthlyRate), isMain: true },
    { label: cost.simpleAnnualRate, figure: percentOf(quote.simpleAnnualRate) },
    { label: cost.effectiveAnnualRate, figure: percentOf(quote.effectiveAnnualRate), isMain: true },
    { label: cost.lateCharge, figure: cost.perMonth(String(quote.lateChargeRate)) },
  ];
}

function writeSchedule(paper: Paper, contract: ContractView): void {
  const { quote } = contract;
  const { schedule } = wordsOf(contract);
  writeTableInColumns(paper, schedule.heading, {
    header: [schedule.number, schedule.dueDate, schedule.amount],
    rows: quote.schedule.map(({ number, dueDate, amount }) => [
      String(number),
      dateOf(contract, dueDate),
      pesosOf(amount),
    ]),
    summary: schedule.total(quote.termMonths, pesosOf(quote.totalPayment)),
  });
  const { terms } = paperWords(contract.language);
  writeNote(paper, terms.dates({ startDate: formatManilaDate(contract.startDate, contract.language) }));
}

const dayOf = ({ language }: ContractView, moment: Date) => formatManilaDate(manilaDate(moment), language);

function dateOf({ language }: ContractView, text: string): string {
  const date = parseManilaDate(text);
  return date === undefined ? text : formatManilaDate(date, language);
}

const pesosOf = (text: string) => formatPeso(frozenAmount(text));

/**
 * The word SAMPLE as strokes, a hundred units high. Drawn and not written: as text it would lie between the lines of
 * the contract whenever somebody selects or searches them.
 */
const letters: readonly { width: number; path: string }[] = [
  { width: 70, path: 'M62,18 C52,-6 10,-6 10,25 C10,56 62,44 62,74 C62,106 16,106 7,82' },
  { width: 76, path: 'M4,100 L36,0 L68,100 M16,66 L56,66' },
  { width: 94, path: 'M8,100 L8,0 L44,62 L80,0 L80,100' },
  { width: 70, path: 'M8,100 L8,0 L38,0 C70,0 70,56 38,56 L8,56' },
  { width: 60, path: 'M8,0 L8,100 L54,100' },
  { width: 60, path: 'M58,0 L8,0 L8,100 L58,100 M8,48 L50,48' },
];

const letterGap = 14;
const wordWidth = letters.reduce((width, letter) => width + letter.width + letterGap, -letterGap);

/** Draws SAMPLE across the page, large and pale, behind all that follows. */
function drawSampleMark(pdf: PDFKit.PDFDocument): void {
  const scale = 1.15;
  pdf.rotate(-52, { origin: [paperSize.width / 2, paperSize.height / 2] });
  pdf.translate((paperSize.width - wordWidth * scale) / 2, (paperSize.height - 100 * scale) / 2);
  pdf
    .scale(scale)
    .lineWidth(17)
    .lineJoin('round')
    .lineCap('butt')
    .strokeOpacity(0.12)
    .strokeColor(colors.mango);
  for (const { width, path } of letters) {
    pdf.path(path).stroke();
    pdf.translate(width + letterGap, 0);
  }
}
