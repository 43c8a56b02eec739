import { useState } from 'react';
import * as api from '#contract/api.ts';
import { type AllowedIp, AllowedIpForm } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { formatsOf } from '#web/lib/format.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TrashIcon } from '#web/ui/icons.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ConfirmDialog } from './lib/dialogs.tsx';
import { RowAction } from './lib/row-action.tsx';
import { useStaffAction, useStaffForm } from './lib/staff-action.ts';
import { UnreadList } from './lib/staff-list.tsx';
import { useFailureToast } from './lib/staff-rows.ts';

const words = panel.allowedIps;
const { date } = formatsOf('en');

/** The addresses staff may use the panel from; an empty list allows all (§allow-list). */
export function AllowedIps() {
  return (
    <>
      <UnnamedProxy />
      <Entries />
    </>
  );
}

/** Warns that the addresses seen are a proxy's. Says nothing while that is unknown. */
function UnnamedProxy() {
  const address = useRead(api.readInstallation).data?.unnamedProxy;
  if (!address) return null;
  return (
    <Banner tone="warn" role="status" className="mb-4" title={words.proxyTitle}>
      {words.proxyText(address)}
    </Banner>
  );
}

function Entries() {
  const read = useRead(api.listAllowedIps);
  useFailureToast(read.error, read.errorUpdatedAt, panel.toasts.allowedIps, { yields: true });
  const [removing, setRemoving] = useState<AllowedIp>();
  const entries = read.data;
  if (!entries) {
    const { error, isFetching, refetch } = read;
    return <UnreadList read={{ error, isReading: isFetching, readAgain: () => void refetch() }} rows={2} />;
  }
  if (entries.length === 0) return <EmptyState title={words.none}>{words.noneText}</EmptyState>;
  return (
    <>
      <ShortTable label={words.table} columns={entryColumns(setRemoving)} rows={entries} />
      {removing && (
        <RemoveDialog entry={removing} isLast={entries.length === 1} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
}

const entryColumns = (onRemove: (entry: AllowedIp) => void): readonly ShortTableColumn<AllowedIp>[] => [
  {
    id: 'address',
    head: words.columns.address,
    width: 'minmax(11rem, 2fr)',
    cell: ({ ipAddress, coversCaller }) => (
      <span className="flex flex-wrap items-center gap-x-2 py-1">
        <span className="font-semibold">{ipAddress}</span>
        {coversCaller && (
          <StatusChip tone="good" dot={false}>
            {words.yours}
          </StatusChip>
        )}
      </span>
    ),
  },
  {
    id: 'description',
    head: words.columns.description,
    width: 'minmax(8rem, 3fr)',
    cell: ({ description }) => (
      <span className="block whitespace-normal wrap-anywhere py-1">{description ?? panel.list.dash}</span>
    ),
  },
  {
    id: 'since',
    head: words.columns.since,
    width: '7rem',
    cell: ({ createdAt }) => date(createdAt),
  },
  {
    id: 'actions',
    head: <span className="sr-only">{panel.list.actions}</span>,
    width: '3.5rem',
    numeric: true,
    cell: (entry) => (
      <RowAction label={words.remove} onPress={() => onRemove(entry)}>
        <TrashIcon />
      </RowAction>
    ),
  },
];

type RemoveProps = { entry: AllowedIp; isLast: boolean; onClose: () => void };

function RemoveDialog({ entry, isLast, onClose }: RemoveProps) {
  const act = useStaffAction();
  async function remove() {
    await act(call(api.removeAllowedIp, { params: { id: entry.id } }), {
      done: { title: words.removed, description: words.removedText(entry.ipAddress) },
      failedTitle: words.removeFailedTitle,
      fallback: words.removeFailed,
    });
    // Also after a failure: somebody else may have changed the list.
    await refreshReads(api.listAllowedIps);
  }
  return (
    <ConfirmDialog
      title={words.removeTitle(entry.ipAddress)}
      text={isLast ? words.removeLastText : words.removeText}
      confirmLabel={words.remove}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

/** Allows an address or range; the first one adds the caller's own too (§allow-list). */
export function AddIpForm() {
  const form = useStaffForm(AllowedIpForm, { ipAddress: '', description: '' });

  const submit = form.handleSubmit(async (body) => {
    const result = await form.save(call(api.addAllowedIp, { body }), {
      done: (added) => ({ title: words.added, description: words.addedText(added.ipAddress) }),
      failedTitle: words.addFailedTitle,
      fallback: words.addFailed,
    });
    if (!result.ok) return;
    form.reset();
    // Refetched rather than appended: the caller's own address may have been added with it.
    void refreshReads(api.listAllowedIps);
  });

  return (
    <form noValidate onSubmit={submit} className="flex items-start gap-3">
      <TextField
        {...form.field('ipAddress')}
        dense
        label={words.address}
        hint={words.addressHint}
        autoComplete="off"
        spellCheck={false}
        fieldClassName="min-w-0 flex-1"
      />
      <TextField
        {...form.field('description')}
        dense
        label={words.description}
        autoComplete="off"
        fieldClassName="min-w-0 flex-1"
      />
      <Button
        type="submit"
        size="small"
        className="mt-6.5 shrink-0"
        busy={form.busy}
        busyLabel={panel.list.saving}
      >
        {words.submit}
      </Button>
    </form>
  );
}
