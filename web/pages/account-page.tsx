import { KeyRoundIcon, LogOutIcon } from 'lucide-react';
import { useState } from 'react';
import { YourData } from '#web/features/privacy/your-data.tsx';
import { HowWeReachYou } from '#web/features/reach/how-we-reach-you.tsx';
import { OwnPasswordForm } from '#web/features/session/own-password-form.tsx';
import { useAccountWords } from '#web/lib/all-words.ts';
import { type Language, useLanguage } from '#web/lib/language.tsx';
import { PageHead } from '#web/lib/page-head.tsx';
import { useSession, useUser } from '#web/lib/session.tsx';
import { Column, Columns } from '#web/ui/borrower-frame.tsx';
import { Button, RowButton } from '#web/ui/button.tsx';
import { Card, stripTitle } from '#web/ui/card.tsx';
import { ChoiceField } from '#web/ui/choice-field.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Language, password, how one is reached, one's own data (§account-page). */
export default function AccountPage() {
  const { profile, verification } = useAccountWords();
  const { fullName, phone, isVerified } = useUser();
  return (
    <>
      <PageHead title={profile.account} />
      <Columns>
        <Card look="deep" className="wrap-anywhere wide:col-span-2">
          <p className={stripTitle}>
            <bdi>{fullName}</bdi>
          </p>
          <p className="mt-1 flex flex-wrap gap-x-4 text-on-deep-soft">
            <bdi>{phone}</bdi>
            <span>{isVerified ? verification.verified : verification.notVerified}</span>
          </p>
        </Card>
        <Column>
          <Settings />
          <HowWeReachYou />
        </Column>
        <YourData />
      </Columns>
    </>
  );
}

function Settings() {
  const { profile, shell } = useAccountWords();
  const { language, setLanguage } = useLanguage();
  const { mustChangePassword } = useUser();
  const { signOut } = useSession();
  const [changing, setChanging] = useState(false);
  const close = () => setChanging(false);

  /** The choice shows at once, even while its wording is loading. */
  const [chosen, setChosen] = useState<Language>();
  function choose(next: Language) {
    setChosen(next);
    void setLanguage(next).finally(() => setChosen((last) => (last === next ? undefined : last)));
  }

  return (
    <Card className="flex flex-col gap-4">
      <h2 className="font-heading text-20 font-bold">{profile.signIn}</h2>
      {mustChangePassword && <p className="text-14 font-medium">{profile.passwordIssued}</p>}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <span className="block font-semibold">{shell.language}</span>
          <span className="text-14 text-ink-soft">{profile.languageWhy}</span>
        </p>
        <ChoiceField<Language>
          label={shell.language}
          labelHidden
          className="w-36 grid-cols-2 wide:w-52 gap-2"
          options={[
            { value: 'en', label: shell.english },
            { value: 'fil', label: shell.filipino },
          ]}
          value={chosen ?? language}
          onValueChange={choose}
        />
      </div>
      <div className="-mx-card -mb-3 border-t border-line">
        <RowButton icon={<KeyRoundIcon />} onClick={() => setChanging(true)}>
          {profile.changePassword}
        </RowButton>
        <Button look="row" size="large" wide icon={<LogOutIcon />} onClick={signOut}>
          <span className="flex-1 text-left">{shell.logout}</span>
        </Button>
      </div>
      {changing && (
        <Dialog
          onClose={close}
          closeOnBackdrop={false}
          title={profile.changePassword}
          description={profile.passwordWhy}
        >
          <OwnPasswordForm cancelLabel={shell.cancel} onDone={close} />
        </Dialog>
      )}
    </Card>
  );
}
