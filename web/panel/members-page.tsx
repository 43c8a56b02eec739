import { useCallback, useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { Member } from '#contract/member.ts';
import { panel } from '#contract/wording/panel.ts';
import { memberStatuses } from '#domain/member.ts';
import { useUser } from '#web/lib/session.tsx';
import { scopePath } from '#web/panel/audit/audit-scope.tsx';
import { focusListRow } from '#web/panel/lib/active-row.ts';
import { BesideList } from '#web/panel/lib/panel-slot.tsx';
import { useShownRows } from '#web/panel/lib/shown-rows.ts';
import { StaffList } from '#web/panel/lib/staff-list.tsx';
import { useStaffRows } from '#web/panel/lib/staff-rows.ts';
import { useStats } from '#web/panel/lib/stats.ts';
import { useTableState } from '#web/panel/lib/table-state.ts';
import { CodeRequestNotice, codeRequestChoice } from '#web/panel/member/code-request.tsx';
import { deletionChoice } from '#web/panel/member/deletion-mark.tsx';
import { IssuedPasswordDialog } from '#web/panel/member/issued-password-dialog.tsx';
import { memberColumns } from '#web/panel/member/member-columns.tsx';
import { MemberDocumentsDialog } from '#web/panel/member/member-documents-dialog.tsx';
import { MemberFormDialog } from '#web/panel/member/member-form-dialog.tsx';
import { MemberPanel } from '#web/panel/member/member-panel.tsx';
import {
  type MemberQuestion,
  MemberQuestionDialog,
  useToggleMember,
} from '#web/panel/member/member-question.tsx';
import { creditChoice, memberCsv, memberRules } from '#web/panel/member/member-rules.ts';
import { RecentEvents } from '#web/panel/member/recent-events.tsx';
import { Button } from '#web/ui/button.tsx';
import { PlusIcon } from '#web/ui/icons.tsx';
import { NoDocumentsPicture } from '#web/ui/state-illustrations.tsx';

const words = panel.members;
const statuses = [
  ...memberStatuses.map((value) => ({ value, label: panel.memberStatus[value] })),
  codeRequestChoice,
  deletionChoice,
  creditChoice,
];

/** Which dialog is open, and over whom. The member itself is looked up in the list, where it is always the latest. */
type Shown =
  | { kind: 'add' }
  | { kind: 'edit' | 'documents' | MemberQuestion['kind']; id: number }
  | { kind: 'issued'; member: Member };

/** Member management (§panel-pages). */
export default function MembersPage() {
  const state = useTableState();
  // That somebody asked for deletion is no status of theirs.
  const status = memberStatuses.find((known) => known === state.status) ?? '';
  const list = useStaffRows(api.listMembers, {
    failure: panel.toasts.members,
    narrowed: { search: state.search, status },
  });
  const rows = useShownRows(list.rows, memberRules, state);
  const [shown, setShown] = useState<Shown>();
  const columns = useMemberColumns(setShown);
  const { show } = state;
  const onOpen = useCallback(({ id }: Member) => show({ open: id }), [show]);
  const add = (
    <Button
      size="small"
      icon={<PlusIcon className="size-4 @max-[30rem]:hidden" />}
      onClick={() => setShown({ kind: 'add' })}
    >
      {words.add}
    </Button>
  );

  return (
    <>
      <StaffList
        {...{ words, state, list, rows, columns, onOpen, statuses }}
        figures={useFigures()}
        csv={{ name: 'members', columns: memberCsv }}
        picture={<NoDocumentsPicture />}
        action={add}
        note={
          state.status !== codeRequestChoice.value && (
            <CodeRequestNotice
              members={list.rows}
              onShow={() => show({ search: '', status: codeRequestChoice.value })}
            />
          )
        }
      />
      <Details state={state} members={list.rows} onShow={setShown} />
      <Dialogs shown={shown} members={list.rows} onShow={setShown} />
    </>
  );
}

function useFigures() {
  const { members } = useStats();
  return (['total', 'active', 'pending', 'suspended'] as const).map((id) => ({
    id,
    value: members?.[id],
    label: words.figures[id],
  }));
}

function useMemberColumns(onShow: (shown: Shown) => void) {
  const toggle = useToggleMember();
  return useMemo(
    () =>
      memberColumns({
        onEdit: ({ id }) => onShow({ kind: 'edit', id }),
        onDocuments: ({ id }) => onShow({ kind: 'documents', id }),
        onDelete: ({ id }) => onShow({ kind: 'delete', id }),
        onToggle: (member) => {
          if (member.status === 'active') onShow({ kind: 'deactivate', id: member.id });
          else void toggle(member);
        },
      }),
    [onShow, toggle],
  );
}

type PartProps = { members: readonly Member[] | undefined; onShow: (shown: Shown | undefined) => void };

const memberOf = (members: readonly Member[] | undefined, id: number | undefined) =>
  id === undefined ? undefined : members?.find((member) => member.id === id);

function Details({ state, members, onShow }: PartProps & { state: ReturnType<typeof useTableState> }) {
  const { isMainAdmin } = useUser();
  const toggle = useToggleMember();
  const member = memberOf(members, state.open);
  if (!member) return null;
  const { id } = member;
  return (
    <BesideList>
      <MemberPanel
        key={id}
        member={member}
        onClose={() => {
          state.show({ open: undefined });
          focusListRow(id);
        }}
        onEdit={() => onShow({ kind: 'edit', id })}
        onDocuments={() => onShow({ kind: 'documents', id })}
        onToggle={() => {
          if (member.status === 'active') onShow({ kind: 'deactivate', id });
          else void toggle(member);
        }}
        recent={
          isMainAdmin && (
            <RecentEvents memberId={id} allPath={scopePath({ target: { type: 'account', id } })} />
          )
        }
      />
    </BesideList>
  );
}

function Dialogs({ shown, members, onShow }: PartProps & { shown: Shown | undefined }) {
  if (!shown) return null;
  const close = () => onShow(undefined);
  if (shown.kind === 'issued') return <IssuedPasswordDialog member={shown.member} onClose={close} />;
  const created = (member: Member) =>
    onShow(member.plainPassword === null ? undefined : { kind: 'issued', member });
  if (shown.kind === 'add') {
    return <MemberFormDialog member={undefined} onClose={close} onCreated={created} />;
  }
  const member = memberOf(members, shown.id);
  if (!member) return null;
  if (shown.kind === 'edit') return <MemberFormDialog member={member} onClose={close} onCreated={created} />;
  if (shown.kind === 'documents') return <MemberDocumentsDialog member={member} onClose={close} />;
  return <MemberQuestionDialog question={{ kind: shown.kind, member }} onClose={close} />;
}
