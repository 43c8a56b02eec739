import { FileTextIcon, ShieldCheckIcon } from 'lucide-react';
import { type RefObject, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { paths, registerPath } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { TileList } from '#web/features/session/tile-list.tsx';
import { CallError, codeOf } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { lender } from '#web/lib/lender.ts';
import { NameField } from '#web/lib/name-field.tsx';
import { usePageTitle } from '#web/lib/page-title.ts';
import { PasswordField } from '#web/lib/password-field.tsx';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { SignInFrame } from '#web/ui/borrower-frame.tsx';
import { Button, QuietButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { GoLink } from '#web/ui/go-link.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const fetchHelp = () => import('#web/features/session/sign-in-help.tsx');
const WhySignedOut = lazyPart(fetchHelp, 'WhySignedOut');
const ForgotDialog = lazyPart(fetchHelp, 'ForgotDialog');
const AccountExistsDialog = lazyPart(fetchHelp, 'AccountExistsDialog');
const SecondStepField = lazyPart(fetchHelp, 'SecondStepField');

const nothingTyped: TypedCredentials = { phone: '', password: '' };

/**
 * Sign-in and registration (§sign-in-screen). The mode is in the URL, so that both can be linked and survive a reload;
 * on protected routes this replaces the page until somebody signs in.
 */
export function SignInPage({ onEngaged }: { onEngaged?: () => void }) {
  const { session } = useCoreWords();
  const current = useSession();
  const lost = current.state === 'signedOut' ? current.lost : undefined;
  const [location] = useLocation();
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
    <>
      <SignInFrame
        title={registering ? session.registerTitle : session.signInTitle}
        lead={registering ? session.registerLead : session.signInLead}
        picture={
          registering ? (
            <TileList lines={session.wayThere} tiles={['next', 'bare']} />
          ) : (
            <TileList lines={session.inside} tiles={['paid']} />
          )
        }
        captions={<TrustCaptions />}
      >
        {!registering && lost && <WhySignedOut loss={lost} />}
        <Card
          padding="none"
          className="shadow-none! outline-none!"
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
              <QuietButton wide className="mt-2 font-normal!" onClick={() => setForgot(true)}>
                {session.forgot}
              </QuietButton>
            </>
          )}
          <GoLink
            href={registering ? paths.signIn : registerPath}
            {...(registering
              ? { look: 'quiet', wide: true }
              : { look: 'secondary', size: 'large', wide: true })}
            className="mt-2"
          >
            {registering ? session.toSignIn : session.toRegister}
          </GoLink>
        </Card>
      </SignInFrame>
      {forgot && <ForgotDialog onClose={() => setForgot(false)} />}
      {accountExists && (
        <AccountExistsDialog
          onClose={() => setAccountExists(false)}
          onGoToLogin={() => {
            typed.current = nothingTyped;
            setAccountExists(false);
            navigate(paths.signIn);
          }}
        />
      )}
    </>
  );
}

