import { FileSpreadsheetIcon } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Reply } from '#contract/endpoint.ts';
import { home } from '#contract/wording/en-home.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { centavos, pesosText, sum } from '#domain/money.ts';
import type { PaymentChannel } from '#domain/payment.ts';
import type { StatementLine } from '#domain/statement.ts';
import { creditsOf, type StatementColumn, type StatementCredits } from '#domain/statement-file.ts';
import type { DayOrder } from '#domain/written-day.ts';
import { useErrorText } from '#web/lib/error-text.ts';
import { lender } from '#web/lib/lender.ts';
import { useMoneyCall } from '#web/lib/money-call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Warning } from '#web/panel/lib/details.tsx';
import { StopOr } from '#web/panel/lib/dialogs.tsx';
import { date, showPeso } from '#web/panel/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Dense } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import {
  keepReading,
  readingOf,
  readStatementFile,
  type StatementFile,
  type StatementReading,
  statementChannels,
} from './statement-file.ts';
import { type LookedLine, StatementMatches } from './statement-matches.tsx';

const words = panel.statement;

type Credit = StatementCredits['credits'][number];

/** A statement that was matched: the server's lines beside those of the file. */
type Matched = {
  id: number;
  channel: PaymentChannel;
  loans: Reply<typeof api.readStatement>['loans'];
  lines: (Credit & Reply<typeof api.readStatement>['lines'][number])[];
};

type DialogProps = {
  /** Must be stable. */
  onLook: (line: LookedLine) => void;
  onConfirmed: () => void;
  onClose: () => void;
};

/** Matches a statement of one of the lender's accounts, and confirms what is matched (§statements). */
export function StatementDialog({ onLook, onConfirmed, onClose }: DialogProps) {
  const { roles } = useUser();
  const [matched, setMatched] = useState<Matched>();
  return (
    <Dialog
      size="wide"
      title={words.title}
      description={words.text}
      closeLabel={home.shell.close}
      closeOnBackdrop={false}
      onClose={onClose}
    >
      <Dense value={true}>
        {!roles?.includes('cashier') ? (
          <Warning>{words.cashierMissing}</Warning>
        ) : matched ? (
          <StatementMatches
            statement={matched}
            onLook={onLook}
            onConfirmed={onConfirmed}
            onAnother={() => setMatched(undefined)}
            onClose={onClose}
          />
        ) : (
          <StatementForm onMatched={setMatched} onClose={onClose} />
        )}
      </Dense>
    </Dialog>
  );
}

type FormProps = { onMatched: (matched: Matched) => void; onClose: () => void };

function StatementForm({ onMatched, onClose }: FormProps) {
  const [file, setFile] = useState<StatementFile>();
  const [fault, setFault] = useState('');
  const [reading, setReading] = useState<StatementReading>({
    channel: firstChannel(),
    account: accountOf(firstChannel()),
  });
  const { stop, state, send } = useMoneyCall(api.readStatement);
  const [failure, setFailure] = useState('');
  const errorText = useErrorText();

  const change = (more: Partial<StatementReading>) => setReading((was) => ({ ...was, ...more }));

  async function choose(chosen: File | undefined) {
    setFile(undefined);
    setFault('');
    if (!chosen) return;
    const read = await readStatementFile(chosen);
    if (typeof read === 'string') setFault(read);
    else {
      setFile(read);
      change({ date: undefined, amount: undefined, reference: undefined, text: undefined, first: undefined });
      change(readingOf(read.head));
    }
  }

  const found = useMemo(() => file && readCredits(file, reading), [file, reading]);
  const credits = found?.credits ?? [];
  const isReady =
    credits.length > 0 &&
    credits.length <= limits.statementMaxLines &&
    reading.account.trim() !== '' &&
    (found?.order !== 'unknown' || reading.first !== undefined);

  // The columns are as last time, or found by their heads: one looks, and presses Enter.
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another file was read
  useEffect(() => {
    if (isReady)
      form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus({ preventScroll: true });
  }, [file]);

  async function match() {
    if (!file) return;
    setFailure('');
    keepReading(file.head, reading);
    const { channel, account } = reading;
    const lines = credits.map(({ amountCentavos, line: _, ...rest }) => ({
      ...rest,
      amount: pesosText(centavos(amountCentavos)),
    }));
    try {
      const { id, lines: matches, loans } = await send({ body: { channel, account, lines } });
      onMatched({
        id,
        channel,
        loans,
        lines: matches.flatMap((one, index) => (credits[index] ? [{ ...credits[index], ...one }] : [])),
      });
      void refreshReads(api.listAudit);
    } catch (error) {
      setFailure(errorText(error));
    }
  }

  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void match();
      }}
    >
      {failure && (
        <Banner tone="bad" role="alert" title={words.failedToMatch}>
          {failure}
        </Banner>
      )}
      <div className="grid grid-cols-3 items-start gap-4 max-[48rem]:grid-cols-1">
        <TextField
          data-autofocus
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          label={words.file}
          hint={words.fileHint}
          error={fault}
          prefix={
            <span className="absolute left-3.5 flex items-center gap-2.5 whitespace-nowrap font-semibold text-leaf">
              <FileSpreadsheetIcon /> {file?.name ?? words.choose}
            </span>
          }
          className="overflow-hidden text-transparent file:hidden"
          onKeyDown={(event) => {
            // Browsers differ in whether Enter opens a file field in a form.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            event.currentTarget.click();
          }}
          onChange={({ currentTarget: { files } }) => void choose(files?.[0])}
        />
        <SelectField
          label={words.channel}
          value={reading.channel}
          options={statementChannels.map((value) => ({ value, label: panel.servicing.channels[value] }))}
          onChange={({ currentTarget }) => {
            const channel = currentTarget.value as PaymentChannel;
            change({ channel, account: accountOf(channel) });
          }}
        />
        <TextField
          label={words.account}
          hint={words.accountHint}
          maxLength={limits.shortTextMaxLength}
          value={reading.account}
          onChange={({ currentTarget }) => change({ account: currentTarget.value })}
        />
      </div>
      {file && <Columns file={file} reading={reading} found={found} onChange={change} />}
      <DialogActions>
        <Button look="secondary" disabled={state === 'sending'} onClick={onClose}>
          {panel.list.cancel}
        </Button>
        <StopOr stop={stop}>
          <Button type="submit" busy={state === 'sending'} disabled={!isReady}>
            {words.match(credits.length)}
          </Button>
        </StopOr>
      </DialogActions>
    </form>
  );
}

