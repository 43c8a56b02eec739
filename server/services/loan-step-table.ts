import type { LoanStepKind } from '#domain/servicing.ts';
import { cancellation, disbursement } from './disbursement-service.ts';
import { actionSteps } from './loan-action-service.ts';
import type { AnyLoanStep } from './loan-step.ts';
import { confirmationStep, paymentReversalStep } from './payment-decision.ts';
import { paymentStep } from './payment-service.ts';

/** Everything staff do to a loan, by the kind of its request. */
export const loanSteps = {
  ...actionSteps,
  disbursement,
  cancellation,
  payment: paymentStep,
  confirmation: confirmationStep,
  payment_reversal: paymentReversalStep,
} satisfies Record<LoanStepKind, AnyLoanStep>;
