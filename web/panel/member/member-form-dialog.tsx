import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useContractForm } from '#web/lib/form.ts';
import { useEditConflict } from '#web/panel/lib/edit-conflict.tsx';
import { SaveActions } from '#web/panel/lib/save-actions.tsx';
import { showFormFailure, useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptMember, addAccount } from '#web/panel/lib/staff-rows.ts';
import { Dialog } from '#web/ui/dialog.tsx';
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
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  // As the member was when the dialog opened: what is saved is what staff changed of that.
  const [opened] = useState(() => (member ? typedMember(member) : emptyMember));
  const [schema] = useState(() => (member ? memberEditForm(opened) : NewMemberForm));
  const form = useContractForm(schema, { defaultValues: { ...emptyMember, ...opened } });
  const conflict = useEditConflict<TypedNewMember>(form, opened, typedFields);

  async function save(typed: TypedNewMember, { id }: Member) {
    const body = conflict.editOf(typed);
    if (!body) return onClose();
    const result = await act(call(api.updateMember, { params: { id }, body }), {
      done: { title: words.saved },
      failedTitle: panel.toasts.updateFailed,
      row: memberRow(id),
    });
    if (!result.ok) return conflict.takePresent(result.error) || showFormFailure(form, result.error);
    acceptMember(result.answer);
    onClose();
  }

  async function create(typed: TypedNewMember) {
    // One that is made by the server is shown once; who typed it knows it.
    const headers = typed.password ? undefined : { Prefer: 'secrets=plainPassword' };
    const result = await act(call(api.createMember, { body: filledFields(typed), headers }), {
      done: { title: words.created },
      failedTitle: panel.toasts.creationFailed,
    });
    if (!result.ok) return showFormFailure(form, result.error);
    const { user } = result.answer;
    addAccount(api.listMembers, user);
    onCreated(user);
  }

  const submit = form.handleSubmit(async (typed) => {
    setBusy(true);
    await (member ? save(typed, member) : create(typed));
    setBusy(false);
  });
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      size="large"
      closeOnBackdrop={false}
      title={member ? words.editTitle : words.addTitle}
      description={member ? words.editText(memberName(member)) : words.addText}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        {conflict.banner}
        <AccountFields form={form} note={conflict.note} isNew={!member} />
        <ProfileFields form={form} note={conflict.note} />
        <FieldGroup title={panel.memberDocuments.title}>
          <div className="col-span-2">
            {member ? <MemberDocuments member={member} /> : <UnsavedDocuments />}
          </div>
        </FieldGroup>
        <SaveActions busy={busy} onCancel={close} className="-mt-3!" />
      </form>
    </Dialog>
  );
}
