import { describe, expect, it } from 'vitest';
import { en } from '#contract/wording/en.ts';
import * as panel from '#contract/wording/panel-words.ts';
import { knownLoanStatuses } from '#domain/loan.ts';
import { sampleLender } from '#server/sample-lender.ts';
import { saidOf, wordsByPath } from './wording.ts';

/**
 * Sentences fixed to the letter (§exact-wording), typed here and not taken from the wording, so that a slip there is found.
 * Behind each stands where it is written: one place, unless two screens that never load each other's words, or two
 * different meanings, need the same text.
 */
const literals: Record<string, [sentence: string, ...places: string[]][]> = {
  'Screens of the visitor': [
    ['Fast Cash Loans', 'carousel.slides.fastCash.title'],
    ['Digital Lending', 'carousel.slides.digital.title'],
    ['Flexible Terms', 'carousel.slides.flexible.title'],
    ['Register', 'landing.register'],
    ['New client', 'landing.registerNote'],
    ['Login', 'shell.login', 'landing.login'],
    ['Request now', 'landing.cost.request'],
  ],
  'Signing in and registering': [
    ['User sign in or register', 'session.signInTitle'],
    ['Create Account', 'session.registerTitle'],
    ["Don't have an account? Register", 'session.toRegister'],
    ['Already have an account? Sign in', 'session.toSignIn'],
    ['CREDIT INFORMATION', 'session.creditInformation'],
    ['VERIFIED & SECURED', 'session.verifiedSecured'],
    ['Please wait...', 'session.pleaseWait'],
    ['Account Already Exists', 'accountExists.title'],
    ['You already have an account, please login', 'errors.already_registered', 'accountExists.text'],
    ['Go to Login', 'accountExists.toLogin'],
    ['Cancel', 'shell.cancel', 'panel.list.cancel'],
  ],
  'The staff’s sign-in': [
    ['Admin Portal', 'panel.signIn.portal'],
    ['Administrator Login', 'panel.signIn.title'],
    ['Sign In', 'panel.signIn.submit'],
    ['Signing in...', 'panel.signIn.busy'],
    ['Admin login successful', 'panel.signIn.success'],
  ],
  Navigation: [
    ['HOME', 'shell.tabHome'],
    ['WALLET', 'shell.tabWallet'],
    ['PROFILE', 'shell.tabProfile'],
    ['Home', 'shell.home'],
    ['Dashboard', 'shell.dashboard'],
    ['Wallet', 'shell.wallet', 'pay.groups.wallet'],
    ['Profile', 'shell.profile'],
    ['Logout', 'shell.logout', 'panel.shell.logout'],
    ['Members', 'panel.titles.members', 'panel.members.title'],
    ['Borrowing List', 'panel.titles.borrowing', 'panel.loans.title'],
    ['Withdrawal List', 'panel.titles.withdrawals', 'panel.withdrawals.title'],
    ['Settings', 'panel.titles.settings', 'panel.settings.title'],
  ],
  'Dashboard, wallet and profile': [
    ['Apply for a Loan', 'apply.title'],
    ['Verification Required', 'verification.requiredTitle'],
    ['VERIFY NOW', 'verification.verifyNow'],
    ['Withdraw money', 'withdrawal.start'],
    ['Withdraw Funds', 'withdrawal.title'],
    ['Enter OTP Code', 'withdrawal.codeTitle'],
    ['No Loan Application', 'papers.noLoanTitle'],
    ['APPLY NOW', 'papers.applyNow'],
  ],
  'The panel': [
    ['Add New Admin', 'panel.settings.add'],
    ['Activate', 'panel.members.activate'],
    ['Deactivate', 'panel.members.deactivate'],
    ['Approve', 'panel.withdrawals.approve'],
    ['Reject', 'panel.withdrawals.reject'],
    ['Main Admin', 'panel.shell.mainAdmin'],
    ['Access Denied', 'accessDenied.title'],
  ],
  'Empty states': [
    ['No active loans', 'dashboard.noLoan'],
    ['No loan contract available', 'papers.noContract'],
    ['No payment schedule available', 'papers.noSchedule'],
    ['No pending loan application found.', 'application.none'],
    ['No members found', 'panel.members.none'],
    ['No loan applications found', 'panel.loans.none'],
    ['No withdrawal requests found', 'panel.withdrawals.none'],
    ['No admin accounts found', 'panel.settings.none'],
  ],
  Validation: [
    ['Phone number is required', 'validation.phoneRequired'],
    ['Password must be at least 6 characters', 'validation.passwordTooShort'],
    ['Full name is required', 'validation.fullNameRequired'],
    ['Valid email is required', 'validation.emailInvalid'],
    ['Minimum loan amount is ₱150,000', 'validation.minimumLoan'],
    ['Maximum loan amount is ₱2,000,000', 'validation.maximumLoan'],
    ['Please describe the purpose of the loan', 'validation.purposeRequired'],
    ['Minimum term is 6 months', 'validation.minimumTerm'],
    ['Maximum term is 48 months', 'validation.maximumTerm'],
    ['Minimum withdrawal amount is ₱1,000', 'validation.minimumWithdrawal'],
    ['OTP must be exactly 6 digits', 'validation.otpSixDigits'],
    ['Address is required', 'validation.addressRequired'],
    ['Country of work is required', 'validation.countryOfWorkRequired'],
    ['Monthly salary is required', 'validation.monthlySalaryRequired'],
    ['Reference name is required', 'validation.referenceNameRequired'],
    ['Reference phone is required', 'validation.referencePhoneRequired'],
    ['Bank name is required', 'validation.bankNameRequired'],
    ['Account number is required', 'validation.bankAccountNumberRequired'],
    ['Insufficient funds', 'errors.insufficient_funds'],
    ['Unavailable to request a withdrawal', 'withdrawal.unavailable'],
    ['Save member first', 'panel.memberForm.saveFirst'],
    ['OTP code cannot be empty', 'validation.otpCodeEmpty'],
    ['OTP code must be exactly 6 digits', 'validation.otpCodeSixDigits'],
    ['Password cannot be empty', 'validation.passwordEmpty'],
    ['Please fill in both email and password', 'validation.adminEmailAndPassword'],
    ['Please enter an IP address', 'validation.ipRequired'],
  ],
  'Credit bands': [
    ['Bad Credit', 'profile.bands.bad'],
    ['Average Credit', 'profile.bands.average'],
    ['Good Credit', 'profile.bands.good'],
    ['Perfect Credit', 'profile.bands.perfect'],
    [
      'Unknown',
      'profile.bands.unknown',
      'panel.messages.figures.unknown',
      'panel.messages.states.unknown',
      'panel.statement.matches.unknown',
    ],
  ],
  Failures: [
    ['Request failed', 'shell.requestFailed'],
    ['Upload failed', 'shell.uploadFailed'],
  ],
  'Authentication and session': [
    ['Account Suspended', 'session.suspendedTitle'],
    ['Your account has been suspended. Please contact support.', 'errors.account_suspended'],
    ['Please check your credentials', 'errors.invalid_credentials'],
    ['Welcome back!', 'session.welcomeBack'],
    ['Your account has been created!', 'session.accountCreated'],
    ['Please try again', 'shell.tryAgain'],
    ['Registration failed', 'session.registrationFailed'],
    ['You have been logged out successfully', 'done.signedOut'],
    ['Login failed', 'session.loginFailed', 'panel.signIn.failureFallback'],
    ['Error', 'panel.signIn.failureTitle', 'panel.toasts.error'],
  ],
  'Loans, wallet and the panel': [
    ['Application failed', 'apply.failed'],
    ['Loan application submitted', 'apply.submitted'],
    ['Your loan application has been submitted for review.', 'apply.submittedText'],
    ['Withdrawal failed', 'withdrawal.failed'],
    ['Update failed', 'shell.updateFailed', 'panel.toasts.updateFailed'],
    ['Delete failed', 'panel.toasts.deleteFailed'],
    ['Action failed', 'panel.toasts.actionFailed'],
    ['Creation failed', 'panel.toasts.creationFailed'],
    ['Addition failed', 'panel.allowedIps.addFailure.failedTitle'],
    ['Removal failed', 'panel.allowedIps.removeFailure.failedTitle'],
    ['Delete Failed', 'panel.settings.deleteFailure.failedTitle'],
    ['Failed to create admin', 'panel.settings.createFailed'],
    ['Failed to delete admin', 'panel.settings.deleteFailure.fallback'],
    ['Failed to add IP address', 'panel.allowedIps.addFailure.fallback'],
    ['Failed to remove IP address', 'panel.allowedIps.removeFailure.fallback'],
    ['Failed to update admin account', 'panel.settings.updateFailed'],
  ],
  'Lists that cannot be read': [
    ['Failed to fetch members', 'panel.toasts.members'],
    ['Failed to fetch loans', 'panel.toasts.loans'],
    ['Failed to fetch withdrawals', 'panel.toasts.withdrawals'],
    ['Failed to fetch stats', 'panel.toasts.stats'],
    ['Failed to fetch admin users', 'panel.toasts.admins'],
    ['Failed to fetch allowed IPs', 'panel.toasts.allowedIps'],
  ],
  Successes: [
    ['Withdrawal approved', 'withdrawal.approved'],
    ['Profile updated', 'profile.saved'],
    ['Document uploaded', 'documents.uploaded', 'panel.audit.actions.document_uploaded'],
    ['Documents refreshed', 'documents.refreshed'],
    ['Member created', 'panel.audit.actions.member_created', 'panel.memberForm.created'],
    ['Member updated', 'panel.memberForm.saved'],
    ['Member deleted', 'panel.audit.actions.member_deleted', 'panel.members.deleted'],
    ['Password Updated', 'session.passwordUpdated', 'panel.memberPanel.password.saved'],
    ['OTP Code Updated', 'panel.memberPanel.code.saved'],
    ['Admin Created', 'panel.settings.created'],
    ['IP Added', 'panel.allowedIps.added'],
    ['IP Removed', 'panel.allowedIps.removed'],
    ['Success', 'panel.toasts.success'],
  ],
};

