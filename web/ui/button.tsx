import { ChevronRightIcon } from 'lucide-react';
import {
  type ComponentProps,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { classNames } from './class-names.ts';
import { Dense } from './field.tsx';

const looks = {
  primary: 'bg-leaf text-on-leaf border-transparent hover:bg-leaf-hover',
  secondary: 'bg-card text-leaf border-leaf hover:bg-leaf-tint',
  quiet: 'text-leaf border-transparent hover:bg-leaf-tint',
  danger: 'bg-bad-tint text-bad border-transparent hover:border-bad',
  mango: 'bg-mango text-on-mango border-transparent hover:bg-mango-hover',
  deep: 'text-on-deep border-on-deep-soft hover:bg-on-deep/10',
  quietOnDeep: 'text-on-deep border-transparent hover:bg-on-deep/10',
  row:
    'text-ink border-transparent hover:bg-leaf-tint @container [&>svg]:@max-[14rem]:hidden ' +
    'relative not-last:after:absolute not-last:after:inset-x-0 not-last:after:-bottom-0.5 not-last:after:h-px not-last:after:bg-line',
};

const sizes = {
  large: 'min-h-13 py-2.5 text-16 rounded-control',
  medium: 'min-h-11 py-2 text-16 rounded-control',
  compact: 'min-h-11 py-2 text-14 rounded-control',
  small: 'min-h-9 py-1.5 text-14 rounded-small',
};

const paddings = {
  large: 'px-6',
  medium: 'px-5',
  compact: 'px-3',
  small: 'px-3',
};

export interface ButtonStyle {
  /** `mango` at most once per screen; `deep` is the outline for leaf-deep surfaces. */
  look?: keyof typeof looks;
  /** `large` is a page's main action; `compact` sits beside text; `small` (under 44 px) is for the staff panel only. */
  size?: keyof typeof sizes;
  wide?: boolean;
}

/** The frame of a button. A link that has it too is a `GoLink`. */
export function buttonStyle({ look = 'primary', size = 'medium', wide = false }: ButtonStyle = {}): string {
  return classNames(
    'inline-flex items-center justify-center gap-2 border-2 font-semibold text-center select-none',
    'transition-colors active:opacity-85 disabled:cursor-not-allowed disabled:opacity-60 aria-busy:opacity-100',
    'aria-busy:cursor-progress aria-busy:gap-1.5 aria-busy:px-2',
    // Keeps 'Please wait…' on one line even with two buttons in 320 px.
    'max-[22.5rem]:aria-busy:px-1 max-[22.5rem]:aria-busy:text-14',
    // `:where`, so that an icon's own size wins.
    '[:where(&)>svg]:size-4.5 [:where(&)>svg]:shrink-0',
    sizes[size],
    looks[look],
    // A row's text begins where a card's does.
    wide ? `w-full ${look === 'row' ? 'px-[calc(var(--spacing-card)-2px)]' : 'px-3'}` : paddings[size],
  );
}

export interface ButtonProps extends ComponentProps<'button'>, ButtonStyle {
  /** While its action runs: disabled, announced as busy, with a spinner. */
  busy?: boolean;
  busyLabel?: ReactNode;
  icon?: ReactNode;
}

/** Defaults to `type="button"`, so that none submits by accident, and to a small one where things are `Dense`. */
export function Button(props: ButtonProps) {
  const { look, size: given, wide, busy = false, busyLabel, icon, className, children, ref, ...rest } = props;
  const isDisabled = rest.disabled || busy;
  const isDense = useContext(Dense);
  const size = given ?? (isDense ? 'small' : 'medium');
  return (
    <button
      {...rest}
      ref={useFocusBack(isDisabled, ref)}
      type={rest.type ?? 'button'}
      disabled={isDisabled}
      aria-busy={busy || undefined}
      className={classNames(buttonStyle({ look, size, wide }), className)}
    >
      {busy ? <Spinner /> : icon}
      {busy && busyLabel !== undefined ? busyLabel : children}
    </button>
  );
}

/** A button beside text, and no larger than it. */
export const QuietButton = (props: Omit<ButtonProps, 'look' | 'size'>) => (
  <Button {...props} look="quiet" size="compact" />
);

/** The style of a link that looks like one of these rows. */
export const rowStyle = buttonStyle({ look: 'row', size: 'large', wide: true });

/** One of several actions in a list. */
export const RowButton = ({ children, ...rest }: Omit<ButtonProps, 'look' | 'size' | 'wide'>) => (
  <Button {...rest} look="row" size="large" wide>
    <RowText>{children}</RowText>
  </Button>
);

export const RowText = ({ children }: { children: ReactNode }) => (
  <>
    <span className="min-w-0 flex-1 text-left">{children}</span>
    <ChevronRightIcon className="text-ink-soft" />
  </>
);

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  /** `small` (32 px) is for the staff panel. */
  size?: 'medium' | 'small';
}

export function IconButton({ label, size = 'medium', className, ref, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      ref={useFocusBack(rest.disabled === true, ref)}
      type={rest.type ?? 'button'}
      aria-label={label}
      className={classNames(
        'inline-flex shrink-0 items-center justify-center text-ink transition-colors hover:bg-leaf-tint disabled:opacity-60',
        size === 'medium'
          ? 'size-11 rounded-control [&_svg]:size-5.5'
          : 'size-8 rounded-small [&_svg]:size-4.5 [&_svg]:stroke-[1.75]',
        className,
      )}
    />
  );
}

/** Decorative: `aria-busy` is what announces it. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 shrink-0 animate-turn rounded-full border-2 border-current border-r-transparent"
    />
  );
}

/**
 * Browsers drop focus from a button that becomes disabled while its action runs. Restores it afterwards, unless focus
 * has moved elsewhere meanwhile. Returns the button's ref; `given` is the owner's ref.
 */
function useFocusBack(
  isDisabled: boolean,
  given?: Ref<HTMLButtonElement>,
): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const isWaitedFor = useRef(false);
  useImperativeHandle(given, () => button.current as HTMLButtonElement, []);

  // The focus is still there in a layout effect: browsers drop it slightly later.
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isDisabled) isWaitedFor.current = activeElement === button.current;
    else if (isWaitedFor.current) {
      isWaitedFor.current = false;
      if (!activeElement || activeElement === body) button.current?.focus({ preventScroll: true });
    }
  }, [isDisabled]);
  return button;
}
