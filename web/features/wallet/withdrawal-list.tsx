import { useState } from 'react';
import * as api from '#contract/borrower-endpoints.ts';
import type { Withdrawal } from '#contract/withdrawal.ts';
import { limits } from '#domain/limits.ts';
import { maskAccountNumber } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/all-words.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { countText, MoreButton, useOlderRows } from '#web/lib/older-rows.tsx';
import { useRead } from '#web/lib/query.tsx';
import { QueryStates } from '#web/lib/query-states.tsx';
import { CardSection } from '#web/ui/card.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';

export function WithdrawalList() {
  const { withdrawal } = useAccountWords();
  const read = useRead(api.listOwnWithdrawals);
  const [all, setAll] = useState(false);
  const newest = read.data ?? [];
  const { rows, more } = useOlderRows(api.listOwnWithdrawals, newest);
  return (
    <CardSection
      title={withdrawal.list}
      action={
        newest.length > limits.shortListRows && (
          <MoreButton all={all} onAll={setAll} count={countText(newest)} controls="withdrawals-list" />
        )
      }
      className="py-1.5"
    >
      <QueryStates query={read} failedTitle={withdrawal.listFailed} skeleton={<SkeletonText lines={4} />}>
        {() => (
          <>
            <ul id="withdrawals-list" className="divide-y divide-line">
              {(all ? rows : rows.slice(0, limits.shortListRows)).map((made) => (
                <WithdrawalRow key={made.id} withdrawal={made} />
              ))}
            </ul>
            {all && more}
          </>
        )}
      </QueryStates>
    </CardSection>
  );
}

function WithdrawalRow({ withdrawal: made }: { withdrawal: Withdrawal }) {
  const { withdrawal, peso, date } = useAccountWords();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 py-3">
      <div className="min-w-0 flex-[1_1_9rem]">
        <p className="text-14 font-semibold wrap-anywhere">
          <bdi>{made.bankName}</bdi> <ShortAccount number={made.bankAccountNumber} />
        </p>
        <p className="text-14 empty:hidden">
          {made.status === 'approved' && withdrawal.tellWhenSent}
          {made.status === 'rejected' && withdrawal.returned}
          {made.processedAt && made.status === 'completed' && withdrawal.sent(date(made.processedAt))}
        </p>
        <p className="mt-1 flex flex-wrap gap-x-2 text-12 text-ink-soft">
          <span className="whitespace-nowrap">{made.withdrawalNumber}</span>{' '}
          <span className="whitespace-nowrap">{date(made.createdAt)}</span>
        </p>
      </div>
      <div className="ml-auto flex flex-col items-end gap-1.5">
        <p className="font-semibold">{peso(made.amount)}</p>
        <StatusChip tone={tones.withdrawal[made.status]}>{withdrawal.statuses[made.status]}</StatusChip>
      </div>
    </li>
  );
}

/** The account's last four digits, shown as `•••• 7890` and read out in words. `<bdi>` isolates right-to-left input. */
export function ShortAccount({ number }: { number: string }) {
  const { withdrawal } = useAccountWords();
  const groups = maskAccountNumber(number).split(' ');
  return (
    <>
      <bdi aria-hidden="true" className="whitespace-nowrap">
        {groups.slice(-2).join(' ')}
      </bdi>
      <span className="sr-only">{withdrawal.endingIn(groups.at(-1) ?? '')}</span>
    </>
  );
}
