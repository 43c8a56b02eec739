import type { ReactNode } from 'react';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { memberStatuses } from '#domain/member.ts';
import { fieldsOf, profileGroups } from '#domain/profile.ts';
import type { ContractForm } from '#web/lib/form.ts';
import { profileInput, profileReading } from '#web/lib/profile-fields.ts';
import type { EditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { TypedNewMember } from './member-form.ts';

const words = panel.memberForm;
const { verification, session } = en;

type FieldsProps = {
  form: ContractForm<TypedNewMember>;
  /** What stands under a field that somebody else has changed meanwhile. */
  note: EditConflict<TypedNewMember>['note'];
};

/** The account's own fields: phone, status, and for a new member the password. */
export function AccountFields({ form, note, isNew }: FieldsProps & { isNew: boolean }) {
  return (
    <FieldGroup title={words.account}>
      <TextField
        {...form.field('phone')}
        dense
        type="tel"
        label={words.phone}
        hint={note('phone')}
        autoComplete="off"
        data-autofocus
      />
      <SelectField {...form.field('status')} dense label={panel.list.status} hint={note('status')}>
        {memberStatuses.map((status) => (
          <option key={status} value={status}>
            {panel.memberStatus[status]}
          </option>
        ))}
      </SelectField>
      {isNew && (
        <PasswordField
          {...form.field('password')}
          dense
          label={words.password}
          hint={words.passwordHint}
          autoComplete="new-password"
          showLabel={session.showTyped}
          hideLabel={session.hideTyped}
          fieldClassName="col-span-2"
        />
      )}
    </FieldGroup>
  );
}

/** The fields of the profile, grouped as the borrower meets them. */
export function ProfileFields({ form, note }: FieldsProps) {
  return profileGroups.map((id) => (
    <FieldGroup key={id} title={words.groups[id]}>
      {fieldsOf(id).map((name) => (
        <TextField
          key={name}
          {...form.field(name, profileReading(name))}
          {...profileInput(name)}
          label={verification.pieces[name]}
          hint={note(name)}
          dense
          autoComplete="off"
          fieldClassName={name === 'address' ? 'col-span-2' : ''}
        />
      ))}
    </FieldGroup>
  ));
}

/** A titled part of the form, in two columns. */
export function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-heading text-16 font-bold">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3">{children}</div>
    </fieldset>
  );
}
