import type { Loan } from '#contract/loan.ts';
import type { Wording } from '#contract/wording/en.ts';
import {
  applicationProgress,
  applicationSteps,
  isKnownLoanStatus,
  loanStatusFacts,
  plainLoanStatus,
} from '#domain/loan.ts';
import type { Tone } from '#web/ui/status-chip.tsx';
import type { Step } from '#web/ui/steps.tsx';

export const loanStatusTone = (status: string): Tone => loanStatusFacts(status).tone;

/** The translated word; a custom status as staff wrote it: `bank_check` → 'Bank check'. */
export function loanStatusWord(status: string, words: Wording['loanStatus']): string {
  if (isKnownLoanStatus(status)) return words.words[status];
  return plainLoanStatus(status);
}

export const loanStatusNote = (status: string, words: Wording['loanStatus']): string | undefined =>
  isKnownLoanStatus(status) ? words.notes[status] : undefined;

/** Of a loan: of one that staff set `active` by hand nothing says that its money went out, or where. */
export const statusNoteOf = (
  { status, releasedAt }: Pick<Loan, 'status' | 'releasedAt'>,
  words: Wording['loanStatus'],
): string | undefined =>
  status === 'active' && releasedAt === null ? words.activeByHand : loanStatusNote(status, words);

export function applicationStepsOf(status: string, words: Wording['loanStatus'], isReleased = false): Step[] {
  const { step, done, standing } = applicationProgress(status, isReleased);
  // Once a step is done, the next one is under way.
  const present = standing === 'negative' ? step : applicationSteps.find((id) => !done.includes(id));
  return applicationSteps.map((id) => ({
    id,
    title: words.steps[id],
    state: stateOf(id === present, done.includes(id), standing === 'negative'),
  }));
}

function stateOf(isPresent: boolean, isDone: boolean, isNegative: boolean): Step['state'] {
  if (isPresent && isNegative) return 'failed';
  if (isDone) return 'done';
  return isPresent ? 'current' : 'ahead';
}
