import { useEffect, useMemo, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { loanAccountPath } from '#contract/routes.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { centavos } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import type { StatementLine, StatementMatch } from '#domain/statement.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { useUser } from '#web/lib/session.tsx';
import { Warning } from '#web/panel/lib/details.tsx';
import { StopOr } from '#web/panel/lib/dialogs.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { refreshWork } from '#web/panel/lib/staff-rows.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines, Figures, ShortTable, type ShortTableColumn } from '#web/ui/data-table.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';

const words = panel.statement;

type Line = StatementLine & { line: number } & Reply<typeof api.readStatement>['lines'][number];
type Outcome = Reply<typeof api.confirmStatement>[number];

/** Matched lines come first, because they are confirmed here. */
const inOrder: readonly StatementMatch[] = ['matched', 'perhaps', 'known', 'unknown'];

/** How many more rows each press shows. */
const rowsShown = 100;

type Statement = {
  id: number;
  channel: PaymentChannel;
  lines: readonly Line[];
  loans: Reply<typeof api.readStatement>['loans'];
};

/** A line that is perhaps a payment, which somebody looks at. `onDone` says what came of it. */
export type LookedLine = StatementLine &
  Pick<Line, 'loanId' | 'paymentId'> & {
    channel: PaymentChannel;
    onDone: (status: 'confirmed' | 'waiting') => void;
  };

type Props = {
  statement: Statement;
  /** Must be stable. */
  onLook: (line: LookedLine) => void;
  /** Called after a failure too. */
  onConfirmed: () => void;
  onAnother: () => void;
  onClose: () => void;
};

/** Shows the match of each line of a statement, and confirms the lines that are matched. */
export function StatementMatches({ statement, onLook, onConfirmed, onAnother, onClose }: Props) {
  const { id, channel, lines, loans } = statement;
  const [only, setOnly] = useState<StatementMatch>();
  const [shown, setShown] = useState(rowsShown);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<number, Outcome>>(new Map());
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const [failure, setFailure] = useState('');
  const { stop, send } = useMoneyCall(api.confirmStatement);
  const errorText = useErrorText();
  const { roles } = useUser();

  const toConfirm = lines.filter(
    ({ n, match, code }) => match === 'matched' && code === undefined && !outcomes.has(n),
  );
  const byId = useMemo(() => new Map(loans.map((loan) => [loan.id, loan])), [loans]);
  const columns = useMemo(() => {
    const look = (line: Line) =>
      onLook({
        ...line,
        channel,
        onDone: (status) => setOutcomes((was) => new Map([...was, [line.n, { n: line.n, status }] as const])),
      });
    return columnsOf({ outcomes, byId, onLook: look });
  }, [outcomes, byId, channel, onLook]);
  const wanted = lines.filter(({ match }) => only === undefined || match === only);

  // The file's form had the focus, and is gone.
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const buttons = actions.current?.querySelectorAll<HTMLElement>('button:enabled') ?? [];
    [...buttons].at(-1)?.focus({ preventScroll: true });
  }, []);

  async function confirm() {
    setFailure('');
    const all = toConfirm.map(({ n }) => n);
    try {
      for (let start = 0; start < all.length; start += limits.statementConfirmLines) {
        setProgress({ done: start, of: all.length });
        const some = all.slice(start, start + limits.statementConfirmLines);
        const answers = await send({ params: { id }, body: { lines: some } });
        setOutcomes((was) => new Map([...was, ...answers.map((answer) => [answer.n, answer] as const)]));
      }
    } catch (error) {
      setFailure(errorText(error));
    }
    setProgress(undefined);
    refreshWork();
    onConfirmed();
  }

  return (
    <div className="flex flex-col gap-4">
      <Figures
        figures={inOrder.map((match) => ({
          label: words.matches[match],
          value: lines.filter((line) => line.match === match).length.toLocaleString('en'),
          filter: {
            isOn: only === match,
            onPress: () => {
              setOnly(only === match ? undefined : match);
              setShown(rowsShown);
            },
          },
        }))}
      />
      {!roles?.includes('approver') && <Warning>{words.approverMissing}</Warning>}
      {failure && (
        <Banner tone="bad" role="alert" title={words.stopped}>
          {failure} {words.stoppedText}
        </Banner>
      )}
      {wanted.length === 0 ? (
        <p className="text-14 text-ink-soft">{words.none}</p>
      ) : (
        <ShortTable
          label={words.title}
          columns={columns}
          rows={wanted.slice(0, shown).map((line) => ({ ...line, id: line.n }))}
        />
      )}
      {wanted.length > shown && (
        <Button look="secondary" className="self-start" onClick={() => setShown(shown + rowsShown)}>
          {words.more(Math.min(rowsShown, wanted.length - shown))}
        </Button>
      )}
      <p className="text-14 text-ink-soft">{words.confirmText}</p>
      <div role="status">
        {progress && (
          <>
            <ProgressBar max={progress.of} value={progress.done} aria-label={words.progressLabel} />
            <p className="mt-1.5 text-14 tabular-nums">{words.progress(progress.done, progress.of)}</p>
          </>
        )}
        {!progress && outcomes.size > 0 && <p className="font-semibold">{sumsOf([...outcomes.values()])}</p>}
      </div>
      <div ref={actions} className="contents">
        <DialogActions>
          <Button look="secondary" disabled={progress !== undefined} onClick={onAnother}>
            {words.another}
          </Button>
          <StopOr stop={stop}>
            {toConfirm.length === 0 && outcomes.size > 0 ? (
              <Button onClick={onClose}>{words.done}</Button>
            ) : (
              <Button
                busy={progress !== undefined}
                disabled={toConfirm.length === 0}
                onClick={() => void confirm()}
              >
                {words.confirm(toConfirm.length)}
              </Button>
            )}
          </StopOr>
        </DialogActions>
      </div>
    </div>
  );
}