const words = [...wordsByPath({ ...en, panel })].map(([path, said]) => ({ path, said: saidOf(said) }));

for (const [part, sentences] of Object.entries(literals)) {
  describe(part, () => {
    it.each(sentences)('%s', (sentence, ...places) => {
      expect(words.filter(({ said }) => said === sentence).map(({ path }) => path)).toEqual(places);
    });
  });
}

describe('what is fixed without a sentence', () => {
  it('the statuses of a loan and of a withdrawal have a word each', () => {
    expect(Object.keys(en.loanStatus.words)).toEqual([...knownLoanStatuses]);
    expect(Object.keys(en.withdrawal.statuses)).toEqual(['pending', 'approved', 'completed', 'rejected']);
    expect(Object.keys(panel.memberStatus).sort()).toEqual(['active', 'pending', 'suspended']);
  });

  it('the landing page’s sample range, and its way of paying back', () => {
    expect(en.landing.cost.range).toBe('₱150,000 – ₱2,000,000');
    expect(en.landing.headlineAmount).toBe('₱2,000,000');
    const { time, fees, process, instalments } = en.landing.promises;
    expect(time.title).toBe('Flexible time management');
    expect(fees.title).toBe('No processing fees');
    expect(process.title).toBe('Online and walk-in process');
    expect(instalments.title).toBe('Installments or all at once');
  });

  it('three ways of payment, two of them mobile wallets', () => {
    expect(sampleLender.payoutChannels).toEqual(['Mobile wallet A', 'Mobile wallet B', 'Bank Transfer']);
  });

  it('the company details', () => {
    expect(sampleLender).toMatchObject({ registrationDate: '2014-11-14', status: 'Registered' });
    expect(sampleLender.address).toContain('Nueva Ecija');
    const { companyName, registrationNumber, registrationDate, status, address } = en.company;
    expect([companyName, registrationNumber, registrationDate, status, address]).toEqual([
      'Company name',
      'Registration number',
      'Registration date',
      'Status',
      'Address',
    ]);
  });

  it('a link to the customer login on the staff’s sign-in, and a 404', () => {
    expect(panel.signIn.customerLogin).toBe('Customer login');
    expect(en.notFound.code).toBe('404');
  });

  it('terms of the loan contract', () => {
    const { lateCharge, freePrepayment, firstPayment, noFees } = en.contractText;
    expect(lateCharge({ percent: '2' })).toContain('2% per month');
    expect(freePrepayment).toMatch(/^Free prepayment/);
    expect(firstPayment({ startDate: '' })).toContain('two months after disbursement');
    expect(noFees).toMatch(/^No processing fees/);
  });
});
