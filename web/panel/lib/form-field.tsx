import { type ComponentType, createElement, type ReactNode } from 'react';
import { limits } from '#domain/limits.ts';

import { typedAmount, typedNumber } from '#web/lib/format.ts';
import { NameField } from '#web/lib/name-field.tsx';
import { PasswordField } from '#web/lib/password-field.tsx';
import { SelectField, type SelectOption } from '#web/ui/select-field.tsx';
import { NumberField, PesoField, TextArea, TextField, type TextFieldProps } from '#web/ui/text-field.tsx';
import { DayField } from './day-field.tsx';

type Read = (typed: string) => unknown;

/** The component of each kind, how its text is read, and the other facts that its fields share. */
const kinds = {
  text: [TextField, String],
  day: [DayField, String],
  name: [NameField, String],
  message: [TextArea, String, { rows: 4, maxLength: limits.messageMaxLength }],
  remark: [TextArea, String, { rows: 2, maxLength: limits.longTextMaxLength }],
  select: [SelectField, String],
  password: [PasswordField, String],
  number: [NumberField, typedNumber],
  pesos: [PesoField, typedAmount, { maxLength: limits.moneyTextMaxLength }],
} satisfies Record<string, [ComponentType<never>, Read, object?]>;

/** The facts of a form's field, besides its value. */
export type FieldFacts = Omit<TextFieldProps, 'name' | 'form'> & {
  read?: Read;
  /** The focus of a dialog starts here. */
  isFirst?: boolean;
} & (
    | { kind?: 'text' | 'day' | 'name' | 'password' | 'number' | 'pesos' }
    | { kind: 'message' | 'remark'; rows?: number }
    | { kind: 'select'; options: readonly SelectOption[] }
  );

type CheckProps = { label: string; className?: string; onCheck: (checked: boolean) => void };

export const CheckField = ({ label, className = '', onCheck }: CheckProps) => (
  <label className={`flex min-h-9 items-center gap-2.5 text-14 ${className}`}>
    <input
      type="checkbox"
      className="size-4.5 accent-leaf"
      onChange={(event) => onCheck(event.currentTarget.checked)}
    />
    {label}
  </label>
);

type Props = FieldFacts & {
  name: string;
  form: { field(name: string, read: Read): object; note(name: string): ReactNode };
};

export function FormField({ form, name, kind = 'text', isFirst, hint, read, ...rest }: Props) {
  const [Field, readKind, common] = kinds[kind];
  const own = { hint: form.note(name) ?? hint, 'data-autofocus': isFirst };
  const props = { ...form.field(name, read ?? readKind), ...common, ...rest, ...own };
  // `FieldFacts` says which props go with which kind.
  return createElement(Field as ComponentType<never>, props as never);
}
