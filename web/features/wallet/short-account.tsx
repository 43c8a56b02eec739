import { maskAccountNumber } from '#domain/member.ts';
import { useAccountWords } from '#web/lib/account-words.ts';

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
