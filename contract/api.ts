/**
 * The endpoint table. Every row is its own export and the table has seven parts, because bundlers take a module whole:
 * the sign-in screen carries its own five rows and none of the staff's. In browser bundles a row is only its method and
 * path: `scripts/bare-contract.ts` strips the schemas. The server binds every export and refuses to start if one has
 * no handler.
 *
 * Two rows may share a method and path (`register` and `createMember`): the staff row then serves callers with an
 * admin's token, the other row everybody else.
 */
export * from './borrower-endpoints.ts';
export * from './collection-endpoints.ts';
export * from './loan-account-endpoints.ts';
export * from './message-endpoints.ts';
export * from './servicing-endpoints.ts';
export * from './session-endpoints.ts';
export * from './staff-endpoints.ts';
