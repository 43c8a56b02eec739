import { formatsOf } from '#web/lib/format.ts';

export { showPeso } from '#web/lib/format.ts';
/** The panel is in English. */
export const { date, dateTime, dayMonth } = formatsOf('en');
