import { day } from './panel-day.ts';
import { core } from './panel-every-page.ts';
import { loans } from './panel-loans.ts';
import { members } from './panel-members.ts';
import { reports } from './panel-reports.ts';
import { servicing } from './panel-servicing.ts';
import { settings } from './panel-settings.ts';
import { withdrawals } from './panel-withdrawals.ts';

/** Everything that only staff read, in English. The staff sign-in loads `panel-every-page.ts` alone. */
export const panel = {
  ...core,
  ...members,
  ...loans,
  ...withdrawals,
  ...servicing,
  ...day,
  ...reports,
  ...settings,
};
