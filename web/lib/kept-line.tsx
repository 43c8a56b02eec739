import type { typed } from '#contract/wording/en-typed.ts';
import { QuietButton } from '#web/ui/button.tsx';
import { type SchemaForm, useFormValues } from './form.ts';

type Props<Values extends object> = { form: SchemaForm<Values>; words: typeof typed };

/** Says that a form begins with what was typed before (§typed-values), and empties it when asked. */
export function KeptLine<Values extends object>({ form, words }: Props<Values>) {
  // Drawn anew when the form is emptied or sent.
  useFormValues(form);
  return (
    <p role="status" className="text-14 text-ink-soft empty:hidden">
      {form.kept?.hasRestored() && (
        <>
          {words.kept} ·
          <QuietButton className="-my-3 -mr-3 px-2!" onClick={form.reset}>
            {words.startOver}
          </QuietButton>
        </>
      )}
    </p>
  );
}
