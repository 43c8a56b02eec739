import { paths } from '#contract/routes.ts';
import { signInHelp } from '#contract/wording/en-sign-in-help.ts';
import { useWordsOf } from '#web/lib/format.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { Card } from '#web/ui/card.tsx';
import { GoLink } from '#web/ui/go-link.tsx';

/** Stands for a borrower's page if staff open it: they have no loans, wallet or documents of their own. */
export default function StaffHerePage() {
  const { shell } = useCoreWords();
  const { staffHere } = useWordsOf(signInHelp);
  usePageTitle(staffHere.title);
  return (
    <Card className="mt-4 flex flex-col items-start gap-3">
      <h1 className="font-heading text-24 font-bold">{staffHere.title}</h1>
      <p className="text-ink-soft">{staffHere.text}</p>
      <p className="text-14 text-ink-soft">{shell.panelIsForDesktop}</p>
      <GoLink href={paths.management}>{staffHere.link}</GoLink>
    </Card>
  );
}
