import { useAccountWords } from '#web/lib/account-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type ProfileGroup, profileGroups } from './profile-groups.ts';
import { type ProfileRow, useProfileRows } from './profile-rows.tsx';

/** What only the account knows and no form asks for. */
const besides: Partial<Record<ProfileGroup, readonly ProfileRow[]>> = { you: ['phone', 'memberSince'] };

/** Every personal field there is, in the groups in which it is asked for (spec section 2). */
export function PersonalInformationView({ onClose }: { onClose: () => void }) {
  const { profile, shell } = useAccountWords();
  const user = useUser();
  const rows = useProfileRows(user);
  return (
    <Dialog
      open
      onClose={onClose}
      title={profile.viewTitle}
      closeLabel={shell.close}
      // The account number has the only button.
      onlyRead={!user.bankAccountNumber}
    >
      <div className="flex flex-col gap-5">
        {profileGroups.map(({ id, fields }) => (
          <section key={id} aria-labelledby={`view-${id}`}>
            <h3 id={`view-${id}`} className="font-heading text-16 font-bold">
              {profile.groups[id].title}
            </h3>
            <p className="text-12 text-ink-soft">{profile.groups[id].why}</p>
            <DefinitionRows ruled size={14} rows={rows(...fields, ...(besides[id] ?? []))} />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
