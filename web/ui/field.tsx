import { type ReactNode, useId } from 'react';
import { AlertIcon } from './icons.tsx';

export interface FieldWords {
  /** Always visible; it is the control's accessible name. */
  label: string;
  /** A sentence that helps before anything is wrong. */
  hint?: ReactNode;
  /** What is wrong, beside the field and read out. Nothing when absent or empty. */
  error?: string;
  /** For lists where the column already names the field: kept for screen readers only. */
  labelHidden?: boolean;
}

/** Ids that tie a control to its label, hint and error. */
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

/** What every field may be given beside what is its own control's. */
export interface FieldProps extends FieldWords {
  id?: string;
  /** Stands at the right end of the label's line: a limit, a counter. */
  aside?: ReactNode;
  fieldClassName?: string;
}

/** Parts what a field was given into what is for the frame around it and what is for the control inside. */
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

/** Label above, control, then hint and error beneath. The error is an alert, so it is read when it appears. */
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

/** The sentence under a field that says what is wrong with it. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex gap-1.5 text-14 font-medium text-bad">
      <AlertIcon className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
