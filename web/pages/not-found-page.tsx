import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { NotFoundPicture } from '#web/ui/state-illustrations.tsx';

export default function NotFoundPage() {
  const { notFound } = useCoreWords();
  usePageTitle(notFound.title);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 py-10 text-center">
      <div className="mb-2 [&_svg]:h-40 [&_svg]:w-auto">
        <NotFoundPicture />
      </div>
      <p className="font-heading text-20 font-bold text-leaf">{notFound.code}</p>
      <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{notFound.title}</h1>
      <p className="max-w-80 text-ink-soft text-balance">{notFound.text}</p>
      {/* A plain link: the landing page is outside the app. */}
      <a href={paths.landing} className={`${buttonStyle()} mt-3`}>
        {notFound.toStart}
      </a>
    </div>
  );
}
