import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as api from '#contract/api.ts';
import type { AuditEntry } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { limits } from '#domain/limits.ts';
import { addressOf, call } from '#web/lib/call.ts';
import { type StaffRows, useFailureToast } from '#web/lib/staff-rows.ts';
import type { AuditScope } from './audit-scope.tsx';

type Cursor = number | undefined;

/**
 * The audit log from its newest entry on, as far back as somebody asked for: all of it, or the part that the server is
 * asked for by action, actor and target.
 */
export function useAuditLog({ action, actorId, target }: AuditScope & { action: string }): {
  list: StaffRows<AuditEntry>;
  hasOlder: boolean;
  isReadingOlder: boolean;
  readOlder: () => void;
} {
  const part = {
    ...(/^[a-z_]+$/.test(action) && { action }),
    ...(actorId !== undefined && { actorId: String(actorId) }),
    ...(target && { targetType: target.type, targetId: String(target.id) }),
  };
  const read = useInfiniteQuery<AuditEntry[], Error, InfiniteData<AuditEntry[], Cursor>, string[], Cursor>({
    // A key of its own: the plain reading of the newest page is kept under the address itself.
    queryKey: [addressOf(api.listAudit.path, {}, part), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call(api.listAudit, {
        query: {
          ...part,
          limit: String(limits.auditPageDefaultRows),
          ...(pageParam !== undefined && { before: String(pageParam) }),
        },
        signal,
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.length < limits.auditPageDefaultRows ? undefined : page.at(-1)?.id),
  });
  useFailureToast(read.error, read.errorUpdatedAt, panel.toasts.audit);
  const rows = useMemo(() => read.data?.pages.flat(), [read.data]);
  return {
    list: {
      rows,
      isReading: read.isFetching,
      isPartial: false,
      isAsking: false,
      error: read.error,
      readAt: read.dataUpdatedAt === 0 ? undefined : new Date(read.dataUpdatedAt),
      readAgain: () => void read.refetch(),
    },
    hasOlder: read.hasNextPage,
    isReadingOlder: read.isFetchingNextPage,
    readOlder: () => void read.fetchNextPage(),
  };
}
