import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf, showPeso } from '#web/lib/format.ts';
import { actionsHead, type Column } from '#web/panel/lib/list-table.tsx';
import { RowAction, RowActions, useRowWork } from '#web/panel/lib/row-action.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { FileIcon, PencilIcon, PowerIcon, TrashIcon } from '#web/ui/icons.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { CodeRequestMark, waitsForCode } from './code-request.tsx';
import { memberName, memberRow, memberStatusTone, verificationNote } from './member-rules.ts';

/** What a row's buttons do. */
export type MemberActions = {
  onEdit: (member: Member) => void;
  onDocuments: (member: Member) => void;
  onToggle: (member: Member) => void;
  onDelete: (member: Member) => void;
};

const { date } = formatsOf('en');
const hiddenCode = '••••••';

/** The columns of the members list. Made once: see `ListTableProps`. */
export function memberColumns(actions: MemberActions): readonly Column<Member>[] {
  const { columns: heads } = panel.members;
  return [
    {
      id: 'member',
      head: heads.member,
      widthPx: 140,
      wantPx: 180,
      grow: 3,
      sorts: true,
      cell: (member) => (
        <CellLines
          main={memberName(member)}
          note={waitsForCode(member) ? <CodeRequestMark member={member} /> : verificationNote(member)}
        />
      ),
    },
    {
      id: 'phone',
      head: heads.phone,
      widthPx: 132,
      grow: 1,
      rank: 1,
      sorts: true,
      cell: ({ phone }) => <span className="block truncate">{phone}</span>,
    },
    {
      id: 'email',
      head: heads.email,
      widthPx: 220,
      wantPx: 270,
      grow: 4,
      rank: 6,
      cell: ({ email }) => <span className="block truncate">{email ?? panel.list.dash}</span>,
    },
    {
      id: 'status',
      head: heads.status,
      widthPx: 118,
      sorts: true,
      cell: ({ status }) => (
        <StatusChip tone={memberStatusTone[status]}>{panel.memberStatus[status]}</StatusChip>
      ),
    },
    {
      id: 'balance',
      head: heads.balance,
      widthPx: 122,
      grow: 1,
      rank: 2,
      numeric: true,
      sorts: true,
      cell: ({ balance, creditWithoutLoanAt }) => (
        <>
          {showPeso(balance)}
          {creditWithoutLoanAt && <span className="block text-12 text-warn">{panel.credit.note}</span>}
        </>
      ),
    },
    {
      id: 'score',
      head: heads.score,
      widthPx: 68,
      rank: 3,
      numeric: true,
      sorts: true,
      cell: ({ creditScore }) => creditScore,
    },
    {
      id: 'otp',
      head: heads.otp,
      widthPx: 68,
      rank: 4,
      cell: ({ hasOtpCode }) => (hasOtpCode ? hiddenCode : panel.list.dash),
    },
    {
      id: 'joined',
      head: heads.joined,
      widthPx: 116,
      rank: 5,
      sorts: true,
      cell: ({ createdAt }) => date(createdAt),
    },
    {
      id: 'actions',
      head: actionsHead,
      widthPx: 150,
      numeric: true,
      cell: (member) => <MemberRowActions member={member} {...actions} />,
    },
  ];
}

function MemberRowActions({ member, ...actions }: MemberActions & { member: Member }) {
  const words = panel.members;
  const isToggling = useRowWork(memberRow(member.id)) !== undefined;
  return (
    <RowActions>
      <RowAction label={words.edit} onPress={() => actions.onEdit(member)}>
        <PencilIcon />
      </RowAction>
      <RowAction label={words.documents} onPress={() => actions.onDocuments(member)}>
        <FileIcon />
      </RowAction>
      <RowAction
        label={member.status === 'active' ? words.deactivate : words.activate}
        busy={isToggling}
        onPress={() => actions.onToggle(member)}
      >
        <PowerIcon />
      </RowAction>
      <RowAction label={words.delete} onPress={() => actions.onDelete(member)}>
        <TrashIcon />
      </RowAction>
    </RowActions>
  );
}
