import { en, type Wording } from '#contract/wording/en.ts';
import { fil } from '#contract/wording/fil.ts';
import type { DateLanguage } from '#domain/calendar.ts';
import type { ConsentPurpose } from '#domain/member.ts';
import { insertConsent } from '#server/store/account-store.ts';
import type { ActBy, Actor } from './audit-service.ts';

const wordsOf: Record<DateLanguage, Wording> = { en, fil };

/**
 * Records the consent that a person gave by sending a form, in the same transaction: the exact sentence above its
 * button, and the date (RA 10173, section 3(b)). `language` is null if the client does not say which one it showed.
 */
export async function recordConsent(
  { deps, tx }: ActBy<Actor>,
  accountId: number,
  purpose: ConsentPurpose,
  language: DateLanguage | null,
): Promise<void> {
  const words = wordsOf[language ?? 'en'];
  const lender = deps.config.lender.name;
  const wording = purpose === 'register' ? words.session.agree(lender) : words.consents[purpose](lender);
  await insertConsent(tx, { accountId, purpose, language, wording, createdAt: deps.clock.now() });
}
