import { type ReactNode, useState } from 'react';
import type { Member } from '#contract/member.ts';
import { en } from '#contract/wording/en.ts';
import { panel } from '#contract/wording/panel.ts';
import { groupAccountNumber, maskAccountNumber } from '#domain/member.ts';
import {
  type DocumentPiece,
  documentPieces,
  factsOf,
  type ProfileField,
  profileFieldNames,
} from '#domain/profile.ts';
import { formatsOf } from '#web/lib/format.ts';
import { useStoredImage } from '#web/lib/stored-image.ts';
import { CopyButton } from '#web/panel/lib/copy-button.tsx';
import { PanelRow, SidePanel } from '#web/panel/lib/details.tsx';
import { useRowWork } from '#web/panel/lib/row-action.tsx';
import { SecretButtons } from '#web/panel/lib/secret.tsx';
import { Button } from '#web/ui/button.tsx';
import { DefinitionRows } from '#web/ui/definition-rows.tsx';
import { Thumbnail } from '#web/ui/document-tile.tsx';
import { StatusChip } from '#web/ui/status-chip.tsx';
import { MemberMoney, PasswordRow } from './member-money.tsx';
import { DeletionBanner, memberName, memberRow, memberStatusTone } from './member-text.tsx';

const words = panel.memberPanel;
const formats = formatsOf('en');

type MemberPanelProps = {
  member: Member;
  onClose: () => void;
  onEdit: () => void;
  onDocuments: () => void;
  onToggle: () => void;
  /** The newest audit entries, for those who may read them. */
  recent?: ReactNode;
};

export function MemberPanel({ member, onClose, onEdit, onDocuments, onToggle, recent }: MemberPanelProps) {
  const isToggling = useRowWork(memberRow(member.id)) !== undefined;
  return (
    <SidePanel
      overline={words.overline(member.id)}
      title={memberName(member)}
      onClose={onClose}
      actions={
        <>
          <Button look="secondary" size="small" onClick={onEdit}>
            {words.edit}
          </Button>
          <Button
            look={member.status === 'active' ? 'danger' : 'primary'}
            size="small"
            busy={isToggling}
            onClick={onToggle}
          >
            {member.status === 'active' ? panel.members.deactivate : panel.members.activate}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap gap-2 pb-4">
        <StatusChip tone={memberStatusTone[member.status]}>{panel.memberStatus[member.status]}</StatusChip>
        {member.isVerified && (
          <StatusChip tone="neutral" dot={false}>
            {panel.members.verified}
          </StatusChip>
        )}
      </div>
      <DeletionBanner member={member} />
      <div className="grid grid-cols-3 gap-2 pb-4">
        {documentPieces.map((piece) => (
          <SmallDocument key={piece} piece={piece} url={member[piece]} onOpen={onDocuments} />
        ))}
      </div>
      <PanelRow
        label={words.phone}
        value={member.phone}
        action={<CopyButton text={member.phone} what={panel.memberForm.phone} />}
      />
      <MemberMoney member={member} />
      <PasswordRow member={member} />
      <BankRow member={member} />
      <Personal member={member} />
      {recent}
    </SidePanel>
  );
}

function BankRow({ member: { bankName, bankAccountNumber } }: { member: Member }) {
  const [shown, setShown] = useState(false);
  const number = bankAccountNumber ?? '';
  return (
    <PanelRow
      label={words.bank}
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
              of={words.accountHidden}
              shown={shown ? number : undefined}
              onShow={() => setShown(true)}
              onHide={() => setShown(false)}
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
    return value !== null && factsOf(name).kind === 'pesos' ? formats.peso(value) : value;
  };
  const rows = [
    ...personalFields.map((name) => ({
      term: en.verification.pieces[name],
      value: shown(name) || panel.list.dash,
    })),
    { term: words.since, value: formats.date(member.createdAt) },
  ];
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{words.more}</h3>
      <DefinitionRows size={14} rows={rows} />
    </section>
  );
}

type SmallProps = { piece: DocumentPiece; url: string | null; onOpen: () => void };

function SmallDocument({ piece, url, onOpen }: SmallProps) {
  const image = useStoredImage(url);
  return (
    <div className="overflow-hidden rounded-small border border-line text-center">
      <Thumbnail
        piece={piece}
        imageUrl={image.src}
        preview={image.src === undefined ? undefined : { label: words.open[piece], onOpen }}
      />
      <p className="py-1 text-12 text-ink-soft">
        {words.shortDocuments[piece]}
        {url === null && <span className="sr-only">: {words.noDocument}</span>}
      </p>
    </div>
  );
}
