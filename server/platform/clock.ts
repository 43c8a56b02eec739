/** Where the server takes the present moment from, so that a test can turn it. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };
