// biome-ignore-all lint/a11y/useSemanticElements: the rows are those of ui's table, which is made of roles
import { useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf } from '#web/lib/format.ts';
import { ListBroken, ListShape } from '#web/lib/list-states.tsx';
import { useUser } from '#web/lib/session.tsx';
import { useStaffRows } from '#web/lib/staff-rows.ts';
import { IconButton } from '#web/ui/button.tsx';
import { CellLines, DataTable, HeaderCell, TableCell, TableRow } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PencilIcon, TrashIcon } from '#web/ui/icons.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { AdminEditDialog } from './admin-edit-dialog.tsx';
import { AdminPassword } from './admin-password.tsx';
import { adminName } from './admin-rules.ts';
import { DeleteAdminDialog } from './delete-admin-dialog.tsx';

const words = panel.settings;
const { date } = formatsOf('en');
const columns = 'minmax(11rem, 3fr) minmax(7rem, 1fr) minmax(12rem, 2fr) 7rem 5rem';
const columnsToRead = 'minmax(11rem, 3fr) minmax(7rem, 1fr) minmax(8rem, 1fr) 7rem';

type Shown = { kind: 'edit' | 'delete'; id: number };

/** The admin accounts; only the main admin sees passwords and changes anything (spec section 6). */
export function AdminList() {
  const { isMainAdmin } = useUser();
  const list = useStaffRows(api.listAllUsers, { query: { role: 'admin' }, failure: panel.toasts.admins });
  const [shown, setShown] = useState<Shown>();
  if (!list.rows) return list.error ? <ListBroken list={list} /> : <ListShape rows={3} />;
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

/** The main admin cannot be deleted (contract section 6, Main admin). */
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
