import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { GoLink } from '#web/ui/go-link.tsx';
import { LonePage } from '#web/ui/lone-page.tsx';

export default function NotFoundPage() {
  const { notFound } = useCoreWords();
  usePageTitle(notFound.title);
  return (
    <LonePage code={notFound.code} title={notFound.title} text={notFound.text}>
      <GoLink href={paths.landing} leavesApp>
        {notFound.toStart}
      </GoLink>
    </LonePage>
  );
}
