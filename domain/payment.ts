/** `submitted` waits for somebody to confirm it; `reversed` keeps its receipt number, marked. */
export const paymentStatuses = ['submitted', 'confirmed', 'rejected', 'reversed'] as const;

export type PaymentStatus = (typeof paymentStatuses)[number];

/** A reference as it is compared: banks print the same one with and without spaces and dashes. Undefined when nothing is left. */
export function referenceKey(reference: string): string | undefined {
  return reference.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '') || undefined;
}