const firstChannel = (): PaymentChannel =>
  lender().paymentAccounts?.find(({ channel }) => statementChannels.includes(channel))?.channel ??
  'bank_transfer';

/** Returns the number of the lender's account for a channel, or an empty text. */
const accountOf = (wanted: PaymentChannel): string =>
  lender().paymentAccounts?.find(({ channel }) => channel === wanted)?.accountNumber ?? '';

function readCredits({ records }: StatementFile, { date, amount, reference, text, first }: StatementReading) {
  return date === undefined || amount === undefined
    ? undefined
    : creditsOf(records, { date, amount, reference, text }, first);
}

type ColumnsProps = {
  file: StatementFile;
  reading: StatementReading;
  found: StatementCredits | undefined;
  onChange: (more: Partial<StatementReading>) => void;
};

const columnNames = ['date', 'amount', 'reference', 'text'] as const satisfies readonly StatementColumn[];

/** How many unread lines are named; the others are only counted. */
const linesNamed = 5;

function Columns({ file: { head }, reading, found, onChange }: ColumnsProps) {
  const choices = head.map((cell, index) => ({
    value: String(index),
    label: cell || words.nameless(index + 1),
  }));
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold">{words.columnsTitle}</legend>
      <p className="mb-3 text-14 text-ink-soft">{words.columnsText}</p>
      <div className="grid grid-cols-4 items-start gap-4 max-[48rem]:grid-cols-2">
        {columnNames.map((name) => (
          <SelectField
            key={name}
            label={words.columns[name]}
            hint={words.columnHints[name]}
            value={String(reading[name] ?? '')}
            options={[{ value: '', label: words.noColumn }, ...choices]}
            onChange={({ currentTarget: { value } }) =>
              onChange({ [name]: value === '' ? undefined : Number(value) })
            }
          />
        ))}
      </div>
      {found?.order === 'unknown' && (
        <SelectField
          fieldClassName="mt-4 max-w-84"
          label={words.order}
          hint={words.orderHint}
          value={reading.first ?? ''}
          options={[
            { value: '', label: words.orderUnknown },
            { value: 'day', label: words.orders.day },
            { value: 'month', label: words.orders.month },
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ first: value === '' ? undefined : (value as DayOrder) })
          }
        />
      )}
      {found && <Summary {...found} />}
    </fieldset>
  );
}

function Summary({ credits, debits, unread }: StatementCredits) {
  const days = credits.map((credit) => credit.date).sort();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const named = unread.slice(0, linesNamed);
  return (
    <div role="status" className="mt-4 text-14">
      {credits.length === 0 ? (
        <p className="text-warn">{words.noCredits}</p>
      ) : (
        <p className="font-semibold">
          {words.credits(credits.length, showPeso(sum(credits.map(amountOf))))}{' '}
          <span className="font-normal text-ink-soft">{words.span(date(from), date(to))}</span>
        </p>
      )}
      {credits.length > limits.statementMaxLines && (
        <p className="text-warn">{words.tooMany(limits.statementMaxLines)}</p>
      )}
      {debits > 0 && <p className="text-ink-soft">{words.debits(debits)}</p>}
      {unread.length > 0 && (
        <p className="text-ink-soft">{words.unread(named, unread.length - named.length)}</p>
      )}
      <ul className="mt-2 flex flex-col gap-1 text-ink-soft">
        {credits.slice(0, 3).map((credit) => (
          <li key={credit.line} className="truncate tabular-nums" translate="no">
            {[date(credit.date), showPeso(centavos(credit.amountCentavos)), credit.reference, credit.text]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

const amountOf = ({ amountCentavos }: StatementLine) => amountCentavos;
