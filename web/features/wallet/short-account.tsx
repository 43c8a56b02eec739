import { maskAccountNumber } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';

/** An account by its last four digits, drawn `•••• 7890` and read out as words. Whatever was typed turns no text beside it. */
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
