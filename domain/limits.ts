/**
 * Every number the product is bound by, written once (spec sections 5 and 9, contract sections 1 to 6).
 * Money is in centavos, time in the unit its name ends with.
 */
export const limits = {
  // Loans
  loanAmountMinCentavos: 150_000_00,
  loanAmountMaxCentavos: 2_000_000_00,
  loanAmountStepCentavos: 10_000_00,
  loanAmountDefaultCentavos: 150_000_00,
  loanTermMinMonths: 6,
  loanTermMaxMonths: 48,
  loanTermDefaultMonths: 12,
  staffLoanTermMaxMonths: 60,
  staffLoanAmountMaxCentavos: 10_000_000_00,
  loanRateBorrowerDefaultBasisPoints: 250,
  loanRateStaffDefaultBasisPoints: 50,
  /** 100 % a month: no rate that the product reads is higher. */
  loanRateMaxBasisPoints: 10_000,
  /** The bounds of the setting LOAN_MONTHLY_RATE, against a slip of the decimal point. */
  loanRateSettingMinBasisPoints: 1,
  loanRateSettingMaxBasisPoints: 1_000,
  loanUpfrontChargesCentavos: 0,
  lateChargeBasisPointsPerMonth: 200,
  firstInstalmentAfterMonths: 2,
  /** A calendar reminds at nine in the morning of the day before: so long before the due day begins. */
  dueReminderHoursBefore: 15,
  loanStatusMinLength: 2,
  loanStatusMaxLength: 40,

  // Wallet
  withdrawalMinCentavos: 1_000_00,
  otpLength: 6,
  otpTtlDefaultHours: 24,
  otpTtlMaxHours: 720,
  otpMaxWrongTries: 5,
  codeRequestEveryMinutes: 10,
  staffChangeHoldHours: 48,
  /** Who changed a password, bank details, code or balance so lately does not release a held withdrawal of that account. */
  accessChangeDays: 30,
  /** How far the clocks of two computers may be apart. */
  clockSkewMs: 60_000,

  // People
  phoneMinLength: 10,
  passwordMinLength: 6,
  fullNameMinLength: 2,
  purposeMinLength: 3,
  addressMinLength: 10,
  countryOfWorkMinLength: 2,
  referenceNameMinLength: 2,
  referencePhoneMinLength: 10,
  bankNameMinLength: 1,
  bankAccountNumberMinLength: 10,
  mainAdminId: 3,
  mainAdminPhone: 'admin',
  firstOrdinaryAccountId: 1001,

  // Longest accepted texts: a bound on everything, so that no field can carry a book.
  shortTextMaxLength: 120,
  longTextMaxLength: 500,
  messageMaxLength: 1_000,
  passwordMaxLength: 200,
  moneyTextMaxLength: 24,
  monthlySalaryMaxCentavos: 1_000_000_000_00,
  balanceMaxCentavos: 1_000_000_000_00,
  idempotencyKeyMaxLength: 200,
  idempotencyKeyKeptDays: 7,

  // Credit
  creditScoreDefault: 500,
  staffCreditScoreMin: 300,
  staffCreditScoreMax: 850,
  creditScoreMax: 1000,
  creditAverageFrom: 500,
  creditGoodFrom: 600,
  creditPerfectFrom: 750,

  // What one account may ask for
  applicationsPerDay: 20,
  /** Applications that wait for staff at the same time. */
  undecidedApplicationsMax: 10,
  /** Asking to be deleted and taking it back, together. */
  deletionRequestsPerDay: 10,
  /** What else leaves an entry in the log that nobody can take out again, and a borrower can do as often as they like. */
  uploadsPerDay: 300,
  profileChangesPerDay: 300,
  passwordChangesPerDay: 50,
  dataDownloadsPerDay: 50,
  /** Writes of one account that run at the same time, and as many readings; more wait in line. */
  callsAtOnce: 4,
  writesWaiting: 200,
  readsWaiting: 1_000,
  callWaitMaxMs: 10_000,
  /**
   * While more of an account's calls wait, each is followed by a rest of so many times its own length, divided by
   * `RATE_LIMIT_SCALE`.
   */
  restFactor: 2,
  /** Of what takes the database or the processor long, so many at the same time for everybody. */
  costlyReadsAtOnce: 2,
  /** A borrower's own loans, withdrawals and messages are read back to this many. */
  ownListMaxRows: 500,

  // Documents
  documentMaxBytes: 10 * 1024 * 1024,
  /** Of all frames together. */
  documentMaxPixels: 50_000_000,
  /** HEIC and AVIF take many times the work and the memory. */
  documentMaxPixelsHeif: 24_000_000,
  documentMaxSidePx: 12_000,
  /** Stored images are made no longer or wider than this; an identity card stays readable. */
  documentLongEdgeMaxPx: 2_400,
  /** A browser sends photos no longer or wider than this, so that a phone on a slow network has little to send. */
  documentUploadLongEdgePx: 2_000,
  documentUploadJpegQuality: 0.85,
  uploadsPerAccount: 2,
  uploadsWaitingPerAccount: 8,
  /** Beyond this somebody who waits for their turn is told to come back. */
  uploadWaitMaxMs: 30_000,
  /** What photos that are not stored yet may hold in memory, all together and from one network. */
  uploadsHeldMaxBytes: 256 * 1024 ** 2,
  uploadsHeldPerNetworkMaxBytes: 128 * 1024 ** 2,
  /** What the form around a photo counts as, so that empty ones have a bound as well. */
  uploadFormHeldBytes: 1024 ** 2,
  uploadMinBytesPerSecond: 2_000,
  uploadSlowSeconds: 30,
  /** What nobody has attached yet, of one account; beyond it the oldest goes. */
  unusedDocumentsPerAccount: 12,
  unusedDocumentsPerAccountMaxBytes: 60 * 1024 ** 2,
  /** What photos leave free on the disk of `DATA_DIR`, for the database: its log alone grows by 64 MB at a time. */
  diskReserveBytes: 128 * 1024 ** 2,
  /** Then a photo that nobody attached is cleared away. */
  unusedDocumentHours: 24,
  /** An hour less: what may be attached is never what is being cleared away. */
  documentAttachableHours: 23,

  /** A lender's logo, which a phone on a slow network has to load too. */
  lenderPictureMaxBytes: 200_000,

  // Privacy
  /** RA 9160, section 9(b): who a customer was is kept for five years after the account was closed. */
  closedAccountKeptYears: 5,
  /** Copies of data that are on their way at once; each holds a page of rows or a piece of a picture in memory. */
  dataDownloadsAtOnce: 50,
  /** Of one person one is made after the other; so many more may wait. */
  dataDownloadsWaiting: 2,
  /** Pictures beyond this are not put into the one archive, whose form ends at 4 GB; they can be had one by one. */
  dataDownloadPicturesMaxBytes: 2 * 1024 ** 3,
  dataDownloadPageRows: 200,

  // Sessions and tries
  borrowerSessionDays: 30,
  adminSessionHours: 12,
  issuedPasswordShownDays: 7,
  wrongPasswordsPerAccount: 10,
  wrongPasswordsWindowMinutes: 15,
  registrationsPerAddressPerHour: 60,
  signInsPerAddressPerHour: 300,
  /** After this an account's owner counts as a stranger in a network that they signed in from. */
  knownNetworkKeptDays: 90,
  /** Sign-ins refused for their address that are written down for one network an hour; a flood of them says no more. */
  refusedAddressesLoggedPerHour: 20,

  // Clocks
  /** Nothing is erased while the clock is further than this from the last entry of the log. */
  clockLeapMaxHours: 24,
  /** A running server writes an entry after so long without any, so that only a stopped one leaves a day without. */
  quietLogHours: 22,

  // Lists
  /** Rows that a long list is read and written in at a time. */
  listPageRows: 250,
  /** Rows that are taken of what the server finds beyond a list that is here. */
  listAskMaxRows: 500,
  secretRowsMax: 50,
  auditPageDefaultRows: 100,
  auditPageMaxRows: 500,
  /** The longest name of an action or of a kind of target. */
  auditNameMaxLength: 40,

  // What one request may cost the server
  jsonBodyMaxBytes: 64 * 1024,
  headersMaxBytes: 16 * 1024,
  pathPartMaxLength: 200,
  connectionTimeoutMs: 60_000,
  headersTimeoutMs: 20_000,
  /** How often those who are over their time are looked for. */
  slowClientsEveryMs: 5_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  /** Who takes an answer more slowly than this for so long is hung up on. */
  replyMinBytesPerSecond: 2_000,
  replySlowSeconds: 30,
  /** Answers to one account that lie ready and are not taken; beyond it there are no further ones to read. */
  unreadRepliesPerAccount: 32,

  // Exchange
  converterDefaultAmount: 1000,
  chartDays: 7,
  chartVariationPercent: 2,
  rateDecimals: 6,
  rateServiceTimeoutMs: 3_000,
  rateServiceEveryMinutes: 60,
  /** No offered currency has moved so far within the life of a server. */
  rateChangeMaxFactor: 3,

  // Manners of the screen
  signInRedirectMs: 500,
  carouselSlideMs: 6_000,
  toastMs: 5_000,
  toastRemoveMs: 1_000_000,
  toastSwipePx: 50,
  tooltipOpenMs: 700,
  tooltipSkipMs: 300,
  cacheMinutes: 5,
  panelMinWidthPx: 1024,
  callTimeoutMs: 45_000,
  /** How long a button waits for a fresh balance before it decides by the one it has. */
  balanceReadTimeoutMs: 4_000,
  /** What a list shows of itself before one asks for all. */
  shortListRows: 3,
  /** How long a lost answer to a money request is looked for in all, and the waits between the replays that do it. */
  moneyCheckMs: 10_000,
  moneyCheckDelaysMs: [1_000, 2_000, 3_000, 3_000],
} as const;
