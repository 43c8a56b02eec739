import { type CsvColumn, csvPieces } from '#contract/csv.ts';
import type { ContractLender } from '#contract/loan.ts';
import { en, type Wording } from '#contract/wording/en.ts';
import { type PaperWording, papers } from '#contract/wording/en-printed-papers.ts';
import { fil } from '#contract/wording/fil.ts';
import { papersFil } from '#contract/wording/fil-printed-papers.ts';
import { type DateLanguage, formatManilaDate, type ManilaDate, manilaDate } from '#domain/calendar.ts';
import { sum } from '#domain/money.ts';
import { eventsThatCount, type LoanEvent } from '#domain/servicing.ts';
import {
  colors,
  contentWidth,
  createPaper,
  type Paper,
  paperSize,
  writeBanner,
} from '#server/platform/pdf-paper.ts';

/** Such as `LN-2026-000123-v2`. */
export const documentNumberOf = (loanNumber: string, version: number): string => `${loanNumber}-v${version}`;

const wordsOf = (language: DateLanguage, document: PaperWording, app: Wording) => ({
  language,
  document,
  company: app.lender,
  terms: app.contractText,
  papers: app.papers,
  channels: app.myLoan.channels,
  day: (date: ManilaDate) => formatManilaDate(date, language),
  dayOf: (moment: Date) => formatManilaDate(manilaDate(moment), language),
});
const byLanguage = { en: wordsOf('en', papers, en), fil: wordsOf('fil', papersFil, fil) };

export type PaperWords = ReturnType<typeof wordsOf>;

export const paperWords = (language: DateLanguage = 'en'): PaperWords => byLanguage[language];

/** Tells how far unpaid instalments were deferred, and when; undefined if none was. */
export function deferralNote(events: readonly LoanEvent[], { document, day }: PaperWords) {
  const deferrals = eventsThatCount(events).flatMap((event) => (event.kind === 'deferral' ? [event] : []));
  if (deferrals.length === 0) return undefined;
  const months = sum(deferrals.map((deferral) => deferral.months));
  return document.deferral.note({ months, dates: deferrals.map(({ date }) => day(date)).join(', ') });
}

/** Says that nothing is due; undefined unless the release was cancelled. */
export function cancelledNotice(events: readonly LoanEvent[], { document, day }: PaperWords) {
  const last = eventsThatCount(events).findLast(
    ({ kind }) => kind === 'disbursement' || kind === 'cancellation',
  );
  return last?.kind === 'cancellation' ? document.cancelledNotice(day(last.date)) : undefined;
}

export const fileAnswer = <Body>(
  { contentType, name, language }: { contentType: string; name: string; language: DateLanguage },
  body: Body,
) => ({
  contentType,
  body,
  headers: {
    // Loan numbers from other books may have characters that a header may not.
    'content-disposition': `${contentType === 'application/pdf' ? 'inline' : 'attachment'}; filename="${name.replace(/[^\w.-]/g, '_')}"`,
    'content-language': paperWords(language).document.languageTag,
  },
});

export const csvAnswer = <Item>(
  about: { name: string; language: DateLanguage },
  columns: readonly CsvColumn<Item>[],
  items: readonly Item[],
) =>
  fileAnswer({ ...about, contentType: 'text/csv; charset=utf-8' }, [...csvPieces(columns, items)].join(''));

/** Such as `LN-2026-000123-clearance-fil`. */
export const nameIn = (language: DateLanguage, ...parts: string[]) =>
  [...parts, ...(language === 'en' ? [] : [language])].join('-');

/** Room for the lender's logo at the right of the letterhead. */
const logoSize: [width: number, height: number] = [120, 34];

type Letterhead = {
  lender: ContractLender;
  words: PaperWords;
  title: string;
  documentNumber: string;
  created: Date;
  logo?: Buffer | undefined;
};

/**
 * A paper of the lender as a reply: letterhead, what `draw` writes, and a footer on every page. The sample lender's
 * says that it is not binding.
 */
export async function pdfAnswer(
  letterhead: Letterhead,
  name: string[],
  draw: (paper: Paper) => void | Promise<void>,
) {
  const { lender, title, documentNumber, created, logo } = letterhead;
  const { language, document, company, dayOf } = letterhead.words;
  const about = { title: `${title} ${documentNumber}`, language: document.languageTag, created };
  const paper = await createPaper(about, lender.isSample ? drawSampleMark : undefined);
  const width = contentWidth - (logo ? logoSize[0] + 14 : 0);
  const top = paper.y;
  if (logo) {
    const place = { fit: logoSize, align: 'right', valign: 'center' } as const;
    paper.decorate((pdf) => pdf.image(logo, paperSize.side + contentWidth - logoSize[0], top, place));
  }
  const lenderLine = { size: 11, weight: 'bold', color: colors.leaf, width } as const;
  const named = [lender.tradeName, lender.name].filter(Boolean);
  paper.append(named.join(' · '), lenderLine);
  const numbers = [
    company.registration(lender.registrationNumber),
    lender.certificateOfAuthorityNumber && company.authority(lender.certificateOfAuthorityNumber),
  ].filter(Boolean);
  paper.append(numbers.join(' · '), { ...small, width });
  paper.y += 4;
  if (logo) paper.y = Math.max(paper.y, top + logoSize[1] + 6);
  paper.append(title, { size: 19, weight: 'bold', color: colors.ink }, 'H1');
  paper.y += 1;
  await draw(paper);
  const written = await paper.finish((page, count) => {
    const y = paperSize.height - paperSize.foot + 22;
    const style = { size: 8, color: colors.inkSoft };
    const mark = lender.isSample ? `${document.sampleMark} · ` : '';
    const left = `${mark}${documentNumber} · ${document.facts.issued} ${dayOf(created)}`;
    paper.writeArtifact(left, { x: paperSize.side, y }, style);
    paper.writeArtifact(document.page(page, count), { x: paperSize.side, y }, { ...style, align: 'right' });
  });
  const fileName = `${nameIn(language, ...name)}.pdf`;
  return fileAnswer({ contentType: 'application/pdf', name: fileName, language }, written);
}

const small = { size: 8.5, color: colors.inkSoft } as const;

export function writeSmallPrint(paper: Paper, text: string, isAdvice = false): void {
  paper.append(text, isAdvice ? { ...small, weight: 'bold', color: colors.ink } : small);
  paper.y += 1;
}

export function writeSampleNotice(paper: Paper, { lender, words }: Letterhead): void {
  if (lender.isSample) writeBanner(paper, words.document.sampleNotice);
}

/**
 * The word SAMPLE as strokes, a hundred units high. Drawn rather than written: selecting or searching the contract
 * would find text.
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

/** Draws SAMPLE across the page, large and pale, behind the text. */
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
