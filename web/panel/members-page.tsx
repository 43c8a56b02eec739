import { FileTextIcon, PencilIcon, PlusIcon, PowerIcon, Trash2Icon } from 'lucide-react';
import { useMemo, useState } from 'react';
import * as api from '#contract/api.ts';
import type { CsvColumn } from '#contract/csv.ts';
import type { Member } from '#contract/member.ts';
import { profile } from '#contract/wording/en-profile.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { limits } from '#domain/limits.ts';
import { groupAccountNumber, maskAccountNumber, memberStatuses } from '#domain/member.ts';
import {
  documentPieces,
  factsOf,
  fieldsWith,
  type ProfileField,
  profileFieldNames,
} from '#domain/profile.ts';
import { call } from '#web/lib/call.ts';
import { tones } from '#web/lib/chip-tones.ts';
import { lazyPart } from '#web/lib/lazy-page.ts';
import { useRead } from '#web/lib/query.tsx';
import { useUser } from '#web/lib/session.tsx';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { CellLines } from '#web/ui/data-table.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { auditPath, auditWord } from './lib/audit-link.ts';
import { PanelLink, PanelRow, SidePanel } from './lib/details.tsx';
import { ConfirmDialog, RemoveDialog } from './lib/dialogs.tsx';
import { date, dateTime, showPeso } from './lib/format.ts';
import { columnsOf, dayColumn } from './lib/list-table.tsx';
import { type ListDefinition, memberName, phoneSpellings, useListView } from './lib/list-view.ts';
import { MemberPhotos } from './lib/member-photos.tsx';
import { RowActions, useRowWork } from './lib/row-action.tsx';
import { CopyButton, SecretButtons } from './lib/secret.tsx';
import { memberRow } from './lib/staff-action.ts';
import { StaffList } from './lib/staff-list.tsx';
import { useStaffRows, useStats } from './lib/staff-rows.ts';
import { useToggleMember } from './lib/toggle-member.ts';
import { CodeRequestMark, MemberMoney, SecretRow, secretKinds } from './member/member-edits.tsx';

const PersonMessages = lazyPart(() => import('./member/person-messages.tsx'), 'PersonMessages');
const MemberLoans = lazyPart(() => import('./loan/member-loans.tsx'), 'MemberLoans');
const fetchDialogs = () => import('./member/member-dialogs.tsx');
const MemberFormDialog = lazyPart(fetchDialogs, 'MemberFormDialog');
const MemberDocumentsDialog = lazyPart(fetchDialogs, 'MemberDocumentsDialog');

const words = panel.members;
const { columns: heads } = words;
const labels = panel.memberPanel;

/** The open dialog and its member's id; the member comes from the list, where it is always current. */
type Shown =
  | { kind: 'add' }
  | { kind: keyof typeof dialogs; id: number }
  | { kind: 'issued'; member: Member };

type Actions = { onShow: (shown: Shown) => void; onToggle: (member: Member) => void };

/** Member management (§panel-pages). */
export default function MembersPage() {
  const view = useListView();
  const read = useStaffRows(api.listMembers, {
    failure: panel.toasts.members,
    narrowed: { search: view.search, status: memberStatuses.find((known) => known === view.status) ?? '' },
  });
  const [shown, setShown] = useState<Shown>();
  const toggle = useToggleMember();
  const actions = useMemo<Actions>(
    () => ({
      onShow: setShown,
      onToggle: (member) => {
        if (member.status === 'active') setShown({ kind: 'deactivate', id: member.id });
        else void toggle(member);
      },
    }),
    [toggle],
  );
  const close = () => setShown(undefined);
  const created = (added: Member) =>
    setShown(added.plainPassword === null ? undefined : { kind: 'issued', member: added });
  const about = shown && 'id' in shown ? shown : undefined;
  const member = about && read.data?.find(({ id }) => id === about.id);
  const MemberDialog = about && dialogs[about.kind];
  return (
    <>
      <StaffList
        {...{ words, view, read, actions }}
        list={memberList}
        counts={useStats().members}
        csv={{ name: 'members', columns: memberCsv }}
        button={
          <Button
            icon={<PlusIcon className="size-4 @max-[30rem]:hidden" />}
            onClick={() => setShown({ kind: 'add' })}
          >
            {words.add}
          </Button>
        }
        details={(member, close) => <MemberPanel member={member} onClose={close} {...actions} />}
      />
      {shown?.kind === 'issued' && <IssuedPasswordDialog member={shown.member} onClose={close} />}
      {shown?.kind === 'add' && <MemberFormDialog onClose={close} onCreated={created} />}
      {member && MemberDialog && <MemberDialog member={member} onClose={close} />}
    </>
  );
}

