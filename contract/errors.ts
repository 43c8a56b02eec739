/**
 * Every failure a caller can meet: its code and its HTTP status (§status-codes). The sentence of each stands
 * in the wording under the same key, so a code without a sentence does not compile.
 */
export const errorStatus = {
  // 400: malformed, or failing a rule
  malformed: 400,
  validation_failed: 400,
  insufficient_funds: 400,
  invalid_otp: 400,
  wrong_password: 400,
  foreign_document: 400,
  invalid_idempotency_key: 400,

  // 401: who are you?
  not_signed_in: 401,
  invalid_credentials: 401,

  // 403: known, but not allowed
  forbidden: 403,
  account_suspended: 403,
  ip_not_allowed: 403,
  main_admin_only: 403,
  own_request: 403,
  verification_required: 403,
  main_admin_protected: 403,

  // 404: absent, or not yours
  not_found: 404,
  method_not_allowed: 405,

  // 409: conflict with what is stored
  already_registered: 409,
  phone_taken: 409,
  email_taken: 409,
  idempotency_key_reused: 409,
  balance_changed: 409,
  loan_not_approved: 409,
  member_not_settled: 409,
  terms_not_agreed: 409,
  edited_meanwhile: 409,
  quote_changed: 409,
  too_many_open: 409,
  withdrawal_final: 409,
  withdrawal_transition: 409,
  own_address: 409,
  ip_already_listed: 409,
  proxy_not_named: 409,

  // Bodies
  upload_too_slow: 408,
  too_large: 413,
  picture_too_large: 413,
  not_an_image: 415,
  unsupported_media_type: 415,

  // Too much, or nobody home
  too_many_tries: 429,
  too_many_uploads: 429,
  code_already_requested: 429,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  overloaded: 503,
  database_unavailable: 503,
  documents_unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The body of every reply that is not a success (§errors). */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  errors?: Record<string, string>;
  accountStatus?: 'suspended';
  requestId?: string;
  /** With a 409: what of the record stood in the way, as a reading of it would give it now. */
  present?: Record<string, string | number | null>;
};
