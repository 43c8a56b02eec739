import { Link } from 'wouter';
import { paths } from '#contract/routes.ts';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { formatsOf } from '#web/lib/format.ts';
import { auditWord } from '#web/panel/lib/audit-word.ts';
import { tableQuery } from '#web/panel/lib/table-state.ts';
import { buttonStyle } from '#web/ui/button.tsx';
import { PanelRow, SidePanel } from '#web/ui/side-panel.tsx';
import { actorText, changesOf, targetText } from './audit-rules.ts';
import { scopePath, scopesOf } from './audit-scope.tsx';

const words = panel.audit;
const { dateTime } = formatsOf('en');
const linkStyle = buttonStyle({ look: 'quiet', size: 'small', wide: true });

/** Actions on members only; a sign-in or a password may also be an admin's. */
const ofMember = /^(member_(created|updated)|balance|credit|otp|profile|document|register)/;

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

export function AuditPanel({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const changes = changesOf(entry);
  const memberId = ofMember.test(entry.action) ? entry.targetId : null;
  return (
    <SidePanel
      overline={words.entry(entry.id)}
      title={auditWord(entry.action)}
      closeLabel={panel.list.close}
      onClose={onClose}
    >
      <PanelRow label={words.columns.when} value={dateTime(entry.createdAt)} />
      <PanelRow label={words.columns.who} value={actorText(entry)} />
      <PanelRow label={words.columns.from} value={entry.ipAddress ?? panel.list.dash} />
      <PanelRow label={words.columns.whom} value={targetText(entry)} />
      {changes.map(({ name, before, after }) => (
        <PanelRow
          key={name}
          label={capitalised(name)}
          value={
            before !== undefined && after !== undefined
              ? panel.memberPanel.change(before, after)
              : (before ?? after)
          }
        />
      ))}
      <p className="flex flex-col gap-1 border-t border-line pt-3">
        {scopesOf(entry).map(({ label, ...scope }) => (
          <Link key={label} href={scopePath(scope)} className={linkStyle}>
            {label}
          </Link>
        ))}
        {memberId !== null && (
          <Link href={`${paths.members}${tableQuery({ open: memberId })}`} className={linkStyle}>
            {words.openMember}
          </Link>
        )}
      </p>
    </SidePanel>
  );
}
