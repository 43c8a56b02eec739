const quietMs = 1000;

/**
 * Awaits the work and tells about it only when it takes over a second: its label while it runs, then how long it took.
 * @template T
 * @param {string} label
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(label, work) {
  const startMs = performance.now();
  let told = false;
  const timer = setTimeout(() => {
    told = true;
    console.log(`${label} …`);
  }, quietMs);
  try {
    const result = await work();
    if (told) console.log(`${label}: ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
