import type { ErrorCode } from '#contract/errors.ts';

/**
 * What a violated constraint means to the caller. A constraint that is not here can only be violated by a fault of
 * ours, and is answered as one.
 */
const codes: Record<string, ErrorCode> = {
  accounts_phone_unique: 'phone_taken',
  accounts_admin_email_unique: 'email_taken',
  accounts_balance_not_negative: 'insufficient_funds',
  accounts_main_admin: 'main_admin_protected',
  allowed_ips_address_unique: 'ip_already_listed',
};

export const codeOfConstraint = (constraint: string): ErrorCode | undefined => codes[constraint];
