/** `12,480`. */
export const showCount = (count: number): string => count.toLocaleString('en');
