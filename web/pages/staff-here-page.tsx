import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';

/** Shown to staff instead of a borrower's page: they have no loans, wallet or documents of their own. */
export default function StaffHerePage() {
  const { session, shell } = useCoreWords();
  usePageTitle(session.staffTitle);
  return (
    <Card className="mt-4 flex flex-col items-start gap-3">
      <h1 className="font-heading text-24 font-bold">{session.staffTitle}</h1>
      <p className="text-ink-soft">{session.staffText}</p>
      <p className="text-14 text-ink-soft">{shell.panelIsForDesktop}</p>
      <Link href={paths.management} className={buttonStyle()}>
        {session.staffLink}
      </Link>
    </Card>
  );
}
