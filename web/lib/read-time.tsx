import { useReducer } from 'react';
import { myLoan as english } from '#contract/wording/en-my-loan.ts';
import { useLanguage, useWordsOf } from './language.tsx';
import { readMoment } from './lender.ts';
import { useMidnight } from './query.tsx';

/** When what is shown was read: 0 if it was not. From the next day on it says which day. */
export function ReadTime({ at }: { at: number }) {
  const { myLoan } = useWordsOf(english);
  const { language } = useLanguage();
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useMidnight(drawAgain);
  return at > 0 && <p className="text-12 text-ink-soft">{myLoan.readAt(readMoment(at, language))}</p>;
}
