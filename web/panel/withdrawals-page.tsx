import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { StaffWithdrawal, WithdrawalHold } from '#contract/staff-withdrawal.ts';
import { home } from '#contract/wording/en-home.ts';
import { wallet } from '#contract/wording/en-wallet.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { groupAccountNumber, maskAccountNumber } from '#domain/member.ts';
import {
  bankMatchesProfile,
  isFinalWithdrawal,
  type WithdrawalStatus,
  withdrawalStatuses,
} from '#domain/withdrawal.ts';
import { fetchReply } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { DownloadButton } from '#web/lib/download-button.tsx';
import { sendMoney } from '#web/lib/money-call.ts';
import { refreshReads, useRead } from '#web/lib/query.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DayFilters, dayFilter, oneOf } from './lib/address-filters.tsx';
import { Warning } from './lib/details.tsx';
import { ConfirmDialog, FormDialog, StopOr } from './lib/dialogs.tsx';
import { ChangedMeanwhile } from './lib/edit-conflict.tsx';
import { dateTime, showPeso } from './lib/format.ts';
import { amountColumn, borrowerColumn, columnsOf, dayColumn } from './lib/list-table.tsx';
import { borrowerName, type ListDefinition, personTexts, useListView } from './lib/list-view.ts';
import { RowButton, useRowWork, workOnRow } from './lib/row-action.tsx';
import { CopyButton } from './lib/secret.tsx';
import { useStaffAction, withdrawalRow } from './lib/staff-action.ts';
import { StaffList } from './lib/staff-list.tsx';
import { acceptWithdrawal, useMemberRow, useStaffRows, useStats } from './lib/staff-rows.ts';

const words = panel.withdrawals;
const { columns: heads } = words;

const withdrawalStatusWord = (status: WithdrawalStatus): string => wallet.withdrawal.statuses[status];

const filterReadings = { completedOn: dayFilter };

/** The withdrawal list. Its details are a dialog; the open one is in the URL. */
export default function WithdrawalsPage() {
  const view = useListView(filterReadings);
  const { completedOn } = view.filters;
  const read = useStaffRows(api.listWithdrawals, {
    failure: panel.toasts.withdrawals,
    query: view.filters,
    narrowed: { search: view.search, status: oneOf(withdrawalStatuses)(view.status) ?? '' },
  });
  const stats = useStats().withdrawals;
  const move = useMoveWithdrawal();
  const typedReferences = useRef(new Map<number, string>());
  const [asked, setAsked] = useState<Asked>();
  const { show } = view;
  const actions = useMemo<Actions>(
    () => ({ onDetails: (id) => show({ open: id }), onAsk: (kind, id) => setAsked({ kind, id }) }),
    [show],
  );
  const rowOf = (id: number | undefined) => read.data?.find((row) => row.id === id);
  const opened = rowOf(view.open);
  const withdrawal = rowOf(asked?.id);
  const close = () => setAsked(undefined);
  return (
    <>
      <StaffList
        {...{ words, view, read, actions }}
        list={withdrawalList}
        counts={
          stats && !completedOn ? { ...stats, tosend: stats.pending, completed: stats.processed } : undefined
        }
        button={
          completedOn && (
            <DownloadButton
              look="secondary"
              fileName={`sent-${completedOn}.csv`}
              fetchFile={() =>
                fetchReply(api.listWithdrawals, { query: { completedOn }, headers: { Accept: 'text/csv' } })
              }
            >
              {words.sentList}
            </DownloadButton>
          )
        }
        csv={{ name: 'withdrawals', columns: withdrawalCsv }}
      >
        <DayFilters view={view} labels={{ completedOn: words.sentOn }} />
      </StaffList>
      {opened && (
        <WithdrawalDetailsDialog
          key={opened.id}
          withdrawal={opened}
          onClose={() => show({ open: undefined })}
        />
      )}
      {withdrawal && asked?.kind === 'approve' && (
        <ApproveDialog
          withdrawal={withdrawal}
          reference={typedReferences.current.get(withdrawal.id) ?? ''}
          onApprove={(reference) => {
            typedReferences.current.set(withdrawal.id, reference);
            void move(withdrawal, 'approve', reference);
          }}
          onClose={close}
        />
      )}
      {withdrawal && asked?.kind === 'reject' && <RejectDialog withdrawal={withdrawal} onClose={close} />}
    </>
  );
}

