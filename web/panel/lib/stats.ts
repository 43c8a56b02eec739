import { readStats } from '#contract/api.ts';
import type { Stats } from '#contract/staff.ts';
import { panel } from '#contract/wording/panel.ts';
import { useRead } from '#web/lib/query.tsx';
import { useFailureToast } from './staff-rows.ts';

/** The counts above the lists, undefined until read. */
export function useStats(): Partial<Stats> {
  const { data, error, errorUpdatedAt } = useRead(readStats);
  useFailureToast(error, errorUpdatedAt, panel.toasts.stats, { yields: true });
  return data ?? {};
}
