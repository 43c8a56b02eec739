/** What Back and Forward do before the router hears of them: a window's listeners run in the order in which they were added. */
export const popped = { before(): void {} };
