import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import { knownLoanStatuses } from '#domain/loan.ts';
import { applicationStepsOf, loanStatusNote, loanStatusTone, loanStatusWord } from '#web/lib/loan-status.ts';

const { loanStatus: english } = en;
const { loanStatus: filipino } = fil;

describe('a loan’s status', () => {
  it.each([
    { status: 'pending', word: 'Pending', tone: 'warn' },
    { status: 'approved', word: 'Approved', tone: 'good' },
    { status: 'denied', word: 'Denied', tone: 'bad' },
    { status: 'account_issue', word: 'Account issue', tone: 'bad' },
    { status: 'rejected', word: 'Rejected', tone: 'bad' },
    { status: 'active', word: 'Active', tone: 'good' },
    { status: 'completed', word: 'Completed', tone: 'neutral' },
  ])('$status', ({ status, word, tone }) => {
    expect(loanStatusWord(status, english)).toBe(word);
    expect(loanStatusTone(status)).toBe(tone);
    expect(loanStatusNote(status, english)).toMatch(/\.$/);
    expect(loanStatusNote(status, filipino)).toMatch(/\.$/);
  });

  it('each has its own word in Filipino', () => {
    const words = knownLoanStatuses.map((status) => loanStatusWord(status, filipino));
    expect(new Set(words).size).toBe(words.length);
  });

  it.each([
    { status: 'bank_check', word: 'Bank check' },
    { status: 'for_releasing_2', word: 'For releasing 2' },
    { status: 'ñandu', word: 'Ñandu' },
    { status: 'constructor', word: 'Constructor' },
    { status: '__proto__', word: '  proto  ' },
  ])(
    '$status, which staff made up, is shown as they wrote it, without a colour or a note',
    ({ status, word }) => {
      for (const words of [english, filipino]) {
        expect(loanStatusWord(status, words)).toBe(word);
        expect(loanStatusNote(status, words)).toBeUndefined();
      }
      expect(loanStatusTone(status)).toBe('neutral');
    },
  );
});

describe('the steps of an application', () => {
  it.each([
    { status: 'pending', states: ['done', 'current', 'ahead', 'ahead'] },
    { status: 'bank_check', states: ['done', 'current', 'ahead', 'ahead'] },
    { status: 'account_issue', states: ['done', 'current', 'ahead', 'ahead'] },
    { status: 'approved', states: ['done', 'done', 'done', 'current'] },
    { status: 'denied', states: ['done', 'done', 'failed', 'ahead'] },
    { status: 'rejected', states: ['done', 'done', 'failed', 'ahead'] },
    { status: 'active', states: ['done', 'done', 'done', 'current'] },
    { status: 'completed', states: ['done', 'done', 'done', 'current'] },
  ])('$status: $states', ({ status, states }) => {
    const steps = applicationStepsOf(status, english);
    expect(steps.map(({ state }) => state)).toEqual(states);
    expect(steps.map(({ title }) => title)).toEqual(['Submitted', 'Under review', 'Decision', 'Released']);
  });

  it.each([
    { status: 'approved', states: ['done', 'done', 'done', 'done'] },
    { status: 'active', states: ['done', 'done', 'done', 'done'] },
    { status: 'completed', states: ['done', 'done', 'done', 'done'] },
    { status: 'pending', states: ['done', 'done', 'done', 'done'] },
    { status: 'bank_check', states: ['done', 'done', 'done', 'done'] },
    { status: 'denied', states: ['done', 'done', 'failed', 'done'] },
  ])('of a loan whose money is out, $status: $states', ({ status, states }) => {
    expect(applicationStepsOf(status, english, true).map(({ state }) => state)).toEqual(states);
  });

  it('are named in the reader’s language', () => {
    const titles = applicationStepsOf('pending', filipino).map(({ title }) => title);
    expect(titles).toEqual(['Naipadala', 'Sinusuri', 'Desisyon', 'Nailabas']);
  });
});
