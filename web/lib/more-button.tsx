import { Button } from '#web/ui/button.tsx';
import { useAccountWords } from './all-words.ts';

type MoreButtonProps = {
  all: boolean;
  onAll: (all: boolean) => void;
  count: number | string;
  controls: string;
};

/** Shows a short list as a whole, and short again. */
export function MoreButton({ all, onAll, count, controls }: MoreButtonProps) {
  const { myLoan } = useAccountWords();
  return (
    <Button
      look="quiet"
      size="compact"
      className="-my-2 -mr-3"
      aria-expanded={all}
      aria-controls={controls}
      onClick={() => onAll(!all)}
    >
      {all ? myLoan.fewer : myLoan.all(count)}
    </Button>
  );
}
