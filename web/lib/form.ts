import { type ChangeEvent, type FormEvent, useEffect, useState, useSyncExternalStore } from 'react';
import type * as z from 'zod/mini';
import { CallError } from './call-error.ts';
import { validationSentence } from './error-text.ts';
import {
  createFormStore,
  type FieldElement,
  type FormRules,
  type FormStore,
  type ReadField,
} from './form-store.ts';
import { useCoreWords } from './language.tsx';

type Name<Values> = keyof Values & string;

/** What a text field, text area or select of `ui` takes. */
export type FieldProps = {
  name: string;
  // Refs and handlers are methods here, so that one set of props fits inputs, areas and selects.
  ref(element: FieldElement | null): void;
  onChange(event: ChangeEvent<FieldElement>): void;
  /** What is wrong, in the reader's language. */
  error: string | undefined;
};

export type FieldOptions = {
  /** The value is the number that was typed; NaN when there is none, which no schema takes. */
  valueAsNumber?: boolean;
  /** The value is what this makes of the text. */
  setValueAs?: ReadField;
};

export type ContractForm<Values extends object> = {
  field(name: Name<Values>, options?: FieldOptions): FieldProps;
  /**
   * For `onSubmit`. Calls back with what was typed once the schema agrees, else puts the focus on the first wrong field.
   * What was typed, not what the schema reads it as (centavos, null): the former is what goes over the wire.
   */
  handleSubmit(onValid: (typed: Values) => unknown): (event?: FormEvent) => Promise<void>;
  /**
   * Puts the server's field errors beside their fields and the focus on the first. False when the failure names no
   * field of this form, and so still has to be told.
   */
  showServerErrors(error: unknown): boolean;
  /** `message` is a sentence or a key of the wording's `validation`. */
  setError(name: Name<Values>, error: { message: string }, options?: { shouldFocus?: boolean }): void;
  setFocus(name: Name<Values>, options?: { shouldSelect?: boolean }): void;
  setValue<Field extends Name<Values>>(name: Field, value: Values[Field]): void;
  getValues(): Values;
  /** Whether anything differs from the default values. */
  isDirty(): boolean;
  reset(values?: Values): void;
  /** What is wrong with the form as a whole, or with a field that is not drawn with `field`. */
  errorOf(name: Name<Values> | 'root'): string | undefined;
  /** True while a submit waits for rules that are still on the way. */
  isWaiting: boolean;
  /** For `useFormValues`. */
  store: FormStore<Values>;
};

const numberOf: ReadField = (typed) => (typed.trim() === '' ? Number.NaN : Number(typed));

/**
 * A form over a schema of the contract: the server's own rules, with their sentences in the reader's language. A field
 * is judged at submit, and once wrong with every key. The component is drawn again when an error changes and not with
 * every key; what depends on the values takes them from `useFormValues`.
 */
export function useContractForm<Schema extends z.ZodMiniType, Values extends z.input<Schema> & object>(
  rules: FormRules<Schema>,
  { defaultValues }: { defaultValues: Values },
): ContractForm<Values> {
  const words = useCoreWords();
  const [store] = useState(() => createFormStore<Values>(rules, defaultValues));
  const errors = useSyncExternalStore(store.onErrors, store.errors);
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => void store.fetchRules(), [store]);

  const sentence = (message: string | undefined) => message && validationSentence(message, words);
  const errorOf = (name: string) => sentence((errors as Record<string, string | undefined>)[name]);

  return {
    store,
    isWaiting,
    getValues: store.values,
    isDirty: store.isDirty,
    reset: store.reset,
    setValue: store.setValue,
    setFocus: store.focus,
    errorOf,

    field: (name, { valueAsNumber, setValueAs = valueAsNumber ? numberOf : String } = {}) => ({
      name,
      ref(element) {
        if (element) store.attach(name, element, setValueAs);
      },
      onChange: (event) => store.changed(name, event.currentTarget),
      error: errorOf(name),
    }),

    setError(name, { message }, { shouldFocus = false } = {}) {
      store.setError(name, message);
      if (shouldFocus) store.focus(name);
    },

    handleSubmit: (onValid) => async (event) => {
      event?.preventDefault();
      if (isWaiting) return;
      if (!store.hasRules()) {
        setWaiting(true);
        await store.fetchRules();
        setWaiting(false);
      }
      if (store.submit()) await onValid(store.values());
    },

    showServerErrors(error) {
      if (!(error instanceof CallError)) return false;
      const known = store.values();
      const wrong = Object.entries(error.data?.errors ?? {}).filter(([name]) => Object.hasOwn(known, name));
      for (const [name, message] of wrong) store.setError(name as Name<Values>, message);
      if (wrong[0]) store.focus(wrong[0][0] as Name<Values>);
      return wrong.length > 0;
    },
  };
}

/** A form's values as they are typed; draws its component again with every key. */
export function useFormValues<Values extends object>({ store }: ContractForm<Values>): Values {
  return useSyncExternalStore(store.onValues, store.values);
}
