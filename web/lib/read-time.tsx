import { useReducer } from 'react';
import { myLoan } from '#contract/wording/en-my-loan.ts';
import { useWordsOf } from './format.ts';
import { readMoment } from './lender.ts';
import { useMidnight } from './query.tsx';

const english = { myLoan };

/** When what is shown was read: 0 if it was not. From the next day on it says which day. */
export function ReadTime({ at }: { at: number }) {
  const { myLoan: words, language } = useWordsOf(english);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useMidnight(drawAgain);
  return at > 0 && <p className="text-12 text-ink-soft">{words.readAt(readMoment(at, language))}</p>;
}
