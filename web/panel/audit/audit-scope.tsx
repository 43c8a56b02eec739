import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '#contract/routes.ts';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { tableQuery } from '#web/panel/lib/table-state.ts';
import { Button } from '#web/ui/button.tsx';
import { targetName } from './audit-rules.ts';

const words = panel.audit;

/** A filter on the log: what one account did, or what was done to one account, loan, withdrawal or address. */
export type AuditScope = {
  actorId?: number;
  target?: { type: string; id: number };
};

/** `?whom=account-1001`, `?who=3`. */
export function scopePath({ actorId, target }: AuditScope): string {
  const scope = {
    ...(actorId !== undefined && { who: String(actorId) }),
    ...(target && { whom: `${target.type}-${target.id}` }),
  };
  return `${paths.audit}${tableQuery({}, Object.entries(scope))}`;
}

/** The filter in the URL; unreadable values are ignored. */
export function useAuditScope(): AuditScope {
  const search = useSearch();
  return useMemo(() => {
    const query = new URLSearchParams(search);
    const [, type, targetId] = /^([a-z_]+)-([1-9]\d{0,15})$/.exec(query.get('whom') ?? '') ?? [];
    const [actorId] = /^[1-9]\d{0,15}$/.exec(query.get('who') ?? '') ?? [];
    return {
      ...(actorId !== undefined && { actorId: Number(actorId) }),
      ...(type !== undefined && targetId !== undefined && { target: { type, id: Number(targetId) } }),
    };
  }, [search]);
}

export function ScopeBar({ scope: { actorId, target } }: { scope: AuditScope }) {
  const parts = [
    ...(target ? [words.onlyTarget(targetName(target.type, target.id))] : []),
    ...(actorId === undefined ? [] : [words.onlyActor(targetName('account', actorId))]),
  ];
  if (parts.length === 0) return null;
  return (
    <p className="mb-3 flex items-center gap-3 rounded-control bg-leaf-tint py-1 pl-4 pr-1 text-14">
      <span className="min-w-0 flex-1">{parts.join(' · ')}</span>
      <Button look="quiet" size="small" onClick={() => navigate(paths.audit)}>
        {words.showAll}
      </Button>
    </p>
  );
}

export function scopesOf({ actorId, targetType, targetId }: AuditEntry): (AuditScope & { label: string })[] {
  return [
    ...(targetType === null || targetId === null
      ? []
      : [
          {
            target: { type: targetType, id: targetId },
            label: words.allOfTarget(targetName(targetType, targetId)),
          },
        ]),
    ...(actorId === null ? [] : [{ actorId, label: words.allOfActor }]),
  ];
}
