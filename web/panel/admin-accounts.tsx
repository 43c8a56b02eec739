// biome-ignore-all lint/a11y/useSemanticElements: rows of DataTable, which uses roles
import { useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import { listAllUsers } from '#contract/api.ts';
import { password, says } from '#contract/fields.ts';
import type { Member } from '#contract/member.ts';
import { AdminCreation, AdminUpdate } from '#contract/staff.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useContractForm } from '#web/lib/form.ts';
import { formatsOf } from '#web/lib/format.ts';
import { useUser } from '#web/lib/session.tsx';
import { toast } from '#web/lib/toast-store.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { CellLines, DataTable, HeaderCell, TableCell, TableRow } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { AskDialog } from './lib/ask-dialog.tsx';
import { CopyButton } from './lib/copy-button.tsx';
import { useEditConflict } from './lib/edit-conflict.tsx';
import { SaveActions } from './lib/save-actions.tsx';
import { type StaffRow, showFormFailure, showOvertaken, useStaffAction } from './lib/staff-action.ts';
import { UnreadList } from './lib/staff-list.tsx';
import { acceptMember, addAccount, dropRow, isGone, useStaffRows } from './lib/staff-rows.ts';

const words = panel.settings;
const { date } = formatsOf('en');
const columns = 'minmax(11rem, 3fr) minmax(7rem, 1fr) minmax(12rem, 2fr) 7rem 5rem';
const columnsToRead = 'minmax(11rem, 3fr) minmax(7rem, 1fr) minmax(8rem, 1fr) 7rem';

type Shown = { kind: 'edit' | 'delete'; id: number };

/** Admin accounts; only the main admin sees passwords and makes changes (§main-admin). */
export function AdminList() {
  const { isMainAdmin } = useUser();
  const list = useStaffRows(api.listAllUsers, { query: { role: 'admin' }, failure: panel.toasts.admins });
  const [shown, setShown] = useState<Shown>();
  if (!list.rows) return <UnreadList read={list} rows={3} />;
  if (list.rows.length === 0) return <EmptyState title={words.none} />;

  const admin = shown && list.rows.find(({ id }) => id === shown.id);
  const close = () => setShown(undefined);
  const template = isMainAdmin ? columns : columnsToRead;
  const heads = words.columns;
  return (
    <>
      <DataTable label={words.admins} rowCount={list.rows.length}>
        <div role="rowgroup">
          <TableRow header columns={template} rowIndex={1}>
            <HeaderCell>{heads.admin}</HeaderCell>
            <HeaderCell>{heads.phone}</HeaderCell>
            <HeaderCell>{heads.password}</HeaderCell>
            <HeaderCell>{heads.since}</HeaderCell>
            {isMainAdmin && <HeaderCell align="right">{panel.list.actions}</HeaderCell>}
          </TableRow>
        </div>
        <div role="rowgroup">
          {list.rows.map((row, index) => (
            <AdminRow key={row.id} admin={row} rowIndex={index + 2} columns={template} onShow={setShown} />
          ))}
        </div>
      </DataTable>
      {admin && shown.kind === 'edit' && <AdminEditDialog admin={admin} onClose={close} />}
      {admin && shown.kind === 'delete' && <DeleteAdminDialog admin={admin} onClose={close} />}
    </>
  );
}

type RowProps = { admin: Member; rowIndex: number; columns: string; onShow: (shown: Shown) => void };

function AdminRow({ admin, rowIndex, columns, onShow }: RowProps) {
  const user = useUser();
  return (
    <TableRow columns={columns} rowIndex={rowIndex}>
      <TableCell>
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
      </TableCell>
      <TableCell>
        <span className="block truncate">{admin.phone || panel.list.dash}</span>
      </TableCell>
      <TableCell>
        {user.isMainAdmin && admin.hasIssuedPassword ? <AdminPassword admin={admin} /> : panel.list.dash}
      </TableCell>
      <TableCell>{date(admin.createdAt)}</TableCell>
      {user.isMainAdmin && (
        <TableCell numeric>
          <AdminActions admin={admin} onShow={onShow} />
        </TableCell>
      )}
    </TableRow>
  );
}

/** The main admin cannot be deleted (§main-admin). */
function AdminActions({ admin, onShow }: Pick<RowProps, 'admin' | 'onShow'>) {
  const { id } = admin;
  return (
    <span className="flex justify-end gap-0.5">
      <Tooltip text={words.edit}>
        <IconButton size="small" label={words.edit} onClick={() => onShow({ kind: 'edit', id })}>
          <PencilIcon />
        </IconButton>
      </Tooltip>
      {!admin.isMainAdmin && (
        <Tooltip text={words.delete}>
          <IconButton size="small" label={words.delete} onClick={() => onShow({ kind: 'delete', id })}>
            <TrashIcon />
          </IconButton>
        </Tooltip>
      )}
    </span>
  );
}

/** An admin may have only an email. */
const adminName = ({ fullName, email, phone }: Member): string => fullName || email || phone;

const adminRow = (id: number): StaffRow => ({
  list: listAllUsers,
  id,
  gone: panel.together.adminGone,
});

const hidden = '••••••••';

/** An admin's issued password, fetched only on request: every look is audited. */
function AdminPassword({ admin }: { admin: Member }) {
  const errorText = useErrorText();
  const [shown, setShown] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function reveal() {
    setBusy(true);
    try {
      const headers = { Prefer: 'secrets=plainPassword' };
      const member = await call(api.readMember, { params: { id: admin.id }, headers });
      acceptMember(member);
      setShown(member.plainPassword ?? undefined);
    } catch (error) {
      const row = adminRow(admin.id);
      const description = isGone(error) ? row.gone : errorText(error);
      toast({ tone: 'bad', title: panel.memberPanel.revealFailed, description });
      showOvertaken(row, error);
    }
    setBusy(false);
  }

  return (
    <span className="flex items-center gap-1">
      <span className={shown === undefined ? '' : 'truncate font-mono'}>{shown ?? hidden}</span>
      {shown !== undefined && <CopyButton text={shown} what={panel.settings.copyPassword} />}
      <Button
        look="quiet"
        size="small"
        className="px-2"
        busy={busy}
        onClick={() => (shown === undefined ? void reveal() : setShown(undefined))}
      >
        <span>
          {shown === undefined ? panel.list.show : panel.list.hide}
          <span className="sr-only">{panel.memberPanel.passwordHidden}</span>
        </span>
      </Button>
    </span>
  );
}

/** An empty password leaves it unchanged. */
const AdminEditForm = z.object({
  email: AdminUpdate.shape.email,
  password: z.union([z.literal(''), password], says('passwordTooShort')),
});

function AdminEditDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const [opened] = useState(() => ({ email: admin.email ?? '' }));
  const form = useContractForm(AdminEditForm, { defaultValues: { ...opened, password: '' } });
  const conflict = useEditConflict<{ email: string; password: string }>(form, opened, ({ email }) => ({
    email: String(email ?? ''),
  }));

  const submit = form.handleSubmit(async (typed) => {
    const body = {
      ...conflict.editOf(typed),
      ...(typed.password !== '' && { password: typed.password }),
    };
    if (Object.keys(body).length === 0) return onClose();
    setBusy(true);
    const result = await act(call(api.updateAdmin, { params: { id: admin.id }, body }), {
      done: { title: panel.toasts.success, description: words.updated(adminName(admin)) },
      failedTitle: panel.toasts.updateFailed,
      fallback: words.updateFailed,
      row: adminRow(admin.id),
    });
    setBusy(false);
    if (!result.ok) return conflict.takePresent(result.error) || showFormFailure(form, result.error);
    acceptMember(result.answer);
    onClose();
  });

  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open
      closeOnBackdrop={false}
      title={words.editTitle}
      description={adminName(admin)}
      closeLabel={en.shell.close}
      onClose={close}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {conflict.banner}
        <TextField
          {...form.field('email')}
          label={words.email}
          hint={conflict.note('email')}
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <PasswordField
          {...form.field('password')}
          label={words.password}
          hint={words.passwordHint}
          autoComplete="new-password"
          showLabel={en.session.showTyped}
          hideLabel={en.session.hideTyped}
        />
        <SaveActions busy={busy} onCancel={close} />
      </form>
    </Dialog>
  );
}

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
    <AskDialog
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
  const act = useStaffAction();
  const [busy, setBusy] = useState(false);
  const form = useContractForm(AdminCreation, {
    defaultValues: { email: '', password: '', fullName: '', phone: '' },
  });

  const submit = form.handleSubmit(async (body) => {
    setBusy(true);
    const result = await act(call(api.createAdmin, { body }), {
      done: { title: words.created, description: words.createdText(body.email) },
      failedTitle: panel.toasts.creationFailed,
      fallback: words.createFailed,
    });
    setBusy(false);
    if (!result.ok) return showFormFailure(form, result.error);
    addAccount(api.listAllUsers, result.answer.user);
    form.reset();
  });

  // Both fields can fail with the same sentence: show it once.
  const emailField = form.field('email');
  const passwordField = form.field('password');
  const passwordError = passwordField.error === emailField.error ? undefined : passwordField.error;

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3.5">
      <TextField
        {...emailField}
        dense
        label={words.email}
        type="email"
        inputMode="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField
        {...passwordField}
        error={passwordError}
        dense
        label={words.password}
        hint={en.session.passwordHint}
        autoComplete="new-password"
        showLabel={en.session.showTyped}
        hideLabel={en.session.hideTyped}
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
      <Button type="submit" size="small" className="self-start" busy={busy} busyLabel={panel.list.saving}>
        {words.submit}
      </Button>
    </form>
  );
}
