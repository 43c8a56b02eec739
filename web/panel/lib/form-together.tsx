import { type ReactNode, useState } from 'react';
import { isInQuestion } from '#contract/expected.ts';
import { panel } from '#contract/wording/panel.ts';
import { CallError } from '#web/lib/call-error.ts';
import { type ContractForm, useFormValues } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { type Present, presentOf } from './present.ts';

const words = panel.together;

type Name<Values> = keyof Values & string;

/** What a form changes, and what it was opened with of that: the body of an edit. */
export type Edit<Values> = Partial<Values> & { expected?: Partial<Values> };

export type FormTogether<Values extends object> = {
  /** What was typed that differs, with what it differs from; undefined when nothing does. */
  editOf: (typed: Values) => Edit<Values> | undefined;
  /**
   * Takes over what a refusal tells: the present values become what the form differs from, so that saving again is meant.
   * What was typed stays; a field that nobody touched here shows its present value. False for every other failure.
   */
  takePresent: (error: unknown) => boolean;
  /** What stands under a field that was changed meanwhile. */
  note: (name: Name<Values>) => ReactNode | undefined;
  /** What stands over the form then. */
  banner: ReactNode;
};

/**
 * Keeps what a form was opened with beside what is typed into it, for two people who edit the same thing at once
 * (decision 015): `opened` holds the fields that are compared, and `read` gives what the server sent as this form holds it.
 */
export function useFormTogether<Values extends object>(
  form: ContractForm<Values>,
  opened: Partial<Values>,
  read: (present: Present) => Partial<Values>,
): FormTogether<Values> {
  const [before, setBefore] = useState(opened);
  const [changed, setChanged] = useState<Partial<Record<string, string>>>({});

  function takeNew(name: Name<Values>) {
    form.setValue(name, before[name] as Values[Name<Values>]);
    form.setFocus(name);
    setChanged(({ [name]: _, ...others }) => others);
  }

  return {
    editOf(typed) {
      const names = Object.keys(before) as Name<Values>[];
      const differing = names.filter((name) => !Object.is(typed[name], before[name]));
      if (differing.length === 0) return undefined;
      const known = names.filter((name) => isInQuestion(name, differing));
      return { ...pick(typed, differing), expected: pick(before, known) } as Edit<Values>;
    },

    takePresent(error) {
      const present = presentOf(error);
      if (!present || !(error instanceof CallError) || error.code !== 'edited_meanwhile') return false;
      const now = pick(read(present), Object.keys(before)) as Partial<Values>;
      const typed = form.getValues();
      for (const name of Object.keys(now) as Name<Values>[]) {
        if (Object.is(typed[name], before[name])) form.setValue(name, now[name] as Values[Name<Values>]);
      }
      setBefore({ ...before, ...now });
      setChanged({ ...changed, ...error.data?.errors });
      const [first] = Object.keys(error.data?.errors ?? {});
      if (first !== undefined && first in before) form.setFocus(first as Name<Values>);
      return true;
    },

    note(name) {
      const sentence = changed[name];
      if (sentence === undefined) return undefined;
      return (
        <FieldNote form={form} name={name} now={before[name]} onUse={() => takeNew(name)}>
          {sentence}
        </FieldNote>
      );
    },

    banner: Object.keys(changed).length > 0 && <ChangedMeanwhile />,
  };
}

function pick<Values extends object>(values: Values, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
}

/** Says that somebody else was here, and what saving again does. */
export function ChangedMeanwhile({ children = words.text }: { children?: ReactNode }) {
  return (
    <div role="alert" className="rounded-control bg-warn-tint px-4 py-3 text-14 text-warn">
      <p className="font-semibold">{words.title}</p>
      <p>{children}</p>
    </div>
  );
}

type NoteProps<Values extends object> = {
  form: ContractForm<Values>;
  name: Name<Values>;
  now: unknown;
  onUse: () => void;
  children: ReactNode;
};

/** What a field has become meanwhile; where something else is typed, a button puts the new value there. */
function FieldNote<Values extends object>({ form, name, now, onUse, children }: NoteProps<Values>) {
  const typed = useFormValues(form)[name];
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-14 font-medium text-warn">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {!Object.is(typed, now) && (
        <Button look="quiet" size="small" className="-my-1 -ml-2 px-1.5!" onClick={onUse}>
          {words.useNew}
        </Button>
      )}
    </span>
  );
}
