/** Shows a line to the person at the console. Throws when nobody is there any more. */
export type Say = (line: string) => void;

const everyMs = 2_000;

/** Says how far long work is, but not more than every two seconds. */
export function createProgress(say: Say): Say {
  let saidMs = performance.now();
  return (line) => {
    if (performance.now() - saidMs < everyMs) return;
    saidMs = performance.now();
    say(line);
  };
}

/** `1,234 rows`, `1 row`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Since a moment of `performance.now()`: `4.2 s`. */
export function secondsSince(startMs: number): string {
  return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
}
