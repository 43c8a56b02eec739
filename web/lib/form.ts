import { type ChangeEvent, type FormEvent, useEffect, useState, useSyncExternalStore } from 'react';
import type * as z from 'zod/mini';
import { createSignal } from '#web/ui/signal.ts';
import { CallError } from './call-error.ts';
import { validationSentence } from './error-text.ts';
import { useCoreWords } from './language.tsx';

type Name<Values> = keyof Values & string;

type FieldProps = {
  name: string;
  // Declared as methods (bivariant), so that one set of props fits inputs, text areas and selects.
  ref(element: FieldElement | null): void;
  onChange(event: ChangeEvent<FieldElement>): void;
  error: string | undefined;
};

export type SchemaForm<Values extends object> = ReturnType<typeof useSchemaForm<z.ZodMiniType, Values>>;

/**
 * A form validated by a schema of the API: the server's own rules, worded in the reader's language. Fields are
 * validated on submit, then on every keystroke while invalid. Re-renders on error changes only; use `useFormValues` for
 * what depends on the values.
 */
export function useSchemaForm<Schema extends z.ZodMiniType, Values extends z.input<Schema> & object>(
  rules: FormRules<Schema>,
  { defaultValues, kept }: { defaultValues: Values; kept?: KeptValues | undefined },
) {
  const words = useCoreWords();
  const [store] = useState(() => createFormStore<Values>(rules, defaultValues, kept));
  const errors = useSyncExternalStore(store.onErrors, store.errors);
  const [isWaiting, setWaiting] = useState(false);
  useEffect(() => void store.fetchRules(), [store]);

  const errorOf = (name: Name<Values> | 'root'): string | undefined => {
    const message = errors[name];
    return message && validationSentence(message, words);
  };

  return {
    ...store,
    /** True while a submit waits for the schema to load. */
    isWaiting,

    /** Errors of the form as a whole (`root`), or of a field not rendered with `field`. */
    errorOf,

    field(name: Name<Values>, read: ReadField = String): FieldProps {
      return {
        name,
        ref(element) {
          if (element) store.attach(name, element, read);
        },
        onChange: ({ currentTarget, nativeEvent }) => store.changed(name, currentTarget, nativeEvent),
        error: errorOf(name),
      };
    },

    /** Shows an error and focuses its field. `message` is a sentence or a key of the wording's `validation`. */
    setError(name: Name<Values>, message: string) {
      store.setError(name, message);
      store.setFocus(name);
    },

    /**
     * Handles `onSubmit`. Calls back with the typed values once the schema accepts them, else focuses the
     * first invalid field. The typed values, not the parsed ones (centavos, null), go over the wire. If a
     * form has parts, `only` names the fields of one.
     */
    handleSubmit:
      (onValid: (typed: Values) => unknown, only?: readonly Name<Values>[]) => async (event?: FormEvent) => {
        event?.preventDefault();
        if (isWaiting) return;
        if (!store.hasRules()) {
          setWaiting(true);
          await store.fetchRules();
          setWaiting(false);
        }
        if (store.submit(only)) await onValid(store.getValues());
      },

    /**
     * Shows the server's field errors and focuses the first. False if the error names no field of this form and must be
     * reported another way.
     */
    showServerErrors(error: unknown): boolean {
      if (!(error instanceof CallError)) return false;
      const known = store.getValues();
      const wrong = Object.entries(error.data?.errors ?? {}).filter(([name]) => Object.hasOwn(known, name));
      for (const [name, message] of wrong) store.setError(name as Name<Values>, message);
      if (wrong[0]) store.setFocus(wrong[0][0] as Name<Values>);
      return wrong.length > 0;
    },
  };
}

/** The form's current values; re-renders on every keystroke. */
export function useFormValues<Values extends object>({ onValues, getValues }: SchemaForm<Values>): Values {
  return useSyncExternalStore(onValues, getValues);
}

export type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Values that were typed into a form before and not sent (§typed-values); only those that differ from the form's own first ones. */
export type KeptValues = {
  read(): object;
  /** True if the form began with some. */
  hasRestored(): boolean;
  write(values: object, defaults: object): void;
  forget(): void;
};

/** A schema, or a function that loads it where the form is on screen first. */
type FormRules<Schema extends z.ZodMiniType> = Schema | (() => Promise<Schema>);

/** Makes a value of what is typed. `show` is how the field shows that value, undefined to leave it as typed. */
type ReadField = ((typed: string) => unknown) & { show?: (value: string) => string | undefined };

type TypingEvent = Event & { inputType?: string };

/**
 * A form's values, errors and elements, outside React. Inputs are uncontrolled, because browsers handle autofill, IME
 * composition and undo best; the store reads from them and writes only when told to. Errors are wording keys.
 */
