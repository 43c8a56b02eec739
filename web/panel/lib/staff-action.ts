import { createElement, type ReactNode, useCallback, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { phoneTaken } from '#contract/wording/en-every-page.ts';
import { typed as typedWords } from '#contract/wording/en-typed.ts';
import { wallet } from '#contract/wording/en-wallet.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { CallError, codeOf, isAbort } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { type SchemaForm, useSchemaForm } from '#web/lib/form.ts';
import { KeptLine } from '#web/lib/kept-line.tsx';
import { useCoreWords } from '#web/lib/language.tsx';
import { UnsettledError } from '#web/lib/money-call.ts';
import { type ToastMessage, toast } from '#web/lib/toast-store.ts';
import { useTypedValues } from '#web/lib/typed-values.ts';
import { type Edit, type Edited, useEditConflict } from './edit-conflict.tsx';
import { type FieldFacts, FormField } from './form-field.tsx';
import { keepFocusInList } from './list-table.tsx';
import type { ListEndpoint } from './row-stream.ts';
import {
  acceptCurrent,
  type CurrentFields,
  currentFieldsOf,
  dropRow,
  isGone,
  refreshWork,
} from './staff-rows.ts';

/** A sentence alone is shown under 'Success'. */
type Said = ToastMessage | string;

export type Words<Answer> = {
  /** The toast after success. Without it nothing is said: the next step shows. */
  done?: Said | ((answer: Answer) => Said | undefined);
  /** Defaults to 'Action failed'. */
  failedTitle?: string;
  fallback?: string;
  /** The row acted on: if somebody else has changed or deleted it, the list is updated too. */
  row?: StaffRow | undefined;
  /** The description on a conflict; defaults to the server's message. */
  conflictText?: (current: CurrentFields) => string;
};

/** `gone`: what to say once it no longer exists. */
export type StaffRow = { list: ListEndpoint; id: number; gone: string };

const rowIn =
  (list: ListEndpoint, gone: string) =>
  (id: number): StaffRow => ({ list, id, gone });

export const adminRow = rowIn(api.listAllUsers, panel.conflict.adminGone);
export const loanRow = rowIn(api.listLoans, panel.conflict.loanGone);
export const memberRow = rowIn(api.listMembers, panel.conflict.memberGone);
export const paymentRow = rowIn(api.listPayments, panel.conflict.loanGone);
export const withdrawalRow = rowIn(api.listWithdrawals, panel.conflict.withdrawalGone);

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
    async (work, words) => {
      const { done, failedTitle = panel.toasts.actionFailed, fallback, row, conflictText } = words;
      try {
        const answer = await work;
        refreshWork();
        const said = typeof done === 'function' ? done(answer) : done;
        if (said) toast(typeof said === 'string' ? { title: panel.toasts.success, description: said } : said);
        return { ok: true, answer };
      } catch (error) {
        if (error instanceof UnsettledError) {
          toast({ tone: 'bad', title: wallet.withdrawal.unknown, description: shell.unsettled });
        } else if (!isAbort(error)) {
          const current = currentFieldsOf(error);
          const sentence =
            (row && isGone(error) && row.gone) ||
            (current && conflictText?.(current)) ||
            staffSentence(error);
          toast({ tone: 'bad', title: failedTitle, description: sentence ?? errorText(error, fallback) });
        }
        if (row) applyConflict(row, error);
        return { ok: false, error };
      }
    },
    [errorText, shell],
  );
}

/** Validates a form that is shaped differently from its call: parses the body built from it, and reports each issue by its path. */
export const rulesOfBody = <Values>(schema: z.ZodMiniType, bodyOf: (values: Values) => unknown) =>
  z.custom<Values>().check((context) => {
    const read = schema.safeParse(bodyOf(context.value));
    for (const { path, message } of read.error?.issues ?? []) {
      context.issues.push({ code: 'custom', path: [path.join('.')], message, input: context.value });
    }
  });

