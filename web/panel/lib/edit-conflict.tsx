import { type ReactNode, useState } from 'react';
import * as panel from '#contract/wording/panel-words.ts';
import { CallError } from '#web/lib/call-error.ts';
import { type SchemaForm, useFormValues } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { type CurrentFields, currentFieldsOf } from './staff-rows.ts';

const words = panel.conflict;

type Name<Values> = keyof Values & string;

export type Edit<Values> = Partial<Values> & { expected?: Partial<Values> };

/** `opened` holds the fields compared, as the form starts with them; `read` converts the server's values to the form's. */
export type Edited<Values> = {
  opened: Partial<Values>;
  read: (current: CurrentFields) => Partial<Values>;
};

/** Detects edit conflicts between two people (decision 015). */
export function useEditConflict<Values extends object>(
  form: SchemaForm<Values>,
  edited: Edited<Values> | undefined,
) {
  const [before, setBefore] = useState<Partial<Values>>(edited?.opened ?? {});
  const [changed, setChanged] = useState<Partial<Record<string, string>>>({});

  function takeNew(name: Name<Values>) {
    form.setValue(name, before[name] as Values[Name<Values>]);
    form.setFocus(name);
    setChanged(({ [name]: _, ...others }) => others);
  }

  return {
    /** The changed values, with those that the form started from; undefined if nothing changed. */
    editOf(typed: Values): Edit<Values> | undefined {
      const names = Object.keys(before) as Name<Values>[];
      const differing = names.filter((name) => !Object.is(typed[name], before[name]));
      if (differing.length === 0) return undefined;
      return { ...pick(typed, differing), expected: before } as Edit<Values>;
    },

    /**
     * Takes the current values as the new baseline after a conflict, so that saving again is deliberate.
     * Typed text stays; untouched fields show their current values. False for every other error.
     */
    takeCurrent(error: unknown): boolean {
      const current = currentFieldsOf(error);
      if (!edited || !current || !(error instanceof CallError) || error.code !== 'edited_meanwhile')
        return false;
      const now = pick(edited.read(current), Object.keys(before)) as Partial<Values>;
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

    /** Under a field that has changed: its current value, and a button to take it. */
    note(name: Name<Values>): ReactNode | undefined {
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

export function ChangedMeanwhile({ children = words.text }: { children?: ReactNode }) {
  return (
    <div role="alert" className="rounded-control bg-warn-tint px-4 py-3 text-14 text-warn">
      <p className="font-semibold">{words.title}</p>
      <p>{children}</p>
    </div>
  );
}

type NoteProps<Values extends object> = {
  form: SchemaForm<Values>;
  name: Name<Values>;
  now: unknown;
  onUse: () => void;
  children: ReactNode;
};

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
