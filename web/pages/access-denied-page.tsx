import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { AccessDeniedPicture } from '#web/ui/state-illustrations.tsx';

/** Met on the management routes by whoever is not staff (spec section 6), and on the audit log by ordinary admins. */
export default function AccessDeniedPage() {
  const { accessDenied } = useCoreWords();
  usePageTitle(accessDenied.title);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 py-10 text-center">
      <div className="mb-2 [&_svg]:h-40 [&_svg]:w-auto">
        <AccessDeniedPicture />
      </div>
      <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{accessDenied.title}</h1>
      <p className="max-w-80 text-ink-soft text-balance">{accessDenied.text}</p>
      <Link href={paths.adminLogin} className={`${buttonStyle()} mt-3`}>
        {accessDenied.toAdminLogin}
      </Link>
      <a href={paths.landing} className={buttonStyle({ look: 'quiet' })}>
        {accessDenied.toStart}
      </a>
    </div>
  );
}
