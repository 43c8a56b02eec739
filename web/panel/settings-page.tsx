import { PencilIcon, ShieldOffIcon, Trash2Icon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as z from 'zod/mini';
import * as api from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { password, says } from '#contract/fields.ts';
import type { Member } from '#contract/member.ts';
import type { User } from '#contract/profile.ts';
import { loanAccountPath } from '#contract/routes.ts';
import { AdminCreation, AdminUpdate, type AllowedIp, AllowedIpForm } from '#contract/staff.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { type StaffRole, staffRoles } from '#domain/member.ts';
import { call } from '#web/lib/call.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { inputOf } from '#web/lib/profile-fields.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { PanelLink } from '#web/panel/lib/details.tsx';
import { FormDialog, RemoveDialog } from '#web/panel/lib/dialogs.tsx';
import { FormField } from '#web/panel/lib/form-field.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { columnsOf } from '#web/panel/lib/list-table.tsx';
import { useMessageChannels } from '#web/panel/lib/message-channels.ts';
import { ReadAt } from '#web/panel/lib/read-at.tsx';
import { RowActions } from '#web/panel/lib/row-action.tsx';
import { SecretButtons, useSecret } from '#web/panel/lib/secret.tsx';
import { adminRow, useStaffForm } from '#web/panel/lib/staff-action.ts';
import { UnreadList } from '#web/panel/lib/staff-list.tsx';
import { acceptMember, addAccount, useFailureToast, useStaffRows } from '#web/panel/lib/staff-rows.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CellLines, ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { PanelTitle } from './lib/panel-title.tsx';

const MessageSettings = lazyPart(() => import('./message-settings.tsx'), 'MessageSettings');
const OwnSecondStep = lazyPart(() => import('./second-step.tsx'), 'OwnSecondStep');

const words = panel.settings;
const allowedIps = panel.allowedIps;

/** Admin accounts and, for the main admin, adding them and the allow-list (§main-admin). */
export default function SettingsPage() {
  const { isMainAdmin } = useUser();
  const installation = useRead(api.readInstallation, { enabled: isMainAdmin, anew: true }).data;
  const { setUp } = useMessageChannels();
  usePageTitle(words.title);
  return (
    <>
      <PanelTitle className="mb-4">{words.title}</PanelTitle>
      <div className="flex max-w-360 flex-col gap-8">
        {/* While there is still time to correct the clock. */}
        {installation?.isErasingPaused && (
          <Banner tone="warn" role="status" title={words.erasingPausedTitle}>
            {words.erasingPausedText}
          </Banner>
        )}
        <Part title={panel.secondStep.title} text={panel.secondStep.text}>
          {/* Its height is there before it is: the buttons below must not move away from a pointer. */}
          <div className="min-h-18">
            <OwnSecondStep />
          </div>
        </Part>
        <Part title={words.admins} text={words.adminsText}>
          <AdminList />
        </Part>
        <ClosedAccounts />
        {isMainAdmin && (
          <div className="grid grid-cols-[minmax(16rem,2fr)_minmax(0,5fr)] items-start gap-6">
            <Part title={words.add} text={words.addText}>
              <Card>
                <AddAdminForm />
              </Card>
            </Part>
            <Part title={allowedIps.title} text={allowedIps.text}>
              <Card>
                <AddIpForm />
              </Card>
              {/* The addresses seen are a proxy's. */}
              {installation?.unnamedProxy && (
                <Banner tone="warn" role="status" className="mb-4" title={allowedIps.proxyTitle}>
                  {allowedIps.proxyText(installation.unnamedProxy)}
                </Banner>
              )}
              <AllowedIps />
            </Part>
          </div>
        )}
        {(isMainAdmin || setUp.length > 0) && (
          <Part title={panel.messages.settings.title} text={panel.messages.settings.text}>
            <MessageSettings />
          </Part>
        )}
      </div>
    </>
  );
}

type PartProps = { title: string; text: string; action?: ReactNode; children: ReactNode };

/** A part is no region: named 'Allowed IP Addresses' it would be mistaken for the 'IP address' field. */
function Part({ title, text, action, children }: PartProps) {
  return (
    <section className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-end justify-between gap-x-4">
        <div className="flex flex-col gap-1.5">
          <h2 className="font-heading text-20 font-bold">{title}</h2>
          <p className="text-14 text-ink-soft">{text}</p>
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

/** Deleted members with money left or owed (§closed-accounts); nothing where there are none. */
function ClosedAccounts() {
  const query = useRead(api.listClosedAccounts, { anew: true });
  const { title, text, failed } = panel.closedAccounts;
  if (!query.data?.accounts.length && !query.isError) return null;
  return (
    <Part {...{ title, text }} action={<ReadAt query={query} reads={[api.listClosedAccounts]} />}>
      <QueryStates query={query} framed failedTitle={failed} skeleton={null}>
        {({ accounts }) => <ShortTable label={title} columns={closedColumns} rows={accounts} />}
      </QueryStates>
    </Part>
  );
}

type Closed = Reply<typeof api.listClosedAccounts>['accounts'][number];

const closedColumns: readonly ShortTableColumn<Closed>[] = columnsOf(panel.closedAccounts.columns, {
  account: {
    width: 'minmax(11rem, 2fr)',
    cell: ({ fullName, userId }) => (
      <span className="block truncate">{fullName ?? panel.closedAccounts.erased(userId)}</span>
    ),
  },
  loans: {
    width: 'minmax(9rem, 2fr)',
    cell: ({ loans }) => (
      <span className="flex flex-wrap gap-x-3">
        {loans.map(({ loanId, loanNumber, credit }) => (
          <span key={loanId} className="inline-flex flex-wrap gap-x-1.5">
            <PanelLink href={loanAccountPath(loanId)}>{loanNumber}</PanelLink>
            {credit !== '0.00' && panel.closedAccounts.credit(showPeso(credit))}
          </span>
        ))}
      </span>
    ),
  },
  wallet: { width: '9rem', numeric: true, cell: ({ balance }) => showPeso(balance) },
  owed: { width: '9rem', numeric: true, cell: ({ owed }) => showPeso(owed) },
  closed: { width: '7rem', cell: ({ closedAt }) => date(closedAt) },
});

type Shown = { kind: 'edit' | 'delete' | 'reset'; id: number };

/** Admin accounts; only the main admin sees passwords and makes changes (§main-admin). */
function AdminList() {
  const user = useUser();
  const query = { role: 'admin' };
  const list = useStaffRows(api.listAllUsers, { query, failure: panel.toasts.admins, anew: false });
  const [shown, setShown] = useState<Shown>();
  if (!list.data) return <UnreadList read={list} rows={3} />;
  if (list.data.length === 0) return <EmptyState title={words.none} />;

  const admin = shown && list.data.find(({ id }) => id === shown.id);
  const close = () => setShown(undefined);
  return (
    <>
      <ShortTable label={words.admins} columns={adminColumns(user, setShown)} rows={list.data} />
      <FourEyes admins={list.data} />
      {admin && shown.kind === 'edit' && <AdminEditDialog admin={admin} onClose={close} />}
      {admin && shown.kind === 'reset' && (
        <RemoveDialog
          title={words.secondStepResetTitle(adminName(admin))}
          text={words.secondStepResetText}
          confirmLabel={words.secondStepReset}
          send={() => call(api.resetSecondStep, { params: { id: admin.id } })}
          done={words.secondStepResetDone(adminName(admin))}
          onAnswered={list.refetch}
          onClose={close}
        />
      )}
      {admin && shown.kind === 'delete' && (
        <RemoveDialog
          title={words.deleteTitle(adminName(admin))}
          text={words.deleteText}
          confirmLabel={panel.list.delete}
          send={() => call(api.deleteUser, { params: { id: admin.id } })}
          done={words.deleted(adminName(admin))}
          {...words.deleteFailure}
          row={adminRow(admin.id)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Says whether what takes two people waits for a second one (§four-eyes). */
function FourEyes({ admins }: { admins: readonly Member[] }) {
  const words = panel.roles;
  const names = admins
    .filter(({ status, roles }) => status !== 'suspended' && roles?.includes('approver'))
    .map(adminName);
  const isAlone = names.length < 2;
  const title = isAlone ? words.oneTitle(names.join()) : words.twoTitle(names.length, names.join(', '));
  return (
    <Banner tone={isAlone ? 'warn' : 'info'} title={title}>
      {isAlone ? words.oneText : words.twoText}
    </Banner>
  );
}

function adminColumns(user: User, onShow: (shown: Shown) => void): readonly ShortTableColumn<Member>[] {
  const { isMainAdmin } = user;
  const columns = columnsOf<ShortTableColumn<Member>, typeof words.columns>(words.columns, {
    admin: {
      width: 'minmax(11rem, 3fr)',
      cell: (admin) => (
        <span className="flex items-center gap-2.5">
          <span className="min-w-0 py-1">
            <CellLines main={adminName(admin)} note={admin.email ?? undefined} />
            <span className="block whitespace-normal text-12 text-warn empty:hidden">
              {rolesText(admin.roles ?? [])}
            </span>
            {isMainAdmin && admin.secondStep && (
              <span className="block text-12 text-ink-soft">{words.secondStepOn}</span>
            )}
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
    phone: {
      width: 'minmax(7rem, 1fr)',
      cell: ({ phone }) => <span className="block truncate">{phone || panel.list.dash}</span>,
    },
    password: {
      width: isMainAdmin ? 'minmax(12rem, 2fr)' : 'minmax(8rem, 1fr)',
      cell: (admin) =>
        isMainAdmin && admin.hasIssuedPassword ? <AdminPassword admin={admin} /> : panel.list.dash,
    },
    since: { width: '7rem', cell: ({ createdAt }) => date(createdAt) },
    actions: {
      width: '7.25rem',
      numeric: true,
      cell: ({ id, isMainAdmin: isMain, secondStep }) => {
        const to = (kind: Shown['kind']) => ({ onPress: () => onShow({ kind, id }) });
        const reset = { label: words.secondStepReset, Icon: ShieldOffIcon, ...to('reset') };
        const edit = { label: panel.list.edit, Icon: PencilIcon, ...to('edit') };
        const remove = { label: panel.list.delete, Icon: Trash2Icon, ...to('delete') };
        // The main admin cannot be deleted (§main-admin).
        return (
          <RowActions actions={[!isMain && secondStep !== undefined && reset, edit, !isMain && remove]} />
        );
      },
    },
  });
  return isMainAdmin ? columns : columns.filter(({ id }) => id !== 'actions');
}

/** Undefined for staff with every role, as most have. */
function rolesText(roles: readonly string[]): string | undefined {
  const { names, may, none } = panel.roles;
  const given = staffRoles.filter((role) => roles.includes(role)).map((role) => names[role]);
  if (given.length === staffRoles.length) return undefined;
  return given.length === 0 ? none : may(given.join(', '));
}

/** An admin may have only an email. */
const adminName = ({ fullName, email, phone }: Member): string => fullName || email || phone;

function AdminPassword({ admin }: { admin: Member }) {
  const secret = useSecret(adminRow(admin.id), 'plainPassword');
  return (
    <span className="flex items-center gap-1">
      <span translate="no" className={secret.value === undefined ? '' : 'truncate font-mono'}>
        {secret.value ?? '••••••••'}
      </span>
      <SecretButtons what={words.copyPassword} of={panel.memberPanel.password.of} secret={secret} />
    </span>
  );
}

const passwordField = {
  kind: 'password',
  label: words.columns.password,
  autoComplete: 'new-password',
} as const;

/** An empty password leaves it unchanged. */
const AdminEditForm = z.object({
  email: AdminUpdate.shape.email,
  password: z.union([z.literal(''), password], says('passwordTooShort')),
});

function AdminEditDialog({ admin, onClose }: { admin: Member; onClose: () => void }) {
  const opened = { email: admin.email ?? '' };
  const hadRoles = staffRoles.filter((role) => admin.roles?.includes(role));
  const [roles, setRoles] = useState(hadRoles);
  const form = useStaffForm(AdminEditForm, {
    values: { ...opened, password: '' },
    fields: {
      email: { ...inputOf.email, label: panel.members.columns.email, isFirst: true },
      password: { ...passwordField, hint: words.passwordHint },
    },
    edited: { opened, read: ({ email }) => ({ email: String(email ?? '') }) },
    send: ({ password }, edit) => {
      const otherRoles = roles.join() !== hadRoles.join() && { roles };
      const body = { ...edit, ...(password && { password }), ...otherRoles };
      if (Object.keys(body).length === 0) return undefined;
      return call(api.updateAdmin, { params: { id: admin.id }, body }).then(acceptMember);
    },
    done: words.updated(adminName(admin)),
    failedTitle: panel.toasts.updateFailed,
    fallback: words.updateFailed,
    row: adminRow(admin.id),
    onSaved: onClose,
    onUnchanged: onClose,
  });

  return (
    <FormDialog title={words.editTitle} description={adminName(admin)} form={form} onClose={onClose}>
      {form.fields}
      {!admin.isMainAdmin && <RolesField roles={roles} onChange={setRoles} />}
    </FormDialog>
  );
}

function RolesField({ roles, onChange }: { roles: StaffRole[]; onChange: (roles: StaffRole[]) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-14 font-semibold">{panel.roles.title}</legend>
      <div className="flex flex-col gap-1">
        {staffRoles.map((role) => (
          <label key={role} className="flex min-h-8 items-center gap-2.5 text-14">
            <input
              type="checkbox"
              className="size-4.5 shrink-0 accent-leaf"
              checked={roles.includes(role)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(staffRoles.filter((other) => (other === role ? checked : roles.includes(other))))
              }
            />
            <span>
              {panel.roles.names[role]}
              <span className="text-ink-soft"> {panel.roles.notes[role]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** For the main admin only (§main-admin). */
function AddAdminForm() {
  const [roles, setRoles] = useState([...staffRoles]);
  const form = useStaffForm(AdminCreation, {
    values: { email: '', password: '', fullName: '', phone: '' },
    fields: {
      fullName: { label: words.fullName, aside: panel.list.optional, autoCapitalize: 'words' },
      phone: { label: panel.memberForm.phone, aside: panel.list.optional, type: 'tel' },
    },
    send: (body) => call(api.createAdmin, { body: { ...body, roles } }),
    done: (_, { email }) => ({ title: words.created, description: words.createdText(email) }),
    failedTitle: panel.toasts.creationFailed,
    fallback: words.createFailed,
    onSaved: ({ user }) => {
      addAccount(api.listAllUsers, user);
      form.reset();
      setRoles([...staffRoles]);
    },
  });

  // Both fields can fail with the same sentence: show it once.
  const passwordError = form.errorOf('password');
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-3.5">
      <FormField {...inputOf.email} form={form} name="email" label={panel.members.columns.email} />
      <FormField
        form={form}
        name="password"
        {...passwordField}
        hint={home.session.passwordHint}
        error={passwordError === form.errorOf('email') ? undefined : passwordError}
      />
      {form.fields}
      <RolesField roles={roles} onChange={setRoles} />
      <Button type="submit" className="self-start" busy={form.busy} busyLabel={panel.list.saving}>
        {words.submit}
      </Button>
    </form>
  );
}

/** The addresses staff may use the panel from; an empty list allows all (§allow-list). */
function AllowedIps() {
  const read = useRead(api.listAllowedIps);
  useFailureToast(read, panel.toasts.allowedIps, { yields: true });
  const [removing, setRemoving] = useState<AllowedIp>();
  const entries = read.data;
  if (!entries) return <UnreadList read={read} rows={2} />;
  if (entries.length === 0) return <EmptyState title={allowedIps.none}>{allowedIps.noneText}</EmptyState>;
  return (
    <>
      <ShortTable label={allowedIps.table} columns={entryColumns(setRemoving)} rows={entries} />
      {removing && (
        <RemoveDialog
          title={allowedIps.removeTitle(removing.ipAddress)}
          text={entries.length === 1 ? allowedIps.removeLastText : allowedIps.removeText}
          confirmLabel={allowedIps.remove}
          send={() => call(api.removeAllowedIp, { params: { id: removing.id } })}
          done={{ title: allowedIps.removed, description: allowedIps.removedText(removing.ipAddress) }}
          {...allowedIps.removeFailure}
          // After a failure too: somebody else may have changed the list.
          onAnswered={() => refreshReads(api.listAllowedIps)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

const entryColumns = (onRemove: (entry: AllowedIp) => void): readonly ShortTableColumn<AllowedIp>[] =>
  columnsOf(allowedIps.columns, {
    address: {
      width: 'minmax(11rem, 2fr)',
      cell: ({ ipAddress, coversCaller }) => (
        <span className="flex flex-wrap items-center gap-x-2 py-1">
          <span className="font-semibold">{ipAddress}</span>
          {coversCaller && (
            <StatusChip tone="good" dot={false}>
              {allowedIps.yours}
            </StatusChip>
          )}
        </span>
      ),
    },
    description: {
      width: 'minmax(8rem, 3fr)',
      cell: ({ description }) => (
        <span className="block whitespace-normal wrap-anywhere py-1">{description ?? panel.list.dash}</span>
      ),
    },
    since: { width: '7rem', cell: ({ createdAt }) => date(createdAt) },
    actions: {
      width: '3.5rem',
      head: <span className="sr-only">{panel.list.actions}</span>,
      numeric: true,
      cell: (entry) => (
        <RowActions
          actions={[{ label: allowedIps.remove, Icon: Trash2Icon, onPress: () => onRemove(entry) }]}
        />
      ),
    },
  });

/** Allows an address or range; the first one adds the caller's own too (§allow-list). */
function AddIpForm() {
  const form = useStaffForm(AllowedIpForm, {
    values: { ipAddress: '', description: '' },
    fields: {
      ipAddress: { ...allowedIps.address, spellCheck: false, fieldClassName: 'min-w-0 flex-1' },
      description: { label: allowedIps.columns.description, fieldClassName: 'min-w-0 flex-1' },
    },
    send: (body) => call(api.addAllowedIp, { body }),
    done: (added) => ({ title: allowedIps.added, description: allowedIps.addedText(added.ipAddress) }),
    ...allowedIps.addFailure,
    onSaved: () => {
      form.reset();
      // Refetched rather than appended: the caller's own address may have been added with it.
      void refreshReads(api.listAllowedIps);
    },
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex items-start gap-3">
      {form.fields}
      <Button type="submit" className="mt-6.5 shrink-0" busy={form.busy} busyLabel={panel.list.saving}>
        {allowedIps.submit}
      </Button>
    </form>
  );
}
