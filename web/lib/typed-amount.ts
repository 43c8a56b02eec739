/** An amount without what people put into it so that it reads well: `₱12,500.00` and `12 500` are both meant as numbers. */
export const typedAmount = (typed: unknown): string => String(typed ?? '').replace(/[₱,\s]/g, '');
