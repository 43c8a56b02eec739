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
  done: ToastMessage | ((answer: Answer) => ToastMessage);
  failedTitle: string;
  fallback?: string;
  /** The row acted on: if somebody else has changed or deleted it, the list is updated too. */
  row?: StaffRow;
  /** The description on a conflict; defaults to the server's message. */
  overtaken?: (present: Present) => string;
};

/** `gone`: what to say once it no longer exists. */
export type StaffRow = { list: LinesEndpoint; id: number; gone: string };

export type ActionResult<Answer> = { ok: true; answer: Answer } | { ok: false; error: unknown };

/**
 * Runs a staff action and toasts its outcome (§toasts). Never throws: callers use the result to show field
 * errors or keep what was typed.
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
        // The audit log has an entry for it by now.
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

export function showOvertaken({ list, id }: StaffRow, error: unknown): void {
  const present = presentOf(error);
  if (present) acceptPresent(list, id, present);
  if (!isGone(error)) return;
  dropRow(list, id);
  keepFocusInList();
}
