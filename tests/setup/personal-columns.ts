import { documentColumns, profileColumn } from '#server/store/account-store.ts';

/**
 * The columns that tell who somebody is or let them in, which an erasure must reach, and those that do not, which it
 * leaves. `tests/walls/personal-columns.test.ts` fails for a column of the schema that is in neither list. The fields
 * of a profile are all personal, and need no word here.
 */
export const columns: Record<string, { personal?: readonly string[]; other: readonly string[] }> = {
  accounts: {
    personal: [
      ...Object.values(profileColumn),
      ...documentColumns,
      ...words(
        'phone phoneKey emailKey oldNumber searchText passwordHash issuedPasswordSealed otpCodeSealed',
      ),
      ...words('secondStepSealed recoveryCodes'),
    ],
    other: words(
      'id isAdmin status phoneShare format balanceCentavos ledgerSequence ledgerHash creditScore previousCreditScore isPasswordIssued',
      'issuedPasswordAt otpExpiresAt otpWrongTries codeRequestedAt staffChangedAccessAt accessNewsSince verifiedAt',
      'isOtpByText phoneConfirmedAt phoneConfirmedBy emailConfirmedAt wantsReminders wantsNews wantsChangedAt language',
      'creditWithoutLoanAt withheldRoles secondStepAt secondStepUsed deletionRequestedAt createdAt updatedAt deletedAt erasedAt',
    ),
  },
  loans: {
    personal: ['purpose', 'purposeFolded'],
    other: words(
      'id accountId loanNumber oldNumber oldNumberFolded amountCentavos termMonths monthlyRateBasisPoints monthlyPaymentCentavos status',
      'releasedAt releasedCentavos createdAt updatedAt deletedAt',
    ),
  },
  withdrawals: {
    personal: words('bankName bankNameFolded bankAccountNumber bankReference'),
    other: words(
      'id accountId withdrawalNumber amountCentavos status createdAt processedAt completedAt isReleasedAlone updatedAt',
    ),
  },
  sessions: { personal: ['tokenHash'], other: words('accountId createdAt expiresAt endedAt lastUsedAt') },
  knownNetworks: { personal: ['networkHash'], other: words('accountId seenAt') },
  files: {
    personal: ['id'],
    other: words('accountId contentType sizeBytes widthPx heightPx contentHash createdAt number format'),
  },
  notifications: {
    personal: words('title message details'),
    other: words('id accountId type createdAt'),
  },
  messages: {
    personal: words('details addressSealed sentTo codeName'),
    other: words(
      'id accountId kind rank channel language hasOwnAddress loanId instalment offsetDays remindOn state reason tries repeats',
      'notBefore expiresAt claimedAt gatewayId askAt createdAt updatedAt',
    ),
  },
  messageGates: { other: words('name closedAt reason nextAt lastSentAt doneOn') },
  contactCodes: {
    personal: words('codeSealed addressHash'),
    other: words('accountId channel wrongTries createdAt expiresAt'),
  },
  idempotencyKeys: {
    personal: words('key requestHash reply'),
    other: words('accountId endpoint status createdAt'),
  },
  // The books and the log are kept for good, under the account's number (docs/privacy.md).
  loanTerms: { other: words('id loanId version quote hash agreement agreementHash issuedBy issuedAt') },
  lenders: { other: words('hash facts') },
  loanBorrowers: { personal: words('fullName phone email address salt'), other: words('loanId version') },
  loanAcceptances: { other: words('loanId version hash acceptedAt') },
  ledgerEntries: {
    other: words(
      'id accountId sequence type amountCentavos balanceAfterCentavos actorId withdrawalId reason createdAt',
      'loanEventId previousHash hash',
    ),
  },
  loanEvents: {
    personal: words('reference reason textSalt'),
    other: words(
      'id loanId sequence kind valueDate amountCentavos months channel isSettlement isAuto paymentId undoes',
      'actorId approverId isAlone createdAt format textHash previousHash hash',
    ),
  },
  payments: {
    personal: words('reference referenceFolded referenceKey reason note proofFileId'),
    other: words(
      'id loanId accountId amountCentavos channel valueDate isSettlement status sentCentavos receiptYear receiptSerial application',
      'recordedBy confirmedBy createdAt updatedAt format',
    ),
  },
  receiptNumbers: { other: words('year lastSerial') },
  unnumberedReceipts: {
    other: words('id paymentId year creditCentavos returnedCentavos ipAddress marks'),
  },
  loanPositions: {
    other: words(
      'loanId termsVersion eventSequence eventHash state disbursedOn closedOn principalLeftCentavos creditCentavos',
      'refundToReturnCentavos lateChargesPaidCentavos lateChargesWaivedCentavos writtenOffCentavos',
      'oldestDueOn foldEdition',
    ),
  },
  instalments: {
    other: words(
      'loanId number dueDate amountCentavos interestCentavos principalCentavos paidCentavos leftCentavos',
    ),
  },
  loanMovements: {
    other: words(
      'loanId number valueDate untilDate kind principalCentavos loans principalLeftCentavos oldestDueOn',
      'receivedCentavos',
    ),
  },
  journalMovements: {
    other: words(
      'loanId sequence recordedOn valueDate principalCentavos interestCentavos lateChargesCentavos',
    ),
  },
  approvals: {
    personal: ['reason'],
    other: words('id loanId accountId kind payload askedBy askedAt decision decidedBy decidedAt format'),
  },
  contacts: {
    personal: ['note'],
    other: words(
      'id loanId accountId channel outcome promiseDate promiseCentavos isAgainstGuard actorId createdAt',
    ),
  },
  complaints: {
    other: words(
      'id accountId loanId category status createdAt acknowledgedBy acknowledgedAt resolvedBy resolvedAt withdrawnAt',
    ),
  },
  drawers: {
    other: words(
      'id accountId floatCentavos openedAt closedAt closedBy countedCentavos expectedCentavos reason',
    ),
  },
  drawerMovements: { other: words('id drawerId kind amountCentavos loanId paymentId actorId createdAt') },
  // The lender's own accounts.
  statements: { other: words('id channel account lineCount createdBy createdAt') },
  statementLines: {
    personal: ['reference'],
    other: words('id statementId number hash date amountCentavos loanId paymentId'),
  },
  complaintMessages: { personal: ['text'], other: words('id complaintId authorId createdAt') },
  consents: { other: words('id accountId purpose language wording createdAt') },
  auditEntries: { other: words('id action actorId ipAddress targetType targetId before after createdAt') },
  auditSeals: {
    other: words('number firstId lastId entryCount entryHashes positions previousHash hash sealedAt'),
  },
  rowSeals: { other: words('id tableName rowId mac') },
  bookKeys: { other: words('id fingerprint sealedAt') },
  bookChecks: {
    other: words('id kind status edition sealNumber sealHash state startedAt finishedAt'),
  },
  // Staff's addresses, and keyed hashes that last a day.
  allowedIps: { other: words('id ipAddress description createdAt') },
  tries: { other: words('scope key count windowStartedAt blockedUntil') },
};

function words(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
