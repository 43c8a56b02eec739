import { useCallback } from 'react';
import { listAudit } from '#contract/api.ts';
import { en } from '#contract/wording/en.ts';
import { isAbort } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { UnsettledError } from '#web/lib/money-call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import type { ToastMessage } from '#web/lib/toast-store.ts';
import { toast } from '#web/lib/toast-store.ts';
import { keepFocusInList } from './active-row.ts';
import { staffSentence } from './form-failure.ts';
import type { LinesEndpoint } from './lines.ts';
import { isGone, type Present, presentOf } from './present.ts';
import { acceptPresent, dropRow } from './staff-rows.ts';

type Words<Answer> = {
  /** The toast of success, which may tell of the answer. */
  done: ToastMessage | ((answer: Answer) => ToastMessage);
  failedTitle: string;
  /** Under the title where the server gives no message. */
  fallback?: string;
  /** The row that it is about: where somebody else has changed it or taken it away, the list shows that too. */
  row?: StaffRow;
  /** Under the title where somebody else was there first; the server's message otherwise. */
  overtaken?: (present: Present) => string;
};

/** A row of a list, and what to say once it is no longer there. */
export type StaffRow = { list: LinesEndpoint; id: number; gone: string };

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
    async (work, { done, failedTitle, fallback, row, overtaken }) => {
      try {
        const answer = await work;
        // Every change by staff is in the audit log by now; whoever looks at it sees it.
        void refreshReads(listAudit);
        toast(typeof done === 'function' ? done(answer) : done);
        return { ok: true, answer };
      } catch (error) {
        if (error instanceof UnsettledError) {
          toast({ tone: 'bad', title: en.withdrawal.unknown, description: shell.unsettled });
        } else if (!isAbort(error)) {
          const present = presentOf(error);
          const sentence =
            (row && isGone(error) && row.gone) || (present && overtaken?.(present)) || staffSentence(error);
          toast({ tone: 'bad', title: failedTitle, description: sentence ?? errorText(error, fallback) });
        }
        if (row) showOvertaken(row, error);
        return { ok: false, error };
      }
    },
    [errorText, shell],
  );
}

/** Shows in its list what a refusal tells of a row: that it is another by now, or gone. */
export function showOvertaken({ list, id }: StaffRow, error: unknown): void {
  const present = presentOf(error);
  if (present) acceptPresent(list, id, present);
  if (!isGone(error)) return;
  dropRow(list, id);
  keepFocusInList();
}
