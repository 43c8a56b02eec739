import { type ReactNode, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { memberStatuses } from '#domain/member.ts';
import { fieldsOf, profileGroups } from '#domain/profile.ts';
import { call } from '#web/lib/call.ts';
import type { SchemaForm } from '#web/lib/form.ts';
import { PasswordField } from '#web/lib/password-field.tsx';
import { profileInput, profileReading } from '#web/lib/profile-fields.ts';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { type EditConflict, useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptMember, addAccount } from '#web/panel/lib/staff-rows.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { MemberDocuments, UnsavedDocuments } from './member-documents-dialog.tsx';
import {
  emptyMember,
  filledFields,
  memberEditForm,
  NewMemberForm,
  type TypedNewMember,
  typedFields,
  typedMember,
} from './member-form.ts';
import { memberName, memberRow } from './member-text.tsx';

const words = panel.memberForm;

type Props = {
  /** The member to edit; a new one when undefined. */
  member: Member | undefined;
  onClose: () => void;
  /** The new member, with the issued password, which is sent only this once. */
  onCreated: (member: Member) => void;
};

/** Adds a member or edits one (§editing-members). What was typed survives a failure. */
export function MemberFormDialog({ member, onClose, onCreated }: Props) {
  // The values when the dialog opened: only what staff change is saved.
  const [opened] = useState(() => (member ? typedMember(member) : emptyMember));
  const [schema] = useState(() => (member ? memberEditForm(opened) : NewMemberForm));
  const form = useStaffForm(schema, { ...emptyMember, ...opened });
  const conflict = useEditConflict<TypedNewMember>(form, opened, typedFields);

  async function save(typed: TypedNewMember, { id }: Member) {
    const body = conflict.editOf(typed);
    if (!body) return onClose();
    const result = await form.save(
      call(api.updateMember, { params: { id }, body }),
      {
        done: { title: words.saved },
        failedTitle: panel.toasts.updateFailed,
        row: memberRow(id),
      },
      conflict,
    );
    if (!result.ok) return;
    acceptMember(result.answer);
    onClose();
  }

  async function create(typed: TypedNewMember) {
    // A generated password is shown once; a typed one is known.
    const headers = typed.password ? undefined : { Prefer: 'secrets=plainPassword' };
    const result = await form.save(call(api.createMember, { body: filledFields(typed), headers }), {
      done: { title: words.created },
      failedTitle: panel.toasts.creationFailed,
    });
    if (!result.ok) return;
    const { user } = result.answer;
    addAccount(api.listMembers, user);
    onCreated(user);
  }

  return (
    <FormDialog
      size="large"
      title={member ? words.editTitle : words.addTitle}
      description={member ? words.editText(memberName(member)) : words.addText}
      busy={form.busy}
      onSubmit={form.handleSubmit((typed) => (member ? save(typed, member) : create(typed)))}
      onClose={onClose}
    >
      {conflict.banner}
      <AccountFields form={form} note={conflict.note} isNew={!member} />
      <ProfileFields form={form} note={conflict.note} />
      <FieldGroup title={panel.memberDocuments.title}>
        <div className="col-span-2">
          {member ? <MemberDocuments member={member} /> : <UnsavedDocuments />}
        </div>
      </FieldGroup>
    </FormDialog>
  );
}

const { verification } = en;

type FieldsProps = {
  form: SchemaForm<TypedNewMember>;
  /** Under a field that somebody else has changed. */
  note: EditConflict<TypedNewMember>['note'];
};

function AccountFields({ form, note, isNew }: FieldsProps & { isNew: boolean }) {
  return (
    <FieldGroup title={words.account}>
      <TextField
        {...form.field('phone')}
        dense
        type="tel"
        label={words.phone}
        hint={note('phone')}
        data-autofocus
      />
      <SelectField
        {...form.field('status')}
        dense
        label={panel.list.status}
        hint={note('status')}
        options={memberStatuses.map((value) => ({ value, label: panel.memberStatus[value] }))}
      />
      {isNew && (
        <PasswordField
          {...form.field('password')}
          dense
          label={words.password}
          hint={words.passwordHint}
          autoComplete="new-password"
          fieldClassName="col-span-2"
        />
      )}
    </FieldGroup>
  );
}

/** Grouped as in the borrower's profile. */
function ProfileFields({ form, note }: FieldsProps) {
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
function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-heading text-16 font-bold">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3">{children}</div>
    </fieldset>
  );
}