const sumsOf = (outcomes: readonly Outcome[]): string =>
  (['confirmed', 'waiting', 'known', 'refused'] as const)
    .map((status) => [status, outcomes.filter((one) => one.status === status).length] as const)
    .flatMap(([status, count]) => (count > 0 ? [words.sums[status](count)] : []))
    .join(' · ');

type RowFacts = {
  outcomes: ReadonlyMap<number, Outcome>;
  byId: ReadonlyMap<number, Statement['loans'][number]>;
  onLook: (line: Line) => void;
};

const columnsOf = ({ outcomes, byId, onLook }: RowFacts): readonly ShortTableColumn<Line>[] => [
  { id: 'line', head: words.heads.line, numeric: true, width: '3.5rem', cell: ({ line }) => line },
  { id: 'date', head: words.heads.date, width: '7rem', cell: (line) => date(line.date) },
  {
    id: 'amount',
    head: words.heads.amount,
    numeric: true,
    width: '8.5rem',
    cell: ({ amountCentavos }) => <span className="font-semibold">{showPeso(centavos(amountCentavos))}</span>,
  },
  {
    id: 'reference',
    head: words.heads.reference,
    width: 'minmax(10rem,1fr)',
    cell: ({ reference, text }) => (
      <div translate="no" title={text}>
        <CellLines main={reference || panel.list.dash} note={text} />
      </div>
    ),
  },
  {
    id: 'match',
    head: words.heads.match,
    width: '14rem',
    cell: (line) => <Match line={line} outcome={outcomes.get(line.n)} onLook={onLook} />,
  },
  {
    id: 'account',
    head: words.heads.next,
    width: '11rem',
    // The account opens in another tab: this one has the lines that are still to be seen to.
    cell: ({ loanId }) =>
      loanId !== undefined && (
        <span className="flex min-w-0 flex-col" translate="no">
          <a
            href={loanAccountPath(loanId)}
            target="_blank"
            rel="noopener"
            className="font-semibold text-leaf underline underline-offset-2"
          >
            {byId.get(loanId)?.loanNumber ?? panel.servicing.openAccount}
          </a>
          <bdi className="truncate text-12 text-ink-soft">{byId.get(loanId)?.fullName}</bdi>
        </span>
      ),
  },
];

type MatchProps = { line: Line; outcome: Outcome | undefined; onLook: (line: Line) => void };

function Match({ line, outcome, onLook }: MatchProps) {
  const { match, code, paymentId } = line;
  const found = match === 'matched' ? (paymentId === undefined ? 'loan' : 'payment') : undefined;
  const note = outcome ? refusalOf(outcome) : (code ?? found ?? (match === 'known' ? 'known' : undefined));
  return (
    <span className="flex flex-col items-start gap-0.5 py-1.5 whitespace-normal">
      {outcome ? (
        <StatusChip tone={tones.statementOutcome[outcome.status]}>
          {words.outcomes[outcome.status]}
        </StatusChip>
      ) : (
        <StatusChip tone={tones.statement[match]}>{words.matches[match]}</StatusChip>
      )}
      {note && (
        <span className="text-12 text-ink-soft">
          {outcome ? note : words.notes[note as keyof typeof words.notes]}
        </span>
      )}
      {!outcome && match === 'perhaps' && line.loanId !== undefined && (
        <Button look="secondary" size="small" onClick={() => onLook(line)}>
          {words.look}
        </Button>
      )}
    </span>
  );
}

/** Says why a line was refused; undefined if it was not. */
function refusalOf({ status, code = '' }: Outcome): string | undefined {
  if (status !== 'refused') return undefined;
  const sentences: Readonly<Record<string, string>> = words.refusals;
  return sentences[code] ?? words.otherRefusal;
}
