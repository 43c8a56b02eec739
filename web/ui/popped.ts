/** Lets dialogs hear of Back and Forward before the router does: a window runs its listeners in the order in which they were added. */
export const popped = { before(): void {} };
