import { useEffect, useState } from 'react';
import * as api from '#contract/api.ts';
import type { WithdrawalHold } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { call } from '#web/lib/call.ts';
import { formatsOf } from '#web/lib/format.ts';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';

const words = panel.withdrawals;
const { dateTime } = formatsOf('en');

/** Who changed this account lately, read anew each time somebody looks; null when it could not be read. */
export function useWithdrawalHold(id: number): WithdrawalHold | null | undefined {
  const [hold, setHold] = useState<WithdrawalHold | null>();
  useEffect(() => {
    const gone = new AbortController();
    call(api.readWithdrawalHold, { params: { id }, signal: gone.signal })
      .then(setHold)
      .catch(() => {
        if (!gone.signal.aborted) setHold(null);
      });
    return () => gone.abort();
  }, [id]);
  return hold;
}

/** Who changed password, bank details, code or balance of the account lately, and when. */
export function WithdrawalChanges({ hold }: { hold: WithdrawalHold | null | undefined }) {
  if (hold === undefined || hold?.changes.length === 0) return null;
  return (
    <section className="mt-4">
      <h3 className="mb-1 font-heading text-16 font-bold">{words.changes}</h3>
      {hold === null ? (
        <p className="text-14 text-bad">{words.changesFailed}</p>
      ) : (
        <DefinitionRows
          size={14}
          rows={hold.changes.map(({ what, actorId, actorName, isStaff, at }) => {
            const name = actorName ?? words.byNobody;
            return {
              id: `${what} ${actorId}`,
              term: words.changed[what],
              value: (
                <>
                  <bdi>{isStaff === false ? words.byMember(name) : name}</bdi> · {dateTime(at)}
                </>
              ),
            };
          })}
        />
      )}
    </section>
  );
}