function TrustCaptions() {
  const { session } = useCoreWords();
  const captions = [
    { text: session.creditInformation, icon: <FileTextIcon /> },
    { text: session.verifiedSecured, icon: <ShieldCheckIcon /> },
  ];
  return (
    <ul className="grid grid-cols-2 gap-3 bg-card px-4.5 pb-5 wide:col-start-1 wide:row-start-2 wide:bg-transparent wide:px-10 wide:pb-10">
      {captions.map(({ text, icon }) => (
        <li
          key={text}
          className="flex flex-col items-center gap-2 text-center text-12 font-bold tracking-[0.04em] text-ink-soft wide:flex-row wide:text-left wide:text-on-deep"
        >
          <span
            aria-hidden="true"
            className="flex size-10 shrink-0 items-center justify-center rounded-full bg-leaf-tint text-leaf dark:ring-1 dark:ring-leaf [&_svg]:size-5"
          >
            {icon}
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
}

const phoneInput = { type: 'tel', inputMode: 'tel', autoComplete: 'username' } as const;

/** Kept when switching between sign-in and registration. */
type TypedCredentials = { phone: string; password: string; code?: string };

/** The borrower's sign-in (§sign-in-screen): a greeting at once, the dashboard half a second later. */
function SignInForm({ typed }: { typed: RefObject<TypedCredentials> }) {
  const words = useCoreWords();
  const errorText = useErrorText();
  const session = useSession();
  const form = useSchemaForm(async () => (await import('#contract/account.ts')).SignIn, {
    defaultValues: typed.current,
  });
  const [busy, setBusy] = useState(false);
  const [asksCode, setAsksCode] = useState(false);

  const submit = form.handleSubmit(async (credentials) => {
    setBusy(true);
    try {
      const opened = await session.signIn(credentials);
      toast({ title: words.session.welcomeBack, description: opened.note });
      setTimeout(() => {
        navigate(paths.home);
        opened.enter();
      }, limits.signInRedirectMs);
    } catch (error) {
      setBusy(false);
      const code = codeOf(error);
      if (code === 'second_step_required') return setAsksCode(true);
      const { suspendedTitle, loginFailed } = words.session;
      const title = code === 'account_suspended' ? suspendedTitle : loginFailed;
      toast({ tone: 'bad', title, description: errorText(error, words.errors.invalid_credentials) });
      if (!form.showServerErrors(error))
        form.setFocus(code === 'wrong_code' ? 'code' : 'password', { shouldSelect: true });
    }
  });

  return (
    <form
      noValidate
      onSubmit={submit}
      onChange={() => {
        typed.current = form.getValues();
      }}
      className="flex flex-col gap-4"
    >
      <TextField {...form.field('phone')} label={words.session.phone} {...phoneInput} />
      <PasswordField {...form.field('password')} label={words.session.password} />
      {asksCode && <SecondStepField field={form.field('code')} />}
      <SubmitButton busy={busy || form.isWaiting}>{words.session.signIn}</SubmitButton>
    </form>
  );
}

/** Goes by the status or by the sentence. */
const saysAccountExists = (error: unknown) =>
  error instanceof CallError && (error.status === 409 || error.message.includes('already have an account'));

type RegisterFormProps = {
  typed: RefObject<TypedCredentials>;
  /** Called instead of a toast if the phone already has an account (§registering), even once the form is gone. */
  onAccountExists: () => void;
};

function RegisterForm({ typed, onAccountExists }: RegisterFormProps) {
  const words = useCoreWords();
  const errorText = useErrorText();
  const session = useSession();
  const form = useSchemaForm(async () => (await import('#contract/account.ts')).Registration, {
    defaultValues: { fullName: '', email: '', ...typed.current },
  });
  const [busy, setBusy] = useState(false);

  const submit = form.handleSubmit(async (registration) => {
    setBusy(true);
    try {
      const opened = await session.register(registration);
      toast({ title: words.session.accountCreated, description: opened.note });
      navigate(paths.home);
      opened.enter();
    } catch (error) {
      setBusy(false);
      if (saysAccountExists(error)) return onAccountExists();
      toast({
        tone: 'bad',
        title: words.session.registrationFailed,
        description: errorText(error, words.shell.tryAgain),
      });
      form.showServerErrors(error);
    }
  });

  return (
    <form
      noValidate
      onSubmit={submit}
      onChange={() => {
        const { phone, password } = form.getValues();
        typed.current = { phone, password };
      }}
      className="flex flex-col gap-4"
    >
      <NameField
        {...form.field('fullName')}
        label={words.session.fullName}
        aside={words.session.fullNameHint}
        autoComplete="name"
      />
      <TextField
        {...form.field('phone')}
        label={words.session.phone}
        aside={words.session.phoneHint}
        placeholder="09171234567"
        {...phoneInput}
      />
      <TextField
        {...form.field('email')}
        label={words.session.email}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...form.field('password')}
        label={words.session.password}
        aside={words.session.passwordHint}
        autoComplete="new-password"
      />
      <p className="text-14 text-ink-soft">{words.session.agree(lender().name)}</p>
      <SubmitButton busy={busy || form.isWaiting}>{words.session.createAccount}</SubmitButton>
    </form>
  );
}

function SubmitButton({ busy, children }: { busy: boolean; children: string }) {
  const { session } = useCoreWords();
  return (
    <Button type="submit" size="large" wide busy={busy} busyLabel={session.pleaseWait}>
      {children}
    </Button>
  );
}