type Asked = { kind: 'approve' | 'reject'; id: number };
type Actions = { onDetails: (id: number) => void; onAsk: (kind: Asked['kind'], id: number) => void };

export const withdrawalList: ListDefinition<StaffWithdrawal, Actions> = {
  searchTexts: ({ withdrawalNumber, user, bankName }) => personTexts(user).concat(withdrawalNumber, bankName),
  choices: [
    { value: 'tosend', label: words.figures.tosend, fits: ({ status }) => !isFinalWithdrawal(status) },
    ...withdrawalStatuses.map((value) => ({ value, label: withdrawalStatusWord(value) })),
    { value: 'alone', label: words.releasedAloneFilter, fits: ({ isReleasedAlone }) => isReleasedAlone },
  ],
  columns: columnsOf(heads, {
    member: borrowerColumn({ widthPx: 140, wantPx: 184, grow: 3 }),
    number: {
      size: { widthPx: 138, grow: 1, rank: 3 },
      sortValue: ({ withdrawalNumber }) => withdrawalNumber,
    },
    amount: amountColumn('amount', { widthPx: 128, grow: 1 }),
    bank: {
      size: { widthPx: 126, grow: 2, rank: 2 },
      sortValue: ({ bankName }) => bankName,
      cell: ({ bankName, bankAccountNumber }) => (
        <CellLines main={bankName} note={shortAccount(bankAccountNumber)} />
      ),
    },
    status: {
      size: { widthPx: 124 },
      sortValue: ({ status }) => status,
      cell: ({ status, isReleasedAlone }) => (
        <>
          <StatusChip tone={tones.withdrawal[status]}>{withdrawalStatusWord(status)}</StatusChip>
          {isReleasedAlone && <span className="block text-12 text-warn">{panel.loanAccount.onePerson}</span>}
        </>
      ),
    },
    requested: dayColumn('createdAt', { widthPx: 112, rank: 4 }),
    processed: dayColumn('processedAt', { widthPx: 112, rank: 5 }),
    actions: {
      size: { widthPx: 282 },
      numeric: true,
      cell: (withdrawal, actions) => <WithdrawalRowActions withdrawal={withdrawal} {...actions} />,
    },
  }),
};

/** Buttons with words, not icons: two of the actions cannot be undone. */
function WithdrawalRowActions({ withdrawal, onDetails, onAsk }: Actions & { withdrawal: StaffWithdrawal }) {
  const { id, status } = withdrawal;
  const work = useRowWork(withdrawalRow(id));
  return (
    <span className="flex justify-end gap-1.5">
      {status === 'approved' && (
        <RowButton
          busy={work !== undefined}
          busyLabel={work?.stop && panel.list.checking}
          onClick={() => onAsk('approve', id)}
        >
          {words.approve}
        </RowButton>
      )}
      {work?.stop ? (
        <RowButton look="secondary" onClick={work.stop}>
          {panel.list.stopWaiting}
        </RowButton>
      ) : (
        <>
          {status === 'approved' && (
            <RowButton look="danger" disabled={work !== undefined} onClick={() => onAsk('reject', id)}>
              {words.reject}
            </RowButton>
          )}
          <RowButton look="quiet" onClick={() => onDetails(id)}>
            {panel.list.details}
          </RowButton>
        </>
      )}
      <span role="status" className="sr-only">
        {work?.stop && home.shell.checking}
      </span>
    </span>
  );
}

