/** Longer than this in one go and a key that is pressed meanwhile is answered late. */
const longestRunMs = 12;

/**
 * For long work done piece by piece: await what it answers after each piece, and the page draws and hears keys in
 * between. Not by a timer: those of a page in the background come once a second.
 */
export function createYielder(): () => Promise<void> | undefined {
  let workingSince = performance.now();
  return () => {
    if (performance.now() - workingSince < longestRunMs) return undefined;
    return nextTask().then(() => {
      workingSince = performance.now();
    });
  };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
