import { CircleAlertIcon } from 'lucide-react';
import { createContext, type ReactNode, useContext, useId } from 'react';
import { classNames } from './class-names.ts';

export interface FieldProps {
  id?: string;
  /** Always visible unless `labelHidden`; it is the control's accessible name. */
  label: string;
  /** The label is for screen readers only, where a column already names the field. */
  labelHidden?: boolean;
  aside?: ReactNode;
  hint?: ReactNode;
  /** Shown beside the field and announced; empty means none. */
  error?: string;
  fieldClassName?: string;
}

/** True if fields and buttons are compact, as on staff's pages. A dialog begins with roomy ones. */
export const Dense = createContext(false);

/** Splits a field's props into those of its frame and those of its control, whose classes are `look`. */
export function useField<Props extends FieldProps>(props: Props) {
  const { label, labelHidden, hint, error, aside, fieldClassName, id: given, ...rest } = props;
  const own = useId();
  const look = controlStyle(useContext(Dense));
  const id = given ?? own;
  const describedBy = [error && `${id}-error`, aside && `${id}-aside`, hint && `${id}-hint`]
    .filter(Boolean)
    .join(' ');
  return {
    look,
    frame: { id, label, labelHidden, hint, error, aside, fieldClassName },
    control: {
      ...rest,
      id,
      'aria-invalid': error ? (true as const) : undefined,
      'aria-describedby': describedBy || undefined,
    },
  };
}

/** Label, control, hint and error. The error is an alert, so it is announced when it appears. */
export function FieldFrame(props: FieldProps & { id: string; children: ReactNode }) {
  const { id, label, labelHidden, aside, hint, error, fieldClassName, children } = props;
  return (
    <div className={fieldClassName}>
      <div className={labelHidden ? 'sr-only' : 'mb-1.5 flex items-baseline justify-between gap-3'}>
        <label htmlFor={id} className="text-14 font-semibold">
          {label}
        </label>
        {aside && (
          <span id={`${id}-aside`} className="text-14 text-ink-soft">
            {aside}
          </span>
        )}
      </div>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-14 text-ink-soft">
          {hint}
        </p>
      )}
      {error ? <FieldError id={`${id}-error`}>{error}</FieldError> : null}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 flex gap-1.5 text-14 font-medium text-bad">
      <CircleAlertIcon className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

/** Returns the style of a box that one types into, or chooses in. */
function controlStyle(dense: boolean): string {
  return classNames(
    'w-full border border-edge bg-card text-ink transition-[border-color] placeholder:text-ink-soft',
    'hover:border-ink-soft focus:border-leaf focus:outline-3 focus:outline-offset-0 focus:outline-leaf/45',
    'aria-invalid:border-bad aria-invalid:focus:outline-bad/45',
    'disabled:bg-sunken disabled:text-ink-soft [&[readonly]]:bg-sunken [&[readonly]]:text-ink-soft',
    'autofill:shadow-[inset_0_0_0_100px_var(--color-leaf-tint)] autofill:[-webkit-text-fill-color:var(--color-ink)]',
    '[&[type=number]]:[appearance:textfield] [&::-webkit-inner-spin-button]:hidden [&::-webkit-search-cancel-button]:hidden',
    dense ? 'min-h-9 rounded-small px-2.5 py-1.5 text-14' : 'min-h-12 rounded-control px-3.5 py-2.5 text-16',
  );
}
