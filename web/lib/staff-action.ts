import { useCallback } from 'react';
import { listAudit } from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { CallError, isAbort } from './call-error.ts';
import { useErrorText } from './error-text.ts';
import { staffSentence } from './form-failure.ts';
import { useCoreWords } from './language.tsx';
import { UnsettledError } from './money-call.ts';
import { refreshReads } from './query.tsx';
import type { ToastMessage } from './toast-store.ts';
import { toast } from './toast-store.ts';

type Words<Answer> = {
  /** The toast of success, which may tell of the answer. */
  done: ToastMessage | ((answer: Answer) => ToastMessage);
  failedTitle: string;
  /** Under the title where the server gives no message. */
  fallback?: string;
};

export type ActionResult<Answer> = { ok: true; answer: Answer } | { ok: false; error: unknown };

/**
 * Does one thing for staff and says in a toast what came of it (contract section 9). Never throws: the caller goes on by
 * the result, to put field errors beside their fields or to keep what was typed.
 */
export function useStaffAction(): <Answer>(
  work: Promise<Answer>,
  words: Words<Answer>,
) => Promise<ActionResult<Answer>> {
  const errorText = useErrorText();
  const { shell } = useCoreWords();
  return useCallback(
    async (work, { done, failedTitle, fallback }) => {
      try {
        const answer = await work;
        // Every change by staff is in the audit log by now; whoever looks at it sees it.
        void refreshReads(listAudit);
        toast(typeof done === 'function' ? done(answer) : done);
        return { ok: true, answer };
      } catch (error) {
        const isSilent = isAbort(error) || (error instanceof CallError && error.status === 401);
        // A session that ended says so itself, in a dialog over the page.
        if (error instanceof UnsettledError) {
          toast({ tone: 'bad', title: en.withdrawal.unknown, description: shell.unsettled });
        } else if (!isSilent) {
          toast({
            tone: 'bad',
            title: failedTitle,
            description: staffSentence(error) ?? errorText(error, fallback),
          });
        }
        return { ok: false, error };
      }
    },
    [errorText, shell],
  );
}
