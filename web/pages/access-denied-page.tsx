import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { useLossText } from '#web/lib/loss-text.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { GoLink } from '#web/ui/go-link.tsx';
import { LonePage } from '#web/ui/lone-page.tsx';

type Props = {
  /** Replaces the default text for staff on a page reserved for the main admin. */
  reason?: string;
  onward?: { href: string; label: string };
};

/** Answers borrowers on management routes (§panel-guard), and ordinary admins on the audit log. */
export default function AccessDeniedPage({ reason, onward }: Props) {
  const { accessDenied, notFound } = useCoreWords();
  const { href, label } = onward ?? { href: paths.adminLogin, label: accessDenied.toAdminLogin };
  const loss = useLossText();
  usePageTitle(accessDenied.title);
  return (
    <LonePage title={accessDenied.title} text={reason ?? loss ?? accessDenied.text}>
      <GoLink href={href}>{label}</GoLink>
      <GoLink href={paths.landing} leavesApp look="quiet">
        {notFound.toStart}
      </GoLink>
    </LonePage>
  );
}
