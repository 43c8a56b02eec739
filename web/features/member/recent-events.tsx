import * as api from '#contract/api.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { auditWord } from '#web/lib/audit-word.ts';
import { formatsOf } from '#web/lib/format.ts';
import { useRead } from '#web/lib/query.tsx';

const formats = formatsOf('en');

/** The last things done to a member, for the main admin: those among the newest entries of the audit log. */
export function RecentEvents({ memberId }: { memberId: number }) {
  const log = useRead(api.listAudit, { query: { limit: String(limits.auditPageMaxRows) } });
  const events = (log.data ?? [])
    .filter(({ targetType, targetId }) => targetType === 'account' && targetId === memberId)
    .slice(0, limits.shortListRows);
  if (events.length === 0) return null;
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{panel.memberPanel.recent}</h3>
      <ul className="flex flex-col gap-2.5">
        {events.map(({ id, action, actorName, createdAt }) => (
          <li key={id} className="text-14">
            <span className="block font-semibold">{auditWord(action)}</span>
            <span className="text-12 text-ink-soft">
              {actorName ?? panel.audit.nobody} · {formats.dateTime(createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
