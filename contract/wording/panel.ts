import { core } from './panel-core.ts';
import { loans } from './panel-loans.ts';
import { members } from './panel-members.ts';
import { settings } from './panel-settings.ts';
import { withdrawals } from './panel-withdrawals.ts';

/**
 * Every word that only staff read. The panel is in English; it stands apart from `en.ts` so that a borrower's browser
 * never loads it, and in parts because the staff's sign-in needs no more than `panel-core.ts`. What staff share with
 * borrowers (validation, errors) stays in `en.ts`.
 */
export const panel = { ...core, ...members, ...loans, ...withdrawals, ...settings };
