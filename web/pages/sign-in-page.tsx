import { Suspense, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { paths, registerPath } from '#contract/routes.ts';
import { RegisterForm } from '#web/features/session/register-form.tsx';
import { SignInForm, type TypedCredentials } from '#web/features/session/sign-in-form.tsx';
import { useCoreWords } from '#web/lib/language.tsx';
import { lazyPage } from '#web/lib/lazy-page.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { useSession } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { FileIcon, ShieldCheckIcon } from '#web/ui/icons.tsx';

const WhySignedOut = lazyPage(() => import('#web/features/session/why-signed-out.tsx'));
const ForgotDialog = lazyPage(() => import('#web/features/session/forgot-dialog.tsx'));
const AccountExistsDialog = lazyPage(() => import('#web/features/session/account-exists-dialog.tsx'));

const nothingTyped: TypedCredentials = { phone: '', password: '' };

/**
 * Sign-in and registration (§sign-in-screen). The mode is in the URL, so that both can be linked and survive a reload;
 * on protected routes this replaces the page until somebody signs in.
 */
export default function SignInPage({ onEngaged }: { onEngaged?: () => void }) {
  const { session } = useCoreWords();
  const current = useSession();
  const lost = current.state === 'signedOut' ? current.lost : undefined;
  const [location, navigate] = useLocation();
  const registering =
    new URLSearchParams(useSearch()).get('register') === 'true' && location === paths.signIn;
  const [accountExists, setAccountExists] = useState(false);
  const [forgot, setForgot] = useState(false);
  const typed = useRef(nothingTyped);
  usePageTitle(
    registering ? session.registerTitle : session.signInTitle,
    registering ? 'register' : 'sign in',
  );

  return (
    <div data-wide className="sign-in flex flex-col gap-5">
      <div className="pt-4">
        <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">
          {registering ? session.registerTitle : session.signInTitle}
        </h1>
        <p className="mt-1 text-ink-soft">{registering ? session.registerLead : session.signInLead}</p>
      </div>
      <div className="flex flex-col gap-5">
        {!registering && lost && (
          <Suspense>
            <WhySignedOut loss={lost} />
          </Suspense>
        )}
        <Card
          onFocus={() => {
            if (registering) AccountExistsDialog.preload();
            else ForgotDialog.preload();
            onEngaged?.();
          }}
        >
          {registering ? (
            <RegisterForm typed={typed} onAccountExists={() => setAccountExists(true)} />
          ) : (
            <>
              <SignInForm typed={typed} />
              <Button look="quiet" wide className="mt-2" onClick={() => setForgot(true)}>
                {session.forgot}
              </Button>
            </>
          )}
          <p className="-mx-3 text-center">
            <Link
              href={registering ? paths.signIn : registerPath}
              className="inline-flex min-h-11 items-center text-balance rounded-control px-2 font-semibold text-leaf underline underline-offset-4 hover:bg-leaf-tint"
            >
              {registering ? session.toSignIn : session.toRegister}
            </Link>
          </p>
        </Card>
      </div>
      <TrustCaptions />
      {forgot && (
        <Suspense>
          <ForgotDialog onClose={() => setForgot(false)} />
        </Suspense>
      )}
      {accountExists && (
        <Suspense>
          <AccountExistsDialog
            onClose={() => setAccountExists(false)}
            onGoToLogin={() => {
              typed.current = nothingTyped;
              setAccountExists(false);
              navigate(paths.signIn);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

function TrustCaptions() {
  const { session } = useCoreWords();
  const captions = [
    { text: session.creditInformation, icon: <FileIcon /> },
    { text: session.verifiedSecured, icon: <ShieldCheckIcon /> },
  ];
  return (
    <ul className="grid grid-cols-2 gap-3">
      {captions.map(({ text, icon }) => (
        <li
          key={text}
          className="flex flex-col items-center gap-2 text-center text-12 font-bold tracking-[0.04em] text-ink-soft"
        >
          <span
            aria-hidden="true"
            className="flex size-10 shrink-0 items-center justify-center rounded-full bg-leaf-tint text-leaf [&_svg]:size-5"
          >
            {icon}
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}
