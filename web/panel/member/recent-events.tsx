import { Link } from 'wouter';
import * as api from '#contract/api.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { formatsOf } from '#web/lib/format.ts';
import { useRead } from '#web/lib/query.tsx';
import { auditWord } from '#web/panel/lib/audit-word.ts';
import { buttonStyle } from '#web/ui/button.tsx';

const formats = formatsOf('en');

/** The last things done to a member, for the main admin, with the way to all of them. */
export function RecentEvents({ memberId, allPath }: { memberId: number; allPath: string }) {
  const target = { targetType: 'account', targetId: String(memberId) };
  const log = useRead(api.listAudit, { query: { ...target, limit: String(limits.shortListRows) } });
  const events = log.data ?? [];
  if (events.length === 0) return null;
  return (
    <section className="border-t border-line py-4">
      <h3 className="mb-2 font-heading text-16 font-bold">{panel.memberPanel.recent}</h3>
      <ul className="flex flex-col gap-2.5">
        {events.map(({ id, action, actorName, createdAt }) => (
          <li key={id} className="text-14">
            <span className="block font-semibold">{auditWord(action)}</span>
            <span className="text-12 text-ink-soft">
              <bdi>{actorName ?? panel.audit.nobody}</bdi> · {formats.dateTime(createdAt)}
            </span>
          </li>
        ))}
      </ul>
      <Link href={allPath} className={buttonStyle({ look: 'quiet', size: 'small', wide: true })}>
        {panel.memberPanel.allRecent}
      </Link>
    </section>
  );
}
