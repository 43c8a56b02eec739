import { type ReactNode, useEffect, useRef } from 'react';
import { panel } from '#contract/wording/panel.ts';
import { usePageTitle } from '#web/lib/page-title.ts';
import { Button } from '#web/ui/button.tsx';
import { Figures } from '#web/ui/data-table.tsx';
import { DownloadIcon, SearchIcon } from '#web/ui/icons.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showCount } from './show-count.ts';
import type { TableState, useTableState } from './table-state.ts';

export type Choice = { value: string; label: string };

export type Figure = { id: string; value: number | undefined; label: string };

type HeadProps = {
  title: string;
  figures: readonly Figure[];
  onExport: () => void;
  exporting: 'making' | 'waiting' | undefined;
  exportDisabled: boolean;
  children?: ReactNode;
};

export function ListHead({ title, figures, onExport, exporting, exportDisabled, children }: HeadProps) {
  usePageTitle(title);
  return (
    <>
      <div className="@container flex items-start justify-between gap-4">
        <h1 className="font-heading text-32 font-bold tracking-[-0.01em]">{title}</h1>
        <div className="flex gap-3 whitespace-nowrap">
          <Button
            look="secondary"
            size="small"
            icon={<DownloadIcon className="size-4 @max-[30rem]:hidden" />}
            busy={exporting !== undefined}
            busyLabel={exporting === 'waiting' ? panel.list.exportWaits : undefined}
            disabled={exportDisabled}
            onClick={onExport}
          >
            {panel.list.export}
          </Button>
          {children}
        </div>
      </div>
      <div className={figures.length === 0 ? 'mb-4' : 'mb-4 mt-1.5 min-h-12'}>
        <Figures
          figures={figures.map(({ id, value, label }) => ({
            id,
            label,
            value: value === undefined ? panel.list.dash : showCount(value),
          }))}
        />
      </div>
    </>
  );
}

type BarProps = {
  state: TableState & Pick<ReturnType<typeof useTableState>, 'show' | 'type'>;
  searchLabel: string;
  statusLabel: string;
  allLabel: string;
  statuses: readonly Choice[];
};

export function ListBar({ state, searchLabel, statusLabel, allLabel, statuses }: BarProps) {
  const known = state.status === '' || statuses.some(({ value }) => value === state.status);
  return (
    <div className="mb-3 flex gap-2.5">
      <SearchBox label={searchLabel} value={state.search} onType={state.type} />
      <SelectField
        dense
        label={statusLabel}
        labelHidden
        fieldClassName="w-40 shrink-0"
        value={state.status}
        onChange={(event) => state.show({ status: event.currentTarget.value })}
      >
        <option value="">{allLabel}</option>
        {statuses.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {!known && <option value={state.status}>{state.status}</option>}
      </SelectField>
    </div>
  );
}

function SearchBox({
  label,
  value,
  onType,
}: {
  label: string;
  value: string;
  onType: (search: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useSlashFocus(input);

  return (
    <TextField
      ref={input}
      dense
      type="search"
      label={label}
      labelHidden
      placeholder={label}
      fieldClassName="min-w-0 flex-1"
      prefix={<SearchIcon />}
      trailing={
        <span
          aria-hidden="true"
          className="mr-2 rounded-small border border-line px-2 font-sans text-12 text-ink-soft"
        >
          /
        </span>
      }
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onType(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return;
        event.preventDefault();
        onType('');
      }}
    />
  );
}

/** '/' focuses the search, unless somebody is typing or a dialog is open. */
function useSlashFocus(input: { current: HTMLInputElement | null }) {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      const { activeElement } = document;
      if (activeElement?.closest('input, textarea, select, [contenteditable], dialog')) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [input]);
}
