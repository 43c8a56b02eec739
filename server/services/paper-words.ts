import { contractDocument } from '#contract/wording/contract-document.ts';
import { contractDocumentFil } from '#contract/wording/contract-document-fil.ts';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import type { DateLanguage } from '#domain/calendar.ts';

const inLanguage = {
  en: {
    document: contractDocument,
    company: en.lender,
    terms: en.contractText,
    rowStatuses: en.papers.rowStatuses,
  },
  fil: {
    document: contractDocumentFil,
    company: fil.lender,
    terms: fil.contractText,
    rowStatuses: fil.papers.rowStatuses,
  },
};

/** The words of a loan's papers in a language. A sentence that one of them lacks does not compile. */
export const paperWords = (language: DateLanguage) => inLanguage[language];
