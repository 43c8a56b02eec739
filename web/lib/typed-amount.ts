/** Strips what people type for readability: `₱12,500.00` and `12 500` are numbers. */
export const typedAmount = (typed: unknown): string => String(typed ?? '').replace(/[₱,\s]/g, '');
