import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { password, says } from '#contract/fields.ts';
import type { Member } from '#contract/member.ts';
import type { User } from '#contract/profile.ts';
import { AdminCreation, AdminUpdate } from '#contract/staff.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { formatsOf } from '#web/lib/format.ts';
import { useUser } from '#web/lib/session.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines, ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ConfirmDialog, FormDialog } from './lib/dialogs.tsx';
import { useEditConflict } from './lib/edit-conflict.tsx';
import { RowAction, RowActions } from './lib/row-action.tsx';
import { SecretButtons, useSecret } from './lib/secret.tsx';
import { type StaffRow, useStaffAction, useStaffForm } from './lib/staff-action.ts';
import { UnreadList } from './lib/staff-list.tsx';
import { acceptMember, addAccount, dropRow, useStaffRows } from './lib/staff-rows.ts';

const words = panel.settings;
const { date } = formatsOf('en');

type Shown = { kind: 'edit' | 'delete'; id: number };

/** Admin accounts; only the main admin sees passwords and makes changes (§main-admin). */
export function AdminList() {
  const user = useUser();
  const list = useStaffRows(api.listAllUsers, { query: { role: 'admin' }, failure: panel.toasts.admins });
  const [shown, setShown] = useState<Shown>();
  if (!list.rows) return <UnreadList read={list} rows={3} />;
  if (list.rows.length === 0) return <EmptyState title={words.none} />;

  const admin = shown && list.rows.find(({ id }) => id === shown.id);
  const close = () => setShown(undefined);
  return (
    <>
      <ShortTable label={words.admins} columns={adminColumns(user, setShown)} rows={list.rows} />
      {admin && shown.kind === 'edit' && <AdminEditDialog admin={admin} onClose={close} />}
      {admin && shown.kind === 'delete' && <DeleteAdminDialog admin={admin} onClose={close} />}
    </>
  );
}

function adminColumns(user: User, onShow: (shown: Shown) => void): readonly ShortTableColumn<Member>[] {
  const { columns: heads } = words;
  const { isMainAdmin } = user;
  const columns: ShortTableColumn<Member>[] = [
    {
      id: 'admin',
      head: heads.admin,
      width: 'minmax(11rem, 3fr)',
      cell: (admin) => (
        <span className="flex items-center gap-2.5">
          <span className="min-w-0">
            <CellLines main={adminName(admin)} note={admin.email ?? undefined} />
          </span>
          {admin.isMainAdmin && (
            <StatusChip tone="neutral" dot={false}>
              {panel.shell.mainAdmin}
            </StatusChip>
          )}
          {admin.id === user.id && <span className="text-12 text-ink-soft">{words.you}</span>}
        </span>
      ),
    },
    {
      id: 'phone',
      head: heads.phone,
      width: 'minmax(7rem, 1fr)',
      cell: ({ phone }) => <span className="block truncate">{phone || panel.list.dash}</span>,
    },
    {
      id: 'password',
      head: heads.password,
      width: isMainAdmin ? 'minmax(12rem, 2fr)' : 'minmax(8rem, 1fr)',
      cell: (admin) =>
        isMainAdmin && admin.hasIssuedPassword ? <AdminPassword admin={admin} /> : panel.list.dash,
    },
    { id: 'since', head: heads.since, width: '7rem', cell: ({ createdAt }) => date(createdAt) },
  ];
  if (!isMainAdmin) return columns;
  return [
    ...columns,
    {
      id: 'actions',
      head: panel.list.actions,
      width: '5rem',
      numeric: true,
      cell: (admin) => (
        <RowActions>
          <RowAction label={words.edit} onPress={() => onShow({ kind: 'edit', id: admin.id })}>
            <PencilIcon />
          </RowAction>
          {/* The main admin cannot be deleted (§main-admin). */}
          {!admin.isMainAdmin && (
            <RowAction label={words.delete} onPress={() => onShow({ kind: 'delete', id: admin.id })}>
              <TrashIcon />
            </RowAction>
          )}
        </RowActions>
      ),
    },
  ];
}

/** An admin may have only an email. */
const adminName = ({ fullName, email, phone }: Member): string => fullName || email || phone;

const adminRow = (id: number): StaffRow => ({
  list: api.listAllUsers,
  id,
  gone: panel.conflict.adminGone,
});

