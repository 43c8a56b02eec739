import { type ReactNode, useState } from 'react';
import { useAccountWords } from '#web/lib/account-words.ts';
import { type Language, useLanguage } from '#web/lib/language.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { KeyIcon, LogOutIcon } from '#web/ui/icons.tsx';

type Props = {
  /** The own-password form; `close` is called when it is done or cancelled. */
  passwordForm: (close: () => void) => ReactNode;
};

/** Password, language and sign-out. */
export function AccountCard({ passwordForm }: Props) {
  const { profile, shell } = useAccountWords();
  const { language, setLanguage } = useLanguage();
  const { signOut } = useSession();
  const { mustChangePassword } = useUser();
  const [changing, setChanging] = useState(false);
  const close = () => setChanging(false);

  /** The choice shows at once, even while its wording is loading. */
  const [chosen, setChosen] = useState<Language>();
  function choose(next: Language) {
    setChosen(next);
    void setLanguage(next).finally(() => setChosen((last) => (last === next ? undefined : last)));
  }

  return (
    <Section title={profile.account} headingId="account-title">
      <Card className="flex flex-col gap-4">
        <div>
          {mustChangePassword && <p className="mb-3 text-14 font-medium">{profile.passwordIssued}</p>}
          <Button
            look="secondary"
            wide
            icon={<KeyIcon className="size-4.5 shrink-0" />}
            onClick={() => setChanging(true)}
          >
            {profile.changePassword}
          </Button>
        </div>
        <div>
          <ChoiceField<Language>
            label={shell.language}
            options={[
              { value: 'en', label: shell.english },
              { value: 'fil', label: shell.filipino },
            ]}
            value={chosen ?? language}
            onValueChange={choose}
          />
          <p className="mt-1.5 text-12 text-ink-soft">{profile.languageWhy}</p>
        </div>
        <Button look="quiet" wide icon={<LogOutIcon className="size-4.5 shrink-0" />} onClick={signOut}>
          {shell.logout}
        </Button>
      </Card>
      <Dialog
        open={changing}
        onClose={close}
        closeOnBackdrop={false}
        title={profile.changePassword}
        description={profile.passwordWhy}
      >
        {passwordForm(close)}
      </Dialog>
    </Section>
  );
}
