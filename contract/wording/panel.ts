import { core } from './panel-core.ts';
import { loans } from './panel-loans.ts';
import { members } from './panel-members.ts';
import { reports } from './panel-reports.ts';
import { servicing } from './panel-servicing.ts';
import { settings } from './panel-settings.ts';
import { withdrawals } from './panel-withdrawals.ts';

/**
 * Everything that only staff read, in English. Apart from `en.ts`, so that a borrower's browser never loads it; divided
 * by page, and the staff sign-in loads `panel-core.ts` alone. What staff and borrowers both read is in `en.ts`.
 */
export const panel = { ...core, ...members, ...loans, ...withdrawals, ...servicing, ...reports, ...settings };
