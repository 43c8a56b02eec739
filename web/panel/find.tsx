import { PhoneIcon, SearchIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import type { Collection, Found } from '#contract/collection.ts';
import { loanAccountPath, paths } from '#contract/routes.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { loanStatusFacts } from '#domain/loan.ts';
import { foldText } from '#domain/text.ts';
import { addressOf } from '#web/lib/call.ts';
import { useDebounced } from '#web/lib/debounced.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { showPeso } from '#web/lib/format.ts';
import { loanStatusTone, loanStatusWord } from '#web/lib/loan-status.ts';
import { useRead } from '#web/lib/query.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { dateTime } from './lib/format.ts';
import { memberName } from './lib/list-view.ts';
import { places } from './lib/panel-frame.tsx';

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

type Verb = keyof typeof words.verbs;

type Result = {
  href: string;
  main: string;
  note: string;
  aside?: ReactNode;
  /** The number to call; absent while the borrower may not be called. */
  phone?: string | null;
};

/** Splits what is typed into a verb and what to search for: `pay 0917…` looks for the number. */
function readVerb(typed: string): { verb: Verb | undefined; search: string } {
  const [, verb, search = ''] = /^(pay|payoff|release|open)\s+(.*)$/i.exec(typed) ?? [];
  return verb
    ? { verb: verb.toLowerCase() as Verb, search: search.trim() }
    : { verb: undefined, search: typed };
}

/** The work for which the server looks: of those alone it answers the first few. */
const workOf = { pay: 'payment', payoff: 'payment', release: 'release', open: undefined } as const;

const isCallNext = (typed: string) => /^call(\s+next)?$/i.test(typed);

const Money = ({ text, isBad = false }: { text: string; isBad?: boolean }) => (
  <span className={`block text-12 font-semibold tabular-nums ${isBad ? 'text-bad' : 'text-ink-soft'}`}>
    {text}
  </span>
);

const dueText = (dueNow: string) => (Number(dueNow) > 0 ? words.due(showPeso(dueNow)) : words.nothingDue);

type FoundLoan = Found['loans'][number];

const loanNote = ({ loanNumber, oldNumber, amount }: FoundLoan) =>
  [loanNumber, oldNumber, showPeso(amount)].filter(Boolean).join(' · ');

const Due = ({ dueNow, daysPastDue }: Pick<FoundLoan, 'dueNow' | 'daysPastDue'>) =>
  dueNow !== null && (
    <Money
      isBad={daysPastDue > 0}
      text={[dueText(dueNow), daysPastDue > 0 && words.daysLate(daysPastDue)].filter(Boolean).join(', ')}
    />
  );

/** The result that a loan is under each verb, with a link to the work; undefined if the verb is not for this loan. */
const loansFor: Record<
  Exclude<Verb, 'open'>,
  (loan: FoundLoan) => Omit<Result, 'main' | 'note'> | undefined
> = {
  pay: (loan) =>
    loan.payoff === null
      ? undefined
      : {
          href: addressOf(paths.takePayment, {}, { loan: loan.id }),
          aside: <Due {...loan} />,
          phone: loan.phone,
        },
  payoff: (loan) =>
    loan.payoff === null
      ? undefined
      : {
          href: loanAccountPath(loan.id),
          aside: (
            <>
              <Money text={words.paysOff(showPeso(loan.payoff))} />
              <Due {...loan} />
            </>
          ),
          phone: loan.phone,
        },
  release: (loan) =>
    loan.dueNow === null && loanStatusFacts(loan.status).isPayable
      ? { href: `${loanAccountPath(loan.id)}?step=release` }
      : undefined,
};

/** Parts of pages that one looks for by their own names. */
const partsOfPages: readonly (readonly [href: string, title: string])[] = [
  [paths.takePayment, panel.drawer.title],
  [paths.payments, panel.statement.open],
  [addressOf(paths.borrowing, {}, { status: 'pending' }), panel.loans.counters.decide],
  [addressOf(paths.borrowing, {}, { status: '!release' }), panel.loans.counters.release],
  [addressOf(paths.reports, {}, { show: 'day' }), words.dayReport],
  [addressOf(paths.reports, {}, { show: 'portfolio' }), panel.reports.kinds.portfolio],
  [addressOf(paths.reports, {}, { show: 'journal' }), panel.reports.kinds.journal],
  [paths.month, panel.reports.kinds.month],
];

/** The pages and their parts of whose names a word begins like this, those first whose name does. */
function pageResults(search: string): Result[] {
  const wanted = foldText(search);
  const found = [...places, ...partsOfPages].flatMap(([href, main]) => {
    const title = foldText(main);
    const isFound = title.split(' ').some((word) => word.startsWith(wanted)) || title.startsWith(wanted);
    return isFound ? [{ href, main, note: '', isFirst: title.startsWith(wanted) }] : [];
  });
  return found.toSorted((one, other) => Number(other.isFirst) - Number(one.isFirst));
}

type Section = readonly [title: string, results: Result[]];

/** Puts what was found under its headings, in their order. With a verb, only the loans that it is for are left. */
function sectionsOf({ members, loans, payments }: Found, verb: Verb | undefined, search: string): Section[] {
  if (verb && verb !== 'open') {
    const found = loans.flatMap((loan): Result[] => {
      const does = loansFor[verb](loan);
      return does ? [{ main: loan.fullName || loan.loanNumber, note: loanNote(loan), ...does }] : [];
    });
    return [[words.verbs[verb], found]];
  }
  return [
    [
      panel.titles.members,
      members.map(({ id, fullName, phone, oldNumber, dueNow }) => ({
        href: addressOf(paths.members, {}, { search: phone, open: id }),
        main: memberName({ fullName, phone }),
        note: [phone, oldNumber].filter(Boolean).join(' · '),
        aside: dueNow !== null && <Money text={dueText(dueNow)} />,
      })),
    ],
    [
      words.loans,
      loans.map((loan) => ({
        href: loanStatusFacts(loan.status).isApproved
          ? loanAccountPath(loan.id)
          : addressOf(paths.borrowing, {}, { search: loan.loanNumber, open: loan.id }),
        main: loan.fullName || loan.loanNumber,
        note: loanNote(loan),
        aside: (
          <>
            <StatusChip tone={loanStatusTone(loan.status)}>
              {loanStatusWord(loan.status, home.loanStatus)}
            </StatusChip>
            <Due {...loan} />
          </>
        ),
        phone: loan.phone,
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
    [words.pages, pageResults(search)],
  ];
}

const nextResult = ({ loanId, loanNumber, phone, fullName, dueNow, daysPastDue }: Collection): Result => ({
  href: addressOf(paths.collections, {}, { open: loanId }),
  main: memberName({ fullName, phone }),
  note: loanNumber,
  aside: <Due dueNow={dueNow} daysPastDue={daysPastDue} />,
  phone,
});

/**
 * Finds members, loans, payments and pages as one types, or after a verb the loans that it is for. The arrow keys walk through
 * the results; Enter opens the chosen one, or the first. The results lie over the page, or in the dialog that `onGone` closes.
 */
export function FindBox({ onGone }: { onGone?: () => void }) {
  const [typed, setTyped] = useState('');
  const errorText = useErrorText();
  const box = useRef<HTMLElement>(null);
  const wantsFirst = useRef(false);
  const isNext = isCallNext(typed.trim());
  const { verb, search: wanted } = readVerb(typed.trim());
  const search = useDebounced(wanted, findDebounceMs);
  const work = verb && workOf[verb];
  const query = useRead(api.find, {
    query: work ? { search, for: work } : { search },
    enabled: search.length > 1 && !isNext,
    anew: true,
  });
  const next = useRead(api.readNextCall, { enabled: isNext, anew: true });
  const { error, isFetching } = isNext ? next : query;
  const isSettled = (isNext || search === wanted) && !isFetching;
  const sections: readonly Section[] = isNext
    ? [[words.next, next.data?.next ? [nextResult(next.data.next)] : []]]
    : search === wanted && query.data
      ? sectionsOf(query.data, verb, wanted)
      : [];

  useEffect(() => {
    if (!isSettled || !wantsFirst.current) return;
    wantsFirst.current = false;
    box.current?.querySelector<HTMLElement>('a[data-result]')?.click();
  }, [isSettled]);

  function stateText(): string {
    if (wanted.length < 2) return words.short;
    if (!isSettled) return panel.list.searching;
    if (error) return `${words.failed}: ${errorText(error)}`;
    const count = sections.reduce((sum, [, results]) => sum + results.length, 0);
    if (count > 0) return words.results(count);
    if (!isNext) return words.none;
    const from = next.data?.from;
    return from ? words.nobodyYet(dateTime(from)) : words.nobodyToCall;
  }

  function onKeyDown(event: KeyboardEvent) {
    const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, a[data-result]') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus();
    } else if (event.key === 'Enter' && at === 0) {
      event.preventDefault();
      if (isSettled) box.current?.querySelector<HTMLElement>('a[data-result]')?.click();
      else wantsFirst.current = wanted !== '';
    } else if (event.key === 'Escape' && typed) {
      // The browser would only empty the field.
      event.preventDefault();
      setTyped('');
      stops[0]?.focus();
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
      {(typed.trim() !== '' || onGone) && (
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
          {typed.trim() === '' && <Examples />}
          <Results sections={sections} onGone={onGone} />
        </div>
      )}
    </search>
  );
}

const Examples = () => (
  <ul className="px-2 pt-2 text-14 text-ink-soft">
    {words.examples.map(([verb, what, does]) => (
      <li key={verb} className="grid grid-cols-[13rem_1fr] py-1">
        <span>
          <b className="font-semibold text-ink">{verb}</b> {what}
        </span>
        {does}
      </li>
    ))}
  </ul>
);

type ResultsProps = { sections: readonly Section[]; onGone: (() => void) | undefined };

const Results = ({ sections, onGone }: ResultsProps) =>
  sections.map(
    ([title, results]) =>
      results.length > 0 && (
        <section key={title} aria-label={title}>
          <h3 className="px-2 pb-1 pt-2 text-12 font-semibold text-ink-soft">{title}</h3>
          <ul>
            {results.map(({ href, main, note, aside, phone }) => (
              <li key={`${href} ${main}`} className="flex items-center gap-1">
                <Link
                  href={href}
                  onClick={onGone}
                  data-result
                  className="flex min-w-0 flex-1 items-center justify-between gap-3 rounded-small px-2 py-1.5 text-14 hover:bg-leaf-tint focus-visible:bg-leaf-tint"
                >
                  <span className="min-w-0">
                    <CellLines main={main} note={note || undefined} />
                  </span>
                  <span className="flex shrink-0 flex-col items-end">{aside}</span>
                </Link>
                {phone && (
                  // A button: the results are the only links.
                  <Button
                    look="quiet"
                    size="small"
                    icon={<PhoneIcon className="size-4" />}
                    onClick={() => location.assign(`tel:${phone.replace(/[^+\d]/g, '')}`)}
                  >
                    {words.call(phone)}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      ),
  );
