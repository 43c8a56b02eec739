const lagLine = /^nodejs_eventloop_lag_max_seconds (\S+)$/m;
/** The event loop is looked at every ten milliseconds, and what is counted is from one look to the next. */
const lookMs = 10;

/** The longest time in which the server answered nobody since this was last asked, in milliseconds. */
export async function longestStallMs(origin: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const seconds = Number(lagLine.exec(text)?.[1]);
  return Math.max(0, seconds * 1000 - lookMs);
}
