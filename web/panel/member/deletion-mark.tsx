import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { formatsOf } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';

const words = panel.deletion;
const { date } = formatsOf('en');

/** The choice that narrows the list to those who asked for deletion, beside the statuses. */
export const deletionChoice = { value: 'deletion', label: words.filter };

type Asking = Pick<Member, 'deletionRequestedAt'>;

export const asksForDeletion = ({ deletionRequestedAt }: Asking): boolean => deletionRequestedAt !== null;

/** In a member's details: that they asked for deletion, when, and what deleting them does. */
export function DeletionMark({ member: { deletionRequestedAt } }: { member: Asking }) {
  if (deletionRequestedAt === null) return null;
  return (
    <Banner tone="warn" title={words.title(date(deletionRequestedAt))} className="mb-4 p-3.5!">
      {words.text(limits.closedAccountKeptYears)}
    </Banner>
  );
}
