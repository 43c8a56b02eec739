import { SearchIcon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Found } from '#contract/collection.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useRead } from '#web/lib/query.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { showPeso } from './format.ts';

const words = panel.takePayment;

const findDebounceMs = 150;

type FoundLoan = Found['loans'][number];

/** The choice folds the results away, so that the payment stands below the field. */
type SearchProps = { isChosen: boolean; onChoose: (loanId: number | undefined) => void };

/** Loans that are paid back: what is due on each decides which one a member pays. */
export function LoanSearch({ isChosen, onChoose }: SearchProps) {
  const [typed, setTyped] = useState('');
  const box = useRef<HTMLElement>(null);
  const wantsOne = useRef(false);
  const errorText = useErrorText();
  const wanted = typed.trim();
  const search = useDebounced(wanted, findDebounceMs);
  const query = useRead(api.find, {
    query: { search, for: 'payment' },
    enabled: search.length > 1,
    anew: true,
  });
  const isSettled = search === wanted && !query.isFetching;
  const loans = search === wanted ? (query.data?.loans ?? []).filter(({ dueNow }) => dueNow !== null) : [];

  useEffect(() => box.current?.querySelector('input')?.focus(), []);

  const choose = (found: readonly FoundLoan[]) => {
    const [first] = found;
    if (first && found.length === 1) onChoose(first.id);
    else box.current?.querySelector('button')?.focus();
  };

  // A scanner sends Enter before the server has answered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a search matters
  useEffect(() => {
    if (!isSettled || !wantsOne.current) return;
    wantsOne.current = false;
    choose(loans);
  }, [isSettled]);

  function onKeyDown(event: KeyboardEvent) {
    const places = [...(box.current?.querySelectorAll<HTMLElement>('input, button') ?? [])];
    const at = places.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      event.preventDefault();
      if (isSettled) choose(loans);
      else wantsOne.current = wanted !== '';
    }
  }

  function stateText(): string {
    if (wanted.length < 2) return words.short;
    if (!isSettled) return panel.list.searching;
    if (query.error) return `${words.failed}: ${errorText(query.error)}`;
    if (loans.length === 0) return words.none;
    return loans.length === 1 ? words.one : words.several(loans.length);
  }

  return (
    <search ref={box} onKeyDown={onKeyDown}>
      <TextField
        type="search"
        label={words.search}
        hint={isChosen ? undefined : words.searchHint}
        prefix={<SearchIcon />}
        data-page-focus
        spellCheck={false}
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          wantsOne.current = false;
          setTyped(event.currentTarget.value);
          onChoose(undefined);
        }}
      />
      {wanted !== '' && !isChosen && (
        <p role="status" className="pt-2 text-12 text-ink-soft">
          {stateText()}
        </p>
      )}
      <ul className="pt-1.5">
        {(isChosen ? [] : loans).map((loan) => (
          <li key={loan.id}>
            <button
              type="button"
              className="flex w-full items-center justify-between gap-3 rounded-small px-2 py-1.5 text-left text-14 hover:bg-leaf-tint focus-visible:bg-leaf-tint"
              onClick={() => onChoose(loan.id)}
            >
              <span className="min-w-0">
                <CellLines
                  main={loan.fullName || loan.loanNumber}
                  note={[loan.borrowerPhone, loan.loanNumber, loan.oldNumber].filter(Boolean).join(' · ')}
                />
              </span>
              <span className="shrink-0 font-semibold tabular-nums">
                {loan.dueNow === '0.00' ? words.nothingDue : words.due(showPeso(loan.dueNow ?? '0'))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </search>
  );
}