/** Account numbers as in the list: the last four digits only. */
export const withdrawalCsv: readonly CsvColumn<StaffWithdrawal>[] = [
  { head: heads.number, value: ({ withdrawalNumber }) => withdrawalNumber },
  { head: heads.member, value: borrowerName },
  { head: heads.phone, value: ({ user }) => user.phone },
  { head: heads.amount, value: ({ amount }) => amount },
  { head: heads.bank, value: ({ bankName }) => bankName },
  { head: heads.account, value: ({ bankAccountNumber }) => shortAccount(bankAccountNumber) },
  { head: heads.status, value: ({ status }) => withdrawalStatusWord(status) },
  { head: heads.requested, value: ({ createdAt }) => dateTime(createdAt) },
  { head: heads.processed, value: ({ processedAt }) => processedAt && dateTime(processedAt) },
];

type DialogProps = { withdrawal: StaffWithdrawal; onClose: () => void };

/** Shows what staff need to decide on a withdrawal, with the buttons to do so (§withdrawal-transitions). */
function WithdrawalDetailsDialog({ withdrawal, onClose }: DialogProps) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  const [rejecting, setRejecting] = useState(false);
  const { status } = withdrawal;
  const isFinal = isFinalWithdrawal(status);
  const hold = useHold(withdrawal);
  const isOwnRequest = !isFinal && hold.data?.isOwnRequest === true;
  const [isRefused, setRefused] = useState(false);
  const settled = (done: boolean) => (done ? onClose() : setRefused(true));
  const busy = work !== undefined;
  const to = status === 'approved' ? 'approve' : 'process';
  const [reference, setReference] = useState('');
  // A stored reference cannot be changed.
  const takesReference = status === 'completed' ? withdrawal.bankReference === null : !isFinal;
  const close = () => {
    work?.stop?.();
    if (!busy || work.stop) onClose();
  };
  return (
    <Dialog title={words.detailsTitle} closeLabel={home.shell.close} onClose={close}>
      {isRefused && isFinal && (
        <div className="mb-3">
          <ChangedMeanwhile>{panel.conflict.withdrawalNow(withdrawalStatusWord(status))}</ChangedMeanwhile>
        </div>
      )}
      <Facts withdrawal={withdrawal} />
      <div className="mt-3 flex flex-col gap-3 empty:hidden">
        {isOwnRequest && <Warning>{hold.data?.isOwnAccount ? words.ownAccount : words.ownRequest}</Warning>}
        {status === 'pending' && !isOwnRequest && <Warning>{words.pendingNote}</Warning>}
        {withdrawal.isReleasedAlone && <Warning>{words.releasedAloneNote}</Warning>}
      </div>
      {!isFinal && <AccountCheck withdrawal={withdrawal} />}
      <WithdrawalChanges hold={hold} />
      {takesReference && (
        <form
          className="mt-4 flex items-start gap-2.5 *:first:flex-1"
          onSubmit={async (event) => {
            event.preventDefault();
            if (isFinal && reference.trim()) await move(withdrawal, 'reference', reference.trim());
          }}
        >
          <ReferenceField value={reference} onType={setReference} />
          {isFinal && (
            <Button type="submit" look="secondary" className="mt-7" busy={busy}>
              {words.saveReference}
            </Button>
          )}
        </form>
      )}
      <p role="status" className="mt-3 text-14 text-ink-soft empty:hidden">
        {work?.stop && home.shell.checking}
      </p>
      {!isFinal && (
        <DialogActions>
          <StopOr stop={work?.stop}>
            <Button look="danger" disabled={busy} onClick={() => setRejecting(true)}>
              {words.reject}
            </Button>
          </StopOr>
          <Button
            busy={busy}
            disabled={isOwnRequest}
            onClick={async () => settled(await move(withdrawal, to, reference.trim()))}
          >
            {words[to]}
          </Button>
        </DialogActions>
      )}
      {rejecting && (
        <RejectDialog withdrawal={withdrawal} onAnswered={settled} onClose={() => setRejecting(false)} />
      )}
    </Dialog>
  );
}

