import { CheckIcon, ChevronDownIcon, LanguagesIcon } from 'lucide-react';
import type { DateLanguage } from '#domain/calendar.ts';
import { classNames } from './class-names.ts';

type LanguageMenuProps = {
  words: Record<'language' | 'english' | 'filipino', string>;
  language: DateLanguage;
  /** Without it, a press asks for the landing page in that language, which works without script. */
  onChoose?: (language: DateLanguage) => void;
  className: string;
};

/**
 * A native popover with a plain form. The current language is not printed on the button: visible text must be part of its
 * name (WCAG 2.5.3), and the button would then share its name with an option.
 */
export function LanguageMenu({ words, language, onChoose, className }: LanguageMenuProps) {
  const languages = [
    { code: 'en', name: words.english },
    { code: 'fil', name: words.filipino },
  ] as const;
  return (
    <>
      <button
        type="button"
        popoverTarget="languages"
        aria-label={words.language}
        className={classNames('flex min-h-11 items-center rounded-control', className)}
      >
        <LanguagesIcon className="size-5" />
        <ChevronDownIcon className="size-3.5" />
      </button>
      <form
        id="languages"
        popover="auto"
        action="/"
        onBeforeToggle={({ currentTarget: { previousElementSibling: button, style } }) => {
          // It is in the top layer, so nothing positions it beside the button.
          const { bottom = 0, right = 0 } = button?.getBoundingClientRect() ?? {};
          style.top = `${scrollY + bottom + 4}px`;
          style.right = `${document.documentElement.clientWidth - right}px`;
        }}
        className="language-menu absolute inset-auto min-w-44 rounded-control border border-line bg-card p-1.5 text-ink shadow-soft"
      >
        {languages.map(({ code, name }) => (
          <button
            key={code}
            type="submit"
            name="lang"
            value={code}
            lang={code}
            aria-pressed={code === language}
            onClick={
              onChoose &&
              ((event) => {
                event.preventDefault();
                onChoose(code);
                event.currentTarget.form?.hidePopover();
              })
            }
            className="flex min-h-11 w-full items-center justify-between gap-3 rounded-small px-3 text-left font-semibold hover:bg-leaf-tint"
          >
            {name}
            {code === language && <CheckIcon className="size-4.5 text-leaf" />}
          </button>
        ))}
      </form>
    </>
  );
}
