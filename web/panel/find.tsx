import { SearchIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import type { Found } from '#contract/collection.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { addressOf } from '#web/lib/call.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { showPeso } from '#web/lib/format.ts';
import { loanStatusTone, loanStatusWord } from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { memberName } from './lib/list-view.ts';

const words = panel.find;

const FindKeys = ({ className }: { className: string }) => (
  <span
    aria-hidden="true"
    className={`rounded-small border border-current/30 px-1.5 font-sans text-12 whitespace-nowrap ${className}`}
  >
    {words.keys}
  </span>
);

/**
 * Opens the search from the sidebar, and on Ctrl+K from anywhere but another dialog, where
 * something may have been typed.
 */
export function FindButton({ className }: { className: string }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K" className={className} onClick={() => setOpen(true)}>
        <span className="flex items-center gap-2">
          <SearchIcon className="size-4" />
          {words.title}
        </span>
        <FindKeys className="" />
      </button>
      {isOpen && (
        <Dialog title={words.title} closeLabel={home.shell.close} onClose={() => setOpen(false)}>
          <FindBox onGone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

const findDebounceMs = 200;

type Result = { href: string; main: string; note: string; aside: ReactNode };

const results = ({ members, loans, payments }: Found): [string, Result[]][] => [
  [
    panel.titles.members,
    members.map(({ id, fullName, phone, oldNumber }) => ({
      href: addressOf(paths.members, {}, { search: phone, open: id }),
      main: memberName({ fullName, phone }),
      note: [phone, oldNumber].filter(Boolean).join(' · '),
      aside: null,
    })),
  ],
  [
    words.loans,
    loans.map(({ id, loanNumber, oldNumber, status, amount, fullName }) => ({
      href: loanStatusFacts(status).isApproved
        ? loanAccountPath(id)
        : addressOf(paths.borrowing, {}, { search: loanNumber, open: id }),
      main: fullName || loanNumber,
      note: [loanNumber, oldNumber, showPeso(amount)].filter(Boolean).join(' · '),
      aside: <StatusChip tone={loanStatusTone(status)}>{loanStatusWord(status, home.loanStatus)}</StatusChip>,
    })),
  ],
  [
    panel.titles.payments,
    payments.map(({ id, loanNumber, receiptNumber, reference, amount }) => ({
      href: addressOf(paths.payments, {}, { search: receiptNumber ?? reference ?? loanNumber, open: id }),
      main: receiptNumber ?? words.noReceipt,
      note: [loanNumber, reference].filter(Boolean).join(' · '),
      aside: <span className="font-semibold tabular-nums">{showPeso(amount)}</span>,
    })),
  ],
];

/**
 * Members, loans and payments as one types; the arrow keys walk through them, and Enter goes to the first or to the chosen
 * one. Over the page, or within the dialog that `onGone` closes.
 */
export function FindBox({ onGone }: { onGone?: () => void }) {
  const [typed, setTyped] = useState('');
  const errorText = useErrorText();
  const box = useRef<HTMLElement>(null);
  const wantsFirst = useRef(false);
  const wanted = typed.trim();
  const search = useDebounced(wanted, findDebounceMs);
  const query = useRead(api.find, { query: { search }, enabled: search.length > 1, anew: true });
  const isSettled = search === wanted && !query.isFetching;
  const found = search === wanted ? query.data : undefined;

  useEffect(() => {
    if (!isSettled || !wantsFirst.current) return;
    wantsFirst.current = false;
    box.current?.querySelector('a')?.click();
  }, [isSettled]);

  function stateText(): string {
    if (wanted.length < 2) return words.short;
    if (!isSettled) return panel.list.searching;
    if (query.error) return `${words.failed}: ${errorText(query.error)}`;
    const count = found ? found.members.length + found.loans.length + found.payments.length : 0;
    return count === 0 ? words.none : words.results(count);
  }

  function onKeyDown(event: KeyboardEvent) {
    const places = [...(box.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const at = places.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      event.preventDefault();
      if (isSettled) box.current?.querySelector('a')?.click();
      else wantsFirst.current = wanted !== '';
    } else if (event.key === 'Escape' && typed) {
      // The browser would only empty the field.
      event.preventDefault();
      setTyped('');
      places[0]?.focus();
      onGone?.();
    }
  }

  return (
    <search ref={box} className="relative block" onKeyDown={onKeyDown}>
      <TextField
        type="search"
        label={words.box}
        labelHidden
        placeholder={onGone ? words.hint : words.box}
        prefix={<SearchIcon />}
        trailing={!onGone && <FindKeys className="-ml-10 mr-2" />}
        spellCheck={false}
        data-autofocus
        value={typed}
        onChange={(event) => {
          wantsFirst.current = false;
          setTyped(event.currentTarget.value);
        }}
      />
      {(wanted !== '' || onGone) && (
        <div
          className={
            onGone
              ? '-mx-2 mt-2 min-h-72'
              : 'absolute inset-x-0 top-full z-20 mt-1.5 max-h-[70dvh] overflow-y-auto rounded-card border border-line bg-card p-2 shadow-soft'
          }
        >
          <p role="status" className="px-2 py-1 text-12 text-ink-soft">
            {stateText()}
          </p>
          {found && <Results found={found} onGone={onGone} />}
        </div>
      )}
    </search>
  );
}

const Results = ({ found, onGone }: { found: Found; onGone: (() => void) | undefined }) =>
  results(found).map(
    ([title, rows]) =>
      rows.length > 0 && (
        <section key={title} aria-label={title}>
          <h3 className="px-2 pb-1 pt-2 text-12 font-semibold text-ink-soft">{title}</h3>
          <ul>
            {rows.map(({ href, main, note, aside }) => (
              <li key={href}>
                <Link
                  href={href}
                  onClick={onGone}
                  className="flex items-center justify-between gap-3 rounded-small px-2 py-1.5 text-14 hover:bg-leaf-tint focus-visible:bg-leaf-tint"
                >
                  <span className="min-w-0">
                    <CellLines main={main} note={note} />
                  </span>
                  <span className="shrink-0">{aside}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ),
  );