const useHold = ({ id }: StaffWithdrawal) => useRead(api.readWithdrawalHold, { params: { id }, anew: true });

function Facts({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const { status, user } = withdrawal;
  return (
    <DefinitionRows
      ruled
      size={14}
      rows={[
        { term: heads.amount, value: showPeso(withdrawal.amount), strong: true },
        { term: words.number, value: withdrawal.withdrawalNumber },
        { term: heads.member, value: borrowerName(withdrawal) },
        {
          term: heads.phone,
          value: (
            <span className="-my-1.5 -mr-1.5 inline-flex items-center gap-1">
              {user.phone}
              <CopyButton text={user.phone} what={panel.memberForm.phone} />
            </span>
          ),
        },
        { term: words.bankName, value: withdrawal.bankName },
        { term: words.account, value: <Account number={withdrawal.bankAccountNumber} /> },
        {
          term: heads.status,
          value: <StatusChip tone={tones.withdrawal[status]}>{withdrawalStatusWord(status)}</StatusChip>,
        },
        { term: words.reference.label, value: withdrawal.bankReference },
        { term: heads.requested, value: dateTime(withdrawal.createdAt) },
        { term: heads.processed, value: withdrawal.processedAt && dateTime(withdrawal.processedAt) },
      ]}
    />
  );
}

/** The account the money goes to. It can be copied while hidden. */
function Account({ number }: { number: string }) {
  const [shown, setShown] = useState(false);
  return (
    <span className="-my-1.5 -mr-1.5 inline-flex flex-wrap items-center justify-end gap-1">
      {shown ? groupAccountNumber(number) : maskAccountNumber(number)}
      <Button look="quiet" size="small" className="-my-1 px-2" onClick={() => setShown(!shown)}>
        {shown ? words.hideAccount : words.showAccount}
      </Button>
      <CopyButton text={number} what={words.account} />
    </span>
  );
}

/** Says whether the account is the profile's, by the rule that the server applied to the request. */
function AccountCheck({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  // A failure is ignored: staff can decide without it.
  const { data: member } = useMemberRow(withdrawal.user);
  const account = member?.bankAccountNumber;
  const text = () => {
    if (!member) return '';
    if (!account) return words.noAccount;
    if (bankMatchesProfile(withdrawal, member)) return words.sameAccount;
    return words.otherAccount(`${member.bankName ?? ''} ${shortAccount(account)}`.trim());
  };
  return (
    <p role="status" className="mt-3 min-h-5 text-14 text-ink-soft">
      {text()}
    </p>
  );
}

/**
 * Names the people who recently changed the account's phone, password, bank details, code or balance, and
 * those who raised its wallet, with the amount.
 */
function WithdrawalChanges({ hold: { isError, data } }: { hold: UseQueryResult<WithdrawalHold> }) {
  const changes = data?.changes ?? [];
  if (!isError && changes.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="mb-1 font-heading text-16 font-bold">{words.changes}</h3>
      {isError ? (
        <p className="text-14 text-bad">{words.changesFailed}</p>
      ) : (
        <DefinitionRows
          size={14}
          rows={[
            ...changes.map(({ what, actorId, actorName, isStaff, at }) => {
              const name = actorName ?? panel.audit.console;
              return {
                id: `${what} ${actorId}`,
                term: words.changed[what],
                value: <Change by={isStaff === false ? words.byMember(name) : name} at={at} />,
              };
            }),
            ...(data?.raises ?? []).map(({ actorName, amount, at }) => ({
              id: `raise ${at}`,
              term: words.raised(showPeso(amount)),
              value: <Change by={actorName} at={at} />,
            })),
          ]}
        />
      )}
    </section>
  );
}

const Change = ({ by, at }: { by: string; at: string }) => (
  <>
    <bdi>{by}</bdi> · {dateTime(at)}
  </>
);

/** Approving and processing both complete a withdrawal (§withdrawal-transitions). */
type WithdrawalMove = 'approve' | 'process' | 'reject' | 'reference';

/**
 * Completes or rejects a withdrawal, with toasts (§toasts). Resolves to whether it worked; if somebody
 * else was faster, the list is refetched.
 */
function useMoveWithdrawal() {
  const act = useStaffAction();
  return async (withdrawal: StaffWithdrawal, to: WithdrawalMove, bankReference = ''): Promise<boolean> => {
    const row = withdrawalRow(withdrawal.id);
    const status = to === 'reject' ? ('rejected' as const) : ('completed' as const);
    const body = { ...(to !== 'reference' && { status }), ...(bankReference && { bankReference }) };
    const request = { params: { id: withdrawal.id }, body };
    const hasMoved = await workOnRow(row, async (onChecking) => {
      const sent = sendMoney(api.updateWithdrawal, [request], onChecking).then(acceptWithdrawal);
      const result = await act(sent, { done: doneText(withdrawal, to), row });
      // Its own row is updated already, but a refund also shows in other rows.
      const isConflict = !result.ok && result.error instanceof CallError && result.error.status === 409;
      if (isConflict) void refreshReads(api.listWithdrawals);
      return result.ok;
    });
    return hasMoved ?? false;
  };
}

function doneText(withdrawal: StaffWithdrawal, to: WithdrawalMove) {
  const number = withdrawal.withdrawalNumber;
  const amount = showPeso(withdrawal.amount);
  if (to === 'process') return words.processedText(number);
  if (to === 'reference') return words.referenceSaved(number);
  if (to === 'reject') return words.rejectedText({ number, amount, name: borrowerName(withdrawal) });
  return { title: wallet.withdrawal.approved, description: words.approvedText({ number, amount }) };
}

type ApproveProps = DialogProps & {
  /** The reference typed in an attempt that failed. */
  reference: string;
  onApprove: (reference: string) => void;
};

function ApproveDialog({ withdrawal, reference, onApprove, onClose }: ApproveProps) {
  const [typed, setTyped] = useState(reference);
  const { amount, bankName, bankAccountNumber, withdrawalNumber } = withdrawal;
  const isOwnRequest = useHold(withdrawal).data?.isOwnRequest === true;
  function onSubmit() {
    onClose();
    onApprove(typed.trim());
  }
  return (
    <FormDialog
      disabled={isOwnRequest}
      title={words.approveTitle(withdrawalNumber)}
      description={words.approveText}
      saveLabel={words.approve}
      form={{ busy: false, onSubmit }}
      onClose={onClose}
    >
      <DefinitionRows
        ruled
        rows={[
          { term: heads.amount, value: showPeso(amount), strong: true },
          { term: heads.member, value: borrowerName(withdrawal) },
          { term: words.bankName, value: bankName },
          { term: words.account, value: <Account number={bankAccountNumber} /> },
        ]}
      />
      {isOwnRequest ? (
        <Warning>{words.ownRequest}</Warning>
      ) : (
        <ReferenceField value={typed} onType={setTyped} />
      )}
    </FormDialog>
  );
}

function ReferenceField({ value, onType }: { value: string; onType: (typed: string) => void }) {
  return (
    <TextField
      {...words.reference}
      maxLength={limits.shortTextMaxLength}
      value={value}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

type RejectProps = DialogProps & { onAnswered?: (rejected: boolean) => void };

function RejectDialog({ withdrawal, onAnswered, onClose }: RejectProps) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  return (
    <ConfirmDialog
      title={words.rejectTitle(withdrawal.withdrawalNumber)}
      text={words.rejectText({ amount: showPeso(withdrawal.amount), name: borrowerName(withdrawal) })}
      confirmLabel={words.reject}
      onStop={work?.stop}
      onConfirm={() => move(withdrawal, 'reject').then(onAnswered)}
      onClose={onClose}
    />
  );
}

/** `···· 4321`, as lists show an account number. */
const shortAccount = (account: string): string =>
  panel.withdrawals.endingIn(account.replace(/[\s-]/g, '').slice(-4));
