import type { LoanPreview } from '#contract/servicing.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { Warning } from './details.tsx';
import { dateTime, showPeso } from './format.ts';

const words = panel.release;

type Changes = NonNullable<LoanPreview['changesBeforeAgreement']>;

/** Names the staff who changed how the borrower signs in, just before the terms were agreed to. */
export function AgreementWarning({ changes = [] }: { changes: Changes | undefined }) {
  if (changes.length === 0) return null;
  return (
    <Warning>
      {words.agreedAfter}
      <ul className="list-disc pl-5">
        {changes.map(({ what, actorId, actorName, at }) => (
          <li key={`${what} ${actorId}`}>{words.changed[what](actorName, dateTime(at))}</li>
        ))}
      </ul>
    </Warning>
  );
}

/** Names the credits since the approval: somebody may have paid the loan out by hand already. */
export function CreditsWarning({ credits = [] }: { credits: LoanPreview['walletCredits'] }) {
  if (credits.length === 0) return null;
  return (
    <Warning>
      {words.creditedSince}
      <ul className="list-disc pl-5">
        {credits.map(({ amount, actorName, at }) => (
          <li key={`${at} ${amount}`}>
            {words.credit({ amount: showPeso(amount), by: actorName, at: dateTime(at) })}
          </li>
        ))}
      </ul>
    </Warning>
  );
}