function AdminPassword({ admin }: { admin: Member }) {
  const { value, busy, reveal, hide } = useSecret(adminRow(admin.id), 'plainPassword');
  return (
    <span className="flex items-center gap-1">
      <span className={value === undefined ? '' : 'truncate font-mono'}>{value ?? '••••••••'}</span>
      <SecretButtons
        what={words.copyPassword}
        of={panel.memberPanel.passwordHidden}
        shown={value}
        busy={busy}
        onShow={reveal}
        onHide={hide}
      />
    </span>
  );
}

/** An empty password leaves it unchanged. */
const AdminEditForm = z.object({
  email: AdminUpdate.shape.email,
  password: z.union([z.literal(''), password], says('passwordTooShort')),
});

function AdminEditDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const [opened] = useState(() => ({ email: admin.email ?? '' }));
  const form = useStaffForm(AdminEditForm, { ...opened, password: '' });
  const conflict = useEditConflict<{ email: string; password: string }>(form, opened, ({ email }) => ({
    email: String(email ?? ''),
  }));

  const submit = form.handleSubmit(async (typed) => {
    const body = {
      ...conflict.editOf(typed),
      ...(typed.password !== '' && { password: typed.password }),
    };
    if (Object.keys(body).length === 0) return onClose();
    const result = await form.save(
      call(api.updateAdmin, { params: { id: admin.id }, body }),
      {
        done: { title: panel.toasts.success, description: words.updated(adminName(admin)) },
        failedTitle: panel.toasts.updateFailed,
        fallback: words.updateFailed,
        row: adminRow(admin.id),
      },
      conflict,
    );
    if (!result.ok) return;
    acceptMember(result.answer);
    onClose();
  });

  return (
    <FormDialog
      title={words.editTitle}
      description={adminName(admin)}
      busy={form.busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {conflict.banner}
      <TextField
        {...form.field('email')}
        {...emailInput}
        label={words.email}
        hint={conflict.note('email')}
        data-autofocus
      />
      <PasswordField
        {...form.field('password')}
        {...passwordInput}
        label={words.password}
        hint={words.passwordHint}
      />
    </FormDialog>
  );
}

const emailInput = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

const passwordInput = {
  autoComplete: 'new-password',
  showLabel: en.session.showTyped,
  hideLabel: en.session.hideTyped,
} as const;

function DeleteAdminDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const act = useStaffAction();
  const name = adminName(admin);
  async function remove() {
    const result = await act(call(api.deleteUser, { params: { id: admin.id } }), {
      done: { title: panel.toasts.success, description: words.deleted(name) },
      failedTitle: words.deleteFailedTitle,
      fallback: words.deleteFailed,
      row: adminRow(admin.id),
    });
    if (result.ok) dropRow(api.listAllUsers, admin.id);
  }
  return (
    <ConfirmDialog
      title={words.deleteTitle(name)}
      text={words.deleteText}
      confirmLabel={words.delete}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** For the main admin only (§main-admin). */
export function AddAdminForm() {
  const form = useStaffForm(AdminCreation, { email: '', password: '', fullName: '', phone: '' });
  const submit = form.handleSubmit(async (body) => {
    const result = await form.save(call(api.createAdmin, { body }), {
      done: { title: words.created, description: words.createdText(body.email) },
      failedTitle: panel.toasts.creationFailed,
      fallback: words.createFailed,
    });
    if (!result.ok) return;
    addAccount(api.listAllUsers, result.answer.user);
    form.reset();
  });

  // Both fields can fail with the same sentence: show it once.
  const emailField = form.field('email');
  const passwordField = form.field('password');
  const passwordError = passwordField.error === emailField.error ? undefined : passwordField.error;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3.5">
      <TextField {...emailField} {...emailInput} dense label={words.email} />
      <PasswordField
        {...passwordField}
        {...passwordInput}
        error={passwordError}
        dense
        label={words.password}
        hint={en.session.passwordHint}
      />
      <TextField
        {...form.field('fullName')}
        dense
        label={words.fullName}
        aside={words.optional}
        autoComplete="off"
        autoCapitalize="words"
      />
      <TextField
        {...form.field('phone')}
        dense
        label={words.phone}
        aside={words.optional}
        type="tel"
        autoComplete="off"
      />
      <Button
        type="submit"
        size="small"
        className="self-start"
        busy={form.busy}
        busyLabel={panel.list.saving}
      >
        {words.submit}
      </Button>
    </form>
  );
}
