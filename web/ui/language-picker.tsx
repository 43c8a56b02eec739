import { useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { CheckIcon, ChevronDownIcon, LanguagesIcon } from './icons.tsx';

export interface LanguagePickerProps {
  /**
   * The button's full accessible name. The current language is not printed on it: visible text must be part of the name
   * (WCAG 2.5.3), and the button would then share its name with an option.
   */
  label: string;
  languages: readonly { code: string; name: string }[];
  current: string;
  onPick: (code: string) => void;
}

export function LanguagePicker({ label, languages, current, onPick }: LanguagePickerProps) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!open) return;
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [open]);

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events bubbling from its buttons
    <div
      ref={frame}
      className="relative"
      onKeyDown={(event) => {
        if (open && event.key === 'Escape') close();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 items-center gap-1 rounded-control px-2 transition-colors hover:bg-leaf-tint"
      >
        <LanguagesIcon className="size-5" />
        <ChevronDownIcon className={classNames('size-3.5 transition-transform', open && 'rotate-180')} />
      </button>
      {open && (
        <ul className="absolute right-0 top-full z-20 mt-1 min-w-44 rounded-control border border-line bg-card p-1.5 text-ink shadow-soft">
          {languages.map((language) => (
            <li key={language.code}>
              <button
                type="button"
                lang={language.code}
                aria-pressed={language.code === current}
                onClick={() => {
                  onPick(language.code);
                  close();
                }}
                className="flex min-h-11 w-full items-center justify-between gap-3 rounded-small px-3 text-left font-semibold hover:bg-leaf-tint"
              >
                {language.name}
                {language.code === current && <CheckIcon className="size-4.5 text-leaf" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
