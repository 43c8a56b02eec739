import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import * as api from '#contract/api.ts';
import type { StaffWithdrawal, WithdrawalHold } from '#contract/staff-withdrawal.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { groupAccountNumber, maskAccountNumber } from '#domain/member.ts';
import { bankMatchesProfile, isFinalWithdrawal, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { call } from '#web/lib/call.ts';
import { CallError } from '#web/lib/call-error.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { sendMoney } from '#web/lib/money-call.ts';
import { refreshReads } from '#web/lib/query.tsx';
import type { ToastMessage } from '#web/lib/toast-store.ts';
import { CopyButton } from '#web/panel/lib/copy-button.tsx';
import { ConfirmDialog } from '#web/panel/lib/dialogs.tsx';
import { ChangedMeanwhile } from '#web/panel/lib/edit-conflict.tsx';
import { useRowWork, workOnRow } from '#web/panel/lib/row-action.tsx';
import { useStaffAction } from '#web/panel/lib/staff-action.ts';
import { acceptRow, findMemberRow } from '#web/panel/lib/staff-rows.ts';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { StatusChip, type Tone } from '#web/ui/status-chip.tsx';

const words = panel.withdrawals;
const formats = formatsOf('en');

type DetailsProps = { withdrawal: StaffWithdrawal; onClose: () => void };

/** What staff need to decide on a withdrawal, with the buttons to do so (§withdrawal-transitions). */
export function WithdrawalDetailsDialog({ withdrawal, onClose }: DetailsProps) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  const [rejecting, setRejecting] = useState(false);
  const { status } = withdrawal;
  const isFinal = isFinalWithdrawal(status);
  // Read again every time the dialog opens.
  const hold = useQuery({
    queryKey: ['hold', withdrawal.id],
    queryFn: ({ signal }) => call(api.readWithdrawalHold, { params: { id: withdrawal.id }, signal }),
    gcTime: 0,
  });
  const isOwnRequest = status === 'pending' && hold.data?.isOwnRequest === true;
  const [isRefused, setRefused] = useState(false);
  const settled = (done: boolean) => (done ? onClose() : setRefused(true));
  const busy = work !== undefined;
  const to = status === 'approved' ? 'approve' : 'process';
  const close = () => {
    work?.stop?.();
    if (!busy || work.stop) onClose();
  };
  return (
    <Dialog title={words.detailsTitle} closeLabel={en.shell.close} onClose={close}>
      {isRefused && isFinal && (
        <div className="mb-3">
          <ChangedMeanwhile>{panel.conflict.withdrawalNow(withdrawalStatusWord(status))}</ChangedMeanwhile>
        </div>
      )}
      <Facts withdrawal={withdrawal} />
      {status === 'pending' && <Warning>{isOwnRequest ? words.ownRequest : words.pendingNote}</Warning>}
      {withdrawal.isReleasedAlone && <Warning>{words.releasedAloneNote}</Warning>}
      {!isFinal && <AccountCheck withdrawal={withdrawal} />}
      <WithdrawalChanges hold={hold} />
      <p role="status" className="mt-3 text-14 text-ink-soft empty:hidden">
        {work?.stop && en.shell.checking}
      </p>
      {!isFinal && (
        <DialogActions>
          {work?.stop ? (
            <Button look="secondary" onClick={work.stop}>
              {panel.list.stopWaiting}
            </Button>
          ) : (
            <Button look="danger" disabled={busy} onClick={() => setRejecting(true)}>
              {words.reject}
            </Button>
          )}
          <Button
            busy={busy}
            disabled={isOwnRequest}
            onClick={async () => settled(await move(withdrawal, to))}
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

function Warning({ children }: { children: string }) {
  return <p className="mt-3 rounded-control bg-warn-tint px-4 py-3 text-14 text-warn">{children}</p>;
}

function Facts({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const { status, user } = withdrawal;
  return (
    <DefinitionRows
      ruled
      rows={[
        { term: words.amount, value: showPeso(withdrawal.amount), strong: true },
        { term: words.number, value: withdrawal.withdrawalNumber },
        { term: panel.loanPanel.member, value: payeeName(withdrawal) },
        {
          term: panel.memberPanel.phone,
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
          term: words.status,
          value: <StatusChip tone={withdrawalStatusTone[status]}>{withdrawalStatusWord(status)}</StatusChip>,
        },
        { term: words.requested, value: formats.dateTime(withdrawal.createdAt) },
        {
          term: words.processed,
          value: withdrawal.processedAt === null ? panel.list.dash : formats.dateTime(withdrawal.processedAt),
        },
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

/** Whether the account is the profile's, by the rule the server applied to the request. */
function AccountCheck({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const { id, phone } = withdrawal.user;
  // A failure is ignored: staff can decide without it.
  const { data: member } = useQuery({
    queryKey: ['payee', id],
    queryFn: async () => (await findMemberRow({ id, phone })) ?? null,
    gcTime: 0,
  });
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

/** Who changed the account's password, bank details, code or balance lately, and when. */
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
          rows={changes.map(({ what, actorId, actorName, isStaff, at }) => {
            const name = actorName ?? words.byNobody;
            return {
              id: `${what} ${actorId}`,
              term: words.changed[what],
              value: (
                <>
                  <bdi>{isStaff === false ? words.byMember(name) : name}</bdi> · {formats.dateTime(at)}
                </>
              ),
            };
          })}
        />
      )}
    </section>
  );
}

/** Approving and processing both complete a withdrawal (§withdrawal-transitions). */
type WithdrawalMove = 'approve' | 'process' | 'reject';

/** A withdrawal's row in the list, for actions that may find it busy or gone. */
export const withdrawalRow = (id: number) => ({
  list: api.listWithdrawals,
  id,
  gone: panel.conflict.withdrawalGone,
});

/**
 * Completes or rejects a withdrawal, with toasts (§toasts). Resolves to whether it worked; if somebody
 * else was faster, the list is refetched.
 */
export function useMoveWithdrawal(): (withdrawal: StaffWithdrawal, to: WithdrawalMove) => Promise<boolean> {
  const act = useStaffAction();
  return useCallback(
    async (withdrawal, to) => {
      const row = withdrawalRow(withdrawal.id);
      const status = to === 'reject' ? 'rejected' : 'completed';
      const request = { params: { id: withdrawal.id }, body: { status } } as const;
      const hasMoved = await workOnRow(row, async (onChecking) => {
        const result = await act(sendMoney(api.updateWithdrawal, [request], onChecking), {
          done: toastOf(withdrawal, to),
          failedTitle: panel.toasts.actionFailed,
          row,
        });
        if (result.ok) acceptRow(api.listWithdrawals, result.answer);
        else if (result.error instanceof CallError && result.error.status === 409) {
          // Its own row is updated already, but a refund also shows in other rows.
          void refreshReads(api.listWithdrawals);
        }
        return result.ok;
      });
      return hasMoved ?? false;
    },
    [act],
  );
}

function toastOf(withdrawal: StaffWithdrawal, to: WithdrawalMove): ToastMessage {
  const number = withdrawal.withdrawalNumber;
  const amount = showPeso(withdrawal.amount);
  const name = payeeName(withdrawal);
  if (to === 'approve') {
    return { title: en.withdrawal.approved, description: words.approvedText({ number, amount }) };
  }
  const description =
    to === 'reject' ? words.rejectedText({ number, amount, name }) : words.processedText(number);
  return { title: panel.toasts.success, description };
}

type Props = {
  withdrawal: StaffWithdrawal;
  /** Whether it worked. */
  onAnswered?: (rejected: boolean) => void;
  onClose: () => void;
};

/** Confirms before a withdrawal is rejected and its amount goes back to the wallet. */
export function RejectDialog({ withdrawal, onAnswered, onClose }: Props) {
  const move = useMoveWithdrawal();
  const work = useRowWork(withdrawalRow(withdrawal.id));
  return (
    <ConfirmDialog
      title={words.rejectTitle(withdrawal.withdrawalNumber)}
      text={words.rejectText({ amount: showPeso(withdrawal.amount), name: payeeName(withdrawal) })}
      confirmLabel={words.reject}
      onStop={work?.stop}
      onConfirm={async () => {
        const rejected = await move(withdrawal, 'reject');
        onAnswered?.(rejected);
      }}
      onClose={onClose}
    />
  );
}

/** The member, by phone if they have no name yet. */
export const payeeName = ({ user }: Pick<StaffWithdrawal, 'user'>): string => user.fullName || user.phone;

export const withdrawalStatusTone: Record<WithdrawalStatus, Tone> = {
  pending: 'warn',
  approved: 'good',
  completed: 'neutral',
  rejected: 'bad',
};

export const withdrawalStatusWord = (status: WithdrawalStatus): string => en.withdrawal.statuses[status];

/** `···· 4321`, as lists show an account number. */
export const shortAccount = (account: string): string =>
  panel.withdrawals.endingIn(account.replace(/[\s-]/g, '').slice(-4));
