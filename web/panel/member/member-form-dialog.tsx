import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { useStaffForm } from '#web/panel/lib/staff-action.ts';
import { acceptMember, addAccount } from '#web/panel/lib/staff-rows.ts';
import { MemberDocuments, UnsavedDocuments } from './member-documents-dialog.tsx';
import { AccountFields, FieldGroup, ProfileFields } from './member-fields.tsx';
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
  /** A member was created; the answer carries the password that was issued, for this one time. */
  onCreated: (member: Member) => void;
};

/** Adds a member or edits one (§editing-members). What was typed survives a failure. */
export function MemberFormDialog({ member, onClose, onCreated }: Props) {
  // As the member was when the dialog opened: what is saved is what staff changed of that.
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