type MemberDialogProps = { member: Member; onClose: () => void };

function DeactivateDialog({ member, onClose }: MemberDialogProps) {
  const toggle = useToggleMember();
  const name = memberName(member);
  return (
    <ConfirmDialog
      title={words.deactivateTitle(name)}
      text={words.deactivateText(name)}
      confirmLabel={words.deactivate}
      onConfirm={() => toggle(member)}
      onClose={onClose}
    />
  );
}

function DeleteMemberDialog({ member, onClose }: MemberDialogProps) {
  const { id, balance } = member;
  const name = memberName(member);
  return (
    <RemoveDialog
      title={words.deleteTitle(name)}
      text={words.deleteText({ name, balance: showPeso(balance) })}
      confirmLabel={panel.list.delete}
      send={() => call(api.deleteUser, { params: { id } })}
      done={{ title: words.deleted }}
      failedTitle={panel.toasts.deleteFailed}
      row={memberRow(id)}
      onClose={onClose}
    />
  );
}

/** The password of a member just created, shown once so that staff can tell them. */
function IssuedPasswordDialog({ member, onClose }: MemberDialogProps) {
  const password = member.plainPassword ?? '';
  const { issuedTitle, issuedText, done } = panel.memberForm;
  return (
    <Dialog
      size="small"
      closeOnBackdrop={false}
      title={issuedTitle}
      description={issuedText(memberName(member))}
      onClose={onClose}
    >
      <p className="flex items-center justify-between gap-3 rounded-control bg-sunken px-4 py-3">
        <code translate="no" className="font-mono text-20 font-bold wrap-anywhere">
          {password}
        </code>
        <CopyButton text={password} what={labels.password.label} />
      </p>
      <DialogActions>
        <Button data-autofocus onClick={onClose}>
          {done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

const dialogs = {
  edit: MemberFormDialog,
  documents: MemberDocumentsDialog,
  deactivate: DeactivateDialog,
  delete: DeleteMemberDialog,
};

function MemberPanel({ member, onClose, onShow, onToggle }: MemberDialogProps & Actions) {
  const { isMainAdmin } = useUser();
  const { id } = member;
  const isToggling = useRowWork(memberRow(id)) !== undefined;
  return (
    <SidePanel
      overline={labels.overline(id)}
      title={memberName(member)}
      onClose={onClose}
      actions={
        <>
          <Button look="secondary" onClick={() => onShow({ kind: 'edit', id })}>
            {panel.memberForm.editTitle}
          </Button>
          <Button
            look={member.status === 'active' ? 'danger' : 'primary'}
            busy={isToggling}
            onClick={() => onToggle(member)}
          >
            {member.status === 'active' ? words.deactivate : words.activate}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap gap-2 pb-4">
        <StatusChip tone={tones.member[member.status]}>{panel.memberStatus[member.status]}</StatusChip>
        {member.isVerified && (
          <StatusChip tone="neutral" dot={false}>
            {heads.verified}
          </StatusChip>
        )}
      </div>
      {member.deletionRequestedAt !== null && (
        <Banner
          tone="warn"
          title={panel.deletion.title(date(member.deletionRequestedAt))}
          className="mb-4 p-3.5!"
        >
          {panel.deletion.text(limits.closedAccountKeptYears)}
        </Banner>
      )}
      <MemberPhotos member={member} onOpen={() => onShow({ kind: 'documents', id })} />
      <MemberMoney member={member} />
      <SecretRow member={member} kind={secretKinds.password} />
      <BankRow member={member} />
      <MemberLoans userId={id} />
      <PersonMessages member={member} />
      <Personal member={member} />
      {isMainAdmin && <RecentEvents memberId={id} />}
    </SidePanel>
  );
}

function BankRow({ member: { bankName, bankAccountNumber } }: { member: Member }) {
  const [shown, setShown] = useState(false);
  const number = bankAccountNumber ?? '';
  return (
    <PanelRow
      label={panel.memberForm.groups.bank}
      value={
        bankName || number ? (
          <>
            {bankName}
            <span className="block">{shown ? groupAccountNumber(number) : maskAccountNumber(number)}</span>
          </>
        ) : (
          panel.list.dash
        )
      }
      action={
        number !== '' && (
          <span className="flex shrink-0 items-center">
            <SecretButtons
              what={panel.withdrawals.account}
              of={labels.accountHidden}
              secret={{
                value: shown ? number : undefined,
                reveal: () => setShown(true),
                hide: () => setShown(false),
              }}
            />
          </span>
        )
      }
    />
  );
}

/** The title has the name, and the bank a row of its own. */
const personalFields = profileFieldNames.filter(
  (name) => name !== 'fullName' && factsOf(name).group !== 'bank',
);

function Personal({ member }: { member: Member }) {
  const shown = (name: ProfileField) => {
    const value = member[name];
    return value !== null && factsOf(name).kind === 'pesos' ? showPeso(value) : value;
  };
  const rows = [
    ...personalFields.map((name) => ({
      term: profile.verification.pieces[name],
      value: shown(name) || panel.list.dash,
    })),
    { term: labels.since, value: date(member.createdAt) },
  ];
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{labels.more}</h3>
      <DefinitionRows size={14} rows={rows} />
    </section>
  );
}

/** Shows the main admin the newest audit entries about a member, with a link to all of them. */
function RecentEvents({ memberId }: { memberId: number }) {
  const target = { targetType: 'account', targetId: String(memberId) };
  const query = { ...target, limit: String(limits.shortListRows) };
  const log = useRead(api.listAudit, { query, anew: true });
  const events = log.data ?? [];
  if (events.length === 0) return null;
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{labels.recent}</h3>
      <ul className="flex flex-col gap-2.5">
        {events.map(({ id, action, actorName, createdAt }) => (
          <li key={id} className="text-14">
            <span className="block font-semibold">{auditWord(action)}</span>
            <span className="text-12 text-ink-soft">
              <bdi>{actorName ?? panel.audit.nobody}</bdi> · {dateTime(createdAt)}
            </span>
          </li>
        ))}
      </ul>
      <PanelLink href={auditPath(target)}>{labels.allRecent}</PanelLink>
    </section>
  );
}

const searchedFields = fieldsWith('isSearched');

export const memberList: ListDefinition<Member, Actions> = {
  searchTexts: (member) => [
    phoneSpellings(member.phone),
    member.oldNumber ?? null,
    ...searchedFields.map((name) => member[name]),
  ],
  choices: [
    ...memberStatuses.map((value) => ({ value, label: panel.memberStatus[value] })),
    {
      value: 'complete',
      label: words.completeFilter,
      // They wait for nothing but their activation.
      fits: ({ status, isVerified }) => status === 'pending' && isVerified,
    },
    {
      value: 'waiting',
      label: panel.codeRequest.filter,
      fits: ({ codeRequestedAt }) => codeRequestedAt !== null,
    },
    {
      value: 'deletion',
      label: panel.deletion.filter,
      fits: (member) => member.deletionRequestedAt !== null,
    },
    { value: 'shared', label: panel.sharedPhone.filter, fits: ({ sharesPhone }) => sharesPhone === true },
    { value: 'credit', label: panel.credit.filter, fits: (member) => member.creditWithoutLoanAt !== null },
  ],
  columns: columnsOf(heads, {
    member: {
      size: { widthPx: 140, wantPx: 180, grow: 3 },
      sortValue: memberName,
      cell: (member) => <CellLines main={memberName(member)} note={<MemberNote member={member} />} />,
    },
    phone: {
      size: { widthPx: 132, grow: 1, rank: 1 },
      sortValue: ({ phone }) => phone,
      cell: ({ phone, sharesPhone }) => (
        <>
          <span className="block truncate">{phone}</span>
          {sharesPhone && <span className="block text-12 text-warn">{panel.sharedPhone.note}</span>}
        </>
      ),
    },
    email: {
      size: { widthPx: 220, wantPx: 270, grow: 4, rank: 6 },
      cell: ({ email }) => <span className="block truncate">{email}</span>,
    },
    status: {
      size: { widthPx: 118 },
      sortValue: ({ status }) => status,
      cell: ({ status }) => <StatusChip tone={tones.member[status]}>{panel.memberStatus[status]}</StatusChip>,
    },
    balance: {
      size: { widthPx: 122, grow: 1, rank: 2 },
      numeric: true,
      sortValue: ({ balance }) => Number(balance),
      cell: ({ balance, creditWithoutLoanAt }) => (
        <>
          {showPeso(balance)}
          {creditWithoutLoanAt && <span className="block text-12 text-warn">{panel.credit.note}</span>}
        </>
      ),
    },
    score: { size: { widthPx: 68, rank: 3 }, numeric: true, sortValue: ({ creditScore }) => creditScore },
    joined: dayColumn('createdAt', { widthPx: 116, rank: 5 }),
    actions: {
      size: { widthPx: 150 },
      numeric: true,
      cell: (member, actions) => <MemberRowActions member={member} {...actions} />,
    },
  }),
};

/** Under the name in the list: waiting for a code, having one, asked for deletion, or how complete the verification is. */
function MemberNote({ member }: { member: Member }) {
  if (member.codeRequestedAt) return <CodeRequestMark member={member} />;
  if (member.deletionRequestedAt !== null) return panel.deletion.note;
  if (member.hasOtpCode) return words.hasCode;
  if (member.isVerified) {
    // An address mostly ends in the town.
    const town = member.address?.split(',').at(-1)?.trim();
    return town ? words.verifiedIn(town) : heads.verified;
  }
  const count = documentPieces.filter((piece) => member[piece] !== null).length;
  if (count === 0) return words.noDocuments;
  return count < documentPieces.length ? words.documentsOf(count, documentPieces.length) : words.incomplete;
}

const deleteButton = { label: panel.list.delete, Icon: Trash2Icon, isDangerous: true };

function MemberRowActions({ member, onShow, onToggle }: Actions & { member: Member }) {
  const { id, status } = member;
  const isToggling = useRowWork(memberRow(id)) !== undefined;
  const toggle = status === 'active' ? words.deactivate : words.activate;
  return (
    <RowActions
      actions={[
        { label: panel.list.edit, Icon: PencilIcon, onPress: () => onShow({ kind: 'edit', id }) },
        { label: words.documents, Icon: FileTextIcon, onPress: () => onShow({ kind: 'documents', id }) },
        { label: toggle, Icon: PowerIcon, busy: isToggling, onPress: () => onToggle(member) },
        { ...deleteButton, onPress: () => onShow({ kind: 'delete', id }) },
      ]}
    />
  );
}

/** The columns of the list, without secrets or bank accounts. */
export const memberCsv: readonly CsvColumn<Member>[] = [
  { head: heads.id, value: ({ id }) => id },
  { head: heads.member, value: ({ fullName }) => fullName },
  { head: heads.phone, value: ({ phone }) => phone },
  { head: heads.email, value: ({ email }) => email },
  { head: heads.status, value: ({ status }) => panel.memberStatus[status] },
  { head: heads.verified, value: ({ isVerified }) => (isVerified ? words.yes : words.no) },
  { head: heads.balance, value: ({ balance }) => balance },
  { head: heads.score, value: ({ creditScore }) => creditScore },
  { head: heads.joined, value: ({ createdAt }) => dateTime(createdAt) },
];
