import { listMembers } from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { documentPieces, type MemberStatus } from '#domain/member.ts';
import { formatsOf } from '#web/lib/format.ts';
import { phoneSpellings } from '#web/panel/lib/phone-spellings.ts';
import type { ListRules } from '#web/panel/lib/shown-rows.ts';
import type { StaffRow } from '#web/panel/lib/staff-action.ts';
import type { Tone } from '#web/ui/status-chip.tsx';
import { codeRequestChoice, waitsForCode } from './code-request.tsx';
import { asksForDeletion, deletionChoice } from './deletion-mark.tsx';

/** As much of a member as is needed to name them. */
type Named = Pick<Member, 'fullName' | 'phone'>;

/** Whom a sentence is about: a member added with nothing but a phone has no name yet. */
export const memberName = ({ fullName, phone }: Named): string => fullName || phone;

/** The row of a member in the list, for what may find it gone. */
export const memberRow = (id: number): StaffRow => ({
  list: listMembers,
  id,
  gone: panel.together.memberGone,
});

export const memberStatusTone: Record<MemberStatus, Tone> = {
  active: 'good',
  pending: 'warn',
  suspended: 'bad',
};

/** The town, as the last part of the address mostly is. */
const placeOf = (address: string | null) => address?.split(',').at(-1)?.trim() ?? '';

/** How far the verification of a member is, in the few words under the name; first of all that they want to be deleted. */
export function verificationNote(member: Member): string {
  const words = panel.members;
  if (asksForDeletion(member)) return panel.deletion.note;
  if (member.isVerified) {
    const place = placeOf(member.address);
    return place === '' ? words.verified : words.verifiedIn(place);
  }
  const count = documentPieces.filter((piece) => member[piece] !== null).length;
  if (count === 0) return words.noDocuments;
  return count < documentPieces.length ? words.documentsOf(count, documentPieces.length) : words.incomplete;
}

/** The choice that narrows the list to those whose money no loan explains, beside the statuses. */
export const creditChoice = { value: 'credit', label: panel.credit.filter };

export const memberRules: ListRules<Member> = {
  searchText: ({ fullName, phone, email }) => [fullName, phoneSpellings(phone), email ?? ''].join('\n'),
  statusOf: ({ status }) => status,
  alsoFits: (member, choice) =>
    (choice === deletionChoice.value && asksForDeletion(member)) ||
    (choice === codeRequestChoice.value && waitsForCode(member)) ||
    (choice === creditChoice.value && member.creditWithoutLoanAt !== null),
  sortValues: {
    member: memberName,
    phone: ({ phone }) => phone,
    status: ({ status }) => status,
    balance: ({ balance }) => Number(balance),
    score: ({ creditScore }) => creditScore,
    joined: ({ createdAt }) => createdAt,
  },
};

const { columns: heads, yes, no } = panel.members;
const { dateTime } = formatsOf('en');

/** What an export of members carries: what the list shows, and never a secret or a bank account. */
export const memberCsv: readonly CsvColumn<Member>[] = [
  { head: heads.id, value: ({ id }) => id },
  { head: heads.member, value: ({ fullName }) => fullName },
  { head: heads.phone, value: ({ phone }) => phone },
  { head: heads.email, value: ({ email }) => email },
  { head: heads.status, value: ({ status }) => panel.memberStatus[status] },
  { head: heads.verified, value: ({ isVerified }) => (isVerified ? yes : no) },
  { head: heads.balance, value: ({ balance }) => balance },
  { head: heads.score, value: ({ creditScore }) => creditScore },
  { head: heads.joined, value: ({ createdAt }) => dateTime(createdAt) },
];
