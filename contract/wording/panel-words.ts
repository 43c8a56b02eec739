/** Everything that only staff read, in English. Import it as a namespace: each page then loads only what it uses. */
export * from './panel-audit.ts';
export * from './panel-counter.ts';
export * from './panel-day.ts';
export * from './panel-every-page.ts';
export * from './panel-loans.ts';
export * from './panel-members.ts';
export * from './panel-messages.ts';
export * from './panel-month.ts';
export * from './panel-reports.ts';
export * from './panel-servicing.ts';
export * from './panel-settings.ts';
export * from './panel-statement.ts';
export * from './panel-withdrawals.ts';
