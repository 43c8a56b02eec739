/**
 * Every limit and constant of the product, in one place; `docs/rules.md` says what they are for. Money is in centavos;
 * other units are in the name.
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
  loanTermsOffered: [12, 24, 36, 48],
  staffLoanTermMaxMonths: 60,
  staffLoanAmountMaxCentavos: 10_000_000_00,
  /** Versions of one loan's contract: each is stored and sealed permanently. */
  contractVersionsMax: 50,
  loanRateBorrowerDefaultBasisPoints: 250,
  loanRateStaffDefaultBasisPoints: 50,
  /** 100 % a month, the highest rate accepted anywhere. */
  loanRateMaxBasisPoints: 10_000,
  /** Bounds of the LOAN_MONTHLY_RATE setting, to catch a misplaced decimal point. */
  loanRateSettingMinBasisPoints: 1,
  loanRateSettingMaxBasisPoints: 1_000,
  loanUpfrontChargesCentavos: 0,
  lateChargeBasisPointsPerMonth: 200,
  lateChargeGraceDays: 10,
  lateChargeCapBasisPoints: 2_400,
  coolingOffDays: 3,
  decisionDaysMax: 60,
  /** Staff are asked once more before they approve an instalment above this share of the salary. */
  salaryShareMaxPercent: 50,
  deferralsMax: 2,
  deferralMaxMonths: 6,
  /** Older value dates take two people. */
  valueDateAloneDays: 60,
  /** More than this takes two people: cash in one receipt, credit from a receipt, a waiver. */
  cashAloneMaxCentavos: 50_000_00,
  creditAloneMaxCentavos: 1_000_00,
  waiverAloneMaxCentavos: 1_000_00,
  /**
   * The most that one person alone may take in on a Manila day, over all loans: borrowers' payments that they confirmed and
   * charges that they waived together, and cash.
   */
  confirmedAloneADayMaxCentavos: 200_000_00,
  cashAloneADayMaxCentavos: 1_000_000_00,
  /** The most that one InstaPay transfer may carry (BSP). */
  instapayMaxCentavos: 50_000_00,
  /** Payments that a borrower may report on one loan while staff have decided none of them. */
  undecidedPaymentsMax: 5,
  /** The time for which a borrower sees their own payment that staff rejected. */
  rejectedPaymentShownDays: 30,
  /** Letters and digits. */
  referenceMinLength: 4,
  settlementAheadDays: 30,
  /** No loan here is older, and Manila's offset from UTC has not changed since. */
  earliestDate: '1990-01-01',
  settlementShownAfter: [1, 3, 6, 12, 24, 36, 48],
  firstInstalmentAfterMonths: 2,
  /** Calendar reminders fire at 9 a.m. the day before: this long before the due day starts. */
  dueReminderHoursBefore: 15,
  loanStatusMinLength: 2,
  loanStatusMaxLength: 40,

  // Collection
  promiseAheadDays: 60,
  contactHours: { from: '08:00', to: '20:00' },
  /** Attempts to reach a borrower: one a day, and so many in these days. */
  contactsInWindow: 3,
  contactWindowDays: 7,
  /** After a complaint about collection or an amount, nobody tries to collect for so long; no longer in so many days. */
  complaintSilenceDays: 30,
  complaintSilenceWindowDays: 90,
  /** Staff who tried to reach the borrower in these days before a complaint do not handle it. */
  ownComplaintDays: 30,
  /** Within this after their own attempt, nobody records that the borrower came by themselves. */
  incomingAfterAttemptMinutes: 60,
  complaintAcknowledgedWithinDays: 2,
  complaintResolvedWithinDays: 30,
  /** The figures of what is due look so far ahead. */
  dueSoonDays: 7,
  /** Today reminds of a backup if there was none for longer. */
  backupWithinDays: 7,

  // Wallet
  withdrawalMinCentavos: 1_000_00,
  otpLength: 6,
  otpTtlDefaultHours: 24,
  otpTtlMaxHours: 720,
  otpMaxWrongTries: 5,
  codeRequestEveryMinutes: 10,
  staffChangeHoldHours: 48,
  /**
   * Staff who changed an account's phone, password, bank details, code or balance this recently cannot release its held
   * withdrawals.
   */
  accessChangeDays: 30,
  /** Cash of one amount on a loan, whose days are at most so far apart, may be the same cash. */
  sameCashDays: 3,
  /**
   * The most that may leave, within `accessChangeDays`, all wallets that one person raised by hand, by payments and
   * withdrawals together, until somebody else has to agree.
   */
  leavesRaisedWalletsMaxCentavos: 50_000_00,
  clockSkewMs: 60_000,

  // Messages that leave the app
  /** News and reminders to one borrower; codes, access and money are not bounded. */
  messagesPerDay: 10,
  /** How often staff may send one message again. */
  messageRepeatsMax: 3,
  smsPerMinuteDefault: 120,
  smsDailyMaxDefault: 500,
  /** Codes to confirm an address: how long one lives, and how many an account, a number over all accounts and a network get. */
  contactCodeMinutes: 10,
  contactCodeMaxWrongTries: 5,
  contactCodeEverySeconds: 60,
  contactCodesPerDay: 5,
  contactCodesPerNumberPerDay: 3,
  contactCodesPerNetworkPerHour: 20,
  /** Codes to withdraw, by text. */
  textCodeMinutes: 10,
  textCodeEverySeconds: 60,
  textCodesPerHour: 5,
  textCodesPerDay: 10,
  wrongTextCodesPerDay: 10,
  /** A phone that was confirmed, or access that was changed, this recently gets no code. */
  textCodeQuietHours: 48,
  /** An employee who changed a phone this recently does not confirm it. */
  phoneConfirmedByAnotherDays: 30,
  trialMessagesPerHour: 5,
  /** Calls of one channel at a time; one of them is kept for codes. */
  messagesAtOnce: 8,
  messageLookEveryMs: 5_000,
  /** After this nobody waits for a gateway's answer any more; one that comes within the next counts all the same. */
  gatewayTimeoutMs: 30_000,
  gatewayLateAnswerMs: 90_000,
  gatewayAnswerMaxBytes: 64 * 1024,
  /** Calls under way are broken off this long after the server was told to stop. */
  messageStopMs: 5_000,
  /** Nobody knows after this what became of a message that a killed process was sending. */
  messageLeftMinutes: 2,
  channelWaitDefaultSeconds: 60,
  channelWaitMaxSeconds: 3_600,
  channelProbeEveryMinutes: 5,
  gatewayAskedAfterMinutes: 10,
  /** A former address, or a closed account's, is kept with its message for at most this long. */
  messageAddressKeptHours: 24,
  messageDetailsKeptDays: 90,
  messagesFailedShownDays: 7,
  messageNameMaxLength: 24,
  messagePhoneMaxLength: 16,
  smsSenderMaxLength: 11,
  reminderDayMin: -14,
  reminderDayMax: 90,
  remindersMax: 10,
  reminderDaysDefault: [-3, 0, 3, 7, 15, 30],

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

  // Statements
  statementMaxLines: 10_000,
  statementFileMaxBytes: 20 * 1024 ** 2,
  /** Lines that one call confirms, so that a page can say how far it is. */
  statementConfirmLines: 10,

  // Maximum lengths: every text field has one.
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

  // Most that one account may do
  /** All staff together may send one member so many. */
  staffMessagesPerDay: 5,
  applicationsPerDay: 20,
  /** Applications awaiting a decision at the same time. */
  undecidedApplicationsMax: 10,
  /** Deletion requests and their cancellations together. */
  deletionRequestsPerDay: 10,
  /** Other borrower actions that leave a permanent audit entry and could otherwise be repeated without end. */
  complaintMessagesPerDay: 20,
  /** Payments that were withdrawn again count too. */
  paymentsPerDay: 20,
  uploadsPerDay: 300,
  profileChangesPerDay: 300,
  passwordChangesPerDay: 50,
  dataDownloadsPerDay: 50,
  /** Concurrent writes per account, and separately concurrent reads; further calls queue. */
  callsAtOnce: 4,
  writesWaiting: 200,
  readsWaiting: 1_000,
  callWaitMaxMs: 10_000,
  /**
   * While more calls of an account are queued, each is followed by a pause of this many times its duration, divided by
   * `RATE_LIMIT_SCALE`.
   */
  restFactor: 2,
  /** Concurrent reads that are expensive for the database or CPU, across all accounts. */
  costlyReadsAtOnce: 2,
  /** Maximum rows of a borrower's own loans, withdrawals and messages. */
  ownListMaxRows: 500,

  // Books of an older system
  bookFileMaxBytes: 100 * 1024 ** 2,

  // Documents
  documentMaxBytes: 10 * 1024 * 1024,
  /** All frames together. */
  documentMaxPixels: 50_000_000,
  /** HEIC and AVIF need many times the CPU and memory. */
  documentMaxPixelsHeif: 24_000_000,
  documentMaxSidePx: 12_000,
  /** Stored images are scaled down to this; an identity card stays readable. */
  documentLongEdgeMaxPx: 2_400,
  /** Browsers scale photos down to this first, to spare slow mobile networks. */
  documentUploadLongEdgePx: 2_000,
  documentUploadJpegQuality: 0.85,
  uploadsPerAccount: 2,
  uploadsWaitingPerAccount: 8,
  /** A queued upload that waits longer than this is told to retry. */
  uploadWaitMaxMs: 30_000,
  /** Memory held by photos not stored yet: in total and per network. */
  uploadsHeldMaxBytes: 256 * 1024 ** 2,
  uploadsHeldPerNetworkMaxBytes: 128 * 1024 ** 2,
  /** It counts per upload on top of the photo, so that empty uploads are bounded too. */
  uploadFormHeldBytes: 1024 ** 2,
  uploadMinBytesPerSecond: 2_000,
  uploadSlowSeconds: 30,
  /** Unattached uploads per account; the oldest beyond this are deleted. */
  unusedDocumentsPerAccount: 12,
  unusedDocumentsPerAccountMaxBytes: 60 * 1024 ** 2,
  /** Disk space in `DATA_DIR` that uploads must leave to the database, whose WAL alone grows in 64 MB steps. */
  diskReserveBytes: 128 * 1024 ** 2,
  unusedDocumentHours: 24,
  /** One hour less, so that no photo is attached while it is deleted. */
  documentAttachableHours: 23,

  /** A lender's logo, which also has to load on slow mobile networks. */
  lenderPictureMaxBytes: 200_000,

  // Privacy
  /** RA 9160, section 9(b): customer identification records are kept for five years after the account is closed. */
  closedAccountKeptYears: 5,
  /** Concurrent data downloads; each holds a page of rows or a chunk of a picture in memory. */
  dataDownloadsAtOnce: 50,
  /** Downloads of one person run one at a time; this many more may queue. */
  dataDownloadsWaiting: 2,
  /**
   * Pictures beyond this are left out of the archive, since the ZIP format ends at 4 GB; they can be downloaded
   * individually.
   */
  dataDownloadPicturesMaxBytes: 2 * 1024 ** 3,
  dataDownloadPageRows: 200,

  // Sessions and tries
  borrowerSessionDays: 30,
  adminSessionHours: 12,
  staffIdleDefaultMinutes: 60,
  staffIdleMaxMinutes: 1_440,
  /** The last use of a staff session is written down so often. */
  lastUseEveryMs: 60_000,
  secondStepSeconds: 30,
  /** This many codes before and after the current one are accepted, to allow for clock drift. */
  secondStepWindow: 1,
  recoveryCodes: 10,
  secondStepCodeMaxLength: 50,
  issuedPasswordShownDays: 7,
  wrongPasswordsPerAccount: 10,
  wrongPasswordsWindowMinutes: 15,
  registrationsPerAddressPerHour: 60,
  signInsPerAddressPerHour: 300,
  /** A network over these limits waits this long for its refusal; a few do so at a time. */
  refusalMs: 40,
  /** After this a network counts as unknown again. */
  knownNetworkKeptDays: 90,
  refusedAddressesLoggedPerHour: 20,

  // Clocks
  /** Nothing is erased while the last log entry is further away than this. */
  clockLeapMaxHours: 24,
  /** A running server logs an entry this long after the last, so only a stopped server leaves a day empty. */
  quietLogHours: 22,

  // Lists
  /** Rows of each kind, when staff look for anything. */
  foundRows: 6,
  /** A search that finds more members is made by each list for itself, which then ends early. */
  foundMembersMax: 500,
  /** Rows per page when a long list is read or written. */
  listPageRows: 250,
  /** The pictures beside the report of a month show so many months back and weeks ahead. */
  trendMonths: 12,
  trendMonthsMax: 240,
  /** The days that *Today* has a picture of. */
  collectedDays: 14,
  collectedDaysMax: 92,
  expectedWeeks: 13,
  expectedWeeksMax: 104,
  /** This many rows of the collections, as many as a screen has, are shown before the others are folded, page by page. */
  collectionFirstRows: 20,
  collectionPageRows: 50,
  /** Rows taken from a server-side search beyond the list already loaded. */
  listAskMaxRows: 500,
  secretRowsMax: 50,
  /** Repeated views by the same person within this time are one log entry. */
  oneLookMinutes: 10,
  auditPageDefaultRows: 100,
  auditPageMaxRows: 500,
  auditNameMaxLength: 40,

  // Most that one request may cost the server
  jsonBodyMaxBytes: 64 * 1024,
  statementBodyMaxBytes: 12 * 1024 ** 2,
  headersMaxBytes: 16 * 1024,
  pathPartMaxLength: 200,
  connectionTimeoutMs: 60_000,
  headersTimeoutMs: 20_000,
  slowClientsEveryMs: 5_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 72_000,
  /** A client reading slower than this for this long is disconnected. */
  replyMinBytesPerSecond: 2_000,
  replySlowSeconds: 30,
  discardedBytesPerSecond: 16 * 1024 ** 2,
  /** Finished responses that an account has not read yet; beyond this its requests are refused. */
  unreadRepliesPerAccount: 32,

  // Exchange
  converterDefaultAmount: 1000,
  chartDays: 7,
  chartVariationPercent: 2,
  rateDecimals: 6,
  rateServiceTimeoutMs: 3_000,
  rateServiceEveryMinutes: 60,
  /** No offered currency has moved this much within a server's lifetime. */
  rateChangeMaxFactor: 3,

  // UI behaviour
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
  /** After this a button uses the cached balance. */
  balanceReadTimeoutMs: 4_000,
  shortListRows: 3,
  /** A longer schedule starts out around its next instalment. */
  instalmentsShown: 6,
  /** Total time to recover a lost reply to a money request, and the delays between replays. */
  moneyCheckMs: 10_000,
  moneyCheckDelaysMs: [1_000, 2_000, 3_000, 3_000],
} as const;
