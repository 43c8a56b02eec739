import { type RefObject, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '#contract/routes.ts';
import { CallError } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useContractForm } from '#web/lib/form.ts';
import { useCoreWords } from '#web/lib/language.tsx';
import { lender } from '#web/lib/lender.ts';
import { useSession } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button } from '#web/ui/button.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { TypedCredentials } from './sign-in-form.tsx';

type Props = {
  typed: RefObject<TypedCredentials>;
  /** Called instead of a toast if the phone already has an account (§registering). */
  onAccountExists: () => void;
};

/** By the status or by the sentence. */
const saysAccountExists = (error: unknown) =>
  error instanceof CallError && (error.status === 409 || error.message.includes('already have an account'));

const registrationRules = async () => (await import('#contract/account.ts')).Registration;

export function RegisterForm({ typed, onAccountExists }: Props) {
  const words = useCoreWords();
  const errorText = useErrorText();
  const session = useSession();
  const form = useContractForm(registrationRules, {
    defaultValues: { fullName: '', email: '', ...typed.current },
  });
  const [busy, setBusy] = useState(false);

  const submit = form.handleSubmit(async (registration) => {
    setBusy(true);
    try {
      const opened = await session.register(registration);
      toast({ title: words.session.accountCreated });
      navigate(paths.home);
      opened.enter();
    } catch (error) {
      setBusy(false);
      if (saysAccountExists(error)) return onAccountExists();
      toast({ tone: 'bad', title: words.session.registrationFailed, description: errorText(error) });
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
      <TextField
        {...form.field('fullName')}
        label={words.session.fullName}
        hint={words.session.fullNameHint}
        autoComplete="name"
      />
      <TextField
        {...form.field('phone')}
        label={words.session.phone}
        hint={`${words.session.phoneHint}. ${words.session.phoneWhy}`}
        type="tel"
        inputMode="tel"
        autoComplete="username"
      />
      <TextField
        {...form.field('email')}
        label={words.session.email}
        hint={words.session.emailHint}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...form.field('password')}
        label={words.session.password}
        hint={words.session.passwordHint}
        autoComplete="new-password"
        showLabel={words.session.showTyped}
        hideLabel={words.session.hideTyped}
      />
      <p className="text-12 text-ink-soft">{words.session.agree(lender().name)}</p>
      <Button
        type="submit"
        size="large"
        wide
        busy={busy || form.isWaiting}
        busyLabel={words.session.pleaseWait}
      >
        {words.session.createAccount}
      </Button>
    </form>
  );
}
