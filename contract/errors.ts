import { limits } from '#domain/limits.ts';
import { everyPage } from './wording/en-every-page.ts';

type FailureRow = { status: number; en: string; fil: string };

/**
 * Every failure a caller can meet: its HTTP status (§status-codes) and its sentence in each language. A browser
 * bundle keeps one language: `scripts/bare-contract.mjs`.
 */
export const failures = {
  // 400: malformed, or failing a rule
  malformed: { status: 400, en: 'This request could not be read', fil: 'Hindi nabasa ang request na ito' },
  validation_failed: { status: 400, en: everyPage.errors.validation_failed, fil: 'Pakisuri ang inilagay mo' },
  insufficient_funds: { status: 400, en: 'Insufficient funds', fil: 'Kulang ang balance mo' },
  invalid_otp: { status: 400, en: 'Invalid or expired OTP code', fil: 'Mali o paso na ang OTP code' },
  wrong_password: {
    status: 400,
    en: 'Your current password is not right',
    fil: 'Mali ang kasalukuyan mong password',
  },
  foreign_document: { status: 400, en: 'Please upload the image again', fil: 'Paki-upload ulit ang photo' },
  invalid_idempotency_key: {
    status: 400,
    en: 'The retry key of this request could not be read',
    fil: 'Hindi nabasa ang retry key ng request na ito',
  },

  // 401: who are you?
  not_signed_in: { status: 401, en: everyPage.errors.not_signed_in, fil: 'Mag-sign in para magpatuloy' },
  invalid_credentials: {
    status: 401,
    en: everyPage.errors.invalid_credentials,
    fil: 'Pakisuri ang mobile number at password mo',
  },

  // 403: known, but not allowed
  forbidden: { status: 403, en: 'Access denied', fil: 'Hindi pinapayagan' },
  account_suspended: {
    status: 403,
    en: everyPage.errors.account_suspended,
    fil: 'Na-suspend ang account mo. Makipag-ugnayan sa support.',
  },
  ip_not_allowed: {
    status: 403,
    en: everyPage.errors.ip_not_allowed,
    fil: 'Hindi magagamit ang panel mula sa address na ito',
  },
  main_admin_only: {
    status: 403,
    en: 'Only the main admin may do this',
    fil: 'Ang main admin lang ang puwedeng gumawa nito',
  },
  own_request: {
    status: 403,
    en: `You changed the password, bank details, code or balance of this account in the last ${limits.accessChangeDays} days, so somebody else has to release this withdrawal. You can still reject it.`,
    fil: `Binago mo ang password, bank details, code o balance ng account na ito sa nakaraang ${limits.accessChangeDays} araw, kaya iba ang dapat maglabas ng withdrawal na ito. Puwede mo pa rin itong tanggihan.`,
  },
  role_missing: {
    status: 403,
    en: 'Your account may not do this. The main admin gives out roles in Settings.',
    fil: 'Hindi ito magagawa ng account mo. Ang main admin ang nagbibigay ng role sa Settings.',
  },
  verification_required: {
    status: 403,
    en: everyPage.errors.verification_required,
    fil: 'Kumpletuhin muna ang profile at mga dokumento mo',
  },
  main_admin_protected: {
    status: 403,
    en: 'The main admin cannot be deleted, suspended or demoted',
    fil: 'Hindi puwedeng burahin, suspindihin o ibaba ang main admin',
  },

  // 404: absent, or not yours
  not_found: { status: 404, en: 'This was not found', fil: 'Hindi ito nakita' },
  method_not_allowed: { status: 405, en: 'This cannot be done here', fil: 'Hindi ito magagawa rito' },

  // 409: conflict with what is stored
  already_registered: {
    status: 409,
    en: 'You already have an account, please login',
    fil: 'May account ka na, mag-login na lang',
  },
  phone_taken: {
    status: 409,
    en: 'Another account has this phone number',
    fil: 'May ibang account na gumagamit ng numerong ito',
  },
  email_taken: {
    status: 409,
    en: 'Another admin has this email',
    fil: 'May ibang admin na gumagamit ng email na ito',
  },
  idempotency_key_reused: {
    status: 409,
    en: 'This request was already sent with other details',
    fil: 'Naipadala na ang request na ito na may ibang detalye',
  },
  balance_changed: {
    status: 409,
    en: 'The balance has changed meanwhile. Please look at it again.',
    fil: 'Nagbago ang balance habang ginagawa ito. Pakitingnan ulit.',
  },
  loan_not_approved: {
    status: 409,
    en: 'Only an approved or active loan can be released',
    fil: 'Aprubado o aktibong loan lang ang puwedeng ilabas',
  },
  member_not_settled: {
    status: 409,
    en: 'A member with money, an open withdrawal or a loan that is out cannot be deleted',
    fil: 'Hindi mabubura ang miyembrong may pera, may bukas na withdrawal o may loan na hindi pa bayad',
  },
  terms_not_agreed: {
    status: 409,
    en: 'The borrower has not accepted the newest terms of this loan. It can be released once they have.',
    fil: 'Hindi pa tinatanggap ng nanghihiram ang pinakabagong tuntunin ng loan na ito. Mailalabas ito kapag tinanggap na niya.',
  },
  too_many_versions: {
    status: 409,
    en: `The contract of this loan has ${limits.contractVersionsMax} versions, and no more are made. Delete the loan and have the borrower apply again.`,
    fil: `May ${limits.contractVersionsMax} bersyon na ang kontrata ng loan na ito, at hindi na ito madadagdagan. Burahin ang loan at mag-apply ulit ang nanghihiram.`,
  },
  already_disbursed: {
    status: 409,
    en: 'This loan was disbursed already',
    fil: 'Na-disburse na ang loan na ito',
  },
  loan_disbursed: {
    status: 409,
    en: 'This loan is disbursed: its terms are fixed, and its books stay. What can be changed is on its account.',
    fil: 'Na-disburse na ang loan na ito: hindi na mababago ang terms at mananatili ang tala. Nasa account ng loan ang puwedeng baguhin.',
  },
  not_disbursed: {
    status: 409,
    en: 'This loan is not disbursed',
    fil: 'Hindi pa na-disburse ang loan na ito',
  },
  already_credited: {
    status: 409,
    en: 'The wallet was already credited for this loan. Record the disbursement instead.',
    fil: 'Nailagay na sa wallet ang pera ng loan na ito. Itala na lang ang disbursement.',
  },
  not_in_wallet: {
    status: 409,
    en: 'Only a disbursement into the wallet can be cancelled',
    fil: 'Disbursement sa wallet lang ang puwedeng kanselahin',
  },
  already_withdrawn: {
    status: 409,
    en: 'The wallet no longer holds the whole amount',
    fil: 'Wala na sa wallet ang buong halaga',
  },
  has_payments: {
    status: 409,
    en: 'A payment was recorded on this loan. Reverse it first.',
    fil: 'May naitalang bayad sa loan na ito. Bawiin muna iyon.',
  },
  loan_closed: {
    status: 409,
    en: 'This loan is closed: nothing is owed on it',
    fil: 'Sarado na ang loan na ito: wala nang babayaran',
  },
  loan_open: {
    status: 409,
    en: 'This loan is not paid off yet',
    fil: 'Hindi pa bayad nang buo ang loan na ito',
  },
  deferral_not_possible: {
    status: 409,
    en: 'These instalments cannot be moved: at most twice, and never into the past',
    fil: 'Hindi maililipat ang mga hulog na ito: dalawang beses lang, at hindi sa nakaraan',
  },
  payment_known: {
    status: 409,
    en: 'A payment with this reference is already recorded',
    fil: 'May naitala nang bayad na may ganitong reference',
  },
  payment_final: {
    status: 409,
    en: 'This payment was decided already',
    fil: 'May desisyon na sa bayad na ito',
  },
  already_reversed: {
    status: 409,
    en: 'This was reversed already',
    fil: 'Nabawi na ito',
  },
  already_decided: {
    status: 409,
    en: 'Somebody has decided this already',
    fil: 'May nagdesisyon na nito',
  },
  edited_meanwhile: {
    status: 409,
    en: 'This was changed meanwhile. Please look at it again.',
    fil: 'Nabago ito habang ginagawa. Pakitingnan ulit.',
  },
  quote_changed: {
    status: 409,
    en: 'What this loan costs has changed meanwhile. Please look at it again.',
    fil: 'Nagbago na ang gastos ng loan na ito. Pakitingnan ulit.',
  },
  too_many_open: {
    status: 409,
    en: `You have ${limits.undecidedApplicationsMax} applications that are not decided yet. Please wait for our answer before you apply again.`,
    fil: `Mayroon ka pang ${limits.undecidedApplicationsMax} application na wala pang desisyon. Hintayin muna ang sagot namin bago mag-apply ulit.`,
  },
  withdrawal_final: {
    status: 409,
    en: 'This withdrawal is already completed or rejected',
    fil: 'Tapos na o tinanggihan na ang withdrawal na ito',
  },
  withdrawal_transition: {
    status: 409,
    en: 'This withdrawal cannot take that status',
    fil: 'Hindi puwede ang status na iyan sa withdrawal na ito',
  },
  own_address: {
    status: 409,
    en: 'This entry keeps your own access. Remove the others first.',
    fil: 'Ito ang nagbibigay sa iyo ng access. Alisin muna ang iba.',
  },
  ip_already_listed: {
    status: 409,
    en: 'This address is already on the list',
    fil: 'Nasa listahan na ang address na ito',
  },
  proxy_not_named: {
    status: 409,
    en: 'A proxy passed this request on that TRUST_PROXY does not name, so the server does not see your own address. Name the proxy in that setting first.',
    fil: 'Dumaan ang request na ito sa proxy na wala sa TRUST_PROXY, kaya hindi nakikita ng server ang sarili mong address. Ilagay muna ang proxy sa setting na iyon.',
  },

  // Bodies
  upload_too_slow: {
    status: 408,
    en: 'Your photo came in too slowly. Please try again where the signal is better.',
    fil: 'Masyadong mabagal ang dating ng photo. Subukan ulit kung saan mas malakas ang signal.',
  },
  too_large: {
    status: 413,
    en: `This is too large. A photo may have at most ${limits.documentMaxBytes / 2 ** 20} MB.`,
    fil: `Masyado itong malaki. Hanggang ${limits.documentMaxBytes / 2 ** 20} MB lang ang isang photo.`,
  },
  picture_too_large: {
    status: 413,
    en: `Please choose a smaller photo: up to ${limits.documentMaxSidePx.toLocaleString('en')} pixels a side and ${limits.documentMaxPixels / 1e6} megapixels, HEIC and AVIF up to ${limits.documentMaxPixelsHeif / 1e6}`,
    fil: `Pumili ng mas maliit na photo: hanggang ${limits.documentMaxSidePx.toLocaleString('en')} pixel bawat gilid at ${limits.documentMaxPixels / 1e6} megapixel, ${limits.documentMaxPixelsHeif / 1e6} kung HEIC o AVIF`,
  },
  not_an_image: {
    status: 415,
    en: 'Please choose a photo: JPEG, PNG, WebP, GIF or HEIC',
    fil: 'Pumili ng photo: JPEG, PNG, WebP, GIF o HEIC',
  },
  unsupported_media_type: {
    status: 415,
    en: 'This kind of content cannot be read here',
    fil: 'Hindi mababasa rito ang ganitong uri ng nilalaman',
  },

  // Too much, or nobody home
  too_many_tries: {
    status: 429,
    en: 'Too many tries. Please wait a little and try again.',
    fil: 'Masyadong maraming subok. Maghintay sandali at subukan ulit.',
  },
  too_many_uploads: {
    status: 429,
    en: 'Your other photos are still on their way. Please try this one again in a moment.',
    fil: 'Papunta pa ang iba mong photo. Subukan ulit ang isang ito maya-maya.',
  },
  code_already_requested: {
    status: 429,
    en: `You asked for a code within the last ${limits.codeRequestEveryMinutes} minutes. Our staff know that you are waiting.`,
    fil: `Humingi ka na ng code nitong huling ${limits.codeRequestEveryMinutes} minuto. Alam na ng aming staff na naghihintay ka.`,
  },
  too_many_requests: {
    status: 429,
    en: 'That is more than we can take from one account for now. Please try again later.',
    fil: 'Lampas na ito sa kaya naming tanggapin mula sa isang account sa ngayon. Subukan ulit mamaya.',
  },
  headers_too_large: {
    status: 431,
    en: 'This request is too large',
    fil: 'Masyadong malaki ang request na ito',
  },
  internal: {
    status: 500,
    en: 'Something went wrong on our side. Nothing was changed.',
    fil: 'Nagkaproblema sa amin. Walang nabago.',
  },
  overloaded: {
    status: 503,
    en: 'Many people are using this right now. Please try again in a moment.',
    fil: 'Maraming gumagamit nito ngayon. Subukan ulit maya-maya.',
  },
  database_unavailable: {
    status: 503,
    en: 'We cannot reach our records right now. Please try again in a moment.',
    fil: 'Hindi namin ma-access ang records namin ngayon. Subukan ulit maya-maya.',
  },
  documents_unavailable: {
    status: 503,
    en: 'Photos cannot be stored or shown right now. Please try again later.',
    fil: 'Hindi maitabi o maipakita ang mga photo ngayon. Subukan ulit mamaya.',
  },
  storage_full: {
    status: 507,
    en: 'There is no room for new photos right now. Please try again later.',
    fil: 'Wala nang lugar para sa mga bagong photo ngayon. Subukan ulit mamaya.',
  },
} satisfies Record<string, FailureRow>;

export type ErrorCode = keyof typeof failures;

// @__NO_SIDE_EFFECTS__
export const sentencesIn = (language: 'en' | 'fil') =>
  Object.fromEntries(Object.entries(failures).map(([code, row]) => [code, row[language]])) as Record<
    ErrorCode,
    string
  >;

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
