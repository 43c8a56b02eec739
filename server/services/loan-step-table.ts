import { cancellation, disbursement } from './disbursement-service.ts';
import { actionSteps } from './loan-action-service.ts';
import { confirmation, payment, paymentReversal } from './payment-service.ts';

/** Everything staff do to a loan, by the kind of its request. */
export const loanSteps = {
  ...actionSteps,
  disbursement,
  cancellation,
  payment,
  confirmation,
  payment_reversal: paymentReversal,
};

export const stepOf = (kind: string): (typeof loanSteps)[keyof typeof loanSteps] | undefined =>
  Object.hasOwn(loanSteps, kind) ? loanSteps[kind as keyof typeof loanSteps] : undefined;
