import { CircleAlertIcon } from 'lucide-react';
import { useState } from 'react';
import { StaffSignIn } from '#contract/account.ts';
import { core } from '#contract/wording/panel-core.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { PasswordField } from '#web/lib/password-field.tsx';
import { useSession } from '#web/lib/session.tsx';
import type { OpenedSession } from '#web/lib/session-store.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const words = core.signIn;

type Props = { username?: string; onSignedIn: (opened: OpenedSession) => void };

/** The staff sign-in; failures appear as an alert above the fields and as a toast (§sign-in-screen). */
export function StaffSignInForm({ username = '', onSignedIn }: Props) {
  const errorText = useErrorText();
  const session = useSession();
  const form = useSchemaForm(StaffSignIn, { defaultValues: { username, password: '' } });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  const submit = form.handleSubmit(async (credentials) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const opened = await session.signIn(credentials);
      toast({ title: words.success });
      onSignedIn(opened);
    } catch (error) {
      const text = errorText(error, words.failureFallback);
      setBusy(false);
      setFailure(text);
      toast({ tone: 'bad', title: words.failureTitle, description: text });
      if (!form.showServerErrors(error)) form.setFocus('password', { shouldSelect: true });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {failure !== undefined && <Banner role="alert" tone="bad" icon={<CircleAlertIcon />} title={failure} />}
      <TextField
        {...form.field('username')}
        label={words.username}
        hint={words.usernameHint}
        required
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PasswordField {...form.field('password')} label={words.password} required />
      <Button type="submit" size="large" wide busy={busy} busyLabel={words.busy}>
        {words.submit}
      </Button>
    </form>
  );
}
