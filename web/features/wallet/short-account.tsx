import { maskAccountNumber } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';

/** An account by its last four digits, drawn `•••• 7890` and read out as words. */
export function ShortAccount({ number }: { number: string }) {
  const { withdrawal } = useAccountWords();
  const groups = maskAccountNumber(number).split(' ');
  return (
    <>
      <span aria-hidden="true" className="whitespace-nowrap">
        {groups.slice(-2).join(' ')}
      </span>
      <span className="sr-only">{withdrawal.endingIn(groups.at(-1) ?? '')}</span>
    </>
  );
}