type FormAction<Values, Answer> = Omit<Words<Answer>, 'done'> & {
  /** The first values. */
  values: Values;
  /** Names it among the forms of which a session's end or a reload leaves what was typed: with the id of what it is about. */
  keptAs?: string;
  /** The fields that the form itself draws, in their order. */
  fields?: { readonly [Name in keyof Values]?: FieldFacts };
  /** Present if two people may have the form open, as `useEditConflict` describes it. */
  edited?: Edited<NoInfer<Values>>;
  /** `edit` is what was changed. Sends nothing if there is nothing to save. */
  send: (typed: Values, edit: Edit<Values> | undefined) => Promise<Answer> | undefined;
  /** The toast after success. Without it nothing is said: the next step shows. */
  done?: Said | ((answer: Answer, typed: Values, edit: Edit<Values> | undefined) => Said);
  /** Called after a failure too. */
  onAnswered?: (result: ActionResult<Answer>) => unknown;
  onSaved: (answer: Answer, typed: Values) => unknown;
  /** Called instead, if nothing was sent. */
  onUnchanged?: () => unknown;
};

export type StaffForm<Values extends object> = SchemaForm<Values> & { note(name: string): ReactNode };

/** A form whose `onSubmit` is a staff action: `busy` while it runs; a failure is shown at its field. */
export function useStaffForm<Schema extends z.ZodMiniType, Values extends z.input<Schema> & object, Answer>(
  schema: Schema,
  action: FormAction<Values, Answer>,
) {
  const {
    values,
    keptAs,
    fields = {},
    edited,
    send,
    done,
    onAnswered,
    onSaved,
    onUnchanged,
    ...words
  } = action;
  const form = useSchemaForm(schema, {
    defaultValues: values,
    kept: useTypedValues(keptAs, { untilClosed: true }),
  });
  const { takeCurrent, editOf, ...conflict } = useEditConflict(form, edited);
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);

  const onSubmit = form.handleSubmit(async (typed) => {
    const edit = editOf(typed);
    const work = send(typed, edit);
    if (!work) return onUnchanged?.();
    setBusy(true);
    const said = (answer: Answer) => (typeof done === 'function' ? done(answer, typed, edit) : done);
    const result = await act(work, { ...words, done: said });
    setBusy(false);
    if (!result.ok && !takeCurrent(result.error)) showFormFailure(form, result.error);
    await onAnswered?.(result);
    if (result.ok) form.kept?.forget();
    if (result.ok) await onSaved(result.answer, typed);
  });
  const keptLine = createElement(KeptLine<Values>, { form, words: typedWords });
  const whole = { ...form, ...conflict, busy, keptLine, onSubmit };
  const drawn = Object.entries(fields as Record<string, FieldFacts>).map(([name, facts]) =>
    createElement(FormField, { key: name, name, form: whole, ...facts }),
  );
  return { ...whole, fields: drawn };
}

/** Brings the list up to date after a conflict: the row as it is now, or without it. */
export function applyConflict({ list, id }: StaffRow, error: unknown): void {
  const current = currentFieldsOf(error);
  if (current) acceptCurrent(list, id, current);
  if (!isGone(error)) return;
  dropRow(list, id);
  keepFocusInList();
}

/** Errors about a single field that the server does not name. */
const fieldOfCode: Partial<Record<ErrorCode, string>> = {
  phone_taken: 'phone',
  already_registered: 'phone',
  email_taken: 'email',
  ip_already_listed: 'ipAddress',
  wrong_password: 'password',
  wrong_code: 'code',
};

/**
 * Overrides the server's message for staff: 'You already have an account' suits the person registering, not staff
 * registering somebody else.
 */
const staffSentence = (error: unknown): string | undefined =>
  codeOf(error) === 'already_registered' ? phoneTaken : undefined;

function showFormFailure<Values extends object>(form: SchemaForm<Values>, error: unknown): void {
  if (form.showServerErrors(error) || !(error instanceof CallError) || error.code === undefined) return;
  const field = fieldOfCode[error.code];
  if (field === undefined || !Object.hasOwn(form.getValues(), field)) return;
  const message = staffSentence(error) ?? error.message;
  form.setError(field as keyof Values & string, message);
}
