import { limits } from '#domain/limits.ts';
import { everyPage, phoneTaken } from './wording/en-every-page.ts';

type Sentences = { en: string; fil?: string };

const withStatus = <Rows extends Record<string, Sentences>>(status: number, rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([code, row]) => [code, { status, ...row }])) as {
    [Code in keyof Rows]: Rows[Code] & { status: number };
  };

/**
 * Every failure a caller can meet: its HTTP status (§status-codes) and its sentence, in Filipino too where a borrower can
 * meet it. A browser bundle keeps one language: `scripts/bare-contract.ts`.
 */
export const failures = {
  // Malformed, or failing a rule
  ...withStatus(400, {
    malformed: { en: 'This request could not be read', fil: 'Hindi nabasa ang request na ito' },
    validation_failed: { en: everyPage.errors.validation_failed, fil: 'Pakisuri ang inilagay mo' },
    insufficient_funds: { en: everyPage.errors.insufficient_funds, fil: 'Kulang ang balance mo' },
    invalid_code: {
      en: 'This code is wrong or has expired. Ask for a new one.',
      fil: 'Mali o paso na ang code na ito. Humingi ng bago.',
    },
    invalid_otp: { en: 'Invalid or expired OTP code', fil: 'Mali o paso na ang OTP code' },
    wrong_password: { en: 'Your current password is not right', fil: 'Mali ang kasalukuyan mong password' },
    foreign_document: { en: 'Please upload the image again', fil: 'Paki-upload ulit ang photo' },
    invalid_idempotency_key: {
      en: 'The retry key of this request could not be read',
      fil: 'Hindi nabasa ang retry key ng request na ito',
    },
  }),
  // The server does not know who calls
  ...withStatus(401, {
    not_signed_in: { en: everyPage.errors.not_signed_in, fil: 'Mag-sign in para magpatuloy' },
    invalid_credentials: {
      en: everyPage.errors.invalid_credentials,
      fil: 'Pakisuri ang numero ng telepono at password mo',
    },
    session_idle: {
      en: everyPage.errors.session_idle,
      fil: 'Na-sign out ka dahil matagal kang walang ginawa',
    },
    wrong_code: {
      en: 'This code is not right, or was used already. Try the next one.',
      fil: 'Mali ang code na ito, o nagamit na. Subukan ang susunod.',
    },
  }),
  // Known, but not allowed
  ...withStatus(403, {
    forbidden: { en: 'Access denied', fil: 'Hindi pinapayagan' },
    account_suspended: {
      en: everyPage.errors.account_suspended,
      fil: 'Na-suspend ang account mo. Makipag-ugnayan sa support.',
    },
    ip_not_allowed: {
      en: everyPage.errors.ip_not_allowed,
      fil: 'Hindi magagamit ang panel mula sa address na ito',
    },
    second_step_required: {
      en: 'Your account needs its second step',
      fil: 'Kailangan ng account mo ang ikalawang hakbang nito',
    },
    main_admin_only: { en: 'Only the main admin may do this' },
    own_request: {
      en: 'Somebody else has to do this',
      fil: 'Ibang staff ang dapat gumawa nito.',
    },
    role_missing: {
      en: 'Your account may not do this. The main admin assigns roles in Settings.',
      fil: 'Hindi ito puwedeng gawin ng account mo. Ang main admin ang nagtatakda ng mga role sa Settings.',
    },
    verification_required: {
      en: everyPage.errors.verification_required,
      fil: 'Kumpletuhin muna ang profile at mga dokumento mo',
    },
    main_admin_protected: { en: 'The main admin cannot be deleted, suspended or demoted' },
  }),
  // Absent, or not yours
  ...withStatus(404, {
    not_found: { en: 'This was not found', fil: 'Hindi ito nakita' },
  }),
  ...withStatus(405, {
    method_not_allowed: { en: 'This cannot be done here', fil: 'Hindi ito magagawa rito' },
  }),
  // Conflict with what is stored
  ...withStatus(409, {
    already_registered: {
      en: everyPage.errors.already_registered,
      fil: 'May account ka na, mag-login na lang',
    },
    phone_taken: { en: phoneTaken },
    email_taken: { en: 'Another admin has this email' },
    idempotency_key_reused: {
      en: 'This request was already sent with other details',
      fil: 'Naipadala na ang request na ito na may ibang detalye',
    },
    balance_changed: { en: 'The balance has changed in the meantime. Please look at it again.' },
    loan_not_approved: { en: 'Only an approved or active loan can be released' },
    member_not_settled: {
      en: 'A member with money, an open withdrawal or a loan that is out cannot be deleted',
    },
    terms_not_agreed: {
      en: 'The borrower has not accepted the newest terms of this loan. It can be released once they have.',
    },
    too_many_versions: {
      en: `The contract of this loan has ${limits.contractVersionsMax} versions, and no more are made. Delete the loan and have the borrower apply again.`,
    },
    already_disbursed: { en: 'This loan was released already' },
    loan_disbursed: {
      en: 'This loan is released: its terms are fixed, and it cannot be deleted. What can be changed is on its account.',
    },
    not_disbursed: { en: 'This loan is not released', fil: 'Hindi pa nailalabas ang loan na ito' },
    already_credited: {
      en: 'The wallet was already credited for this loan. Record it as paid already instead.',
    },
    not_in_wallet: { en: 'Only a release into the wallet can be cancelled' },
    already_withdrawn: { en: 'The wallet no longer holds the whole amount' },
    has_payments: { en: 'A payment was recorded on this loan. Reverse it first.' },
    refund_to_return: {
      en: 'Money was refunded on this loan for a payment that was reversed since. It has to come back first.',
    },
    loan_closed: {
      en: 'This loan is closed: nothing is owed on it',
      fil: 'Sarado na ang loan na ito: wala nang babayaran',
    },
    loan_open: { en: 'This loan is not paid off yet', fil: 'Hindi pa bayad nang buo ang loan na ito' },
    deferral_not_possible: {
      en: 'These instalments cannot be moved: at most twice, and never into the past',
    },
    payment_known: {
      en: 'A payment with this reference is already recorded',
      fil: 'Naitala na ang bayad na may ganitong reference',
    },
    payment_final: {
      en: 'This payment was decided already',
      fil: 'May desisyon na sa bayad na ito',
    },
    already_reversed: { en: 'This was reversed already' },
    already_asked: { en: 'Somebody has asked for this already. It waits under Approvals.' },
    request_outdated: {
      en: 'This request is out of date: the loan or the borrower’s details have changed, or the person who asked may no longer ask. It is closed; please ask again.',
    },
    payment_waiting: {
      en: 'A payment on this loan waits to be confirmed. Confirm or reject it first.',
    },
    reference_wanted: {
      en: 'A payment through this channel is recorded with a reference, and this line has none that can be compared',
    },
    not_matched: { en: 'This line is not matched. Look at it, and record or confirm its payment by hand.' },
    drawer_open: { en: 'Your drawer is open already. Close it before you open another.' },
    drawer_closed: { en: 'This drawer was closed already' },
    contact_not_allowed: { en: 'The borrower may not be contacted now' },
    complaint_final: {
      en: 'This complaint is closed. Please open a new one.',
      fil: 'Sarado na ang reklamong ito. Magbukas ng bago.',
    },
    already_decided: { en: 'Somebody has decided this already' },
    channel_off: {
      en: 'We do not send messages this way',
      fil: 'Hindi kami nagpapadala ng mensahe sa ganitong paraan',
    },
    already_confirmed: { en: 'This is confirmed already', fil: 'Kumpirmado na ito' },
    no_address: {
      en: 'There is nothing to confirm: add it to your profile first',
      fil: 'Walang makukumpirma: ilagay muna ito sa profile mo',
    },
    not_mobile: {
      en: 'Only a Philippine mobile number gets text messages',
      fil: 'Philippine mobile number lang ang nakakatanggap ng text',
    },
    codes_by_staff: {
      en: 'We cannot text a code to this account now. Please ask our staff for it.',
      fil: 'Hindi kami makapag-text ng code sa account na ito ngayon. Hingin ito sa aming staff.',
    },
    not_repeatable: { en: 'This message cannot be sent again' },
    edited_meanwhile: { en: 'This was changed in the meantime. Please look at it again.' },
    quote_changed: {
      en: 'What this loan costs has changed in the meantime. Please look at it again.',
      fil: 'Nagbago na ang gastos ng loan na ito. Pakitingnan ulit.',
    },
    too_many_open: {
      en: `You have ${limits.undecidedApplicationsMax} applications that are not decided yet. Please wait for our answer before you apply again.`,
      fil: `Mayroon ka pang ${limits.undecidedApplicationsMax} application na wala pang desisyon. Hintayin muna ang sagot namin bago mag-apply ulit.`,
    },
    withdrawal_final: { en: 'This withdrawal is already completed or rejected' },
    withdrawal_transition: { en: 'This withdrawal cannot take that status' },
    second_step_on: { en: 'The second step is on already. Switch it off first.' },
    second_step_off: { en: 'This account has no second step' },
    own_address: { en: 'This entry keeps your own access. Remove the others first.' },
    ip_already_listed: { en: 'This address is already on the list' },
    proxy_not_named: {
      en: 'This request came through a proxy that TRUST_PROXY does not name, so the server does not see your own address. Name the proxy in that setting first.',
    },
    sender_not_named: {
      en: 'The proxy in front of the server does not say which address you came from, so a list would shut everybody out. Set it to send X-Forwarded-For with that address first.',
    },
  }),
  ...withStatus(408, {
    upload_too_slow: {
      en: 'Your photo came in too slowly. Please try again where the signal is better.',
      fil: 'Masyadong mabagal ang dating ng photo. Subukan ulit kung saan mas malakas ang signal.',
    },
  }),
  ...withStatus(413, {
    too_large: {
      en: everyPage.errors.too_large,
      fil: `Masyado itong malaki. Hanggang ${limits.documentMaxBytes / 2 ** 20} MB lang ang isang photo.`,
    },
    picture_too_large: {
      en: `Please choose a smaller photo: up to ${limits.documentMaxSidePx.toLocaleString('en')} pixels a side and ${limits.documentMaxPixels / 1e6} megapixels, HEIC and AVIF up to ${limits.documentMaxPixelsHeif / 1e6}`,
      fil: `Pumili ng mas maliit na photo: hanggang ${limits.documentMaxSidePx.toLocaleString('en')} pixel bawat gilid at ${limits.documentMaxPixels / 1e6} megapixel, ${limits.documentMaxPixelsHeif / 1e6} kung HEIC o AVIF`,
    },
  }),
  ...withStatus(415, {
    not_an_image: {
      en: everyPage.errors.not_an_image,
      fil: 'Pumili ng photo: JPEG, PNG, WebP, GIF o HEIC',
    },
    unsupported_media_type: {
      en: 'This kind of content cannot be read here',
      fil: 'Hindi mababasa rito ang ganitong uri ng nilalaman',
    },
  }),
  ...withStatus(429, {
    too_many_tries: {
      en: 'Too many tries. Please wait a little and try again.',
      fil: 'Masyadong maraming subok. Maghintay sandali at subukan ulit.',
    },
    too_many_uploads: {
      en: 'Your other photos are still on their way. Please try this one again in a moment.',
      fil: 'Papunta pa ang iba mong photo. Subukan ulit ang isang ito maya-maya.',
    },
    code_already_requested: {
      en: `You asked for a code within the last ${limits.codeRequestEveryMinutes} minutes. Our staff know who is waiting. If your code no longer works, please call them.`,
      fil: `Humingi ka na ng code nitong huling ${limits.codeRequestEveryMinutes} minuto. Alam ng aming staff kung sino ang naghihintay. Kung hindi na gumagana ang code mo, tawagan sila.`,
    },
    too_many_payments: {
      en: `${limits.undecidedPaymentsMax} payments on this loan are not confirmed yet. Please wait until our staff have looked at them.`,
      fil: `May ${limits.undecidedPaymentsMax} bayad sa loan na ito na hindi pa nakukumpirma. Hintayin munang matingnan ng aming staff.`,
    },
    too_many_requests: {
      en: 'That is more than we can take for now. Please try again later.',
      fil: 'Lampas na ito sa kaya naming tanggapin sa ngayon. Subukan ulit mamaya.',
    },
  }),
  ...withStatus(431, {
    headers_too_large: { en: 'This request is too large', fil: 'Masyadong malaki ang request na ito' },
  }),
  ...withStatus(500, {
    internal: {
      en: 'Something went wrong on our side. Nothing was changed.',
      fil: 'Nagkaproblema sa amin. Walang nabago.',
    },
    answer_failed: {
      en: 'Something went wrong on our side while we answered. It may have been done: please look before you try again.',
      fil: 'Nagkaproblema sa amin habang sumasagot. Baka nagawa na ito: pakitingnan muna bago subukan ulit.',
    },
  }),
  ...withStatus(503, {
    overloaded: {
      en: 'Many people are using this right now. Please try again in a moment.',
      fil: 'Maraming gumagamit nito ngayon. Subukan ulit maya-maya.',
    },
    database_unavailable: {
      en: 'We cannot reach our records right now. Please try again in a moment.',
      fil: 'Hindi namin ma-access ang records namin ngayon. Subukan ulit maya-maya.',
    },
    documents_unavailable: {
      en: 'Photos cannot be stored or shown right now. Please try again later.',
      fil: 'Hindi maitabi o maipakita ang mga photo ngayon. Subukan ulit mamaya.',
    },
  }),
  ...withStatus(507, {
    storage_full: {
      en: 'There is no room for new photos right now. Please try again later.',
      fil: 'Wala nang lugar para sa mga bagong photo ngayon. Subukan ulit mamaya.',
    },
  }),
};

type Failures = typeof failures;

export type ErrorCode = keyof Failures;

type CodeIn<Language extends string> = {
  [Code in ErrorCode]: Failures[Code] extends Record<Language, string> ? Code : never;
}[ErrorCode];

export const sentencesIn = <Language extends keyof Sentences>(language: Language) =>
  Object.fromEntries(
    Object.entries<Sentences>(failures)
      .filter(([, row]) => row[language])
      .map(([code, row]) => [code, row[language]]),
  ) as Record<CodeIn<Language>, string>;

/** The body of every reply that is not a success (§errors). */
export type ErrorBody = {
  message: string;
  code: ErrorCode;
  errors?: Record<string, string>;
  accountStatus?: 'suspended';
  requestId?: string;
  /** The stored values that caused a 409, in wire form. */
  present?: Record<string, string | number | null>;
};
