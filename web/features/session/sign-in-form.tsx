import { type RefObject, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '#contract/routes.ts';
import { limits } from '#domain/limits.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useContractForm } from '#web/lib/form.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';

/** Kept when switching between sign-in and registration. */
export type TypedCredentials = { phone: string; password: string };

const signInRules = async () => (await import('#contract/account.ts')).SignIn;

/** The borrower's sign-in (§sign-in-screen): a greeting at once, the dashboard half a second later. */
export function SignInForm({ typed }: { typed: RefObject<TypedCredentials> }) {
  const words = useCoreWords();
  const errorText = useErrorText();
  const session = useSession();
  const form = useContractForm(signInRules, { defaultValues: typed.current });
  const [busy, setBusy] = useState(false);

  const submit = form.handleSubmit(async (credentials) => {
    setBusy(true);
    try {
      const opened = await session.signIn(credentials);
      toast({ title: words.session.welcomeBack });
      setTimeout(() => {
        navigate(paths.home);
        opened.enter();
      }, limits.signInRedirectMs);
    } catch (error) {
      setBusy(false);
      const suspended = error instanceof CallError && error.code === 'account_suspended';
      toast({
        tone: 'bad',
        title: suspended ? words.session.suspendedTitle : words.session.loginFailed,
        description: errorText(error, words.errors.invalid_credentials),
      });
      if (!form.showServerErrors(error)) form.setFocus('password', { shouldSelect: true });
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
      <TextField
        {...form.field('phone')}
        label={words.session.phone}
        type="tel"
        inputMode="tel"
        autoComplete="username"
      />
      <PasswordField
        {...form.field('password')}
        label={words.session.password}
        showLabel={words.session.showTyped}
        hideLabel={words.session.hideTyped}
      />
      <Button
        type="submit"
        size="large"
        wide
        busy={busy || form.isWaiting}
        busyLabel={words.session.pleaseWait}
      >
        {words.session.signIn}
      </Button>
    </form>
  );
}
