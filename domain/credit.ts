import { limits } from './limits.ts';
import { sharePercent } from './rates.ts';

/** The band with its stars (§credit-score) for a score of 0 to 1000; anything else is unknown. */
export function creditBand(score: number | null | undefined) {
  const isScore = typeof score === 'number' && score >= 0 && score <= limits.creditScoreMax;
  if (!isScore) return { key: 'unknown', stars: 0 } as const;
  if (score >= limits.creditPerfectFrom) return { key: 'perfect', stars: 5 } as const;
  if (score >= limits.creditGoodFrom) return { key: 'good', stars: 3 } as const;
  if (score >= limits.creditAverageFrom) return { key: 'average', stars: 2 } as const;
  return { key: 'bad', stars: 1 } as const;
}

/**
 * The change since the previous score, in percent with two decimals: 500 → 520 is '4.00' (§credit-score). '0.00'
 * if there was no previous score or it was 0.
 */
export function creditTrendPercent(previous: number | null | undefined, current: number): string {
  if (!previous || previous < 0) return '0.00';
  return sharePercent(current - previous, previous);
}
