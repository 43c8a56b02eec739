import { listMembers } from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { manilaDate, manilaTime } from '#domain/calendar.ts';
import { limits } from '#domain/limits.ts';
import type { MemberStatus } from '#domain/member.ts';
import { documentPieces } from '#domain/profile.ts';
import { formatsOf } from '#web/lib/format.ts';
import { today } from '#web/lib/lender.ts';
import type { StaffRow } from '#web/panel/lib/staff-action.ts';
import { Banner } from '#web/ui/banner.tsx';
import type { Tone } from '#web/ui/status-chip.tsx';

const { date } = formatsOf('en');

/** The name, or the phone of a member who was added with nothing else. */
export const memberName = ({ fullName, phone }: Pick<Member, 'fullName' | 'phone'>): string =>
  fullName || phone;

/** A member's row in the list, for actions that may find it busy or gone. */
export const memberRow = (id: number): StaffRow => ({
  list: listMembers,
  id,
  gone: panel.conflict.memberGone,
});

/** What the details show of a member's money, in the members list or in a loan. */
export type MoneyHolder = Pick<
  Member,
  'id' | 'fullName' | 'phone' | 'balance' | 'creditScore' | 'hasOtpCode'
> &
  Partial<Pick<Member, 'creditTrend' | 'otpExpiresAt' | 'codeRequestedAt' | 'creditWithoutLoanAt'>>;

export const memberStatusTone: Record<MemberStatus, Tone> = {
  active: 'good',
  pending: 'warn',
  suspended: 'bad',
};

/** Under the name in the list: waiting for a code, asked for deletion, or how complete the verification is. */
export function MemberNote({ member }: { member: Member }) {
  const words = panel.members;
  if (member.codeRequestedAt) return <CodeRequestMark member={member} />;
  if (member.deletionRequestedAt !== null) return panel.deletion.note;
  if (member.isVerified) {
    // An address mostly ends in the town.
    const town = member.address?.split(',').at(-1)?.trim();
    return town ? words.verifiedIn(town) : words.verified;
  }
  const count = documentPieces.filter((piece) => member[piece] !== null).length;
  if (count === 0) return words.noDocuments;
  return count < documentPieces.length ? words.documentsOf(count, documentPieces.length) : words.incomplete;
}

/** Since when a member has been waiting for a code: today's time, else the day. */
export function CodeRequestMark({ member }: { member: Partial<Pick<Member, 'codeRequestedAt'>> }) {
  const { codeRequestedAt } = member;
  if (!codeRequestedAt) return null;
  const moment = new Date(codeRequestedAt);
  const isToday = manilaDate(moment) === today();
  return (
    <span className="font-semibold text-warn">
      {panel.codeRequest.since(isToday ? manilaTime(moment) : date(codeRequestedAt))}
    </span>
  );
}

/** In the details: when the member asked to be deleted, and what deleting does. */
export function DeletionBanner({ member: { deletionRequestedAt } }: { member: Member }) {
  if (deletionRequestedAt === null) return null;
  return (
    <Banner tone="warn" title={panel.deletion.title(date(deletionRequestedAt))} className="mb-4 p-3.5!">
      {panel.deletion.text(limits.closedAccountKeptYears)}
    </Banner>
  );
}
