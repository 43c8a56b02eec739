import { InfoIcon } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { paths } from '#contract/routes.ts';
import * as core from '#contract/wording/panel-every-page.ts';
import { StaffSignInForm } from '#web/features/session/staff-sign-in-form.tsx';
import { brand } from '#web/lib/lender.ts';
import { useLossText } from '#web/lib/loss-text.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Card } from '#web/ui/card.tsx';
import { Logo } from '#web/ui/logo.tsx';

const words = core.signIn;

/** The staff sign-in page (§sign-in-screen), without the borrower's bars. */
export default function AdminLoginPage() {
  const [, navigate] = useLocation();
  const loss = useLossText();
  usePageTitle(words.title);
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex w-full max-w-120 flex-1 flex-col justify-center gap-5 px-5 py-10 max-[22.5rem]:px-4"
    >
      <Logo {...brand()} />
      <div>
        <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{words.portal}</h1>
      </div>
      {loss && <Banner tone="warn" icon={<InfoIcon />} title={loss} />}
      <Card className="p-6 max-[22.5rem]:p-4.5">
        <h2 className="mb-4 font-heading text-20 font-bold">{words.title}</h2>
        <StaffSignInForm
          onSignedIn={(opened) => {
            navigate(paths.management);
            opened.enter();
          }}
        />
        <p className="mt-4 text-14 text-ink-soft">{words.forgot}</p>
      </Card>
      <p className="text-center">
        <Link
          href={paths.customerLogin}
          className="inline-flex min-h-11 items-center rounded-control px-2 font-semibold text-leaf underline underline-offset-4 hover:bg-leaf-tint"
        >
          {words.customerLogin}
        </Link>
      </p>
    </main>
  );
}
