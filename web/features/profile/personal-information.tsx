import { useState } from 'react';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { FileIcon, PencilIcon } from '#web/ui/icons.tsx';
import { PersonalInformationDialog } from './personal-information-dialog.tsx';
import { PersonalInformationView } from './personal-information-view.tsx';
import { useProfileRows } from './profile-rows.tsx';

/** Who the borrower is, in short, with the dialogs that show all of it and change it (spec section 2). */
export function PersonalInformation({ id }: { id: string }) {
  const { profile } = useAccountWords();
  const user = useUser();
  const rows = useProfileRows(user);
  const [dialog, setDialog] = useState<'edit' | 'view'>();
  const close = () => setDialog(undefined);
  return (
    <Section id={id} title={profile.personal} headingId={`${id}-title`}>
      <Card>
        <p className="mb-3 text-14 text-ink-soft">{profile.personalWhy}</p>
        <DefinitionRows size={14} rows={rows('fullName', 'phone', 'bankName', 'bankAccountNumber')} />
        <div className="mt-4 flex flex-col gap-2">
          <Button
            look="secondary"
            wide
            icon={<PencilIcon className="size-4.5 shrink-0" />}
            onClick={() => setDialog('edit')}
          >
            {profile.edit}
          </Button>
          <Button
            look="quiet"
            wide
            icon={<FileIcon className="size-4.5 shrink-0" />}
            onClick={() => setDialog('view')}
          >
            {profile.view}
          </Button>
        </div>
      </Card>
      {dialog === 'edit' && <PersonalInformationDialog onClose={close} />}
      {dialog === 'view' && <PersonalInformationView onClose={close} />}
    </Section>
  );
}