export function createFormStore<Values extends object>(
  rules: FormRules<z.ZodMiniType>,
  defaults: Values,
  kept?: KeptValues,
) {
  let schema = typeof rules === 'function' ? undefined : rules;
  let values = { ...defaults, ...kept?.read() };
  let errors: Readonly<Record<string, string | undefined>> = {};
  let submitted = false;
  const elements = new Map<Name<Values>, FieldElement>();
  const readers = new Map<Name<Values>, ReadField>();
  const valuesChanged = createSignal<void>();
  const errorsChanged = createSignal<void>();

  /** The first message per field; form-level errors are under `root`. */
  function findErrors(): Record<string, string> {
    const read = schema?.safeParse(values);
    const found: Record<string, string> = {};
    if (read && !read.success) {
      for (const { path, message } of read.error.issues) found[String(path[0] ?? 'root')] ??= message;
    }
    return found;
  }

  /** If the schema cannot be loaded, the server alone validates. */
  async function fetchRules(): Promise<void> {
    if (schema || typeof rules !== 'function') return;
    try {
      schema = await rules();
    } catch (error) {
      console.warn('The rules of a form could not be fetched', error);
    }
  }

  function setErrors(next: typeof errors) {
    errors = next;
    errorsChanged.tell();
  }

  function check(name: Name<Values>) {
    const message = findErrors()[name];
    if (message !== errors[name]) setErrors({ ...errors, [name]: message });
  }

  function put(name: Name<Values>, value: unknown) {
    if (Object.is(values[name], value)) return;
    values = { ...values, [name]: value };
    kept?.write(values, defaults);
    valuesChanged.tell();
  }

  /** Elements still in the document, in document order. */
  function present(): [Name<Values>, FieldElement][] {
    return [...elements]
      .filter(([, element]) => element.isConnected)
      .sort(([, a], [, b]) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  }

  function read(name: Name<Values>, element: FieldElement) {
    put(name, (readers.get(name) ?? String)(element.value));
  }

  function write(name: Name<Values>, element: FieldElement) {
    const value: unknown = values[name];
    const text = value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
    element.value = readers.get(name)?.show?.(text) ?? text;
  }

  /** Shows what is being typed with its commas; the caret stays between the same digits. */
  function regroup(name: Name<Values>, element: FieldElement, event?: TypingEvent) {
    const shown = readers.get(name)?.show?.(String(values[name]));
    if (shown === undefined || shown === element.value || !('selectionEnd' in element)) return;
    const digitsOf = (text: string) => text.replace(/[^\d.]/g, '').length;
    const after = digitsOf(element.value.slice(element.selectionEnd ?? undefined));
    element.value = shown;
    let caret = shown.length;
    while (digitsOf(shown.slice(caret)) < after) caret -= 1;
    // Backspace and Delete pass a comma, which comes back at once.
    if (shown[caret - 1] === ',' && event?.inputType !== 'deleteContentForward') caret -= 1;
    element.setSelectionRange(caret, caret);
  }

  function setFocus(name: Name<Values>, { shouldSelect = false } = {}) {
    const element = elements.get(name);
    element?.focus();
    if (shouldSelect && element && 'select' in element) element.select();
  }

  return {
    onValues: valuesChanged.listen,
    onErrors: errorsChanged.listen,
    getValues: () => values,
    errors: () => errors,
    setFocus,
    hasRules: () => schema !== undefined,
    fetchRules,

    /** Registers a field's element. Called on every render; only a new element is written to. */
    attach(name: Name<Values>, element: FieldElement, reader: ReadField) {
      readers.set(name, reader);
      if (elements.get(name) === element) return;
      elements.set(name, element);
      write(name, element);
    },

    changed(name: Name<Values>, element: FieldElement, event?: TypingEvent) {
      read(name, element);
      regroup(name, element, event);
      if (submitted || errors[name] !== undefined) check(name);
    },

    setValue<Field extends Name<Values>>(name: Field, value: Values[Field]) {
      put(name, value);
      const element = elements.get(name);
      if (element) write(name, element);
      if (submitted || errors[name] !== undefined) check(name);
    },

    setError(name: Name<Values>, message: string) {
      setErrors({ ...errors, [name]: message });
    },

    kept,

    reset() {
      kept?.forget();
      values = { ...defaults };
      submitted = false;
      for (const [name, element] of present()) write(name, element);
      valuesChanged.tell();
      setErrors({});
    },

    /** Re-reads every field first, since some phones autofill without firing events. */
    submit(only?: readonly Name<Values>[]): boolean {
      for (const [name, element] of present()) read(name, element);
      submitted = only === undefined;
      const found = Object.entries(findErrors());
      const wrong = found.filter(([name]) => !only || only.includes(name as Name<Values>));
      setErrors(Object.fromEntries(wrong));
      const first = present().find(([name]) => errors[name] !== undefined);
      if (first) setFocus(first[0]);
      return wrong.length === 0;
    },
  };
}
