import { CircleAlertIcon } from 'lucide-react';
import { useState } from 'react';
import { StaffSignIn } from '#contract/account.ts';
import * as core from '#contract/wording/panel-every-page.ts';
import { codeOf } from '#web/lib/call-error.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useSchemaForm } from '#web/lib/form.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { PasswordField } from '#web/lib/password-field.tsx';
import { useSession } from '#web/lib/session.tsx';
import type { OpenedSession } from '#web/lib/session-store.ts';
import { toast } from '#web/lib/toast-store.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';

const words = core.signIn;

const withoutCode: { code?: string | undefined } = { code: undefined };

/** Fetched once it is asked for: most people have none. */
const SecondStepField = lazyPart(() => import('./sign-in-help.tsx'), 'SecondStepField');

type Props = { username?: string; onSignedIn: (opened: OpenedSession) => void };

/** The staff sign-in; failures appear as an alert above the fields and as a toast (§sign-in-screen). */
export function StaffSignInForm({ username = '', onSignedIn }: Props) {
  const errorText = useErrorText();
  const session = useSession();
  const form = useSchemaForm(StaffSignIn, { defaultValues: { username, password: '', ...withoutCode } });
  const [busy, setBusy] = useState(false);
  const [asksCode, setAsksCode] = useState(false);
  const [failure, setFailure] = useState<string>();

  const submit = form.handleSubmit(async (credentials) => {
    setBusy(true);
    setFailure(undefined);
    try {
      const opened = await session.signIn(credentials);
      toast({ title: words.success, description: opened.note });
      onSignedIn(opened);
    } catch (error) {
      setBusy(false);
      if (codeOf(error) === 'second_step_required') return setAsksCode(true);
      const text = errorText(error, words.failureFallback);
      setFailure(text);
      toast({ tone: 'bad', title: words.failureTitle, description: text });
      if (form.showServerErrors(error)) return;
      form.setFocus(codeOf(error) === 'wrong_code' ? 'code' : 'password', { shouldSelect: true });
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
      {asksCode && <SecondStepField field={form.field('code')} />}
      <Button type="submit" size="large" wide busy={busy} busyLabel={words.busy}>
        {words.submit}
      </Button>
    </form>
  );
}
