import { useState } from 'react';
import { groupAccountNumber, maskAccountNumber } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { Button } from '#web/ui/button.tsx';

/** An account number in groups of four, all but the last four digits hidden, and not in the page, until asked for. */
export function AccountNumber({ number }: { number: string }) {
  const { profile } = useAccountWords();
  const [shown, setShown] = useState(false);
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-1">
      <span>{shown ? groupAccountNumber(number) : maskAccountNumber(number)}</span>
      <Button look="quiet" size="compact" className="-my-2.5 -mr-3" onClick={() => setShown(!shown)}>
        {shown ? profile.hideNumber : profile.showNumber}
      </Button>
    </span>
  );
}
