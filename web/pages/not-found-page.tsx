import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { LonePage } from '#web/ui/lone-page.tsx';

export default function NotFoundPage() {
  const { notFound } = useCoreWords();
  usePageTitle(notFound.title);
  return (
    <LonePage code={notFound.code} title={notFound.title} text={notFound.text}>
      {/* A plain link: the landing page is outside the app. */}
      <a href={paths.landing} className={buttonStyle()}>
        {notFound.toStart}
      </a>
    </LonePage>
  );
}
