import { creditBand } from '#domain/credit.ts';
import { limits } from '#domain/limits.ts';
import { useAccountWords } from '#web/lib/account-words.ts';
import { useUser } from '#web/lib/session.tsx';
import { Card, Section } from '#web/ui/card.tsx';
import { Gauge, type GaugeBand, Stars } from '#web/ui/gauge.tsx';
import { ArrowDownIcon, ArrowUpIcon } from '#web/ui/icons.tsx';

const starsMax = 5;

const bands: readonly GaugeBand[] = [
  { id: 'bad', to: limits.creditAverageFrom, tone: 'bad' },
  { id: 'average', to: limits.creditGoodFrom, tone: 'warn' },
  { id: 'good', to: limits.creditPerfectFrom, tone: 'fair' },
  { id: 'perfect', to: limits.creditScoreMax, tone: 'good' },
];

/** Credit score with band, stars and trend (§credit-score). */
export function CreditScore() {
  const { profile } = useAccountWords();
  const { creditScore, creditTrend } = useUser();
  const { key, stars } = creditBand(creditScore);
  const band = profile.bands[key];
  return (
    <Section title={profile.credit} headingId="credit-title">
      <Card>
        <Gauge
          value={creditScore}
          max={limits.creditScoreMax}
          bands={bands}
          label={profile.creditSpoken({ score: creditScore, max: limits.creditScoreMax, band })}
        >
          <p className="mt-1 font-heading text-20 font-bold">{band}</p>
          {stars > 0 && <Stars count={stars} outOf={starsMax} label={profile.stars(stars, starsMax)} />}
          <Trend percent={creditTrend} />
          <p className="mt-1 text-12 text-ink-soft">{profile.creditWhy}</p>
        </Gauge>
      </Card>
    </Section>
  );
}

/** Percent since the previous score, as the server formats it (§credit-score). */
function Trend({ percent }: { percent: string }) {
  const { profile } = useAccountWords();
  const change = Number(percent);
  if (change === 0) return <p className="mt-2 text-center text-14 text-ink-soft">{profile.trendNone}</p>;
  const [Icon, tone, sign] =
    change > 0 ? ([ArrowUpIcon, 'text-good', '+'] as const) : ([ArrowDownIcon, 'text-bad', ''] as const);
  return (
    <p className={`mt-2 text-center text-14 font-semibold ${tone}`}>
      <Icon className="-mt-0.5 mr-1 inline size-4" />
      {profile.trend(`${sign}${percent}`)}
    </p>
  );
}
