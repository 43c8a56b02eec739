import type { Lender } from '#contract/lender.ts';
import type { Wording } from '#contract/wording/en.ts';
import { brandOf } from '#web/lib/lender.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { CheckIcon, ChevronDownIcon, LanguagesIcon } from '#web/ui/icons.tsx';
import { Logo } from '#web/ui/logo.tsx';
import type { LandingLanguage } from './render-landing.tsx';

type Props = { words: Wording; language: LandingLanguage };

/** The brand bar and the headline with the two ways in. */
export function LandingHeader({ lender, words, language }: Props & { lender: Lender }) {
  const { landing } = words;
  return (
    <header className="on-deep bg-leaf-deep pb-24 text-on-deep wide:pb-32">
      <div className="mx-auto max-w-120 px-5 wide:max-w-256">
        <div className="flex items-center justify-between gap-3 pt-4">
          <a href="/" className="flex min-h-11 min-w-0 items-center">
            <Logo {...brandOf(lender)} />
          </a>
          <div className="flex shrink-0 items-center">
            <LanguageMenu words={words} language={language} />
            <a
              href="/app-login"
              data-visitors=""
              className="flex min-h-11 items-center whitespace-nowrap rounded-control px-2.5 text-14 max-[22.5rem]:px-1.5 font-semibold hover:bg-on-deep/10"
            >
              {landing.login}
            </a>
          </div>
        </div>
        <p className="mt-6 inline-block wide:mt-12 rounded-full bg-on-deep/12 px-3 py-1 text-12 font-semibold">
          {landing.process}
        </p>
        <h1 className="mt-4 font-heading text-40 font-bold tracking-[-0.015em] max-[22.5rem]:text-32">
          {landing.headline} <span className="block text-mango">{landing.headlineAmount}</span>
        </h1>
        <p className="mt-3 max-w-80 text-on-deep-soft wide:max-w-96">{landing.lead}</p>
        <div className="mt-6 grid auto-cols-fr grid-flow-col gap-3 text-center text-12 text-on-deep-soft wide:w-[calc(50%-0.75rem)]">
          <div>
            <a
              href="/app-login?register=true"
              data-account="/loan-app"
              data-account-text={landing.openAccount}
              className={buttonStyle({ look: 'mango', size: 'large', wide: true })}
            >
              {landing.register}
            </a>
            <p data-visitors="" className="mt-1.5">
              {landing.registerNote}
            </p>
          </div>
          <div data-visitors="">
            <a href="/app-login" className={buttonStyle({ look: 'deep', size: 'large', wide: true })}>
              {landing.login}
            </a>
            <p className="mt-1.5">{landing.loginNote}</p>
          </div>
        </div>
      </div>
    </header>
  );
}

/**
 * The platform's popover and a plain form: it opens and changes the language without script. The current language is not
 * written on the button: what can be read must be in its name.
 */
function LanguageMenu({ words, language }: Props) {
  const languages = [
    { code: 'en', name: words.shell.english },
    { code: 'fil', name: words.shell.filipino },
  ] as const;
  return (
    <>
      <button
        type="button"
        popoverTarget="languages"
        aria-label={words.shell.language}
        className="flex min-h-11 items-center gap-1.5 rounded-control px-2.5 text-14 font-semibold hover:bg-on-deep/10"
      >
        <LanguagesIcon className="size-5" />
        <ChevronDownIcon className="size-3.5" />
      </button>
      <form
        id="languages"
        popover="auto"
        action="/"
        data-languages=""
        className="language-menu min-w-44 rounded-control border border-line bg-card p-1.5 text-ink shadow-soft"
      >
        {languages.map(({ code, name }) => (
          <button
            key={code}
            type="submit"
            name="lang"
            value={code}
            lang={code}
            aria-pressed={code === language}
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
