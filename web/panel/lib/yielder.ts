/** A longer task would delay the response to a keystroke. */
const longestRunMs = 12;

/**
 * Divides long work into steps: await the returned function after each, so that the page can render and
 * handle input. It is no timer: background tabs throttle those to one a second.
 */
export function createYielder(): () => Promise<void> | undefined {
  let workingSince = performance.now();
  return () => {
    if (performance.now() - workingSince < longestRunMs) return undefined;
    return new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        workingSince = performance.now();
        resolve();
      };
      port2.postMessage(undefined);
    });
  };
}
