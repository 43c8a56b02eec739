import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { AccessDeniedPicture } from '#web/ui/state-illustrations.tsx';

type Props = {
  /** For staff on a page reserved for the main admin; the default text is for everybody else. */
  reason?: string;
  onward?: { href: string; label: string };
};

/** For non-staff on management routes (§panel-guard) and ordinary admins on the audit log. */
export default function AccessDeniedPage({ reason, onward }: Props) {
  const { accessDenied, notFound } = useCoreWords();
  const { href, label } = onward ?? { href: paths.adminLogin, label: accessDenied.toAdminLogin };
  usePageTitle(accessDenied.title);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 py-10 text-center">
      <div className="mb-2 [&_svg]:h-40 [&_svg]:w-auto">
        <AccessDeniedPicture />
      </div>
      <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{accessDenied.title}</h1>
      <p className="max-w-80 text-ink-soft text-balance">{reason ?? accessDenied.text}</p>
      <Link href={href} className={`${buttonStyle()} mt-3`}>
        {label}
      </Link>
      <a href={paths.landing} className={buttonStyle({ look: 'quiet' })}>
        {notFound.toStart}
      </a>
    </div>
  );
}
