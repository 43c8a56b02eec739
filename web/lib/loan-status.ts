import type { Loan } from '#contract/loan.ts';
import type { Wording } from '#contract/wording/en.ts';
import {
  type ApplicationStep,
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
export const loanStatusWord = (status: string, words: Wording['loanStatus']): string =>
  isKnownLoanStatus(status) ? words.words[status] : plainLoanStatus(status);

export const loanStatusNote = (status: string, words: Wording['loanStatus']): string | undefined =>
  isKnownLoanStatus(status) ? words.notes[status] : undefined;

/**
 * The status's note; another one where staff set `active` or `completed` by hand, so that nothing says that money went
 * out, or where, or came back.
 */
export function statusNoteOf(
  { status, releasedAt, account }: Pick<Loan, 'status' | 'releasedAt' | 'account'>,
  words: Wording['loanStatus'],
): string | undefined {
  if (status === 'completed' && !account) return words.completedByHand;
  return status === 'active' && releasedAt === null ? words.activeByHand : loanStatusNote(status, words);
}

export function applicationStepsOf(status: string, words: Wording['loanStatus'], isReleased = false): Step[] {
  const { step, done, standing } = applicationProgress(status, isReleased);
  const isStopped = standing === 'negative';
  // Once a step is done, the next one is under way.
  const present = isStopped ? step : applicationSteps.find((id) => !done.includes(id));
  const stateOf = (id: ApplicationStep) => {
    if (id === present) return isStopped ? 'failed' : 'current';
    return done.includes(id) ? 'done' : 'ahead';
  };
  return applicationSteps.map((id) => ({ id, title: words.steps[id], state: stateOf(id) }));
}
