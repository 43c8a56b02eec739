import { type ReactNode, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { home } from '#contract/wording/en-home.ts';
import { profile } from '#contract/wording/en-profile.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { memberStatuses } from '#domain/member.ts';
import { documentPieces, fieldsOf, missingForVerification, profileGroups } from '#domain/profile.ts';
import { DocumentTiles } from '#web/lib/account-documents.tsx';
import { call } from '#web/lib/call.ts';
import { profileInput, profileReading } from '#web/lib/profile-fields.ts';
import { toast } from '#web/lib/toast-store.ts';
import { FormDialog } from '#web/panel/lib/dialogs.tsx';
import { FormField } from '#web/panel/lib/form-field.tsx';
import { memberName } from '#web/panel/lib/list-view.ts';
import { applyConflict, memberRow, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { addAccount, currentFieldsOf, isGone, updateMember } from '#web/panel/lib/staff-rows.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DocumentTile } from '#web/ui/document-tile.tsx';
import { Dense } from '#web/ui/field.tsx';
import {
  emptyMember,
  filledFields,
  memberEditForm,
  NewMemberForm,
  type TypedNewMember,
  typedFields,
  typedMember,
} from './member-form.ts';

const words = panel.memberForm;
const documentWords = panel.memberDocuments;
const { documents, verification } = profile;

type Props = {
  /** The member to edit; a new one when undefined. */
  member?: Member;
  onClose: () => void;
  /** The new member, with the issued password, which is sent only this once. */
  onCreated?: (member: Member) => void;
};

/** Adds a member or edits one (§editing-members). The typed values survive a failure. */
export function MemberFormDialog({ member, onClose, onCreated }: Props) {
  // The values when the dialog opened: only what staff change is saved.
  const [opened] = useState(() => (member ? typedMember(member) : emptyMember));
  const [schema] = useState(() => (member ? memberEditForm(opened) : NewMemberForm));
  const form = useStaffForm(schema, {
    values: { ...emptyMember, ...opened } as TypedNewMember,
    keptAs: `member ${member?.id}`,
    edited: { opened, read: typedFields },
    send: (typed, edit) => (member ? edit && updateMember(member.id, edit) : createMember(typed)),
    done: { title: member ? words.saved : words.created },
    failedTitle: member ? panel.toasts.updateFailed : panel.toasts.creationFailed,
    row: member && memberRow(member.id),
    onSaved: (saved) => (member ? onClose() : onCreated?.(saved)),
    onUnchanged: onClose,
  });

  return (
    <FormDialog
      size="large"
      title={member ? words.editTitle : panel.members.add}
      description={member ? words.editText(memberName(member)) : words.addText}
      form={form}
      onClose={onClose}
    >
      <FieldGroup title={words.account}>
        <FormField form={form} name="phone" type="tel" label={words.phone} isFirst />
        <FormField
          form={form}
          name="status"
          kind="select"
          label={panel.list.status}
          options={memberStatuses.map((value) => ({ value, label: panel.memberStatus[value] }))}
        />
        {!member && (
          <FormField
            form={form}
            name="password"
            kind="password"
            label={panel.memberPanel.password.label}
            hint={words.passwordHint}
            autoComplete="new-password"
            fieldClassName="col-span-2"
          />
        )}
      </FieldGroup>
      {profileGroups.map((id) => (
        <FieldGroup key={id} title={words.groups[id]}>
          {fieldsOf(id).map((name) => (
            <FormField
              key={name}
              {...profileInput(name)}
              kind={name === 'fullName' ? 'name' : 'text'}
              form={form}
              name={name}
              read={profileReading(name)}
              label={verification.pieces[name]}
              autoComplete="off"
              fieldClassName={name === 'address' ? 'col-span-2' : ''}
            />
          ))}
        </FieldGroup>
      ))}
      <FieldGroup title={panel.members.documents}>
        <div className="col-span-2">
          {member ? <MemberDocuments member={member} /> : <UnsavedDocuments />}
        </div>
      </FieldGroup>
    </FormDialog>
  );
}

async function createMember(typed: TypedNewMember): Promise<Member> {
  // A generated password is shown once; a typed one is known.
  const headers = typed.password ? undefined : { Prefer: 'secrets=plainPassword' };
  const { user } = await call(api.createMember, { body: filledFields(typed), headers });
  addAccount(api.listMembers, user);
  return user;
}

function FieldGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-heading text-16 font-bold">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-3">
        <Dense value>{children}</Dense>
      </div>
    </fieldset>
  );
}

export function MemberDocumentsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const missing = missingForVerification(member);
  return (
    <Dialog
      size="large"
      title={panel.members.documents}
      description={documentWords.of(memberName(member))}
      closeLabel={home.shell.close}
      onClose={onClose}
    >
      <MemberDocuments member={member} />
      <p className="mt-4 text-14 text-ink-soft">
        {missing.length === 0
          ? documentWords.isVerified
          : `${documentWords.missing}: ${missing.map((piece) => verification.pieces[piece]).join(', ')}`}
      </p>
    </Dialog>
  );
}

function MemberDocuments({ member }: { member: Member }) {
  const { id } = member;
  return (
    <DocumentTiles
      urls={member}
      openLabels={panel.memberPanel.open}
      attach={(piece, url, replaced) => updateMember(id, { [piece]: url, expected: { [piece]: replaced } })}
      onFailure={(error, piece) => {
        const row = memberRow(id);
        const present = currentFieldsOf(error);
        applyConflict(row, error);
        if (!present) return { message: isGone(error) ? row.gone : undefined };
        // A retry replaces the newer photo, which staff have seen by then.
        const replaced = (present[piece] as string | null | undefined) ?? null;
        return { message: panel.conflict.replaceAgain, replaced };
      }}
    />
  );
}

/** Before a member is saved, there is nobody to attach a photo to (§uploading). */
function UnsavedDocuments() {
  const { saveFirst, saveFirstText } = words;
  return (
    <div className="grid grid-cols-3 gap-2.5">
      {documentPieces.map((piece) => (
        <DocumentTile
          key={piece}
          piece={piece}
          label={verification.pieces[piece]}
          text={documents.add}
          onFile={() => toast({ tone: 'bad', title: saveFirst, description: saveFirstText })}
        />
      ))}
    </div>
  );
}
