import { type ReactNode, useId } from 'react';
import { AlertIcon } from './icons.tsx';

export interface FieldWords {
  /** Always visible unless `labelHidden`; it is the control's accessible name. */
  label: string;
  hint?: ReactNode;
  /** Shown beside the field and announced; empty means none. */
  error?: string;
  /** For screen readers only, where a column already names the field. */
  labelHidden?: boolean;
}

export function useFieldIds(
  given: string | undefined,
  { hint, error }: Pick<FieldWords, 'hint' | 'error'>,
): {
  id: string;
  hintId: string;
  errorId: string;
  describedBy: string | undefined;
  invalid: true | undefined;
} {
  const own = useId();
  const id = given ?? own;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined;
  return { id, hintId, errorId, describedBy, invalid: error ? true : undefined };
}

export interface FieldProps extends FieldWords {
  id?: string;
  aside?: ReactNode;
  fieldClassName?: string;
}

/** Splits a field's props into those of its frame and those of its control. */
export function useField<Props extends FieldProps>({
  label,
  labelHidden,
  hint,
  error,
  aside,
  fieldClassName,
  id,
  ...rest
}: Props) {
  const ids = useFieldIds(id, { hint, error });
  return {
    frame: { ids, label, labelHidden, hint, error, aside, className: fieldClassName },
    control: {
      ...rest,
      id: ids.id,
      'aria-invalid': ids.invalid,
      'aria-describedby': ids.describedBy,
    },
  };
}

interface FieldFrameProps extends FieldWords {
  ids: ReturnType<typeof useFieldIds>;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Label, control, hint and error. The error is an alert, so it is announced when it appears. */
export function FieldFrame({
  ids,
  label,
  labelHidden,
  aside,
  hint,
  error,
  className,
  children,
}: FieldFrameProps) {
  return (
    <div className={className}>
      <div className={labelHidden ? 'sr-only' : 'mb-1.5 flex items-baseline justify-between gap-3'}>
        <label htmlFor={ids.id} className="text-14 font-semibold">
          {label}
        </label>
        {aside !== undefined && <span className="text-12 text-ink-soft">{aside}</span>}
      </div>
      {children}
      {hint !== undefined && (
        <p id={ids.hintId} className="mt-1.5 text-12 text-ink-soft">
          {hint}
        </p>
      )}
      {error ? <FieldError id={ids.errorId}>{error}</FieldError> : null}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex gap-1.5 text-14 font-medium text-bad">
      <AlertIcon className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
