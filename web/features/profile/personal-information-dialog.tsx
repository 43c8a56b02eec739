import { type ComponentProps, useState } from 'react';
import type { input } from 'zod/mini';
import { ProfileForm, type User } from '#contract/account.ts';
import * as api from '#contract/borrower-endpoints.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useContractForm } from '#web/lib/form.ts';
import { lender } from '#web/lib/lender.ts';
import { useSession, useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { typedAmount } from '#web/lib/typed-amount.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { type ProfileField, profileGroups } from './profile-groups.ts';

type FormInput = input<typeof ProfileForm>;

const inputs: Record<ProfileField, Partial<ComponentProps<typeof TextField>>> = {
  fullName: { autoComplete: 'name', autoCapitalize: 'words' },
  email: {
    type: 'email',
    inputMode: 'email',
    autoComplete: 'email',
    autoCapitalize: 'none',
    spellCheck: false,
  },
  address: { autoComplete: 'street-address' },
  countryOfWork: { autoComplete: 'country-name' },
  monthlySalary: { inputMode: 'decimal', autoComplete: 'off', prefix: '₱' },
  referenceName: { autoComplete: 'off', autoCapitalize: 'words' },
  referencePhone: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
  bankName: { autoComplete: 'off', autoCapitalize: 'words' },
  bankAccountNumber: { inputMode: 'numeric', autoComplete: 'off' },
};

/** Changes the personal fields, all of them under the rules of spec section 5. What was typed survives a failure. */
export function PersonalInformationDialog({ onClose }: { onClose: () => void }) {
  const { consents, profile, session, shell } = useAccountWords();
  const errorText = useErrorText();
  const labels = useLabels();
  const user = useUser();
  const { accept } = useSession();
  const form = useContractForm(ProfileForm, { defaultValues: valuesOf(user) });
  const [busy, setBusy] = useState(false);

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    try {
      await accept(call(api.updateProfile, { body }));
      toast({ title: profile.saved });
      onClose();
    } catch (error) {
      setBusy(false);
      toast({ tone: 'bad', title: session.passwordFailed, description: errorText(error) });
      form.showServerErrors(error);
    }
  });

  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog open onClose={close} closeOnBackdrop={false} title={profile.personal} closeLabel={shell.close}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        {profileGroups.map(({ id, fields }) => (
          <fieldset key={id} className="flex flex-col gap-3.5">
            <legend className="contents">
              <span className="block font-heading text-16 font-bold">{profile.groups[id].title}</span>
            </legend>
            <p className="-mt-3 text-12 text-ink-soft">{profile.groups[id].why}</p>
            {fields.map((name) => (
              <TextField
                key={name}
                {...form.field(name, name === 'monthlySalary' ? { setValueAs: typedAmount } : undefined)}
                {...inputs[name]}
                label={labels[name]}
              />
            ))}
          </fieldset>
        ))}
        <p className="text-12 text-ink-soft">{consents.profile(lender().name)}</p>
        <DialogActions className="-mt-3!">
          <Button look="secondary" disabled={busy} onClick={close}>
            {shell.cancel}
          </Button>
          <Button type="submit" busy={busy} busyLabel={session.pleaseWait}>
            {profile.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function useLabels(): Record<ProfileField, string> {
  const { profile, verification } = useAccountWords();
  return { ...verification.pieces, email: profile.email };
}

function valuesOf(user: User): FormInput {
  return {
    fullName: user.fullName,
    email: user.email ?? '',
    address: user.address ?? '',
    countryOfWork: user.countryOfWork ?? '',
    monthlySalary: (user.monthlySalary ?? '').replace(/\.00$/, ''),
    referenceName: user.referenceName ?? '',
    referencePhone: user.referencePhone ?? '',
    bankName: user.bankName ?? '',
    bankAccountNumber: user.bankAccountNumber ?? '',
  };
}
