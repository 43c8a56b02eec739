/**
 * The endpoint table: one row an endpoint. Each row is an export of its own and the table has three parts, because a
 * module goes into a browser's chunk whole: the sign-in screen carries its own five rows and none of the staff's. In a
 * browser a row is its method and path and nothing else: `scripts/bare-endpoints.mjs` leaves the schemas out.
 * The server binds every export and refuses to start when one has no handler.
 *
 * Two rows may share a method and a path: then the staff row serves a caller with an admin's token, and the other row
 * everybody else (`register` and `createMember`).
 */
export * from './borrower-endpoints.ts';
export * from './session-endpoints.ts';
export * from './staff-endpoints.ts';
