import { readStats } from '#contract/api.ts';
import type { Stats } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { useRead } from '#web/lib/query.tsx';
import { useFailureToast } from './staff-rows.ts';

/** The counts on top of the lists; each is undefined until they are read. */
export function useStats(): Partial<Stats> {
  const { data, error, errorUpdatedAt } = useRead(readStats);
  useFailureToast(error, errorUpdatedAt, panel.toasts.stats, { yields: true });
  return data ?? {};
}
