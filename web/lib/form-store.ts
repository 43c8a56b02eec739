import type * as z from 'zod/mini';
import { createSignal } from './signal.ts';

/** What a field may be drawn with. */
export type FieldElement = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

type Name<Values> = keyof Values & string;

/**
 * The rules of a form: a schema, or where the form is on screen before anybody can wait for them, how to fetch it.
 */
export type FormRules<Schema extends z.ZodMiniType> = Schema | (() => Promise<Schema>);

/** How the text of a field is read. */
export type ReadField = (typed: string) => unknown;

export type FieldErrors<Values> = { readonly [Field in Name<Values>]?: string };

export type FormStore<Values extends object> = ReturnType<typeof createFormStore<Values>>;

/**
 * A form's values, errors and elements, outside React. The elements keep their own text, as browsers do it best
 * (autofill, composition, undo); the store reads it from them, and writes to them only when asked. Errors are messages
 * as the schema says them: keys of the wording.
 */
export function createFormStore<Values extends object>(rules: FormRules<z.ZodMiniType>, defaults: Values) {
  let schema = typeof rules === 'function' ? undefined : rules;
  let values = { ...defaults };
  let errors: FieldErrors<Values> = {};
  let submitted = false;
  const elements = new Map<Name<Values>, FieldElement>();
  const readers = new Map<Name<Values>, ReadField>();
  const valuesChanged = createSignal<void>();
  const errorsChanged = createSignal<void>();

  /** The first message of each field; one of no field stands under `root`. */
  function findErrors(): Record<string, string> {
    const read = schema?.safeParse(values);
    const found: Record<string, string> = {};
    if (read && !read.success) {
      for (const { path, message } of read.error.issues) found[String(path[0] ?? 'root')] ??= message;
    }
    return found;
  }

  /** Has the rules at hand afterwards; where they cannot be fetched, the server alone will judge. */
  async function fetchRules(): Promise<void> {
    if (schema || typeof rules !== 'function') return;
    try {
      schema = await rules();
    } catch (error) {
      console.warn('The rules of a form could not be fetched', error);
    }
  }

  function setErrors(next: FieldErrors<Values>) {
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
    valuesChanged.tell();
  }

  /** The elements still on the page, in its order. */
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
    element.value = value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
  }

  function focus(name: Name<Values>, { shouldSelect = false } = {}) {
    const element = elements.get(name);
    element?.focus();
    if (shouldSelect && element && 'select' in element) element.select();
  }

  function focusFirstWrong() {
    const first = present().find(([name]) => errors[name] !== undefined);
    if (first) focus(first[0]);
  }

  return {
    onValues: valuesChanged.listen,
    onErrors: errorsChanged.listen,
    values: () => values,
    errors: () => errors,
    isDirty: () =>
      (Object.keys(defaults) as Name<Values>[]).some((name) => !Object.is(values[name], defaults[name])),
    focus,
    hasRules: () => schema !== undefined,
    fetchRules,

    /** Takes an element for a field and shows the value in it. Called at every drawing; only a new element is written to. */
    attach(name: Name<Values>, element: FieldElement, reader: ReadField) {
      readers.set(name, reader);
      if (elements.get(name) === element) return;
      elements.set(name, element);
      write(name, element);
    },

    changed(name: Name<Values>, element: FieldElement) {
      read(name, element);
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

    /** Starts over with these values, which `isDirty` then compares with. */
    reset(next: Values = defaults) {
      defaults = next;
      values = { ...next };
      submitted = false;
      for (const [name, element] of present()) write(name, element);
      valuesChanged.tell();
      setErrors({});
    },

    /** Reads every field once more, since some phones fill them in without an event, and judges. */
    submit(): boolean {
      for (const [name, element] of present()) read(name, element);
      submitted = true;
      setErrors(findErrors() as FieldErrors<Values>);
      const valid = Object.values(errors).every((message) => message === undefined);
      if (!valid) focusFirstWrong();
      return valid;
    },
  };
}
